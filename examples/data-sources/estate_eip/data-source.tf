# By its address, out of another estate: the first of a count.
data "estate_eip" "shared" {
  tofu_estate  = "network"
  tofu_address = "estate_eip.egress"
  tofu_key     = "0"
}

# By its allocation id.
data "estate_eip" "example" {
  id = "eipalloc-0123456789abcdef0"
}

# By the address itself.
data "estate_eip" "known" {
  filter {
    name   = "public-ip"
    values = ["198.51.100.7"]
  }
}

output "egress_address" {
  value = data.estate_eip.shared.public_ip
}
