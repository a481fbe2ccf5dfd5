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

resource "estate_vpc" "main" {
  tofu_address = "estate_vpc.main"

  cidr_block = "10.0.0.0/16"
  tags       = { Name = "main" }
}

resource "estate_subnet" "private" {
  count        = 2
  tofu_address = "estate_subnet.private"
  tofu_key     = count.index

  vpc_id     = estate_vpc.main.id
  cidr_block = cidrsubnet(estate_vpc.main.cidr_block, 8, count.index)
}

resource "estate_cloudwatch_log_group" "jobs" {
  for_each     = toset(["mail", "print"])
  tofu_address = "estate_cloudwatch_log_group.jobs"
  tofu_key     = each.key

  name = "/jobs/${each.key}"
}
