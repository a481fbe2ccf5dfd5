variable "region" {
  description = "Region to create the VPC in."
  type        = string
  default     = "eu-west-1"
}

resource "estate_vpc" "example" {
  tofu_address    = "estate_vpc.example"
  tofu_on_destroy = "delete"
  on_existing     = "adopt"
  adopt_unmarked  = false

  region                               = var.region
  cidr_block                           = "10.0.0.0/16"
  assign_generated_ipv6_cidr_block     = true
  instance_tenancy                     = "dedicated"
  enable_dns_support                   = true
  enable_dns_hostnames                 = true
  enable_network_address_usage_metrics = true

  tags = {
    Name = "example"
  }
}
