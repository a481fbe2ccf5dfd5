import {
  to = estate_internet_gateway.example
  id = "igw-0123456789abcdef0"
}
