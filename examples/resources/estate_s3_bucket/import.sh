# By its name, or by the address that its tags hold: estate_s3_bucket.example.
tofu import estate_s3_bucket.example example-organization
