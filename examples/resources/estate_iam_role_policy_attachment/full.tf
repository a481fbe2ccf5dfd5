resource "estate_iam_role_policy_attachment" "example" {
  for_each = toset(["ReadOnlyAccess", "AmazonSSMManagedInstanceCore"])

  tofu_on_destroy = "delete"
  on_existing     = "adopt"

  role       = estate_iam_role.example.name
  policy_arn = "arn:aws:iam::aws:policy/${each.key}"
}

resource "estate_iam_role" "example" {
  tofu_address = "estate_iam_role.example"
  name         = "example"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "ec2.amazonaws.com" }
    }]
  })
}
