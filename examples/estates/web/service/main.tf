terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

variable "tofu_module" {
  type = string
}

variable "name" {
  type = string
}

variable "retention_days" {
  type    = number
  default = 30
}

resource "estate_iam_role" "service" {
  tofu_address = "${var.tofu_module}estate_iam_role.service"

  name = var.name
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "ec2.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

# Inline policies and attachments cannot carry tags: they are found by their role, and the role's marker guards them.
resource "estate_iam_role_policy" "artifacts" {
  role = estate_iam_role.service.name
  name = "artifacts"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = ["s3:GetObject", "s3:PutObject"]
      Resource = "${estate_s3_bucket.artifacts.arn}/*"
    }]
  })
}

resource "estate_iam_role_policy_attachment" "session" {
  role       = estate_iam_role.service.name
  policy_arn = "arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore"
}

resource "estate_cloudwatch_log_group" "service" {
  tofu_address = "${var.tofu_module}estate_cloudwatch_log_group.service"

  name              = "/services/${var.name}"
  retention_in_days = var.retention_days
}

resource "estate_s3_bucket" "artifacts" {
  tofu_address = "${var.tofu_module}estate_s3_bucket.artifacts"

  bucket        = "${var.name}-artifacts"
  force_destroy = true
}
