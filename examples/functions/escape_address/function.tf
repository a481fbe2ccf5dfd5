terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

# To look for one object by its tag, as in the filter of a data source:
#
#   data "aws_vpcs" "blue" {
#     tags = {
#       tofu-estate  = "networking-prod"
#       tofu-address = provider::estate::escape_address("module.site[\"blue\"].aws_vpc.main")
#     }
#   }

output "value" {
  value = provider::estate::escape_address("module.site[\"blue\"].aws_vpc.main")
  # => "module.site:blue.aws_vpc.main"
}
