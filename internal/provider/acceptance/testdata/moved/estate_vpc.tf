resource "estate_vpc" "a" {
  tofu_address = "estate_vpc.a"
  cidr_block   = "10.60.0.0/16"
  tags         = { Name = "moved", team = "core" }
}
