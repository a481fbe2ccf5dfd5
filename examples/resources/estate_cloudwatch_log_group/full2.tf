# Generated names: each begins with the prefix, and is the same again after the state was lost.
resource "estate_cloudwatch_log_group" "example" {
  for_each = toset(["reader", "writer"])

  tofu_address = "estate_cloudwatch_log_group.example"
  tofu_key     = each.key
  name_prefix  = "/example/${each.key}-"
}
