# By its id (ID@REGION for another region than the provider's), or by the address that its tags hold: estate_security_group.example.
tofu import estate_security_group.example sg-0123456789abcdef0
