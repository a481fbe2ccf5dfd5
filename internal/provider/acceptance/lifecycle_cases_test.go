package acceptance

// otherTrust lets Lambda assume a role, where the examples let another service do so.
const otherTrust = `jsonencode({
  Version = "2012-10-17"
  Statement = [{
    Effect    = "Allow"
    Principal = { Service = "lambda.amazonaws.com" }
    Action    = "sts:AssumeRole"
  }]
})`

// lifecycles has one entry for each resource type of the provider.
var lifecycles = []lifecycle{
	{
		Type: "estate_vpc",
		Edits: []edit{
			{Attr: "tags", Value: `{ Name = "changed", Stage = "test" }`},
			{Attr: "enable_dns_hostnames", Value: "true"},
			{Attr: "enable_dns_support", Value: "false"},
			{Attr: "enable_network_address_usage_metrics", Value: "true"},
			{Attr: "assign_generated_ipv6_cidr_block", Value: "true"},
			{Attr: "instance_tenancy", Value: `"dedicated"`, Replaces: true},
			{Attr: "cidr_block", Value: `"10.99.0.0/16"`, Replaces: true},
			{Attr: "region", Value: `"eu-central-1"`, Replaces: true},
		},
	},
	{
		Type: "estate_eip",
		Edits: []edit{
			{Attr: "tags", Value: `{ Name = "changed", Stage = "test" }`},
			{Attr: "region", Value: `"eu-central-1"`, Replaces: true},
		},
	},
	{
		Type: "estate_iam_role",
		Edits: []edit{
			{Attr: "tags", Value: `{ Name = "changed", Stage = "test" }`},
			{Attr: "description", Value: `"changed"`},
			{Attr: "max_session_duration", Value: "7200"},
			{Attr: "assume_role_policy", Value: otherTrust},
			{Attr: "permissions_boundary", Value: `"arn:aws:iam::aws:policy/ReadOnlyAccess"`},
			{Attr: "force_detach_policies", Value: "true"},
			{Attr: "path", Value: `"/changed/"`, Replaces: true},
			{Attr: "name", Value: `"changed"`, Replaces: true},
			{Attr: "name_prefix", Value: `"changed-"`, Replaces: true, Without: []string{"name"}},
		},
	},
	{
		Type: "estate_iam_role_policy",
		Edits: []edit{
			{Attr: "policy", Value: `jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Deny", Action = "s3:*", Resource = "*" }] })`},
			{Attr: "name", Value: `"changed"`, Replaces: true},
			{Attr: "name_prefix", Value: `"changed-"`, Replaces: true, Without: []string{"name"}},
		},
	},
}
