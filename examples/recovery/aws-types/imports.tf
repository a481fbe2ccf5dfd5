data "estate_inventory" "all" {
  lifecycle {
    postcondition {
      condition     = alltrue([for c in self.coverage : c.complete])
      error_message = "A listing failed. What it would show would be made a second time."
    }
  }
}

locals {
  # What import wants, by the address of the instance. Two objects of one address are an error here.
  found = { for o in data.estate_inventory.all.objects : o.address => o if o.address != null }
}

import {
  for_each = { for a, o in local.found : a => o.import_id if a == "aws_vpc.main" }
  to       = aws_vpc.main
  id       = each.value
}

import {
  # A count: its index is a number, and Terraform takes no function in "to".
  for_each = {
    for a, o in local.found : o.key => { index = tonumber(o.key), id = o.import_id }
    if startswith(a, "aws_subnet.private[")
  }
  to = aws_subnet.private[each.value.index]
  id = each.value.id
}

import {
  for_each = { for a, o in local.found : o.key => o.import_id if startswith(a, "aws_ebs_volume.data[") }
  to       = aws_ebs_volume.data[each.key]
  id       = each.value
}

import {
  for_each = {
    for a, o in local.found : provider::estate::parse_address(a).module[0].key => o.import_id
    if provider::estate::address_covers("module.site", a) && endswith(a, ".aws_eip.nat")
  }
  to = module.site[each.key].aws_eip.nat
  id = each.value
}
