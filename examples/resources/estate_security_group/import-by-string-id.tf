import {
  to = estate_security_group.example
  id = "sg-0123456789abcdef0"
}
