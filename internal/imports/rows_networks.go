package imports

// rowsOfNetworks are load balancers, gateways of APIs, firewalls for them, and names.
var rowsOfNetworks = []row{
	{"aws_elb", "elasticloadbalancing", "loadbalancer/{name}", "{name}"},
	{"aws_lb", "elasticloadbalancing", "loadbalancer/{kind}/{name}/{id}", "{arn}"},
	{"aws_lb_listener", "elasticloadbalancing", "listener/{kind}/{balancer}/{balancer-id}/{id}", "{arn}"},
	{"aws_lb_listener_rule", "elasticloadbalancing", "listener-rule/{kind}/{balancer}/{balancer-id}/{listener}/{id}", "{arn}"},
	{"aws_lb_target_group", "elasticloadbalancing", "targetgroup/{name}/{id}", "{arn}"},

	{"aws_api_gateway_api_key", "apigateway", "/apikeys/{id}", "{id}"},
	{"aws_api_gateway_domain_name", "apigateway", "/domainnames/{name+}", "{name+}"},
	{"aws_api_gateway_domain_name", "apigateway", "/domainnames/{name+}+{id}", "{name+}/{id}"}, // a private one
	{"aws_api_gateway_rest_api", "apigateway", "/restapis/{id}", "{id}"},
	{"aws_api_gateway_stage", "apigateway", "/restapis/{api}/stages/{name}", "{api}/{name}"},
	{"aws_api_gateway_usage_plan", "apigateway", "/usageplans/{id}", "{id}"},
	{"aws_api_gateway_vpc_link", "apigateway", "/vpclinks/{id}", "{id}"},
	{"aws_apigatewayv2_api", "apigateway", "/apis/{id}", "{id}"},
	{"aws_apigatewayv2_domain_name", "apigateway", "/domainnames/{name+}", "{name+}"},
	{"aws_apigatewayv2_stage", "apigateway", "/apis/{api}/stages/{name}", "{api}/{name}"},
	{"aws_apigatewayv2_vpc_link", "apigateway", "/vpclinks/{id}", "{id}"},
	{"aws_appsync_api", "appsync", "apis/{id}", "{id}"},
	{"aws_appsync_graphql_api", "appsync", "apis/{id}", "{id}"},

	{"aws_cloudfront_distribution", "cloudfront", "distribution/{id}", "{id}"},

	{"aws_wafv2_ip_set", "wafv2", "regional/ipset/{name}/{id}", "{id}/{name}/REGIONAL"},
	{"aws_wafv2_ip_set", "wafv2", "global/ipset/{name}/{id}", "{id}/{name}/CLOUDFRONT"},
	{"aws_wafv2_regex_pattern_set", "wafv2", "regional/regexpatternset/{name}/{id}", "{id}/{name}/REGIONAL"},
	{"aws_wafv2_regex_pattern_set", "wafv2", "global/regexpatternset/{name}/{id}", "{id}/{name}/CLOUDFRONT"},
	{"aws_wafv2_rule_group", "wafv2", "regional/rulegroup/{name}/{id}", "{id}/{name}/REGIONAL"},
	{"aws_wafv2_rule_group", "wafv2", "global/rulegroup/{name}/{id}", "{id}/{name}/CLOUDFRONT"},
	{"aws_wafv2_web_acl", "wafv2", "regional/webacl/{name}/{id}", "{id}/{name}/REGIONAL"},
	{"aws_wafv2_web_acl", "wafv2", "global/webacl/{name}/{id}", "{id}/{name}/CLOUDFRONT"},

	{"aws_route53_health_check", "route53", "healthcheck/{id}", "{id}"},
	{"aws_route53_zone", "route53", "hostedzone/{id}", "{id}"},
	{"aws_route53_resolver_endpoint", "route53resolver", "resolver-endpoint/{id}", "{id}"},
	{"aws_route53_resolver_rule", "route53resolver", "resolver-rule/{id}", "{id}"},
}
