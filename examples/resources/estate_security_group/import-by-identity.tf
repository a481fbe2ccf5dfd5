import {
  to = estate_security_group.example
  identity = {
    id = "sg-0123456789abcdef0"
  }
}
