# The role by its address, out of another estate.
data "estate_iam_role" "shared" {
  tofu_estate  = "identity"
  tofu_address = "estate_iam_role.deploy"
}

# The policy by its role and name: it carries no marker of its own.
data "estate_iam_role_policy" "example" {
  role = data.estate_iam_role.shared.name
  name = "upload"
}

output "upload_policy" {
  value = jsondecode(data.estate_iam_role_policy.example.policy)
}
