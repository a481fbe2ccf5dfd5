# A gateway that is attached later, by others.
variable "region" {
  description = "Region to create the internet gateway in."
  type        = string
  default     = "eu-west-1"
}

resource "estate_internet_gateway" "example" {
  tofu_address    = "estate_internet_gateway.example"
  tofu_on_destroy = "delete"
  on_existing     = "adopt"
  adopt_unmarked  = false

  region = var.region

  tags = {
    Name = "example"
  }

  timeouts {
    create = "5m"
    update = "5m"
    delete = "30m"
  }
}
