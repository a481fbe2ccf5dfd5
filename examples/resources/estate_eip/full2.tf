# Associated with a secondary private address of a network interface.
variable "network_interface_id" {
  description = "Network interface in a VPC with an internet gateway."
  type        = string
}

variable "private_ip" {
  description = "Private address of the network interface."
  type        = string
}

resource "estate_eip" "example" {
  tofu_address = "estate_eip.example"

  network_interface         = var.network_interface_id
  associate_with_private_ip = var.private_ip
}
