# Any address of a pool of one's own.
variable "pool_id" {
  description = "Pool of public IPv4 addresses brought to AWS."
  type        = string
}

variable "network_border_group" {
  description = "Where the pool is advertised from."
  type        = string
}

resource "estate_eip" "example" {
  tofu_address = "estate_eip.example"

  public_ipv4_pool     = var.pool_id
  network_border_group = var.network_border_group
}
