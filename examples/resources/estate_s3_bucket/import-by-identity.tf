import {
  to = estate_s3_bucket.example
  identity = {
    bucket = "example-organization"
  }
}
