# By its id (ID@REGION for another region than the provider's), or by the address that its tags hold: estate_vpc.example.
tofu import estate_vpc.example vpc-0123456789abcdef0
