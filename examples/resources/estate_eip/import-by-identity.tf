import {
  to = estate_eip.example
  identity = {
    id = "eipalloc-0123456789abcdef0"
  }
}
