# By the name of the role and the ARN of the policy, with a slash between them.
tofu import estate_iam_role_policy_attachment.example example-role/arn:aws:iam::aws:policy/ReadOnlyAccess
