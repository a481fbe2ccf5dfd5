terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

provider "estate" {
  estate = "networking-${terraform.workspace}"
  region = "eu-west-1"

  default_tags {
    tags = {
      Team = "networking"
    }
  }
}

# The path of the module that the blocks stand in: empty in the root.
variable "tofu_module" {
  type    = string
  default = ""
}

resource "estate_vpc" "main" {
  tofu_address = "${var.tofu_module}estate_vpc.main"

  cidr_block = "10.0.0.0/16"
  tags       = { Name = "main" }
}

resource "estate_eip" "nat" {
  count        = 2
  tofu_address = "${var.tofu_module}estate_eip.nat"
  tofu_key     = count.index

  domain = "vpc"
}
