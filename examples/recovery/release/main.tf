terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

provider "estate" {
  estate = "shop-prod"
  region = "eu-west-1"
}
