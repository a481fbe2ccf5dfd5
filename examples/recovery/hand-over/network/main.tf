terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

provider "estate" {
  estate = "network-prod"
  region = "eu-west-1"
}

resource "estate_vpc" "core" {
  tofu_address = "estate_vpc.core"

  cidr_block = "10.0.0.0/16"
}
