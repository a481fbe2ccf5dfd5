# One more network. The provider is killed right after AWS made it.

resource "estate_vpc" "extra" {
  tofu_address = "${var.tofu_module}estate_vpc.extra"

  cidr_block = "10.30.0.0/16"
}
