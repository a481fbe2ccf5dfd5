# The name of a role that another estate owns.

resource "estate_iam_role" "taken" {
  tofu_address = "${var.tofu_module}estate_iam_role.taken"

  name = "payments"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "ec2.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}
