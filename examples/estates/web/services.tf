module "api" {
  source = "./service"

  tofu_module = "${var.tofu_module}module.api."
  name        = "${var.name}-api"
}

module "worker" {
  source = "./service"

  tofu_module    = "${var.tofu_module}module.worker."
  name           = "${var.name}-worker"
  retention_days = 7
}
