package acceptance

import "fmt"

// fenced is a VPC whose replacement is created first, among other objects that make the order of calls vary.
func fenced(name, address, cidr string) string {
	return fmt.Sprintf(`
resource "estate_vpc" %q {
  tofu_address = %q
  cidr_block   = %q

  lifecycle {
    create_before_destroy = true
  }
}

resource "estate_eip" "beside" {
  count        = 4
  tofu_address = "estate_eip.beside"
  tofu_key     = count.index
  domain       = "vpc"
}
`, name, address, cidr)
}
