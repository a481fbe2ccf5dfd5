# The estate that `make demo` plays with: a network, addresses, roles, and a module that is called once a site.

terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

provider "estate" {
  estate = "demo"
}

# A module's own path. It is empty in the root; each call of a module hands down a longer one.
variable "tofu_module" {
  type    = string
  default = ""
}

variable "sites" {
  type    = set(string)
  default = ["blue", "green"]
}

module "site" {
  source   = "./site"
  for_each = var.sites

  tofu_module = "${var.tofu_module}module.site[\"${each.key}\"]."
}
