resource "estate_iam_role_policy_attachment" "a" {
  role       = estate_iam_role.a.name
  policy_arn = "{{.policy_arn}}"
}
