resource "estate_iam_role" "example" {
  tofu_address    = "estate_iam_role.example"
  tofu_on_destroy = "delete"
  on_existing     = "adopt"
  adopt_unmarked  = false

  name                  = "example-full"
  path                  = "/examples/"
  description           = "Lets instances read the account."
  max_session_duration  = 7200
  permissions_boundary  = "arn:aws:iam::aws:policy/ReadOnlyAccess"
  force_detach_policies = true

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "ec2.amazonaws.com" }
    }]
  })

  tags = {
    Team = "example"
  }
}
