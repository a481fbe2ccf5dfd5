# All that the provider's estate holds in two regions, and the objects of global services.
data "estate_inventory" "all" {
  regions = ["eu-west-1", "eu-central-1"]
}

# One site: what -target='module.site["blue"]' would select, of two types.
data "estate_inventory" "blue" {
  target = "module.site[\"blue\"]"
  types  = ["aws_vpc", "aws_ebs_volume"]
}

# Addresses that cost money and that nobody has marked: to be imported, or released.
data "estate_inventory" "unmarked" {
  types  = ["aws_eip"]
  status = "unmarked"
}

locals {
  by_type = { for o in data.estate_inventory.all.objects : o.type => o.import_id... }
}

# How many objects there are of each type.
output "summary" {
  value = { for type, ids in local.by_type : type => length(ids) }
  # => {"aws_ebs_volume": 1, "aws_vpc": 2, "estate_iam_role": 1}
}

# What an import block with for_each takes: the ids by address. That of another region than the provider's ends in @REGION.
output "imports" {
  value = { for o in data.estate_inventory.all.objects : o.address => o.import_id if o.status == "marked" }
  # => {
  #   "estate_iam_role.deploy": "deploy",
  #   "module.site[\"blue\"].aws_ebs_volume.data": "vol-…",
  #   "module.site[\"blue\"].aws_vpc.main": "vpc-…",
  #   "module.site[\"green\"].aws_vpc.main": "vpc-…@eu-central-1"
  # }
}

output "blue" {
  value = sort(data.estate_inventory.blue.objects[*].address)
  # => ["module.site[\"blue\"].aws_ebs_volume.data", "module.site[\"blue\"].aws_vpc.main"]
}

output "unmarked" {
  value = data.estate_inventory.unmarked.objects[*].import_id
  # => ["eipalloc-…"]
}

# Whether all that was asked for could be looked at. Where it could not, coverage says what is missing.
output "complete" {
  value = alltrue(data.estate_inventory.all.coverage[*].complete)
  # => true
}
