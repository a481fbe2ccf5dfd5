# A certain address: out of a range of one's own, or one that was released a moment ago.
variable "address" {
  description = "Address to allocate."
  type        = string
}

resource "estate_eip" "example" {
  tofu_address = "estate_eip.example"
  address      = var.address
}
