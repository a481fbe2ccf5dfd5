resource "estate_eip" "example" {
  tofu_address = "estate_eip.example"
  domain       = "vpc"
}
