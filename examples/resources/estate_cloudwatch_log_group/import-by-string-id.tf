import {
  to = estate_cloudwatch_log_group.example
  id = "/example/application"
}
