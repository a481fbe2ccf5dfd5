// Package permissions knows which IAM actions the calls of AWS APIs need, and which of them the provider's resource types use.
//
// Most calls need one action, which has the call's name. The others stand in the tables of this file, each with where that is
// written: in AWS's Service Authorization Reference (SAR, https://docs.aws.amazon.com/service-authorization/latest/reference/),
// whose pages list API operations with the actions that they authorize, or in the operation's own page of the API reference.
// Messages about denials, the fault proxy's denials and the guide for users all ask here.
//
// The package imports the standard library alone. It knows the operations that the provider calls, and of S3 more; of an
// operation that it does not know, it gives the name.
package permissions

import (
	"slices"
	"strings"
)

// prefixes are IAM's words for services that are called otherwise: by the SDK, in lower case without spaces, or in signatures.
var prefixes = map[string]string{
	"applicationautoscaling":   "application-autoscaling",
	"cloudcontrol":             "cloudformation",
	"cloudwatchlogs":           "logs",
	"cognitoidentity":          "cognito-identity",
	"cognitoidentityprovider":  "cognito-idp",
	"configservice":            "config",
	"databasemigrationservice": "dms",
	"directoryservice":         "ds",
	"efs":                      "elasticfilesystem",
	"elasticloadbalancingv2":   "elasticloadbalancing",
	"elasticsearchservice":     "es",
	"email":                    "ses", // as signatures say
	"emr":                      "elasticmapreduce",
	"eventbridge":              "events",
	"monitoring":               "cloudwatch", // as signatures say
	"opensearch":               "es",
	"resourcegroups":           "resource-groups",
	"resourcegroupstaggingapi": "tag",
	"s3control":                "s3",
	"sesv2":                    "ses",
	"sfn":                      "states",
	"ssoadmin":                 "sso",
	"tagging":                  "tag", // as signatures say
}

// s3Actions are the operations of S3 whose action has another name, from SAR, "Actions, resources, and condition keys for
// Amazon S3"; what DELETE does to a sub-resource needs the action of its PUT.
var s3Actions = map[string]string{
	"ListBuckets":                        "ListAllMyBuckets",
	"HeadBucket":                         "ListBucket",
	"ListObjects":                        "ListBucket",
	"ListObjectsV2":                      "ListBucket",
	"ListObjectVersions":                 "ListBucketVersions",
	"HeadObject":                         "GetObject",
	"CopyObject":                         "PutObject",
	"DeleteObjects":                      "DeleteObject",
	"UploadPart":                         "PutObject",
	"ListMultipartUploads":               "ListBucketMultipartUploads",
	"ListParts":                          "ListMultipartUploadParts",
	"CreateMultipartUpload":              "PutObject",
	"CompleteMultipartUpload":            "PutObject",
	"DeleteBucketTagging":                "PutBucketTagging",
	"DeleteBucketOwnershipControls":      "PutBucketOwnershipControls",
	"GetBucketEncryption":                "GetEncryptionConfiguration",
	"PutBucketEncryption":                "PutEncryptionConfiguration",
	"DeleteBucketEncryption":             "PutEncryptionConfiguration",
	"GetPublicAccessBlock":               "GetBucketPublicAccessBlock",
	"PutPublicAccessBlock":               "PutBucketPublicAccessBlock",
	"DeletePublicAccessBlock":            "PutBucketPublicAccessBlock",
	"GetBucketLifecycleConfiguration":    "GetLifecycleConfiguration",
	"PutBucketLifecycleConfiguration":    "PutLifecycleConfiguration",
	"DeleteBucketLifecycle":              "PutLifecycleConfiguration",
	"GetBucketCors":                      "GetBucketCORS",
	"PutBucketCors":                      "PutBucketCORS",
	"DeleteBucketCors":                   "PutBucketCORS",
	"GetBucketReplication":               "GetReplicationConfiguration",
	"PutBucketReplication":               "PutReplicationConfiguration",
	"DeleteBucketReplication":            "PutReplicationConfiguration",
	"GetBucketNotificationConfiguration": "GetBucketNotification",
	"PutBucketNotificationConfiguration": "PutBucketNotification",
	"GetBucketAccelerateConfiguration":   "GetAccelerateConfiguration",
	"PutBucketAccelerateConfiguration":   "PutAccelerateConfiguration",
	"GetObjectLockConfiguration":         "GetBucketObjectLockConfiguration",
	"PutObjectLockConfiguration":         "PutBucketObjectLockConfiguration",
}

// Action returns the action of IAM that belongs to an operation, such as "s3:ListAllMyBuckets" for ListBuckets. The service is
// named as the SDK names it ("Elastic Load Balancing v2") or as signatures do ("elasticloadbalancing").
func Action(service, operation string) string {
	prefix := strings.ToLower(strings.ReplaceAll(service, " ", ""))
	if p, ok := prefixes[prefix]; ok {
		prefix = p
	}
	if a, ok := s3Actions[operation]; ok && prefix == "s3" {
		operation = a
	}
	return prefix + ":" + operation
}

// further is an action that a call needs beside its own, if the request has a parameter or a header whose name holds a word.
type further struct{ action, word string }

// tagging is the further action of EC2's create calls: "If tags are specified in the resource-creating action, Amazon performs
// additional authorization on the ec2:CreateTags action" (EC2's user guide, "Grant permission to tag resources during creation").
var tagging = []further{{"ec2:CreateTags", "TagSpecification"}}

// furthers are the operations that need more than one action.
var furthers = map[string][]further{
	"ec2:AllocateAddress":       tagging,
	"ec2:CreateInternetGateway": tagging,
	"ec2:CreateSecurityGroup":   tagging,
	"ec2:CreateSubnet":          tagging,
	"ec2:CreateVpc":             tagging,
	// IAM's user guide, "Tagging IAM roles".
	"iam:CreateRole": {{"iam:TagRole", "Tags"}},
	// The parameter tags of the operation's page.
	"logs:CreateLogGroup": {{"logs:TagResource", "tags"}},
	// Route 53's developer guide, "Amazon Route 53 API permissions": for private zones.
	"route53:AssociateVPCWithHostedZone":    {{"ec2:DescribeVpcs", "VPC"}},
	"route53:CreateHostedZone":              {{"ec2:DescribeVpcs", "VPC"}},
	"route53:DisassociateVPCFromHostedZone": {{"ec2:DescribeVpcs", "VPC"}},
	// The operations' pages; tags: S3's user guide, "Using tags with S3 general purpose buckets".
	"s3:CreateBucket": {
		{"s3:TagResource", "Tags"},
		{"s3:PutBucketObjectLockConfiguration", "Object-Lock"}, {"s3:PutBucketVersioning", "Object-Lock"},
	},
	"s3:DeleteObject": {{"s3:DeleteObjectVersion", "versionId"}, {"s3:BypassGovernanceRetention", "Bypass-Governance"}},
}

// Needed returns the actions that a call needs: its own first, then those that its parameters and headers ask for, whose names
// are given.
func Needed(service, operation string, names []string) []string {
	return needed(service, operation, func(word string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(strings.ToLower(name), strings.ToLower(word)) })
	})
}

// Possible returns all actions that calls of an operation may need: its own first.
func Possible(service, operation string) []string {
	return needed(service, operation, func(string) bool { return true })
}

func needed(service, operation string, asks func(word string) bool) []string {
	own := Action(service, operation)
	out := []string{own}
	for _, f := range furthers[own] {
		if asks(f.word) {
			out = append(out, f.action)
		}
	}
	return out
}

// readVerbs begin the names of actions that change nothing.
var readVerbs = []string{"Get", "List", "Describe"}

// Reads tells whether an action changes nothing.
func Reads(action string) bool {
	_, name, _ := strings.Cut(action, ":")
	return slices.ContainsFunc(readVerbs, func(verb string) bool { return strings.HasPrefix(name, verb) })
}
