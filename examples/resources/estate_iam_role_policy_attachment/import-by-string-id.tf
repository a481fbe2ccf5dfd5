import {
  to = estate_iam_role_policy_attachment.example
  id = "example-role/arn:aws:iam::aws:policy/ReadOnlyAccess"
}
