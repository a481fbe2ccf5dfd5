resource "estate_route53_zone" "example" {
  for_each        = toset(["example.com", "example.org"])
  tofu_address    = "estate_route53_zone.example"
  tofu_key        = each.key
  tofu_on_destroy = "delete"
  on_existing     = "adopt"
  adopt_unmarked  = false

  name          = each.key
  comment       = "An example"
  force_destroy = true

  tags = {
    Name = "example"
  }

  timeouts {
    create = "10m"
    update = "10m"
    delete = "10m"
  }
}
