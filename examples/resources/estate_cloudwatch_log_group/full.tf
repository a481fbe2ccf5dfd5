resource "estate_cloudwatch_log_group" "example" {
  tofu_address    = "estate_cloudwatch_log_group.example"
  tofu_on_destroy = "delete"
  on_existing     = "adopt"
  adopt_unmarked  = false

  region            = "eu-west-1"
  name              = "/example/full"
  retention_in_days = 365
  kms_key_id        = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
  log_group_class   = "STANDARD"
  skip_destroy      = false

  tags = {
    Team = "example"
  }
}
