# Generated names: each begins with the prefix, and is the same again after the state was lost.
resource "estate_iam_role" "example" {
  for_each = toset(["reader", "writer"])

  tofu_address = "estate_iam_role.example"
  tofu_key     = each.key
  name_prefix  = "example-${each.key}-"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "ec2.amazonaws.com" }
    }]
  })
}
