import {
  to = estate_iam_role.example
  identity = {
    name = "example"
  }
}
