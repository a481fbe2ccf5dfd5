import {
  to = estate_cloudwatch_log_group.example
  identity = {
    name = "/example/application"
  }
}
