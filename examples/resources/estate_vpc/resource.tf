resource "estate_vpc" "example" {
  tofu_address = "estate_vpc.example"
  cidr_block   = "10.0.0.0/16"

  tags = {
    Name = "example"
  }
}
