# By its address, out of another estate: whatever name it has there.
data "estate_s3_bucket" "shared" {
  tofu_estate  = "platform"
  tofu_address = "estate_s3_bucket.artifacts"
}

# By its name.
data "estate_s3_bucket" "example" {
  bucket = "example-artifacts"
}

output "artifacts_bucket" {
  value = data.estate_s3_bucket.shared.bucket
}
