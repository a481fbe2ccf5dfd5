resource "estate_cloudwatch_log_group" "example" {
  tofu_address      = "estate_cloudwatch_log_group.example"
  name              = "/example/application"
  retention_in_days = 30
}
