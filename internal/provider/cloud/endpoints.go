package cloud

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// services are the names that the endpoints block takes, as hashicorp/aws v6 writes them: the services of our own
// types, and the others that a block moved over from there is likely to hold.
var services = strings.Fields(`
	accessanalyzer account acm acmpca amp amplify apigateway apigatewayv2 appautoscaling appconfig appflow apprunner
	appsync athena autoscaling backup batch bedrock budgets ce cloud9 cloudcontrol cloudformation cloudfront
	cloudhsmv2 cloudtrail cloudwatch codeartifact codebuild codecommit codeconnections codepipeline cognitoidentity
	cognitoidp configservice databrew datasync dax deploy directconnect dlm dms docdb ds dynamodb ec2 ecr ecrpublic
	ecs efs eks elasticache elasticbeanstalk elasticsearch elb elbv2 emr emrserverless events firehose fis fsx
	glacier globalaccelerator glue grafana guardduty iam identitystore imagebuilder inspector2 iot kafka
	kafkaconnect keyspaces kinesis kinesisanalyticsv2 kms lakeformation lambda lightsail location logs macie2
	mediaconvert memorydb mq mwaa neptune networkfirewall networkmanager oam opensearch opensearchserverless
	organizations osis pinpoint pipes qldb quicksight ram rbin rds rdsdata redshift redshiftdata redshiftserverless
	resourceexplorer2 resourcegroups resourcegroupstaggingapi rolesanywhere route53 route53domains route53profiles
	route53resolver s3 s3control s3outposts s3tables s3vectors sagemaker scheduler schemas secretsmanager securityhub
	serverlessrepo servicecatalog servicecatalogappregistry servicediscovery servicequotas ses sesv2 sfn shield
	signer sns sqs ssm sso ssoadmin storagegateway sts swf synthetics timestreamquery timestreamwrite transcribe
	transfer verifiedpermissions vpclattice waf wafregional wafv2 workspaces xray
`)

// aliases are hashicorp/aws's other names for services.
var aliases = map[string]string{
	"amg":                                  "grafana",
	"applicationautoscaling":               "appautoscaling",
	"beanstalk":                            "elasticbeanstalk",
	"cloudcontrolapi":                      "cloudcontrol",
	"cloudhsm":                             "cloudhsmv2",
	"cloudwatchevents":                     "events",
	"cloudwatchlog":                        "logs",
	"cloudwatchlogs":                       "logs",
	"codedeploy":                           "deploy",
	"cognitoidentityprovider":              "cognitoidp",
	"config":                               "configservice",
	"costexplorer":                         "ce",
	"databasemigration":                    "dms",
	"databasemigrationservice":             "dms",
	"directoryservice":                     "ds",
	"elasticloadbalancing":                 "elb",
	"elasticloadbalancingv2":               "elbv2",
	"elasticsearchservice":                 "elasticsearch",
	"es":                                   "elasticsearch",
	"eventbridge":                          "events",
	"gluedatabrew":                         "databrew",
	"inspectorv2":                          "inspector2",
	"locationservice":                      "location",
	"managedgrafana":                       "grafana",
	"msk":                                  "kafka",
	"opensearchingestion":                  "osis",
	"opensearchservice":                    "opensearch",
	"prometheus":                           "amp",
	"prometheusservice":                    "amp",
	"rdsdataservice":                       "rdsdata",
	"recyclebin":                           "rbin",
	"redshiftdataapiservice":               "redshiftdata",
	"resourcegroupstagging":                "resourcegroupstaggingapi",
	"s3api":                                "s3",
	"serverlessapplicationrepository":      "serverlessrepo",
	"serverlessapprepo":                    "serverlessrepo",
	"appregistry":                          "servicecatalogappregistry",
	"stepfunctions":                        "sfn",
	"transcribeservice":                    "transcribe",
	"cloudwatchobservabilityaccessmanager": "oam",
}

// EndpointNames returns every name that the endpoints block takes, sorted, with the aliases.
func EndpointNames() []string {
	names := slices.AppendSeq(slices.Clone(services), maps.Keys(aliases))
	slices.Sort(names)
	return names
}

// checkEndpoints returns the URLs by the services' first names.
func (c Config) checkEndpoints() (map[string]string, error) {
	urls := make(map[string]string, len(c.Endpoints))
	for _, name := range slices.Sorted(maps.Keys(c.Endpoints)) {
		address := c.Endpoints[name]
		if address == "" {
			continue
		}
		service := name
		if first, ok := aliases[name]; ok {
			service = first
		}
		if !slices.Contains(services, service) {
			return nil, unknownEndpoint(name)
		}
		if u, err := url.Parse(address); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return nil, badEndpoint(name, address)
		}
		if other, ok := urls[service]; ok && other != address {
			return nil, twoEndpoints(service, name)
		}
		urls[service] = address
	}
	return urls, nil
}
