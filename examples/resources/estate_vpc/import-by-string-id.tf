import {
  to = estate_vpc.example
  id = "vpc-0123456789abcdef0"
}
