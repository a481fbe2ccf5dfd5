import {
  to = estate_route53_zone.example
  identity = {
    id = "Z0123456789ABCDEFGHIJ"
  }
}
