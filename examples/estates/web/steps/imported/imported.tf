# A network that somebody made by hand, and that no estate owns.

variable "untracked_vpc" {
  type = string
}

import {
  to = estate_vpc.imported
  id = var.untracked_vpc
}

resource "estate_vpc" "imported" {
  tofu_address = "${var.tofu_module}estate_vpc.imported"

  cidr_block = "10.200.0.0/16"

  tags = {
    Name = "by hand"
  }
}
