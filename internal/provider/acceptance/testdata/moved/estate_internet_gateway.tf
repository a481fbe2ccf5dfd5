resource "estate_internet_gateway" "a" {
  tofu_address = "estate_internet_gateway.a"
  vpc_id       = estate_vpc.a.id
  tags         = { Name = "moved", team = "core" }
}
