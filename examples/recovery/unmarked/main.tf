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

locals {
  # The objects that this estate is to own, by the tag that tells them apart.
  names = toset(["nat-a", "nat-b", "nat-c"])
}

resource "estate_eip" "nat" {
  for_each     = local.names
  tofu_address = "estate_eip.nat"
  tofu_key     = each.key

  domain = "vpc"
  tags   = { Name = each.key }
}

data "estate_inventory" "unmarked" {
  status = "unmarked"
  types  = ["estate_eip"]
}

import {
  for_each = {
    for o in data.estate_inventory.unmarked.objects : o.tags["Name"] => o.import_id
    if contains(local.names, lookup(o.tags, "Name", ""))
  }
  to = estate_eip.nat[each.key]
  id = each.value
}
