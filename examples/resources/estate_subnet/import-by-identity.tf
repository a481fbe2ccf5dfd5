import {
  to = estate_subnet.example
  identity = {
    id = "subnet-0123456789abcdef0"
  }
}
