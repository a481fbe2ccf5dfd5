import {
  to = estate_route53_record.example
  id = "Z0123456789ABCDEFGHIJ_www.example.com_A"
}
