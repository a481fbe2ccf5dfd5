# By its address, out of another estate: one of a count or for_each, in a module.
data "estate_subnet" "shared" {
  tofu_estate  = "network"
  tofu_address = "module.zone[\"a\"].estate_subnet.private"
  tofu_key     = "a"
}

# By its id.
data "estate_subnet" "example" {
  id = "subnet-0123456789abcdef0"
}

# By a filter that EC2 has.
data "estate_subnet" "filtered" {
  filter {
    name   = "vpc-id"
    values = ["vpc-0123456789abcdef0"]
  }

  filter {
    name   = "availability-zone"
    values = ["eu-west-1a"]
  }
}

output "shared_subnet_id" {
  value = data.estate_subnet.shared.id
}
