# By its address, out of another estate.
data "estate_internet_gateway" "shared" {
  tofu_estate  = "network"
  tofu_address = "estate_internet_gateway.main"
}

# By its id.
data "estate_internet_gateway" "example" {
  id = "igw-0123456789abcdef0"
}

# The one of a VPC.
data "estate_internet_gateway" "attached" {
  filter {
    name   = "attachment.vpc-id"
    values = ["vpc-0123456789abcdef0"]
  }
}

output "shared_gateway_id" {
  value = data.estate_internet_gateway.shared.id
}
