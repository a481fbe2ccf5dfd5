terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

# For the content of an aws_organizations_policy of type SERVICE_CONTROL_POLICY.
output "policy" {
  value = provider::estate::protect_policy([
    "arn:aws:iam::*:role/ci/estate-*",                    # the roles that apply estates, in every account
    "arn:aws:iam::111122223333:role/AWSBackupForNetwork", # copies tags to recovery points
  ])
}
