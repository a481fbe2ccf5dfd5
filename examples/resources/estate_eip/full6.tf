# An address from a pool of IPAM.
variable "ipam_pool_id" {
  description = "IPAM pool of public IPv4 addresses."
  type        = string
}

resource "estate_eip" "example" {
  tofu_address = "estate_eip.example"
  ipam_pool_id = var.ipam_pool_id
}
