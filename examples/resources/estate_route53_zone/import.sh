# By its id, or by the address that its tags hold: estate_route53_zone.example.
tofu import estate_route53_zone.example Z0123456789ABCDEFGHIJ
