variable "organization" {
  description = "A part of the name that nobody else uses: names of buckets are shared by all AWS accounts."
  type        = string
}

resource "estate_s3_bucket" "example" {
  tofu_address = "estate_s3_bucket.example"
  bucket       = "example-${var.organization}"
}
