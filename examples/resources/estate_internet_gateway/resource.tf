resource "estate_vpc" "example" {
  tofu_address = "estate_vpc.example"
  cidr_block   = "10.0.0.0/16"
}

resource "estate_internet_gateway" "example" {
  tofu_address = "estate_internet_gateway.example"
  vpc_id       = estate_vpc.example.id

  tags = {
    Name = "example"
  }
}
