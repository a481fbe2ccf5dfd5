# One VPC with its gateway for each stage.
resource "estate_vpc" "example" {
  for_each = {
    staging    = "10.1.0.0/16"
    production = "10.2.0.0/16"
  }

  tofu_address = "estate_vpc.example"
  tofu_key     = each.key
  cidr_block   = each.value
}

resource "estate_internet_gateway" "example" {
  for_each = estate_vpc.example

  tofu_address = "estate_internet_gateway.example"
  tofu_key     = each.key
  vpc_id       = each.value.id
}
