terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

# A list of the values that tofu-address has, as data.aws_resourcegroupstaggingapi_resources shows them.
locals {
  values = ["module.site:blue.aws_vpc.main", "aws_sqs_queue.jobs:0"]
}

output "addresses" {
  value = [for value in local.values : provider::estate::unescape_address(value)]
  # => ["module.site[\"blue\"].aws_vpc.main", "aws_sqs_queue.jobs[0]"]
}
