package permissions

// ByHand is an action that the emulator cannot show to be needed.
type ByHand struct {
	Use
	// Why is what the emulator lacks, and Source where the need is written.
	Why, Source string
}

const (
	sarEC2     = "SAR, Amazon EC2"
	sarLogs    = "SAR, Amazon CloudWatch Logs"
	sarRoute53 = "SAR, Amazon Route 53"
	sarS3      = "SAR, Amazon S3"
)

// interfaces is why a destroy of what network interfaces use asks for them.
var interfaces = ByHand{
	Use{Action: "ec2:DescribeNetworkInterfaces", For: []string{"messages"}},
	"the emulator deletes what interfaces use; on AWS it waits, and after the time-out the error names them", sarEC2,
}

// Unheld are the actions by hand, by resource type. TestEveryCallIsListed finds those that are missing.
var Unheld = map[string][]ByHand{
	"estate_cloudwatch_log_group": {
		{Use{Action: "logs:AssociateKmsKey", For: []string{"kms_key_id"}}, "the emulator has no such call", sarLogs},
		{Use{Action: "logs:DisassociateKmsKey", For: []string{"kms_key_id"}}, "the emulator has no such call", sarLogs},
		{
			Use{Action: "logs:PutLogGroupDeletionProtection", For: []string{"deletion_protection_enabled"}},
			"the emulator has no such call", sarLogs,
		},
	},
	"estate_route53_zone": {
		{
			Use{Action: "route53:UpdateHostedZoneFeatures", For: []string{"enable_accelerated_recovery"}},
			"the emulator has no such call", sarRoute53,
		},
		{Use{Action: "route53:DisableHostedZoneDNSSEC", For: []string{"force_destroy"}}, "the emulator signs no zones", sarRoute53},
	},
	"estate_s3_bucket": {
		{
			Use{Action: "s3:PutObjectLegalHold", For: []string{"force_destroy with object_lock_enabled"}},
			"the emulator deletes objects under a legal hold", sarS3,
		},
		{
			Use{Action: "s3:BypassGovernanceRetention", For: []string{"force_destroy with object_lock_enabled"}},
			"the emulator deletes objects in retention", sarS3,
		},
		{
			Use{Action: "s3:PutBucketTagging", For: []string{"fallback"}},
			"only where S3 Control has no tags of buckets: S3 then writes the whole set, which DeleteBucketTagging empties", sarS3,
		},
	},
	"estate_security_group": {interfaces},
	"estate_subnet":         {interfaces},
	"estate_vpc": {
		{Use{Action: "ec2:GetIpamPoolAllocations", For: []string{"ipv6_ipam_pool_id"}}, "the emulator has no IPAM", sarEC2},
	},
}
