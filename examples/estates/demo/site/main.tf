terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

variable "tofu_module" {
  type = string
}

resource "estate_vpc" "site" {
  tofu_address = "${var.tofu_module}estate_vpc.site"

  cidr_block = "10.1.0.0/16"
}

resource "estate_eip" "entry" {
  count        = 2
  tofu_address = "${var.tofu_module}estate_eip.entry"
  tofu_key     = count.index

  domain = "vpc"
}
