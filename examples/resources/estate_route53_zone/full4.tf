# Whose records can be changed while us-east-1 is not available.
resource "estate_route53_zone" "example" {
  tofu_address                = "estate_route53_zone.example"
  name                        = "example.com"
  enable_accelerated_recovery = true
}
