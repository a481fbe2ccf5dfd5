resource "estate_vpc" "example" {
  tofu_address = "estate_vpc.example"
  cidr_block   = "10.0.0.0/16"
}

resource "estate_security_group" "example" {
  tofu_address = "estate_security_group.example"
  name         = "example"
  description  = "Web servers"
  vpc_id       = estate_vpc.example.id

  tags = {
    Name = "example"
  }
}
