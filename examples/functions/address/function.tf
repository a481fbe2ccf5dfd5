terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

locals {
  sites = ["blue", "green"]
}

# In a module that is called with for_each, its caller hands in the path of the module.
output "addresses" {
  value = [for site in local.sites :
    provider::estate::address("module.site[\"${site}\"]", "aws_subnet", "private", 0)
  ]
  # => ["module.site[\"blue\"].aws_subnet.private[0]", "module.site[\"green\"].aws_subnet.private[0]"]
}

# A string that looks like a number is still a key of for_each.
output "key" {
  value = provider::estate::address("", "aws_subnet", "private", "0")
  # => "aws_subnet.private[\"0\"]"
}
