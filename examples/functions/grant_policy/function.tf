terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

# For the policy of an aws_iam_policy or aws_iam_role_policy, in a configuration that the estate's own role cannot apply.
locals {
  policy = provider::estate::grant_policy("networking-prod", [
    "ec2:DescribeVpcs",
    "ec2:DescribeVpcAttribute",
    "ec2:CreateVpc", # with the estate's tag alone
    "ec2:ModifyVpcAttribute",
    "ec2:DeleteVpc", # of the estate alone
    "ec2:DescribeSubnets",
    "ec2:CreateSubnet", # in a VPC of the estate alone
    "ec2:DeleteSubnet",
    "ec2:CreateTags",
    "ec2:DeleteTags",
  ])
}

output "policy" {
  value = local.policy
  # => "{\"Version\":\"2012-10-17\",\"Statement\":[…]}"
}

# What the statements allow. Read aside, each asks for the tag tofu-estate = "networking-prod" on the object or in the call.
output "statements" {
  value = { for s in jsondecode(local.policy).Statement : s.Sid => s.Action }
  # => {
  #   "Read": ["ec2:DescribeSubnets", "ec2:DescribeVpcAttribute", "ec2:DescribeVpcs"],
  #   "Own": ["ec2:CreateSubnet", "ec2:DeleteSubnet", "ec2:DeleteTags", "ec2:DeleteVpc", "ec2:ModifyVpcAttribute"],
  #   "Tag": ["ec2:CreateTags"],
  #   "Create1": ["ec2:CreateSubnet"],
  #   "Create2": ["ec2:CreateVpc"],
  #   "TagNew1": ["ec2:CreateTags"]
  # }
}
