# On an Outpost server, whose instances have a local network interface.
variable "vpc_id" {
  description = "VPC that reaches the Outpost."
  type        = string
}

variable "outpost_arn" {
  description = "Outpost to put the subnet on."
  type        = string
}

variable "zone" {
  description = "Availability Zone of the Outpost."
  type        = string
}

resource "estate_subnet" "example" {
  tofu_address = "estate_subnet.example"

  vpc_id                     = var.vpc_id
  availability_zone          = var.zone
  cidr_block                 = "10.0.1.0/24"
  outpost_arn                = var.outpost_arn
  enable_lni_at_device_index = 1
}
