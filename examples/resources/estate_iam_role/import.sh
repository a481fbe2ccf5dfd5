# By its name, or by the address that its tags hold: estate_iam_role.example.
tofu import estate_iam_role.example example
