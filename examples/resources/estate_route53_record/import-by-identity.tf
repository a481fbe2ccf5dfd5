import {
  to = estate_route53_record.example
  identity = {
    zone_id = "Z0123456789ABCDEFGHIJ"
    name    = "www.example.com"
    type    = "A"
  }
}
