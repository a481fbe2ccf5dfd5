removed {
  from = module.site

  lifecycle {
    destroy = false
  }
}
