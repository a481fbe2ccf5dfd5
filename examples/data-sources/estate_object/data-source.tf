# By its address, out of another estate: whichever provider manages it there.
data "estate_object" "vpc" {
  tofu_estate  = "network"
  tofu_address = "aws_vpc.main"
}

resource "estate_subnet" "app" {
  tofu_address = "estate_subnet.app"
  vpc_id       = data.estate_object.vpc.id
  cidr_block   = "10.0.1.0/24"
}

# A type that this provider lacks. Its id is not known; import_id and arn are.
data "estate_object" "volume" {
  tofu_estate  = "network"
  tofu_address = "module.site[\"blue\"].aws_ebs_volume.data[0]"
}

output "vpc" {
  value = {
    id       = data.estate_object.vpc.id
    verified = data.estate_object.vpc.verified
    name     = data.estate_object.vpc.tags["Name"]
  }
  # => {"id": "vpc-…", "name": "main", "verified": true}
}

output "volume" {
  value = {
    id        = data.estate_object.volume.id
    import_id = data.estate_object.volume.import_id
    slot      = data.estate_object.volume.slot
    verified  = data.estate_object.volume.verified
  }
  # => {"id": null, "import_id": "vol-…", "slot": 0, "verified": false}
}
