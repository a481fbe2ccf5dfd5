# For two networks alone.
resource "estate_route53_zone" "example" {
  tofu_address = "estate_route53_zone.example"
  name         = "internal.example.com"

  vpc {
    vpc_id = estate_vpc.first.id
  }

  vpc {
    vpc_id     = estate_vpc.second.id
    vpc_region = "eu-west-1"
  }
}

resource "estate_vpc" "first" {
  tofu_address         = "estate_vpc.first"
  cidr_block           = "10.0.0.0/16"
  enable_dns_hostnames = true
}

resource "estate_vpc" "second" {
  tofu_address         = "estate_vpc.second"
  cidr_block           = "10.1.0.0/16"
  enable_dns_hostnames = true
}
