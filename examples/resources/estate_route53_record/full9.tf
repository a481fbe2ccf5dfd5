# For users near a region.
resource "estate_route53_record" "example" {
  zone_id        = estate_route53_zone.example.id
  name           = "www.example.com"
  type           = "A"
  ttl            = 60
  records        = ["192.0.2.1"]
  set_identifier = "region"

  geoproximity_routing_policy {
    aws_region = "eu-west-1"
  }
}

resource "estate_route53_zone" "example" {
  tofu_address = "estate_route53_zone.example"
  name         = "example.com"
}
