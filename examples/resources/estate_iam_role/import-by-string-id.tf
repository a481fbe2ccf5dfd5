import {
  to = estate_iam_role.example
  id = "example"
}
