variable "services" {
  type    = set(string)
  default = ["api", "worker"]
}

resource "estate_iam_role" "service" {
  for_each     = var.services
  tofu_address = "${var.tofu_module}estate_iam_role.service"
  tofu_key     = each.key

  name = "demo-${each.key}"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "ec2.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

# A role's inline policy cannot carry tags: it is found by its role and name, and the role's marker guards it.
resource "estate_iam_role_policy" "service" {
  for_each = var.services

  role = estate_iam_role.service[each.key].name
  name = "describe"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = "ec2:Describe*"
      Resource = "*"
    }]
  })
}
