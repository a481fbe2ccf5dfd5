package permissions

import (
	"slices"
	"testing"
)

func TestAction(t *testing.T) {
	for _, tt := range []struct{ service, operation, want string }{
		{"EC2", "CreateVpc", "ec2:CreateVpc"},
		{"ec2", "CreateVpc", "ec2:CreateVpc"},
		{"CloudWatch Logs", "CreateLogGroup", "logs:CreateLogGroup"},
		{"logs", "CreateLogGroup", "logs:CreateLogGroup"},
		{"Route 53", "GetChange", "route53:GetChange"},
		{"S3 Control", "TagResource", "s3:TagResource"},
		{"S3", "ListBuckets", "s3:ListAllMyBuckets"},
		{"s3", "HeadBucket", "s3:ListBucket"},
		{"s3", "DeleteBucketTagging", "s3:PutBucketTagging"},
		{"other", "HeadBucket", "other:HeadBucket"},
		{"Elastic Load Balancing v2", "AddTags", "elasticloadbalancing:AddTags"},
		{"monitoring", "PutMetricAlarm", "cloudwatch:PutMetricAlarm"},
	} {
		if got := Action(tt.service, tt.operation); got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.service, tt.operation, got, tt.want)
		}
	}
}

func TestNeeded(t *testing.T) {
	lock := []string{"s3:CreateBucket", "s3:PutBucketObjectLockConfiguration", "s3:PutBucketVersioning"}
	for _, tt := range []struct {
		service, operation string
		names, want        []string
	}{
		{"ec2", "CreateVpc", []string{"CidrBlock"}, []string{"ec2:CreateVpc"}},
		{"ec2", "CreateVpc", []string{"CidrBlock", "TagSpecification.1.ResourceType"}, []string{"ec2:CreateVpc", "ec2:CreateTags"}},
		{"ec2", "DeleteVpc", []string{"TagSpecification.1.ResourceType"}, []string{"ec2:DeleteVpc"}},
		{"s3", "CreateBucket", []string{"X-Amz-Bucket-Object-Lock-Enabled"}, lock},
		{"s3", "DeleteObjects", []string{"Delete.Object.VersionId"}, []string{"s3:DeleteObject", "s3:DeleteObjectVersion"}},
		{"iam", "CreateRole", []string{"RoleName", "Tags.member.1.Key"}, []string{"iam:CreateRole", "iam:TagRole"}},
		{"logs", "CreateLogGroup", []string{"logGroupName", "tags.tofu-estate"}, []string{"logs:CreateLogGroup", "logs:TagResource"}},
		{"s3", "CreateBucket", []string{"CreateBucketConfiguration.Tags.Tag.Key"}, []string{"s3:CreateBucket", "s3:TagResource"}},
		{"route53", "CreateHostedZone", []string{"CreateHostedZoneRequest.VPC.VPCId"}, []string{"route53:CreateHostedZone", "ec2:DescribeVpcs"}},
		{"route53", "CreateHostedZone", []string{"CreateHostedZoneRequest.Name"}, []string{"route53:CreateHostedZone"}},
	} {
		if got := Needed(tt.service, tt.operation, tt.names); !slices.Equal(got, tt.want) {
			t.Errorf("%s:%s with %q: %q, want %q", tt.service, tt.operation, tt.names, got, tt.want)
		}
	}
	if got := Possible("IAM", "CreateRole"); !slices.Equal(got, []string{"iam:CreateRole", "iam:TagRole"}) {
		t.Errorf("CreateRole may need %q", got)
	}
}

func TestReads(t *testing.T) {
	for action, want := range map[string]bool{
		"ec2:DescribeVpcs": true, "iam:GetRole": true, "s3:ListAllMyBuckets": true, "s3:PutBucketTagging": false, "iam:TagRole": false,
	} {
		if Reads(action) != want {
			t.Errorf("%s reads: %v", action, !want)
		}
	}
}
