# By its id (ID@REGION for another region than the provider's), or by the address that its tags hold: estate_subnet.example.
tofu import estate_subnet.example subnet-0123456789abcdef0
