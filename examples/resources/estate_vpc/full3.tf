# Amazon's IPv6 addresses, advertised from a Local Zone.
resource "estate_vpc" "example" {
  tofu_address = "estate_vpc.example"

  region                               = "us-west-2"
  cidr_block                           = "10.0.0.0/16"
  assign_generated_ipv6_cidr_block     = true
  ipv6_cidr_block_network_border_group = "us-west-2-lax-1"
}
