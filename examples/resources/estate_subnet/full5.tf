# Both ranges from pools of IPAM, which picks them.
variable "vpc_id" {
  description = "VPC whose ranges the pools hold."
  type        = string
}

variable "ipv4_pool_id" {
  description = "IPAM pool of the VPC's IPv4 range."
  type        = string
}

variable "ipv6_pool_id" {
  description = "IPAM pool of the VPC's IPv6 block."
  type        = string
}

resource "estate_subnet" "example" {
  tofu_address = "estate_subnet.example"

  vpc_id              = var.vpc_id
  ipv4_ipam_pool_id   = var.ipv4_pool_id
  ipv4_netmask_length = 24
  ipv6_ipam_pool_id   = var.ipv6_pool_id
  ipv6_netmask_length = 64
}
