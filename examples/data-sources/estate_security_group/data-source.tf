# By its address, out of another estate.
data "estate_security_group" "shared" {
  tofu_estate  = "network"
  tofu_address = "estate_security_group.web"
}

# By its id.
data "estate_security_group" "example" {
  id = "sg-0123456789abcdef0"
}

# By filters that EC2 has.
data "estate_security_group" "default" {
  filter {
    name   = "vpc-id"
    values = ["vpc-0123456789abcdef0"]
  }

  filter {
    name   = "group-name"
    values = ["default"]
  }
}

output "shared_group_id" {
  value = data.estate_security_group.shared.id
}
