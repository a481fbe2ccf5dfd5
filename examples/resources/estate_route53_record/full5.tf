# For users on one continent.
resource "estate_route53_record" "example" {
  zone_id        = estate_route53_zone.example.id
  name           = "www.example.com"
  type           = "A"
  ttl            = 60
  records        = ["192.0.2.1"]
  set_identifier = "europe"

  geolocation_routing_policy {
    continent = "EU"
  }
}

resource "estate_route53_zone" "example" {
  tofu_address = "estate_route53_zone.example"
  name         = "example.com"
}
