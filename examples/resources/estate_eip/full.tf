variable "region" {
  description = "Region to allocate the addresses in."
  type        = string
  default     = "eu-west-1"
}

# Each member keeps its own address, whatever happens to the state or the count.
resource "estate_eip" "example" {
  count = 2

  tofu_address    = "estate_eip.example"
  tofu_key        = count.index
  tofu_on_destroy = "delete"
  on_existing     = "adopt"
  adopt_unmarked  = false

  region = var.region
  domain = "vpc"

  tags = {
    Name = "example-${count.index}"
  }

  timeouts {
    read   = "10m"
    update = "5m"
    delete = "3m"
  }
}
