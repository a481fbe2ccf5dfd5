resource "estate_iam_role_policy" "a" {
  role = estate_iam_role.a.name
  name = "read"
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "s3:GetObject", Resource = "*" }]
  })
}
