import {
  to = estate_subnet.example
  id = "subnet-0123456789abcdef0"
}
