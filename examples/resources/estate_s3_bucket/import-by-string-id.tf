import {
  to = estate_s3_bucket.example
  id = "example-organization"
}
