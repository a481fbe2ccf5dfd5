import {
  to = estate_iam_role_policy.example
  id = "example-role:example-policy"
}
