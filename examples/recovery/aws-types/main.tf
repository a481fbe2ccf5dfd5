terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

provider "aws" {
  region = "eu-west-1"
}

provider "estate" {
  estate = "shop-prod"
  region = "eu-west-1"
}

resource "aws_vpc" "main" {
  cidr_block = "10.0.0.0/16"
  tags       = provider::estate::marker_tags("shop-prod", "aws_vpc.main")
}

resource "aws_subnet" "private" {
  count = 2

  vpc_id     = aws_vpc.main.id
  cidr_block = "10.0.${count.index}.0/24"
  tags       = provider::estate::marker_tags("shop-prod", "aws_subnet.private[${count.index}]", count.index)
}

resource "aws_ebs_volume" "data" {
  for_each = toset(["mail", "print"])

  availability_zone = "eu-west-1a"
  size              = 1
  tags              = provider::estate::marker_tags("shop-prod", "aws_ebs_volume.data[\"${each.key}\"]")
}

module "site" {
  source   = "./site"
  for_each = toset(["blue", "green"])

  # The address of the module's instance, for the markers of what is in it.
  tofu_module = "module.site[\"${each.key}\"]."
}
