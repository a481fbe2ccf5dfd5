# tofu plan -var "state_list=$(tofu -chdir=../network state list)"
variable "state_list" {
  description = "What the state list of the estate's own configuration prints."
  type        = string
}

data "estate_audit" "network" {
  tofu_estate = "network"
  regions     = ["eu-west-1", "eu-central-1"]
  addresses   = compact(split("\n", var.state_list))
  grace       = "1h"
}

locals {
  # What a person has to look at.
  trouble = [
    for f in data.estate_audit.network.findings : f
    if contains(["orphan", "collision", "malformed", "missing", "unscanned"], f.class)
  ]
}

# A check that fails warns, in every plan and apply, and stops neither. A postcondition of the data source would.
check "network_is_whole" {
  assert {
    condition = length(local.trouble) == 0
    error_message = join("\n", [
      for f in local.trouble : "${f.class}: ${coalesce(f.import_id, "no object")} of ${coalesce(f.address, "no address")}. ${f.reason}"
    ])
  }
}

# How many findings there are of each class; those of none are left out.
output "counts" {
  value = { for class, n in data.estate_audit.network.counts : class => n if n > 0 && class != "service_made" }
  # => {"bound": 1, "collision": 2, "in_the_way": 1, "missing": 1, "orphan": 1}
}

output "orphans" {
  value = { for f in data.estate_audit.network.findings : f.address => f.import_id if f.class == "orphan" }
  # => {"aws_vpc.forgotten": "vpc-…"}
}
