# On an Outpost rack, whose network interfaces get addresses of the customer.
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

variable "customer_pool_id" {
  description = "Pool of the customer's addresses."
  type        = string
}

resource "estate_subnet" "example" {
  tofu_address = "estate_subnet.example"

  vpc_id                          = var.vpc_id
  availability_zone               = var.zone
  cidr_block                      = "10.0.1.0/24"
  outpost_arn                     = var.outpost_arn
  customer_owned_ipv4_pool        = var.customer_pool_id
  map_customer_owned_ip_on_launch = true
}
