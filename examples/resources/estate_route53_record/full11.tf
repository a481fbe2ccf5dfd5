# For users of certain networks.
variable "cidr_collection_id" {
  description = "ID of a CIDR collection."
  type        = string
}

resource "estate_route53_record" "example" {
  zone_id        = estate_route53_zone.example.id
  name           = "www.example.com"
  type           = "A"
  ttl            = 60
  records        = ["192.0.2.1"]
  set_identifier = "office"

  cidr_routing_policy {
    collection_id = var.cidr_collection_id
    location_name = "office"
  }
}

resource "estate_route53_zone" "example" {
  tofu_address = "estate_route53_zone.example"
  name         = "example.com"
}
