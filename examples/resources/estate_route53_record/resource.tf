resource "estate_route53_record" "example" {
  zone_id = estate_route53_zone.example.id
  name    = "www.example.com"
  type    = "A"
  ttl     = 300
  records = ["192.0.2.1", "192.0.2.2"]
}

resource "estate_route53_zone" "example" {
  tofu_address = "estate_route53_zone.example"
  name         = "example.com"
}
