# A group that neither AWS nor a destroy deletes.
resource "estate_cloudwatch_log_group" "example" {
  tofu_address = "estate_cloudwatch_log_group.example"

  name                        = "/example/audit"
  log_group_class             = "INFREQUENT_ACCESS"
  deletion_protection_enabled = true
  skip_destroy                = true
}
