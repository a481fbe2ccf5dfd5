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

variable "tofu_module" {
  type = string
}

resource "aws_eip" "nat" {
  domain = "vpc"
  tags   = provider::estate::marker_tags("shop-prod", "${var.tofu_module}aws_eip.nat")
}
