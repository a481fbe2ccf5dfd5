resource "estate_vpc" "main" {
  tofu_address = "${var.tofu_module}estate_vpc.main"

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
