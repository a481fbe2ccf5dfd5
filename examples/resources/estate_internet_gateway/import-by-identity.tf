import {
  to = estate_internet_gateway.example
  identity = {
    id = "igw-0123456789abcdef0"
  }
}
