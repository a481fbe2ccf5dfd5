resource "estate_cloudwatch_log_group" "a" {
  tofu_address      = "estate_cloudwatch_log_group.a"
  name              = "moved/group"
  retention_in_days = 30
  skip_destroy      = true
  tags              = { Name = "moved", team = "core" }
}
