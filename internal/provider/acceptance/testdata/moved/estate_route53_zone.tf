resource "estate_route53_zone" "a" {
  tofu_address  = "estate_route53_zone.a"
  name          = "moved.example.com"
  force_destroy = true
  tags          = { Name = "moved", team = "core" }
}
