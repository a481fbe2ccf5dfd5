# In the region's default VPC.
variable "region" {
  description = "Region to create the security group in."
  type        = string
  default     = "eu-west-1"
}

resource "estate_security_group" "example" {
  tofu_address    = "estate_security_group.example"
  tofu_on_destroy = "delete"
  on_existing     = "adopt"
  adopt_unmarked  = false

  region                 = var.region
  name_prefix            = "web-"
  description            = "Web servers"
  revoke_rules_on_delete = true

  tags = {
    Name = "example"
  }

  timeouts {
    create = "5m"
    delete = "45m"
  }
}
