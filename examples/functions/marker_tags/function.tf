terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

# The same tags that a resource of this provider would have, for a resource of hashicorp/aws:
#
#   resource "aws_sqs_queue" "jobs" {
#     count = 2
#     name  = "jobs-${count.index}"
#     tags  = merge(local.tags, provider::estate::marker_tags("networking-prod", "aws_sqs_queue.jobs[${count.index}]", count.index))
#   }

locals {
  tags = { Team = "networking" }
}

output "tags" {
  value = [for i in range(2) :
    merge(local.tags, provider::estate::marker_tags("networking-prod", "aws_sqs_queue.jobs[${i}]", i))
  ]
  # => [
  #   {"Team": "networking", "tofu-estate": "networking-prod", "tofu-address": "aws_sqs_queue.jobs:0", "tofu-slot": "0"},
  #   {"Team": "networking", "tofu-estate": "networking-prod", "tofu-address": "aws_sqs_queue.jobs:1", "tofu-slot": "1"}
  # ]
}
