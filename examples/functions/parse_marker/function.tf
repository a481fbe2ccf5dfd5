terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

# Such tags come from any data source, such as data.aws_resourcegroupstaggingapi_resources.all.resource_tag_mapping_list.
locals {
  found = {
    "vpc-0a1b2c" = {
      "tofu-estate"  = "networking-prod"
      "tofu-address" = "module.site:blue.estate_vpc.main"
      "Name"         = "blue"
    }
    "vpc-3d4e5f" = { "Name" = "by hand" }
  }
  markers = { for id, tags in local.found : id => provider::estate::parse_marker(tags) }
}

output "addresses" {
  value = { for id, marker in local.markers : id => marker.address if marker.status == "marked" }
  # => {"vpc-0a1b2c": "module.site[\"blue\"].estate_vpc.main"}
}

output "nobodys" {
  value = [for id, marker in local.markers : id if marker.status == "unmarked"]
  # => ["vpc-3d4e5f"]
}
