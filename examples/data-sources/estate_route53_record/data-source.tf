# The zone by its address, out of another estate.
data "estate_route53_zone" "shared" {
  tofu_estate  = "network"
  tofu_address = "estate_route53_zone.main"
}

# The record by zone, name and type: it carries no marker of its own.
data "estate_route53_record" "example" {
  zone_id = data.estate_route53_zone.shared.id
  name    = "www.example.com"
  type    = "A"
}

output "addresses" {
  value = data.estate_route53_record.example.records
}
