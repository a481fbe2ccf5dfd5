terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

locals {
  instances = [
    "module.site[\"blue\"].aws_vpc.main",
    "module.site[\"blue\"].aws_subnet.private[0]",
    "module.site[\"green\"].aws_vpc.main",
    "aws_sqs_queue.jobs[0]",
  ]
}

# What -target='module.site["blue"]' would select.
output "selected" {
  value = [for address in local.instances : address if provider::estate::address_covers("module.site[\"blue\"]", address)]
  # => ["module.site[\"blue\"].aws_vpc.main", "module.site[\"blue\"].aws_subnet.private[0]"]
}
