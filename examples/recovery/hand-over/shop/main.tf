terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

provider "estate" {
  estate           = "shop-prod"
  previous_estates = ["network-prod"] # until everything is handed over
  region           = "eu-west-1"
}

module "site" {
  source = "../site"
}
