resource "estate_eip" "a" {
  tofu_address = "estate_eip.a"
  domain       = "vpc"
  tags         = { Name = "moved", team = "core" }
}
