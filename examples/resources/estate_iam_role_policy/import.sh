# By the name of the role and its own, with a colon between them.
tofu import estate_iam_role_policy.example example-role:example-policy
