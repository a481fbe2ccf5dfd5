# A public subnet with IPv4 and IPv6.
variable "region" {
  description = "Region to create the network in."
  type        = string
  default     = "eu-west-1"
}

resource "estate_vpc" "example" {
  tofu_address = "estate_vpc.example"

  region                           = var.region
  cidr_block                       = "10.0.0.0/16"
  assign_generated_ipv6_cidr_block = true
}

resource "estate_subnet" "example" {
  tofu_address    = "estate_subnet.example"
  tofu_on_destroy = "delete"
  on_existing     = "adopt"
  adopt_unmarked  = false

  region                                      = var.region
  vpc_id                                      = estate_vpc.example.id
  availability_zone                           = "${var.region}a"
  cidr_block                                  = "10.0.1.0/24"
  ipv6_cidr_block                             = cidrsubnet(estate_vpc.example.ipv6_cidr_block, 8, 1)
  assign_ipv6_address_on_creation             = true
  map_public_ip_on_launch                     = true
  enable_resource_name_dns_a_record_on_launch = true

  tags = {
    Name = "example"
  }

  timeouts {
    create = "5m"
    delete = "45m"
  }
}
