package imports

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws/arn"
)

// A row says by which id an object is imported as a resource of Type, if its ARN is of Service and its resource part of
// Form. A type has one row for each form that its ARNs take. The ID is that of the type's page (documentation), the form
// that of its service's page in the Service Authorization Reference (references).
type row struct{ Type, Service, Form, ID string }

// A refusal is a row for a type whose import wants what such an ARN does not tell.
type refusal struct{ Type, Service, Form, Reason string }

// table is all that is known.
var table = slices.Concat(rowsOfEC2, rowsOfNetworks, rowsOfStores, rowsOfCompute, rowsOfMessages, rowsOfControl)

func (r row) read(a arn.ARN) (values map[string]string, ok bool) {
	if a.Service != r.Service {
		return nil, false
	}
	return match(r.Form, a.Resource)
}

func (w refusal) read(a arn.ARN) (values map[string]string, ok bool) {
	return row{Service: w.Service, Form: w.Form}.read(a)
}

// String is the ARN's form, with stars for what says nothing of the type.
func (r row) String() string { return "arn:*:" + r.Service + ":*:*:" + r.Form }

func (w refusal) String() string { return row{Service: w.Service, Form: w.Form}.String() }

// reference is the page of a service's ARNs.
func reference(service string) string {
	return "https://docs.aws.amazon.com/service-authorization/latest/reference/list_" + references[service] + ".html"
}

// references are the names of the services' pages in the Service Authorization Reference. DocumentDB and Neptune have the
// ARNs of RDS. API Gateway has a second page, amazonapigatewaymanagementv2, for its version 2.
var references = map[string]string{
	"acm":                  "awscertificatemanager",
	"acm-pca":              "awsprivatecertificateauthority",
	"apigateway":           "amazonapigatewaymanagement",
	"appsync":              "awsappsync",
	"athena":               "amazonathena",
	"autoscaling":          "amazonec2autoscaling",
	"backup":               "awsbackup",
	"batch":                "awsbatch",
	"cloudformation":       "awscloudformation",
	"cloudfront":           "amazoncloudfront",
	"cloudtrail":           "awscloudtrail",
	"cloudwatch":           "amazoncloudwatch",
	"codebuild":            "awscodebuild",
	"codecommit":           "awscodecommit",
	"codepipeline":         "awscodepipeline",
	"cognito-identity":     "amazoncognitoidentity",
	"cognito-idp":          "amazoncognitouserpools",
	"config":               "awsconfig",
	"dynamodb":             "amazondynamodb",
	"ec2":                  "amazonec2",
	"ecr":                  "amazonelasticcontainerregistry",
	"ecs":                  "amazonelasticcontainerservice",
	"eks":                  "amazonelastickubernetesservice",
	"elasticache":          "amazonelasticache",
	"elasticfilesystem":    "amazonelasticfilesystem",
	"elasticloadbalancing": "awselasticloadbalancingv2",
	"elasticmapreduce":     "amazonelasticmapreduce",
	"es":                   "amazonopensearchservice",
	"events":               "amazoneventbridge",
	"firehose":             "amazonkinesisfirehose",
	"fsx":                  "amazonfsx",
	"glue":                 "awsglue",
	"guardduty":            "amazonguardduty",
	"iam":                  "awsidentityandaccessmanagementiam",
	"kafka":                "amazonmanagedstreamingforapachekafka",
	"kinesis":              "amazonkinesisdatastreams",
	"kms":                  "awskeymanagementservice",
	"lambda":               "awslambda",
	"logs":                 "amazoncloudwatchlogs",
	"memorydb":             "amazonmemorydb",
	"mq":                   "amazonmq",
	"rds":                  "amazonrds",
	"redshift":             "amazonredshift",
	"route53":              "amazonroute53",
	"route53resolver":      "amazonroute53resolver",
	"s3":                   "amazons3",
	"secretsmanager":       "awssecretsmanager",
	"sns":                  "amazonsns",
	"sqs":                  "amazonsqs",
	"ssm":                  "awssystemsmanager",
	"states":               "awsstepfunctions",
	"transfer":             "awstransferfamily",
	"wafv2":                "awswafv2",
}
