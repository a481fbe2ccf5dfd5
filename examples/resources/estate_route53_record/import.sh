# By zone, name as the configuration writes it, and type, with underscores between them; the set identifier comes last.
tofu import estate_route53_record.example Z0123456789ABCDEFGHIJ_www.example.com_A
