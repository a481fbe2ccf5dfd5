resource "estate_iam_role" "a" {
  tofu_address          = "estate_iam_role.a"
  name                  = "moved"
  force_detach_policies = true
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = { Service = "ec2.amazonaws.com" }, Action = "sts:AssumeRole" }]
  })
  tags = { Name = "moved", team = "core" }
}
