# By its address, out of another estate, whose state is not needed.
data "estate_vpc" "shared" {
  tofu_estate  = "network"
  tofu_address = "estate_vpc.main"
}

# By its id.
data "estate_vpc" "example" {
  id = "vpc-0123456789abcdef0"
}

# By its tags, and by a filter that EC2 has.
data "estate_vpc" "tagged" {
  tags = {
    Name = "example"
  }

  filter {
    name   = "cidr"
    values = ["10.0.0.0/16"]
  }
}

output "shared_vpc_id" {
  value = data.estate_vpc.shared.id
}
