variable "domain" {
  type    = string
  default = "web.example"
}

resource "estate_route53_zone" "main" {
  tofu_address = "${var.tofu_module}estate_route53_zone.main"

  name = var.domain
}

# Records carry no tags. They are found by their zone, name and type, and the zone's marker guards them.
resource "estate_route53_record" "entry" {
  for_each = module.network

  zone_id        = estate_route53_zone.main.zone_id
  name           = "www"
  type           = "A"
  ttl            = 60
  records        = each.value.addresses
  set_identifier = each.key

  weighted_routing_policy {
    weight = 50
  }
}

resource "estate_route53_record" "apex" {
  zone_id = estate_route53_zone.main.zone_id
  name    = var.domain
  type    = "A"

  alias {
    name                   = "www.${var.domain}"
    zone_id                = estate_route53_zone.main.zone_id
    evaluate_target_health = false
  }

  depends_on = [estate_route53_record.entry]
}

resource "estate_route53_record" "policy" {
  zone_id = estate_route53_zone.main.zone_id
  name    = "_dmarc"
  type    = "TXT"
  ttl     = 3600
  records = ["v=DMARC1; p=reject"]
}
