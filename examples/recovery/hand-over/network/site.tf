module "site" {
  source = "../site"
}
