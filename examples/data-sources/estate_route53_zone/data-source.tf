# By its address, out of another estate.
data "estate_route53_zone" "shared" {
  tofu_estate  = "network"
  tofu_address = "estate_route53_zone.main"
}

# By its id.
data "estate_route53_zone" "example" {
  id = "Z0123456789ABCDEFGHIJ"
}

output "name_servers" {
  value = data.estate_route53_zone.shared.name_servers
}
