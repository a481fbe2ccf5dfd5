# Whether a role has a policy: that it has none is an error. An attachment carries no marker of its own.
data "estate_iam_role_policy_attachment" "example" {
  role       = "example"
  policy_arn = "arn:aws:iam::aws:policy/ReadOnlyAccess"
}

output "attachment" {
  value = data.estate_iam_role_policy_attachment.example.id
}
