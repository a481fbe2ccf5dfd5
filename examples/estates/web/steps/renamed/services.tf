# services.tf with its first module call renamed: the path that the call hands down follows its new name.

moved {
  from = module.api
  to   = module.backend
}

module "backend" {
  source = "./service"

  tofu_module = "${var.tofu_module}module.backend."
  name        = "${var.name}-api"
}

module "worker" {
  source = "./service"

  tofu_module    = "${var.tofu_module}module.worker."
  name           = "${var.name}-worker"
  retention_days = 7
}
