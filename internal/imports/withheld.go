package imports

// withheld are types whose import wants something that the ARN does not hold, or not always.
var withheld = []refusal{
	{"aws_config_config_rule", "config", "config-rule/{id}", "it is the name of the rule, and the ARN holds an id"},
	{"aws_db_proxy", "rds", "db-proxy:{id}", "it is the name of the proxy, and the ARN holds an id"},
	{"aws_default_route_table", "ec2", "route-table/{id}", "it is the id of the VPC, and the ARN holds that of the route table"},
	{"aws_ecs_service", "ecs", "service/{name}", "it is the name of the cluster and that of the service, and an ARN of before 2021 holds no cluster"},
	{"aws_eks_access_entry", "eks", "access-entry/{cluster}/{kind}/{owner}/{name}/{id}",
		"it ends with the ARN of the principal, and the ARN of the entry holds its name without the path"},
	{"aws_key_pair", "ec2", "key-pair/{id}", "it is the name of the key pair, and the tagging API writes an ARN with its id"},
	{"aws_kms_external_key", "kms", "key/{id}", "the documentation speaks of an id, and its example shows an ARN"},
	{"aws_placement_group", "ec2", "placement-group/{id}", "it is the name of the group, and the tagging API writes an ARN with its id"},
	{"aws_ssm_parameter", "ssm", "parameter/{name}", "it is the name of the parameter, which may be written with or without a slash in front"},
}

// withoutARN are types whose objects have no ARN and no tags.
var withoutARN = map[string]string{
	"aws_iam_role_policy":            "it is a part of a role, imported by ROLE:NAME",
	"aws_iam_role_policy_attachment": "it is a part of a role, imported by ROLE/POLICY_ARN",
	"aws_route53_record":             "it is a part of a zone, imported by ZONE_NAME_TYPE",
}
