import {
  to = estate_route53_zone.example
  id = "Z0123456789ABCDEFGHIJ"
}
