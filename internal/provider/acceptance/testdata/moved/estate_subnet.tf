resource "estate_subnet" "a" {
  tofu_address = "estate_subnet.a"
  vpc_id       = estate_vpc.a.id
  cidr_block   = "10.60.1.0/24"
  tags         = { Name = "moved", team = "core" }
}
