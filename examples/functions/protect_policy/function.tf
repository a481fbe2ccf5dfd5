terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

# For the content of an aws_organizations_policy of type SERVICE_CONTROL_POLICY.
locals {
  policy = provider::estate::protect_policy([
    "arn:aws:iam::*:role/ci/estate-*",                    # the roles that apply estates, in every account
    "arn:aws:iam::111122223333:role/AWSBackupForNetwork", # copies tags to recovery points
  ])
}

output "policy" {
  value = local.policy
  # => "{\"Version\":\"2012-10-17\",\"Statement\":[…]}"
}

# Whom each statement leaves alone.
output "spared" {
  value = { for s in jsondecode(local.policy).Statement : s.Sid => s.Condition.ArnNotLike["aws:PrincipalArn"] }
  # => {
  #   "MarkerKeys": ["arn:aws:iam::*:role/ci/estate-*", "arn:aws:iam::111122223333:role/AWSBackupForNetwork"],
  #   "AllTags": ["arn:aws:iam::*:role/ci/estate-*", "arn:aws:iam::111122223333:role/AWSBackupForNetwork"],
  #   "WholeTagSets": ["arn:aws:iam::*:role/ci/estate-*", "arn:aws:iam::111122223333:role/AWSBackupForNetwork"]
  # }
}
