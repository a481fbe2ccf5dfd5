# Both ranges from pools of IPAM, which picks them.
variable "ipv4_pool_id" {
  description = "IPAM pool of IPv4 ranges."
  type        = string
}

variable "ipv6_pool_id" {
  description = "IPAM pool of IPv6 blocks."
  type        = string
}

resource "estate_vpc" "example" {
  tofu_address = "estate_vpc.example"

  ipv4_ipam_pool_id   = var.ipv4_pool_id
  ipv4_netmask_length = 24
  ipv6_ipam_pool_id   = var.ipv6_pool_id
  ipv6_netmask_length = 56
}
