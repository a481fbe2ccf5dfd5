removed {
  from = estate_eip.old

  lifecycle {
    destroy = false
  }
}
