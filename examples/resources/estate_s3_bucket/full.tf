variable "organization" {
  description = "A part of the name that nobody else uses: names of buckets are shared by all AWS accounts."
  type        = string
}

variable "region" {
  description = "Region to create the bucket in."
  type        = string
  default     = "eu-west-1"
}

# A destroy empties the bucket, whatever is in it.
resource "estate_s3_bucket" "example" {
  tofu_address    = "estate_s3_bucket.example"
  tofu_on_destroy = "delete"
  on_existing     = "adopt"
  adopt_unmarked  = false

  region              = var.region
  bucket              = "example-full-${var.organization}"
  force_destroy       = true
  object_lock_enabled = true

  tags = {
    Team = "example"
  }

  timeouts {
    create = "15m"
    read   = "10m"
    update = "10m"
    delete = "2h"
  }
}
