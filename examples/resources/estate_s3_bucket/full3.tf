variable "account_id" {
  description = "ID of the AWS account."
  type        = string
}

variable "region" {
  description = "Region to create the bucket in."
  type        = string
  default     = "eu-west-1"
}

# A name in the account's own namespace of the region, which no other account can take.
resource "estate_s3_bucket" "example" {
  tofu_address = "estate_s3_bucket.example"

  region           = var.region
  bucket           = "example-${var.account_id}-${var.region}-an"
  bucket_namespace = "account-regional"
}
