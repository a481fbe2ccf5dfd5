package cloud

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// services are the names that the endpoints block takes: all those of hashicorp/aws v6, as of its versions of 2026, so that a
// block moves over whatever it names.
var services = strings.Fields(`
	accessanalyzer account accountaccess acm acmpca agentregistry amp amplify apigateway apigatewayv2 appautoscaling
	appconfig appfabric appflow appintegrations applicationinsights applicationsignals appmesh apprunner appstream
	appsync arcregionswitch arczonalshift athena auditmanager autoscaling autoscalingplans backup batch
	bcmdataexports bedrock bedrockagent bedrockagentcore bedrockruntime billing budgets ce chatbot chime
	chimesdkmediapipelines chimesdkvoice cleanrooms cloud9 cloudcontrol cloudformation cloudfront
	cloudfrontkeyvaluestore cloudhsmv2 cloudsearch cloudtrail cloudwatch cloudwatchomni codeartifact codebuild
	codecatalyst codecommit codeconnections codeguruprofiler codegurureviewer codepipeline codestarconnections
	codestarnotifications cognitoidentity cognitoidp comprehend computeoptimizer configservice connect connectcases
	controltower costoptimizationhub cur customerprofiles databrew dataexchange datapipeline datasync datazone dax
	deploy detective devicefarm devopsagent devopsguru directconnect directoryservicedata dlm dms docdb docdbelastic
	drs ds dsql dynamodb ec2 ecr ecrpublic ecs efs eks elasticache elasticbeanstalk elasticsearch elastictranscoder
	elb elbv2 emr emrcontainers emrserverless eventbridgev2 events evidently evs finspace firehose fis fms fsx
	gamelift glacier globalaccelerator glue grafana greengrass groundstation guardduty healthlake iam identitystore
	imagebuilder inspector inspector2 interconnect internetmonitor invoicing iot ivs ivschat kafka kafkaconnect
	kendra keyspaces kinesis kinesisanalytics kinesisanalyticsv2 kinesisvideo kms lakeformation lambda lambdacore
	lambdamicrovms launchwizard lexmodels lexv2models licensemanager lightsail location logs m2 macie2 mailmanager
	mediaconnect mediaconvert medialive mediapackage mediapackagev2 mediapackagevod mediastore memorydb mgn mpa mq
	mwaa mwaaserverless neptune neptunegraph networkfirewall networkflowmonitor networkmanager networkmonitor
	networksecuritymanager notifications notificationscontacts oam observabilityadmin odb opensearch
	opensearchserverless organizations osis outposts paymentcryptography pcaconnectorad pcs pinpoint
	pinpointsmsvoicev2 pipes polly pricing qbusiness qldb quicksight ram rbin rds rdsdata redshift redshiftdata
	redshiftserverless rekognition resiliencehub resiliencehubv2 resourceexplorer2 resourcegroups
	resourcegroupstaggingapi rolesanywhere route53 route53domains route53profiles route53recoverycontrolconfig
	route53recoveryreadiness route53resolver rum s3 s3control s3files s3outposts s3tables s3vectors sagemaker
	savingsplans scheduler schemas secretsmanager securityhub securitylake serverlessrepo servicecatalog
	servicecatalogappregistry servicediscovery servicequotas ses sesv2 sfn shield signer sns sqs ssm ssmcontacts
	ssmincidents ssmquicksetup ssmsap sso ssoadmin storagegateway sts swf synthetics taxsettings timestreaminfluxdb
	timestreamquery timestreamwrite transcribe transfer uxc verifiedpermissions vpclattice waf wafregional wafv2
	wellarchitected workmail workspaces workspacesweb xray
`)

// aliases are hashicorp/aws's other names for services.
var aliases = map[string]string{
	"amg":                                  "grafana",
	"appintegrationsservice":               "appintegrations",
	"applicationautoscaling":               "appautoscaling",
	"appregistry":                          "servicecatalogappregistry",
	"beanstalk":                            "elasticbeanstalk",
	"cloudcontrolapi":                      "cloudcontrol",
	"cloudhsm":                             "cloudhsmv2",
	"cloudwatchevents":                     "events",
	"cloudwatchevidently":                  "evidently",
	"cloudwatchlog":                        "logs",
	"cloudwatchlogs":                       "logs",
	"cloudwatchobservabilityaccessmanager": "oam",
	"cloudwatchrum":                        "rum",
	"codedeploy":                           "deploy",
	"cognitoidentityprovider":              "cognitoidp",
	"config":                               "configservice",
	"costandusagereportservice":            "cur",
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
	"lex":                                  "lexmodels",
	"lexmodelbuilding":                     "lexmodels",
	"lexmodelbuildingservice":              "lexmodels",
	"lexmodelsv2":                          "lexv2models",
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
	"stepfunctions":                        "sfn",
	"transcribeservice":                    "transcribe",
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
