# A chosen IPv6 block out of a pool of IPAM.
variable "ipv6_pool_id" {
  description = "IPAM pool of IPv6 blocks."
  type        = string
}

variable "ipv6_cidr_block" {
  description = "Block of the pool to take."
  type        = string
}

resource "estate_vpc" "example" {
  tofu_address = "estate_vpc.example"

  cidr_block        = "10.0.0.0/16"
  ipv6_ipam_pool_id = var.ipv6_pool_id
  ipv6_cidr_block   = var.ipv6_cidr_block
}
