# network.tf with its first block renamed: the address that the block says follows its new name.

moved {
  from = estate_vpc.main
  to   = estate_vpc.network
}

resource "estate_vpc" "network" {
  tofu_address = "${var.tofu_module}estate_vpc.network"

  cidr_block           = "10.0.0.0/16"
  enable_dns_hostnames = true

  tags = {
    Name = "main"
  }
}

# Members of a count get a slot as well: a number that stays with the object.
resource "estate_eip" "outbound" {
  count        = 3
  tofu_address = "${var.tofu_module}estate_eip.outbound"
  tofu_key     = count.index

  domain = "vpc"
}
