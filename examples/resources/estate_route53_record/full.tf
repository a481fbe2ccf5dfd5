# One of several that share a name, by their weights.
variable "health_check_id" {
  description = "ID of a health check."
  type        = string
}

resource "estate_route53_record" "example" {
  tofu_on_destroy = "delete"
  on_existing     = "adopt"

  zone_id         = estate_route53_zone.example.id
  name            = "www"
  type            = "A"
  ttl             = 60
  records         = ["192.0.2.1"]
  health_check_id = var.health_check_id
  set_identifier  = "first"
  allow_overwrite = false

  weighted_routing_policy {
    weight = 90
  }

  timeouts {
    create = "10m"
    update = "10m"
    delete = "10m"
  }
}

resource "estate_route53_zone" "example" {
  tofu_address = "estate_route53_zone.example"
  name         = "example.com"
}
