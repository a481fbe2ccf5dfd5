# One group for each tier, with names that are made up.
resource "estate_vpc" "example" {
  tofu_address = "estate_vpc.example"
  cidr_block   = "10.0.0.0/16"
}

resource "estate_security_group" "example" {
  for_each = toset(["database", "web"])

  tofu_address = "estate_security_group.example"
  tofu_key     = each.key
  vpc_id       = estate_vpc.example.id
}
