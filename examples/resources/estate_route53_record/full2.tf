# An alias of another record.
resource "estate_route53_record" "example" {
  zone_id = estate_route53_zone.example.id
  name    = "example.com"
  type    = "A"

  alias {
    name                   = "www.example.com"
    zone_id                = estate_route53_zone.example.id
    evaluate_target_health = false
  }
}

resource "estate_route53_zone" "example" {
  tofu_address = "estate_route53_zone.example"
  name         = "example.com"
}
