terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

resource "estate_vpc" "main" {
  tofu_address = "module.site.estate_vpc.main"

  cidr_block = "10.1.0.0/16"
}

resource "estate_subnet" "private" {
  count        = 3
  tofu_address = "module.site.estate_subnet.private"
  tofu_key     = count.index

  vpc_id     = estate_vpc.main.id
  cidr_block = cidrsubnet(estate_vpc.main.cidr_block, 8, count.index)
}

resource "estate_cloudwatch_log_group" "jobs" {
  tofu_address = "module.site.estate_cloudwatch_log_group.jobs"

  name = "/site/jobs"
}
