# For users near a local zone.
resource "estate_route53_record" "example" {
  zone_id        = estate_route53_zone.example.id
  name           = "www.example.com"
  type           = "A"
  ttl            = 60
  records        = ["192.0.2.1"]
  set_identifier = "local"

  geoproximity_routing_policy {
    local_zone_group = "us-west-2-lax-1"
  }
}

resource "estate_route53_zone" "example" {
  tofu_address = "estate_route53_zone.example"
  name         = "example.com"
}
