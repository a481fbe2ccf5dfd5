terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

variable "tofu_module" {
  type = string
}

variable "name" {
  type = string
}

variable "cidr_block" {
  type = string
}

variable "zones" {
  type = list(string)
}

locals {
  # One public and one private subnet in each zone, each a slice of the network.
  public  = { for i, zone in var.zones : zone => cidrsubnet(var.cidr_block, 8, i) }
  private = { for i, zone in var.zones : zone => cidrsubnet(var.cidr_block, 8, 100 + i) }
}

resource "estate_vpc" "main" {
  tofu_address = "${var.tofu_module}estate_vpc.main"

  cidr_block           = var.cidr_block
  enable_dns_hostnames = true

  tags = {
    Name = var.name
  }
}

resource "estate_internet_gateway" "main" {
  tofu_address = "${var.tofu_module}estate_internet_gateway.main"

  vpc_id = estate_vpc.main.id

  tags = {
    Name = var.name
  }
}

resource "estate_subnet" "public" {
  for_each     = local.public
  tofu_address = "${var.tofu_module}estate_subnet.public"
  tofu_key     = each.key

  vpc_id                  = estate_vpc.main.id
  availability_zone       = each.key
  cidr_block              = each.value
  map_public_ip_on_launch = true

  tags = {
    Name = "${var.name}-public-${each.key}"
  }
}

resource "estate_subnet" "private" {
  for_each     = local.private
  tofu_address = "${var.tofu_module}estate_subnet.private"
  tofu_key     = each.key

  vpc_id            = estate_vpc.main.id
  availability_zone = each.key
  cidr_block        = each.value

  tags = {
    Name = "${var.name}-private-${each.key}"
  }
}

# A group without rules lets nothing in and nothing out: AWS's own egress rule is taken off.
resource "estate_security_group" "web" {
  tofu_address = "${var.tofu_module}estate_security_group.web"

  name        = "${var.name}-web"
  description = "What the world may reach."
  vpc_id      = estate_vpc.main.id
}

# Without a name the provider derives one from the address, so that a crash does not lose it.
resource "estate_security_group" "data" {
  tofu_address = "${var.tofu_module}estate_security_group.data"

  name_prefix = "${var.name}-data-"
  description = "What only the web servers may reach."
  vpc_id      = estate_vpc.main.id
}

# Members of a count get a slot as well: a number that stays with the object.
resource "estate_eip" "entry" {
  count        = 2
  tofu_address = "${var.tofu_module}estate_eip.entry"
  tofu_key     = count.index

  domain = "vpc"
}

output "vpc_id" {
  value = estate_vpc.main.id
}

output "addresses" {
  description = "Addresses that the environment's entry answers at."
  value       = estate_eip.entry[*].public_ip
}
