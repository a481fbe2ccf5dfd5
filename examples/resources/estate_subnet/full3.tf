# A subnet with IPv6 alone.
resource "estate_vpc" "example" {
  tofu_address                     = "estate_vpc.example"
  cidr_block                       = "10.0.0.0/16"
  assign_generated_ipv6_cidr_block = true
}

resource "estate_subnet" "example" {
  tofu_address = "estate_subnet.example"

  vpc_id                          = estate_vpc.example.id
  ipv6_native                     = true
  ipv6_cidr_block                 = cidrsubnet(estate_vpc.example.ipv6_cidr_block, 8, 1)
  assign_ipv6_address_on_creation = true
}
