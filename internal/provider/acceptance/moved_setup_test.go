package acceptance

import (
	"context"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	route53types "github.com/aws/aws-sdk-go-v2/service/route53/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// movedTypes are the types that move in, parents first.
var movedTypes = []moved{
	{"estate_vpc", func(ctx context.Context, t *testing.T, a *AWS, tags, values map[string]string) string {
		out, err := a.EC2.CreateVpc(ctx, &ec2.CreateVpcInput{CidrBlock: aws.String("10.60.0.0/16"), TagSpecifications: specified("vpc", tags)})
		must(t, err)
		return keep(values, "vpc_id", out.Vpc.VpcId)
	}},
	{"estate_subnet", func(ctx context.Context, t *testing.T, a *AWS, tags, values map[string]string) string {
		out, err := a.EC2.CreateSubnet(ctx, &ec2.CreateSubnetInput{
			VpcId: aws.String(values["vpc_id"]), CidrBlock: aws.String("10.60.1.0/24"), TagSpecifications: specified("subnet", tags),
		})
		must(t, err)
		return keep(values, "subnet_id", out.Subnet.SubnetId)
	}},
	{"estate_internet_gateway", func(ctx context.Context, t *testing.T, a *AWS, tags, values map[string]string) string {
		out, err := a.EC2.CreateInternetGateway(ctx, &ec2.CreateInternetGatewayInput{TagSpecifications: specified("internet-gateway", tags)})
		must(t, err)
		_, err = a.EC2.AttachInternetGateway(ctx, &ec2.AttachInternetGatewayInput{
			VpcId: aws.String(values["vpc_id"]), InternetGatewayId: out.InternetGateway.InternetGatewayId,
		})
		must(t, err)
		return keep(values, "gateway_id", out.InternetGateway.InternetGatewayId)
	}},
	{"estate_security_group", func(ctx context.Context, t *testing.T, a *AWS, tags, values map[string]string) string {
		out, err := a.EC2.CreateSecurityGroup(ctx, &ec2.CreateSecurityGroupInput{
			VpcId: aws.String(values["vpc_id"]), GroupName: aws.String("moved"), Description: aws.String("Managed by Terraform"),
			TagSpecifications: specified("security-group", tags),
		})
		must(t, err)
		_, err = a.EC2.AuthorizeSecurityGroupIngress(ctx, &ec2.AuthorizeSecurityGroupIngressInput{
			GroupId: out.GroupId, IpProtocol: aws.String("tcp"), FromPort: aws.Int32(443), ToPort: aws.Int32(443), CidrIp: aws.String("10.60.0.0/16"),
		})
		must(t, err)
		return keep(values, "group_id", out.GroupId)
	}},
	{"estate_eip", func(ctx context.Context, t *testing.T, a *AWS, tags, values map[string]string) string {
		out, err := a.EC2.AllocateAddress(ctx, &ec2.AllocateAddressInput{Domain: ec2types.DomainTypeVpc, TagSpecifications: specified("elastic-ip", tags)})
		must(t, err)
		return keep(values, "eip_id", out.AllocationId)
	}},
	{"estate_iam_role", func(ctx context.Context, t *testing.T, a *AWS, tags, values map[string]string) string {
		role, err := makeRole(ctx, a, "moved", tags)
		must(t, err)
		policy, err := a.IAM.CreatePolicy(ctx, &iam.CreatePolicyInput{PolicyName: aws.String("moved"), PolicyDocument: aws.String(movedPolicy)})
		must(t, err)
		keep(values, "policy_arn", policy.Policy.Arn)
		return keep(values, "role", &role)
	}},
	{"estate_iam_role_policy", func(ctx context.Context, t *testing.T, a *AWS, _, values map[string]string) string {
		_, err := a.IAM.PutRolePolicy(ctx, &iam.PutRolePolicyInput{
			RoleName: aws.String(values["role"]), PolicyName: aws.String("read"), PolicyDocument: aws.String(movedPolicy),
		})
		must(t, err)
		return values["role"] + ":read"
	}},
	{"estate_iam_role_policy_attachment", func(ctx context.Context, t *testing.T, a *AWS, _, values map[string]string) string {
		_, err := a.IAM.AttachRolePolicy(ctx, &iam.AttachRolePolicyInput{
			RoleName: aws.String(values["role"]), PolicyArn: aws.String(values["policy_arn"]),
		})
		must(t, err)
		return values["role"] + "/" + values["policy_arn"]
	}},
	{"estate_route53_zone", func(ctx context.Context, t *testing.T, a *AWS, tags, values map[string]string) string {
		out, err := a.Route53.CreateHostedZone(ctx, &route53.CreateHostedZoneInput{
			Name: aws.String("moved.example.com"), CallerReference: aws.String("moved"),
			HostedZoneConfig: &route53types.HostedZoneConfig{Comment: aws.String("Managed by Terraform")},
		})
		must(t, err)
		id := strings.TrimPrefix(aws.ToString(out.HostedZone.Id), "/hostedzone/")
		in := &route53.ChangeTagsForResourceInput{ResourceId: &id, ResourceType: route53types.TagResourceTypeHostedzone}
		for key, v := range tags {
			in.AddTags = append(in.AddTags, route53types.Tag{Key: aws.String(key), Value: aws.String(v)})
		}
		_, err = a.Route53.ChangeTagsForResource(ctx, in)
		must(t, err)
		return keep(values, "zone_id", &id)
	}},
	{"estate_route53_record", func(ctx context.Context, t *testing.T, a *AWS, _, values map[string]string) string {
		_, err := a.Route53.ChangeResourceRecordSets(ctx, &route53.ChangeResourceRecordSetsInput{
			HostedZoneId: aws.String(values["zone_id"]),
			ChangeBatch: &route53types.ChangeBatch{Changes: []route53types.Change{{
				Action: route53types.ChangeActionCreate,
				ResourceRecordSet: &route53types.ResourceRecordSet{
					Name: aws.String("www.moved.example.com"), Type: route53types.RRTypeA, TTL: aws.Int64(300),
					ResourceRecords: []route53types.ResourceRecord{{Value: aws.String("192.0.2.1")}},
				},
			}}},
		})
		must(t, err)
		return values["zone_id"] + "_www.moved.example.com_A"
	}},
	{"estate_s3_bucket", func(ctx context.Context, t *testing.T, a *AWS, tags, values map[string]string) string {
		name := "moved-" + values["account"]
		_, err := a.S3.CreateBucket(ctx, &s3.CreateBucketInput{
			Bucket: &name, CreateBucketConfiguration: &s3types.CreateBucketConfiguration{LocationConstraint: Region},
		})
		must(t, err)
		in := &s3.PutBucketTaggingInput{Bucket: &name, Tagging: &s3types.Tagging{}}
		for key, v := range tags {
			in.Tagging.TagSet = append(in.Tagging.TagSet, s3types.Tag{Key: aws.String(key), Value: aws.String(v)})
		}
		_, err = a.S3.PutBucketTagging(ctx, in)
		must(t, err)
		return keep(values, "bucket", &name)
	}},
	{"estate_cloudwatch_log_group", func(ctx context.Context, t *testing.T, a *AWS, tags, _ map[string]string) string {
		name := "moved/group"
		_, err := a.Logs.CreateLogGroup(ctx, &cloudwatchlogs.CreateLogGroupInput{LogGroupName: &name, Tags: tags})
		must(t, err)
		_, err = a.Logs.PutRetentionPolicy(ctx, &cloudwatchlogs.PutRetentionPolicyInput{LogGroupName: &name, RetentionInDays: aws.Int32(30)})
		must(t, err)
		return name
	}},
}

// movedPolicy is the document of the role's policies.
const movedPolicy = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"*"}]}`

// keep notes a value for the templates, and returns it.
func keep(values map[string]string, name string, v *string) string {
	values[name] = aws.ToString(v)
	return values[name]
}

// specified are the tags of an EC2 object in its create call.
func specified(kind ec2types.ResourceType, tags map[string]string) []ec2types.TagSpecification {
	return []ec2types.TagSpecification{{ResourceType: kind, Tags: toEC2Tags(tags)}}
}
