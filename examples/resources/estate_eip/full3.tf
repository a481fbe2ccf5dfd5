# Associated with an instance.
variable "instance_id" {
  description = "Instance in a VPC with an internet gateway."
  type        = string
}

resource "estate_eip" "example" {
  tofu_address = "estate_eip.example"
  instance     = var.instance_id
}
