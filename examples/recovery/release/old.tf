resource "estate_eip" "old" {
  tofu_address    = "estate_eip.old"
  tofu_on_destroy = "release"

  domain = "vpc"
  tags   = { Name = "old" }
}
