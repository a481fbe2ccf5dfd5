resource "estate_route53_zone" "example" {
  tofu_address = "estate_route53_zone.example"
  name         = "example.com"

  tags = {
    Name = "example"
  }
}
