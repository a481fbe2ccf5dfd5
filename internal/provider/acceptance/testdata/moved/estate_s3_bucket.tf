resource "estate_s3_bucket" "a" {
  tofu_address  = "estate_s3_bucket.a"
  bucket        = "{{.bucket}}"
  force_destroy = true
  tags          = { Name = "moved", team = "core" }
}
