package functions

// byName is what to do where tags open nothing but objects have names or ids.
const byName = "; allow it in a policy of your own for the "

// services is the one table of what policies can say about tags: see service for what a row means.
//
// That a create with tags passes as one on an object that has them already (aws:ResourceTag holds the new tags then) is
// stated for all services that take the key, in the page on global condition keys, and relied on where the service has no
// CreateAction.
var services = map[string]service{
	"ec2": ec2,

	"dynamodb": {
		page: "list_amazondynamodb.html", tags: "TagResource", untags: "UntagResource",
		reads: `DescribeContinuousBackups DescribeContributorInsights DescribeEndpoints DescribeKinesisStreamingDestination DescribeLimits
			DescribeTable DescribeTableReplicaAutoScaling DescribeTimeToLive ListTables ListTagsOfResource`,
		owned: `BatchGetItem BatchWriteItem ConditionCheckItem DeleteItem DeleteTable DisableKinesisStreamingDestination
			EnableKinesisStreamingDestination ExportTableToPointInTime GetItem PartiQLDelete PartiQLInsert PartiQLSelect PartiQLUpdate
			PutItem Query Scan UpdateContinuousBackups UpdateContributorInsights UpdateItem UpdateKinesisStreamingDestination
			UpdateTable UpdateTableReplicaAutoScaling UpdateTimeToLive`,
		makes: map[string]making{"CreateTable": {new: "table/*"}},
	},
	"ecr": {
		page: "list_amazonelasticcontainerregistry.html", tags: "TagResource", untags: "UntagResource",
		reads: `DescribeImages DescribeRegistry DescribeRepositories GetAuthorizationToken GetLifecyclePolicy GetRepositoryPolicy
			ListImages ListTagsForResource`,
		owned: `BatchCheckLayerAvailability BatchDeleteImage BatchGetImage CompleteLayerUpload DeleteLifecyclePolicy DeleteRepository
			DeleteRepositoryPolicy GetDownloadUrlForLayer InitiateLayerUpload PutImage PutImageScanningConfiguration
			PutImageTagMutability PutLifecyclePolicy SetRepositoryPolicy StartImageScan UploadLayerPart`,
		makes: map[string]making{"CreateRepository": {new: "repository/*"}},
	},
	"ecs": {
		page: "list_amazonelasticcontainerservice.html", tags: "TagResource", untags: "UntagResource", createAction: true,
		reads: "Describe* List*",
		owned: `DeleteCapacityProvider DeleteCluster DeleteService DeleteTaskDefinitions PutClusterCapacityProviders StopTask
			UpdateCapacityProvider UpdateCluster UpdateClusterSettings UpdateService`,
		makes: map[string]making{
			"CreateCapacityProvider": {anywhere: true},
			"CreateCluster":          {new: "cluster/*"},
			"RegisterTaskDefinition": {new: "task-definition/*"},
		},
		refused: map[string]string{
			"CreateService":            noCluster,
			"CreateTaskSet":            noCluster,
			"RunTask":                  noCluster,
			"StartTask":                noCluster,
			"DeregisterTaskDefinition": "ECS names no task definition in this call; allow it in a policy of your own on all of them, or use ecs:DeleteTaskDefinitions",
		},
	},
	"eks": {
		page: "list_amazonelastickubernetesservice.html", tags: "TagResource", untags: "UntagResource",
		reads: "Describe* List*",
		owned: `AccessKubernetesApi AssociateAccessPolicy AssociateEncryptionConfig DeleteAccessEntry DeleteAddon DeleteCluster
			DeleteFargateProfile DeleteNodegroup DeletePodIdentityAssociation DisassociateAccessPolicy
			DisassociateIdentityProviderConfig UpdateAccessEntry UpdateAddon UpdateClusterConfig UpdateClusterVersion
			UpdateNodegroupConfig UpdateNodegroupVersion UpdatePodIdentityAssociation`,
		makes: map[string]making{
			"AssociateIdentityProviderConfig": {inside: true},
			"CreateAccessEntry":               {inside: true},
			"CreateAddon":                     {inside: true},
			"CreateCluster":                   {anywhere: true},
			"CreateFargateProfile":            {inside: true},
			"CreateNodegroup":                 {inside: true},
			"CreatePodIdentityAssociation":    {inside: true},
		},
	},
	"elasticloadbalancing": {
		page: "list_awselasticloadbalancing.html", tags: "AddTags", untags: "RemoveTags", createAction: true,
		reads: "Describe*",
		owned: `AddListenerCertificates DeleteListener DeleteLoadBalancer DeleteRule DeleteTargetGroup DeleteTrustStore DeregisterTargets
			ModifyListener ModifyListenerAttributes ModifyLoadBalancerAttributes ModifyRule ModifyTargetGroup
			ModifyTargetGroupAttributes ModifyTrustStore RegisterTargets RemoveListenerCertificates SetIpAddressType
			SetRulePriorities SetSecurityGroups SetSubnets`,
		makes: map[string]making{
			"CreateListener":     {inside: true},
			"CreateLoadBalancer": {new: "loadbalancer/*"},
			"CreateRule":         {inside: true},
			"CreateTargetGroup":  {new: "targetgroup/*"},
			"CreateTrustStore":   {new: "truststore/*"},
		},
	},
	"iam": {
		page: "list_awsidentityandaccessmanagementiam.html", scope: ":*:", deny: "Tag* Untag*",
		tags: `TagRole TagInstanceProfile TagOpenIDConnectProvider TagPolicy TagSAMLProvider TagServerCertificate TagUser`,
		untags: `UntagInstanceProfile UntagOpenIDConnectProvider UntagPolicy UntagRole UntagSAMLProvider UntagServerCertificate
			UntagUser`,
		reads: `GetAccountAuthorizationDetails GetInstanceProfile GetOpenIDConnectProvider GetPolicy GetPolicyVersion GetRole
			GetRolePolicy GetSAMLProvider GetServerCertificate GetUser GetUserPolicy List*`,
		owned: `AddClientIDToOpenIDConnectProvider AddRoleToInstanceProfile AttachRolePolicy AttachUserPolicy CreateAccessKey
			CreatePolicyVersion DeleteAccessKey DeleteInstanceProfile DeleteOpenIDConnectProvider DeletePolicy DeletePolicyVersion
			DeleteRole DeleteRolePermissionsBoundary DeleteRolePolicy DeleteSAMLProvider DeleteServerCertificate DeleteUser
			DeleteUserPermissionsBoundary DeleteUserPolicy DetachRolePolicy DetachUserPolicy PutRolePermissionsBoundary PutRolePolicy
			PutUserPermissionsBoundary PutUserPolicy RemoveClientIDFromOpenIDConnectProvider RemoveRoleFromInstanceProfile
			SetDefaultPolicyVersion UpdateAccessKey UpdateAssumeRolePolicy UpdateOpenIDConnectProviderThumbprint UpdateRole
			UpdateRoleDescription UpdateSAMLProvider UpdateServerCertificate UpdateUser`,
		makes: map[string]making{
			"CreateInstanceProfile":       {new: "instance-profile/*", tag: "TagInstanceProfile"},
			"CreateOpenIDConnectProvider": {new: "oidc-provider/*", tag: "TagOpenIDConnectProvider"},
			"CreatePolicy":                {new: "policy/*", tag: "TagPolicy"},
			"CreateRole":                  {new: "role/*"},
			"CreateSAMLProvider":          {new: "saml-provider/*", tag: "TagSAMLProvider"},
			"CreateUser":                  {new: "user/*", tag: "TagUser"},
			"UploadServerCertificate":     {new: "server-certificate/*", tag: "TagServerCertificate"},
		},
		refused: map[string]string{
			"PassRole": "a role's tags do not decide who may pass it" + byName + "roles, arn:aws:iam::ACCOUNT:role/NAME",
		},
	},
	"kms": {
		page: "list_awskeymanagementservice.html", tags: "TagResource", untags: "UntagResource",
		reads: `DescribeKey GetKeyPolicy GetKeyRotationStatus GetPublicKey ListAliases ListGrants ListKeyPolicies ListKeyRotations
			ListKeys ListResourceTags`,
		owned: `CancelKeyDeletion CreateGrant Decrypt DeleteImportedKeyMaterial DisableKey DisableKeyRotation EnableKey
			EnableKeyRotation Encrypt GenerateDataKey GenerateDataKeyPair GenerateDataKeyPairWithoutPlaintext
			GenerateDataKeyWithoutPlaintext GenerateMac PutKeyPolicy ReEncryptFrom ReEncryptTo RetireGrant RevokeGrant
			RotateKeyOnDemand ScheduleKeyDeletion Sign UpdateKeyDescription Verify VerifyMac`,
		makes: map[string]making{
			"CreateKey": {anywhere: true},
			// An alias has no tags, but each of these calls is also about the key.
			"CreateAlias": {in: true, with: "alias/*"},
			"DeleteAlias": {in: true, with: "alias/*"},
			"UpdateAlias": {in: true, with: "alias/*"},
		},
	},
	"lambda": {
		page: "list_awslambda.html", tags: "TagResource", untags: "UntagResource",
		reads: "GetAccountSettings GetCodeSigningConfig ListCodeSigningConfigs ListFunctions ListTags",
		owned: `AddPermission CreateAlias CreateFunctionUrlConfig DeleteAlias DeleteCodeSigningConfig DeleteFunction
			DeleteFunctionCodeSigningConfig DeleteFunctionConcurrency DeleteFunctionEventInvokeConfig DeleteFunctionUrlConfig
			DeleteProvisionedConcurrencyConfig GetAlias GetFunction GetFunctionCodeSigningConfig GetFunctionConcurrency
			GetFunctionConfiguration GetFunctionEventInvokeConfig GetFunctionRecursionConfig GetFunctionUrlConfig GetPolicy
			GetProvisionedConcurrencyConfig GetRuntimeManagementConfig InvokeFunction ListAliases ListVersionsByFunction
			PublishVersion PutFunctionCodeSigningConfig PutFunctionConcurrency PutFunctionEventInvokeConfig
			PutFunctionRecursionConfig PutProvisionedConcurrencyConfig PutRuntimeManagementConfig RemovePermission UpdateAlias
			UpdateCodeSigningConfig UpdateFunctionCode UpdateFunctionConfiguration UpdateFunctionEventInvokeConfig
			UpdateFunctionUrlConfig`,
		makes: map[string]making{
			"CreateCodeSigningConfig": {anywhere: true},
			"CreateFunction":          {new: "function:*"},
		},
		refused: map[string]string{
			"CreateEventSourceMapping": "Lambda does not look at the tags of the function here; allow it in a policy of your own, with lambda:FunctionArn",
			"PublishLayerVersion":      "layers have no tags" + byName + "layer's name",
			"DeleteLayerVersion":       "layers have no tags" + byName + "layer's name",
		},
	},
	"logs": {
		page: "list_amazoncloudwatchlogs.html", tags: "TagResource TagLogGroup", untags: "UntagResource UntagLogGroup",
		reads: `DescribeLogGroups DescribeMetricFilters DescribeSubscriptionFilters GetDataProtectionPolicy GetLogAnomalyDetector
			GetTransformer ListLogAnomalyDetectors ListLogGroups ListTagsForResource ListTagsLogGroup`,
		owned: `AssociateKmsKey DeleteDataProtectionPolicy DeleteLogAnomalyDetector DeleteLogGroup DeleteMetricFilter
			DeleteRetentionPolicy DeleteSubscriptionFilter DeleteTransformer DisassociateKmsKey FilterLogEvents
			PutDataProtectionPolicy PutLogGroupDeletionProtection PutMetricFilter PutRetentionPolicy PutSubscriptionFilter
			PutTransformer StartQuery UpdateLogAnomalyDetector`,
		makes: map[string]making{
			"CreateLogAnomalyDetector": {inside: true},
			"CreateLogGroup":           {new: "log-group:*"},
		},
		refused: map[string]string{
			"CreateLogStream": noStream, "DeleteLogStream": noStream, "GetLogEvents": noStream, "PutLogEvents": noStream,
		},
	},
	"rds": {
		page: "list_amazonrds.html", tags: "AddTagsToResource", untags: "RemoveTagsFromResource",
		reads: "Describe* ListTagsForResource",
		owned: `AddRoleToDBCluster AddRoleToDBInstance AddSourceIdentifierToSubscription ApplyPendingMaintenanceAction DeleteDBCluster
			DeleteDBClusterEndpoint DeleteDBClusterParameterGroup DeleteDBClusterSnapshot DeleteDBInstance
			DeleteDBInstanceAutomatedBackup DeleteDBParameterGroup DeleteDBProxy DeleteDBProxyEndpoint DeleteDBSnapshot
			DeleteDBSubnetGroup DeleteEventSubscription DeleteOptionGroup DownloadDBLogFilePortion FailoverDBCluster ModifyDBCluster
			ModifyDBClusterEndpoint ModifyDBClusterParameterGroup ModifyDBInstance ModifyDBParameterGroup ModifyDBProxy
			ModifyDBProxyEndpoint ModifyDBSubnetGroup ModifyEventSubscription ModifyOptionGroup PromoteReadReplica RebootDBCluster
			RebootDBInstance RemoveRoleFromDBCluster RemoveRoleFromDBInstance RemoveSourceIdentifierFromSubscription
			ResetDBClusterParameterGroup ResetDBParameterGroup StartDBCluster StartDBInstance StopDBCluster StopDBInstance`,
		makes: map[string]making{
			"CreateDBCluster":               {new: "cluster:*", in: true, with: "cluster-pg:default.* og:default:*"},
			"CreateDBClusterEndpoint":       {new: "cluster-endpoint:*", in: true},
			"CreateDBClusterParameterGroup": {new: "cluster-pg:*"},
			"CreateDBClusterSnapshot":       {new: "cluster-snapshot:*", in: true},
			"CreateDBInstance":              {new: "db:*", in: true, with: "og:default:* pg:default.*"},
			"CreateDBParameterGroup":        {new: "pg:*"},
			"CreateDBProxy":                 {anywhere: true},
			"CreateDBProxyEndpoint":         {new: "db-proxy-endpoint:*", in: true},
			"CreateDBSnapshot":              {new: "snapshot:*", in: true},
			"CreateDBSubnetGroup":           {new: "subgrp:*"},
			"CreateEventSubscription":       {new: "es:*"},
			"CreateOptionGroup":             {new: "og:*"},
		},
	},
	"route53": {
		page: "list_amazonroute53.html", whole: "ChangeTagsForResource",
		reads: "Get* List* TestDNSAnswer",
		blind: "Route 53 lets no policy look at tags, neither those of a zone nor those in a call" + byName +
			"zones, arn:aws:route53:::hostedzone/ID; what creates names none and needs *",
	},
	"s3": {
		page: "list_amazons3.html", tags: "TagResource", untags: "UntagResource", whole: "PutBucketTagging",
		reads: `GetAccelerateConfiguration GetAccountPublicAccessBlock GetBucket* GetEncryptionConfiguration
			GetLifecycleConfiguration GetReplicationConfiguration ListAllMyBuckets ListTagsForResource`,
		blind: "S3 looks at the tags of a bucket only where that was switched on for the bucket, which no create does" + byName +
			"buckets, arn:aws:s3:::NAME",
	},
	"secretsmanager": {
		page: "list_awssecretsmanager.html", tags: "TagResource", untags: "UntagResource",
		reads: "DescribeSecret GetRandomPassword GetResourcePolicy ListSecrets ListSecretVersionIds",
		owned: `CancelRotateSecret DeleteResourcePolicy DeleteSecret GetSecretValue PutResourcePolicy PutSecretValue
			RemoveRegionsFromReplication ReplicateSecretToRegions RestoreSecret RotateSecret StopReplicationToReplica UpdateSecret
			UpdateSecretVersionStage ValidateResourcePolicy`,
		makes: map[string]making{"CreateSecret": {new: "secret:*"}},
	},
	"sns": {
		page: "list_amazonsns.html", tags: "TagResource", untags: "UntagResource",
		reads: `GetDataProtectionPolicy GetSubscriptionAttributes GetTopicAttributes ListSubscriptions ListSubscriptionsByTopic
			ListTagsForResource ListTopics`,
		owned: "AddPermission ConfirmSubscription DeleteTopic Publish PutDataProtectionPolicy RemovePermission SetTopicAttributes Subscribe",
		makes: map[string]making{"CreateTopic": {new: "*"}},
		refused: map[string]string{
			"SetSubscriptionAttributes": noSubscription, "Unsubscribe": noSubscription,
		},
	},
	"sqs": {
		page: "list_amazonsqs.html", tags: "TagQueue", untags: "UntagQueue",
		reads: "GetQueueAttributes GetQueueUrl ListDeadLetterSourceQueues ListQueues ListQueueTags",
		owned: `AddPermission CancelMessageMoveTask ChangeMessageVisibility DeleteMessage DeleteQueue PurgeQueue ReceiveMessage
			RemovePermission SendMessage SetQueueAttributes StartMessageMoveTask`,
		makes: map[string]making{"CreateQueue": {new: "*"}},
	},
	"ssm": {
		page: "list_awssystemsmanager.html", tags: "AddTagsToResource", untags: "RemoveTagsFromResource",
		reads: `DescribeDocument DescribeDocumentPermission DescribeMaintenanceWindows DescribeParameters DescribePatchBaselines
			GetDocument GetMaintenanceWindow GetPatchBaseline ListDocuments ListDocumentVersions ListTagsForResource`,
		owned: `DeleteDocument DeleteMaintenanceWindow DeleteParameter DeleteParameters DeletePatchBaseline GetParameter
			GetParameterHistory GetParameters LabelParameterVersion ModifyDocumentPermission UnlabelParameterVersion UpdateDocument
			UpdateDocumentDefaultVersion UpdateDocumentMetadata UpdateMaintenanceWindow UpdatePatchBaseline`,
		makes: map[string]making{
			"CreateDocument":          {new: "document/*"},
			"CreateMaintenanceWindow": {anywhere: true},
			"CreatePatchBaseline":     {anywhere: true},
			// Creates and overwrites. SSM refuses an overwrite that brings tags.
			"PutParameter": {new: "parameter/*", in: true},
		},
	},
	"sts": {page: "list_awssecuritytokenservice.html", reads: "GetCallerIdentity"},
	"tag": {
		page: "list_amazonresourcegrouptaggingapi.html", reads: "GetResources GetTagKeys GetTagValues",
		blind: "the tagging API also asks for the service's own action, and goes by no tags itself; name that action here, and allow this " +
			"one in a policy of your own",
	},

	// Services that are only kept from changing markers.
	"acm":               {page: "list_awscertificatemanager.html", tags: "AddTagsToCertificate", untags: "RemoveTagsFromCertificate"},
	"autoscaling":       {page: "list_amazonec2autoscaling.html", tags: "CreateOrUpdateTags", untags: "DeleteTags"},
	"backup":            {page: "list_awsbackup.html", tags: "TagResource", untags: "UntagResource"},
	"cloudfront":        {page: "list_amazoncloudfront.html", tags: "TagResource", untags: "UntagResource"},
	"cloudwatch":        {page: "list_amazoncloudwatch.html", tags: "TagResource", untags: "UntagResource"},
	"cognito-idp":       {page: "list_amazoncognitouserpools.html", tags: "TagResource", untags: "UntagResource"},
	"elasticache":       {page: "list_amazonelasticache.html", tags: "AddTagsToResource", untags: "RemoveTagsFromResource"},
	"elasticfilesystem": {page: "list_amazonelasticfilesystem.html", tags: "TagResource CreateTags", untags: "UntagResource DeleteTags"},
	"es":                {page: "list_amazonopensearchservice.html", tags: "AddTags", untags: "RemoveTags"},
	"events":            {page: "list_amazoneventbridge.html", tags: "TagResource", untags: "UntagResource"},
	"firehose":          {page: "list_amazonkinesisfirehose.html", tags: "TagDeliveryStream", untags: "UntagDeliveryStream"},
	"glue":              {page: "list_awsglue.html", tags: "TagResource", untags: "UntagResource"},
	"kafka":             {page: "list_amazonmanagedstreamingforapachekafka.html", tags: "TagResource", untags: "UntagResource"},
	"kinesis":           {page: "list_amazonkinesisdatastreams.html", tags: "TagResource AddTagsToStream", untags: "UntagResource RemoveTagsFromStream"},
	"redshift":          {page: "list_amazonredshift.html", tags: "CreateTags", untags: "DeleteTags"},
	"states":            {page: "list_awsstepfunctions.html", tags: "TagResource", untags: "UntagResource"},
	"wafv2":             {page: "list_awswafv2.html", tags: "TagResource", untags: "UntagResource"},
}

// Reasons that several actions share.
const (
	noCluster      = "ECS does not look at the tags of the cluster here; allow it in a policy of your own, with ecs:cluster"
	noStream       = "log streams have no tags of their own" + byName + "log groups' names"
	noSubscription = "SNS names no subscription or topic in this call; allow it in a policy of your own, on *"
)
