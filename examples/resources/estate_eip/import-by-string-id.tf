import {
  to = estate_eip.example
  id = "eipalloc-0123456789abcdef0"
}
