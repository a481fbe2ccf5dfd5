# A customer-owned address, on an Outpost.
variable "customer_pool_id" {
  description = "Pool of customer-owned addresses."
  type        = string
}

resource "estate_eip" "example" {
  tofu_address             = "estate_eip.example"
  customer_owned_ipv4_pool = var.customer_pool_id
}
