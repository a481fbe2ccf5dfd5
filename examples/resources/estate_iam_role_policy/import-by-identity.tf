import {
  to = estate_iam_role_policy.example
  identity = {
    role = "example-role"
    name = "example-policy"
  }
}
