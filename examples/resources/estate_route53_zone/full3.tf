# With the name servers of other zones.
variable "delegation_set_id" {
  description = "ID of a reusable delegation set."
  type        = string
}

resource "estate_route53_zone" "example" {
  tofu_address      = "estate_route53_zone.example"
  name              = "example.com"
  delegation_set_id = var.delegation_set_id
}
