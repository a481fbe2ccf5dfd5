variable "environments" {
  description = "Address range of each environment's network."
  type        = map(string)
  default = {
    blue  = "10.10.0.0/16"
    green = "10.20.0.0/16"
  }
}

variable "zones" {
  type    = list(string)
  default = ["eu-west-1a", "eu-west-1b"]
}

module "network" {
  source   = "./network"
  for_each = var.environments

  # A module cannot know its own path: the call says it, with the key of the instance in quotes.
  tofu_module = "${var.tofu_module}module.network[\"${each.key}\"]."
  name        = "${var.name}-${each.key}"
  cidr_block  = each.value
  zones       = var.zones
}
