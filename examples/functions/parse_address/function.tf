terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

locals {
  instance = provider::estate::parse_address("module.site[\"blue\"].aws_subnet.private[0]")
}

output "block" {
  value = "${local.instance.type}.${local.instance.name}"
  # => "aws_subnet.private"
}

output "sites" {
  value = [for step in local.instance.module : step.key if step.name == "site"]
  # => ["blue"]
}
