# By its id (ID@REGION for another region than the provider's), or by the address that its tags hold: estate_internet_gateway.example.
tofu import estate_internet_gateway.example igw-0123456789abcdef0
