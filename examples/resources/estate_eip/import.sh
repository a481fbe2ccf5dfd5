# By its allocation id (ID@REGION for another region than the provider's), or by the address that its tags hold: estate_eip.example.
tofu import estate_eip.example eipalloc-0123456789abcdef0
