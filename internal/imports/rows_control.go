package imports

// rowsOfControl are identities, keys, secrets, and what watches and records.
var rowsOfControl = []row{
	{"aws_iam_instance_profile", "iam", "instance-profile/{path/}{name}", "{name}"},
	{"aws_iam_openid_connect_provider", "iam", "oidc-provider/{url...}", "{arn}"},
	{"aws_iam_policy", "iam", "policy/{path/}{name}", "{arn}"},
	{"aws_iam_role", "iam", "role/{path/}{name}", "{name}"},
	{"aws_iam_saml_provider", "iam", "saml-provider/{name}", "{arn}"},
	{"aws_iam_server_certificate", "iam", "server-certificate/{path/}{name}", "{name}"},
	{"aws_iam_service_linked_role", "iam", "role/aws-service-role/{service}/{name}", "{arn}"},
	{"aws_iam_user", "iam", "user/{path/}{name}", "{name}"},
	{"aws_cognito_identity_pool", "cognito-identity", "identitypool/{id...}", "{id...}"},
	{"aws_cognito_user_pool", "cognito-idp", "userpool/{id}", "{id}"},

	{"aws_acm_certificate", "acm", "certificate/{id}", "{arn}"},
	{"aws_acmpca_certificate_authority", "acm-pca", "certificate-authority/{id}", "{arn}"},
	{"aws_kms_key", "kms", "key/{id}", "{id}"},
	{"aws_kms_replica_key", "kms", "key/{id}", "{id}"},
	{"aws_secretsmanager_secret", "secretsmanager", "secret:{name...}", "{arn}"},

	// A parameter's ARN has no slash before the name. A name of several parts must begin with one.
	{"aws_ssm_parameter", "ssm", "parameter/{first}/{rest...}", "/{first}/{rest...}"},
	{"aws_ssm_document", "ssm", "document/{name}", "{name}"},
	{"aws_ssm_maintenance_window", "ssm", "maintenancewindow/{id}", "{id}"},
	{"aws_ssm_patch_baseline", "ssm", "patchbaseline/{id}", "{id}"},

	{"aws_cloudtrail", "cloudtrail", "trail/{name}", "{arn}"},
	{"aws_cloudwatch_composite_alarm", "cloudwatch", "alarm:{name...}", "{name...}"},
	{"aws_cloudwatch_log_group", "logs", "log-group:{name:}", "{name:}"},
	{"aws_cloudwatch_log_group", "logs", "log-group:{name:}:*", "{name:}"},
	{"aws_cloudwatch_metric_alarm", "cloudwatch", "alarm:{name...}", "{name...}"},
	{"aws_guardduty_detector", "guardduty", "detector/{id}", "{id}"},
}
