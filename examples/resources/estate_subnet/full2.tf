# One subnet for each zone.
resource "estate_vpc" "example" {
  tofu_address                     = "estate_vpc.example"
  cidr_block                       = "10.0.0.0/16"
  assign_generated_ipv6_cidr_block = true
}

resource "estate_subnet" "example" {
  for_each = {
    euw1-az1 = 1
    euw1-az2 = 2
  }

  tofu_address         = "estate_subnet.example"
  tofu_key             = each.key
  vpc_id               = estate_vpc.example.id
  availability_zone_id = each.key
  cidr_block           = cidrsubnet(estate_vpc.example.cidr_block, 8, each.value)
  ipv6_cidr_block      = cidrsubnet(estate_vpc.example.ipv6_cidr_block, 8, each.value)
}
