# For users near a place.
resource "estate_route53_record" "example" {
  zone_id        = estate_route53_zone.example.id
  name           = "www.example.com"
  type           = "A"
  ttl            = 60
  records        = ["192.0.2.1"]
  set_identifier = "somewhere"

  geoproximity_routing_policy {
    bias = 10

    coordinates {
      latitude  = "49.22"
      longitude = "-74.01"
    }
  }
}

resource "estate_route53_zone" "example" {
  tofu_address = "estate_route53_zone.example"
  name         = "example.com"
}
