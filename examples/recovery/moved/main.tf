terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

provider "estate" {
  estate = "shop-prod"
  region = "eu-west-1"
}

moved {
  from = aws_vpc.main
  to   = estate_vpc.main
}

resource "estate_vpc" "main" {
  tofu_address = "estate_vpc.main"

  cidr_block = "10.60.0.0/16"
  tags       = { Name = "main" }
}

moved {
  from = aws_eip.nat
  to   = estate_eip.nat
}

resource "estate_eip" "nat" {
  count        = 2
  tofu_address = "estate_eip.nat"
  tofu_key     = count.index

  domain = "vpc"
  tags   = { Name = "nat-${count.index}" }
}
