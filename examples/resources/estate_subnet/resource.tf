resource "estate_vpc" "example" {
  tofu_address = "estate_vpc.example"
  cidr_block   = "10.0.0.0/16"
}

resource "estate_subnet" "example" {
  tofu_address = "estate_subnet.example"
  vpc_id       = estate_vpc.example.id
  cidr_block   = "10.0.1.0/24"

  tags = {
    Name = "example"
  }
}
