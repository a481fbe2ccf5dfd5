# A small estate as people run it: a network in two environments, a service module that is called twice, buckets, roles, logs
# and DNS. `make demo` plays with it. Every resource says its own address, which the provider writes on the object.

terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

provider "estate" {
  estate = "web"

  default_tags {
    tags = {
      Repository = "examples/estates/web"
    }
  }
}

# A module's own path. It is empty in the root; each call of a module hands down a longer one.
variable "tofu_module" {
  type    = string
  default = ""
}

variable "name" {
  description = "Start of all names. Names of buckets are unique in the whole world."
  type        = string
  default     = "estate-web"
}
