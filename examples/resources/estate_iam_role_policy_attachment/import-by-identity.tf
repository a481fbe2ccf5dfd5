import {
  to = estate_iam_role_policy_attachment.example
  identity = {
    role       = "example-role"
    policy_arn = "arn:aws:iam::aws:policy/ReadOnlyAccess"
  }
}
