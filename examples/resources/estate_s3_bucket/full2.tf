# Generated names: each begins with the prefix, and is the same again after the state was lost.
resource "estate_s3_bucket" "example" {
  for_each = toset(["logs", "media"])

  tofu_address  = "estate_s3_bucket.example"
  tofu_key      = each.key
  bucket_prefix = "example-${each.key}-"
}
