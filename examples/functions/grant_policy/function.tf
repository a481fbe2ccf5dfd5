terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

# For the policy of an aws_iam_policy or aws_iam_role_policy, in a configuration that the estate's own role cannot apply.
output "policy" {
  value = provider::estate::grant_policy("networking-prod", [
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
