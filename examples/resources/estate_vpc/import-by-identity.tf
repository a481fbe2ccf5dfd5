import {
  to = estate_vpc.example
  identity = {
    id = "vpc-0123456789abcdef0"
  }
}
