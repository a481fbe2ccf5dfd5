resource "estate_security_group" "a" {
  tofu_address           = "estate_security_group.a"
  vpc_id                 = estate_vpc.a.id
  name                   = "moved"
  revoke_rules_on_delete = true
  tags                   = { Name = "moved", team = "core" }

  timeouts {
    create = "20m"
  }
}
