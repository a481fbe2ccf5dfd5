# By its address, out of another estate.
data "estate_cloudwatch_log_group" "shared" {
  tofu_estate  = "platform"
  tofu_address = "estate_cloudwatch_log_group.audit"
}

# By its name.
data "estate_cloudwatch_log_group" "example" {
  name = "/example/application"
}

output "audit_group_arn" {
  value = data.estate_cloudwatch_log_group.shared.arn
}
