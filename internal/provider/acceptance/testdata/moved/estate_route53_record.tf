resource "estate_route53_record" "a" {
  zone_id = estate_route53_zone.a.zone_id
  name    = "www.moved.example.com"
  type    = "A"
  ttl     = 300
  records = ["192.0.2.1"]
}
