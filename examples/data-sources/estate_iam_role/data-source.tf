# By its address, out of another estate: whatever name it has there.
data "estate_iam_role" "shared" {
  tofu_estate  = "identity"
  tofu_address = "estate_iam_role.deploy"
}

# By its name.
data "estate_iam_role" "example" {
  name = "example"
}

output "deploy_role_arn" {
  value = data.estate_iam_role.shared.arn
}
