package faultproxy

import (
	"context"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// reads are answers to reads that show the objects of created beside older ones.
var reads = map[string]string{
	"ec2:DescribeVpcs": `<DescribeVpcsResponse><requestId>r</requestId><vpcSet><item><vpcId>vpc-0</vpcId></item>` +
		`<item><vpcId>vpc-1</vpcId><state>available</state></item></vpcSet></DescribeVpcsResponse>`,
	"ec2:DescribeSubnets": `<DescribeSubnetsResponse><subnetSet><item><subnetId>subnet-1</subnetId><vpcId>vpc-1</vpcId>` +
		`</item></subnetSet></DescribeSubnetsResponse>`,
	"ec2:DescribeTags": `<DescribeTagsResponse><tagSet><item><resourceId>vpc-1</resourceId><key>a</key></item></tagSet>` +
		`</DescribeTagsResponse>`,
	"ec2:DescribeVpcAttribute": `<DescribeVpcAttributeResponse><vpcId>vpc-1</vpcId></DescribeVpcAttributeResponse>`,
	"iam:GetAccountAuthorizationDetails": `<GetAccountAuthorizationDetailsResponse><GetAccountAuthorizationDetailsResult>` +
		`<IsTruncated>false</IsTruncated><UserDetailList/><RoleDetailList><member><RoleName>old</RoleName></member>` +
		`<member><RoleName>app</RoleName></member></RoleDetailList></GetAccountAuthorizationDetailsResult>` +
		`</GetAccountAuthorizationDetailsResponse>`,
	"iam:GetRole": `<GetRoleResponse><GetRoleResult><Role><RoleName>app</RoleName></Role></GetRoleResult></GetRoleResponse>`,
	"s3:ListBuckets": `<ListAllMyBucketsResult><Buckets><Bucket><Name>old</Name></Bucket><Bucket><Name>data</Name></Bucket>` +
		`</Buckets></ListAllMyBucketsResult>`,
	"s3:HeadBucket":       "",
	"s3:GetBucketTagging": `<Tagging><TagSet></TagSet></Tagging>`,
	"route53:ListHostedZones": `<ListHostedZonesResponse><HostedZones><HostedZone><Id>/hostedzone/Z0</Id></HostedZone>` +
		`<HostedZone><Id>/hostedzone/Z1</Id></HostedZone></HostedZones><IsTruncated>false</IsTruncated></ListHostedZonesResponse>`,
	"route53:GetHostedZone": `<GetHostedZoneResponse><HostedZone><Id>/hostedzone/Z1</Id></HostedZone></GetHostedZoneResponse>`,
	"logs:DescribeLogGroups": `{"logGroups":[{"logGroupName":"/app","storedBytes":12345678901234567},` +
		`{"logGroupName":"/app/b"}]}`,
	"logs:ListTagsForResource": `{"tags":{}}`,
}

// counted reads a listing and returns how many items it has.
type counted func(context.Context, *Proxy) (int, error)

var listings = map[string]counted{
	"ec2": func(ctx context.Context, p *Proxy) (int, error) {
		out, err := ec2Client(p).DescribeVpcs(ctx, &ec2.DescribeVpcsInput{
			Filters: []ec2types.Filter{{Name: aws.String("vpc-id"), Values: []string{"vpc-1", "vpc-0"}}},
		})
		if err != nil {
			return 0, err
		}
		return len(out.Vpcs), nil
	},
	"iam": func(ctx context.Context, p *Proxy) (int, error) {
		out, err := iamClient(p).GetAccountAuthorizationDetails(ctx, nil)
		if err != nil {
			return 0, err
		}
		return len(out.RoleDetailList), nil
	},
	"s3": func(ctx context.Context, p *Proxy) (int, error) {
		out, err := s3Client(p).ListBuckets(ctx, nil)
		if err != nil {
			return 0, err
		}
		return len(out.Buckets), nil
	},
	"route53": func(ctx context.Context, p *Proxy) (int, error) {
		out, err := route53Client(p).ListHostedZones(ctx, nil)
		if err != nil {
			return 0, err
		}
		return len(out.HostedZones), nil
	},
	"logs": func(ctx context.Context, p *Proxy) (int, error) {
		out, err := logsClient(p).DescribeLogGroups(ctx, &cloudwatchlogs.DescribeLogGroupsInput{
			LogGroupNamePrefix: aws.String("/app"),
		})
		if err != nil {
			return 0, err
		}
		if n := len(out.LogGroups); n == 2 && aws.ToInt64(out.LogGroups[0].StoredBytes) != 12345678901234567 {
			return 0, strconv.ErrRange
		}
		return len(out.LogGroups), nil
	},
}

// direct asks for the object that one makes.
var direct = map[string]func(context.Context, *Proxy) error{
	"ec2": func(ctx context.Context, p *Proxy) error {
		_, err := ec2Client(p).DescribeVpcAttribute(ctx, &ec2.DescribeVpcAttributeInput{
			VpcId: aws.String("vpc-1"), Attribute: ec2types.VpcAttributeNameEnableDnsSupport,
		})
		return err
	},
	"iam": func(ctx context.Context, p *Proxy) error {
		_, err := iamClient(p).GetRole(ctx, &iam.GetRoleInput{RoleName: aws.String("app")})
		return err
	},
	"s3": func(ctx context.Context, p *Proxy) error {
		_, err := s3Client(p).HeadBucket(ctx, &s3.HeadBucketInput{Bucket: aws.String("data")})
		return err
	},
	"route53": func(ctx context.Context, p *Proxy) error {
		_, err := route53Client(p).GetHostedZone(ctx, &route53.GetHostedZoneInput{Id: aws.String("Z1")})
		return err
	},
	"logs": func(ctx context.Context, p *Proxy) error {
		_, err := logsClient(p).ListTagsForResource(ctx, &cloudwatchlogs.ListTagsForResourceInput{
			ResourceArn: aws.String("arn:aws:logs:eu-west-1:123456789012:log-group:/app"),
		})
		return err
	},
}

func everything() map[string]string {
	all := maps.Clone(created)
	maps.Copy(all, reads)
	return all
}

func TestHideNewest(t *testing.T) {
	for service, want := range map[string]struct {
		status int
		code   string
	}{
		"ec2": {400, "InvalidVpcID.NotFound"}, "iam": {404, "NoSuchEntity"}, "s3": {404, "NotFound"},
		"route53": {404, "NoSuchHostedZone"}, "logs": {400, "ResourceNotFoundException"},
	} {
		t.Run(service, func(t *testing.T) {
			p, _ := before(t, everything())
			list, ask := listings[service], direct[service]
			hide := p.On(Writes(), HideNewest(3))
			if n, err := list(t.Context(), p); n != 2 || err != nil {
				t.Fatalf("before the call that makes it: %d, %v", n, err)
			}
			if err := one[service](t.Context(), p); err != nil {
				t.Fatal(err)
			}
			hide.Remove() // the object stays hidden
			for range 2 {
				if n, err := list(t.Context(), p); n != 1 || err != nil {
					t.Errorf("hidden: %d items, %v", n, err)
				}
			}
			err := ask(t.Context(), p)
			if status, code := refused(err); status != want.status || code != want.code {
				t.Errorf("hidden: the SDK says: %v", err)
			}
			if err := ask(t.Context(), p); err != nil {
				t.Errorf("after three reads: %v", err)
			}
			if n, err := list(t.Context(), p); n != 2 || err != nil {
				t.Errorf("after three reads: %d items, %v", n, err)
			}
		})
	}
}

func TestHideNewestLeavesTheRestAlone(t *testing.T) {
	p, f := before(t, everything())
	p.On(Action("ec2:CreateVpc"), HideNewest(1))
	if err := one["ec2"](t.Context(), p); err != nil {
		t.Fatal(err)
	}
	subnets, err := ec2Client(p).DescribeSubnets(t.Context(), nil)
	if err != nil || len(subnets.Subnets) != 1 {
		t.Errorf("a subnet of the VPC is hidden with it: %v", err)
	}
	_, err = ec2Client(p).CreateTags(t.Context(), &ec2.CreateTagsInput{
		Resources: []string{"vpc-1"}, Tags: []ec2types.Tag{{Key: aws.String("a")}},
	})
	if f.count("ec2:CreateTags") != 1 {
		t.Errorf("a write does not see the VPC: %v", err)
	}
	other := ec2Client(p).Options()
	other.Region = "us-east-1"
	if out, err := ec2.New(other).DescribeVpcs(t.Context(), nil); err != nil || len(out.Vpcs) != 2 {
		t.Errorf("another region: %v", err)
	}
	tags, err := ec2Client(p).DescribeTags(t.Context(), nil)
	if err != nil || len(tags.Tags) != 0 {
		t.Errorf("DescribeTags shows the hidden VPC: %v", err)
	}
	if n, err := listings["ec2"](t.Context(), p); n != 2 || err != nil {
		t.Errorf("the listing after its one read: %d, %v", n, err)
	}
}

func TestHideNewestByTheirKind(t *testing.T) {
	for _, tt := range []struct {
		creates, answer, params string
		reads, listing          string
		asked                   string // what a read names it with
	}{
		{"CreateSubnet", `<R><subnet><vpcId>vpc-9</vpcId><subnetId>subnet-1</subnetId></subnet></R>`, "",
			"DescribeSubnets", `<R><subnetSet><item><subnetId>subnet-1</subnetId><vpcId>vpc-9</vpcId></item></subnetSet></R>`,
			"SubnetId.1=subnet-1"},
		{"CreateSecurityGroup", `<R><return>true</return><groupId>sg-1</groupId></R>`, "", "DescribeSecurityGroups",
			`<R><securityGroupInfo><item><groupId>sg-1</groupId></item></securityGroupInfo></R>`, "GroupId.1=sg-1"},
		{"AuthorizeSecurityGroupIngress",
			`<R><securityGroupRuleSet><item><groupId>sg-1</groupId><securityGroupRuleId>sgr-1</securityGroupRuleId></item>` +
				`</securityGroupRuleSet></R>`, "&GroupId=sg-1", "DescribeSecurityGroupRules",
			`<R><securityGroupRuleSet><item><securityGroupRuleId>sgr-1</securityGroupRuleId></item></securityGroupRuleSet></R>`,
			"SecurityGroupRuleId.1=sgr-1"},
		{"AllocateAddress", `<R><publicIp>192.0.2.1</publicIp><allocationId>eipalloc-1</allocationId></R>`, "",
			"DescribeAddresses", `<R><addressesSet><item><allocationId>eipalloc-1</allocationId></item></addressesSet></R>`,
			"AllocationId.1=eipalloc-1"},
		{"CreateRouteTable", `<R><routeTable><routeTableId>rtb-1</routeTableId></routeTable></R>`, "", "DescribeRouteTables",
			`<R><routeTableSet><item><routeTableId>rtb-1</routeTableId></item></routeTableSet></R>`, "RouteTableId.1=rtb-1"},
		{"RunInstances", `<R><instancesSet><item><instanceId>i-1</instanceId></item></instancesSet></R>`, "",
			"DescribeInstances", `<R><reservationSet><item><reservationId>r-1</reservationId><instancesSet><item>` +
				`<instanceId>i-1</instanceId></item></instancesSet></item></reservationSet></R>`, "InstanceId.1=i-1"},
	} {
		t.Run(tt.creates, func(t *testing.T) {
			p, _ := before(t, map[string]string{"ec2:" + tt.creates: tt.answer, "ec2:" + tt.reads: tt.listing})
			p.On(Writes(), HideNewest(2))
			if _, err := send(form(t, p, "Action="+tt.creates+tt.params)); err != nil {
				t.Fatal(err)
			}
			if got := p.Journal()[0].Fault; got != "hide" {
				t.Errorf("fault %q", got)
			}
			got, err := send(form(t, p, "Action="+tt.reads))
			if err != nil || got.status != 200 || strings.Contains(got.body, "<item>") {
				t.Errorf("hidden: %d %s, %v", got.status, got.body, err)
			}
			got, err = send(form(t, p, "Action="+tt.reads+"&"+tt.asked))
			if err != nil || got.status != 400 || !strings.Contains(got.body, "<Code>Invalid") {
				t.Errorf("hidden, and asked for by its id: %d %s, %v", got.status, got.body, err)
			}
			if got, err = send(form(t, p, "Action="+tt.reads)); err != nil || got.body != tt.listing {
				t.Errorf("seen: %s, %v", got.body, err)
			}
		})
	}
}

func TestHideNewestSaysWhenItFindsNothing(t *testing.T) {
	p, f := before(t, everything())
	p.On(Any(), HideNewest(1))
	for range 2 {
		_ = one["ec2"](t.Context(), p)
		_, _ = listings["ec2"](t.Context(), p)
		f.set("ec2:CreateVpc", canned{status: 400, body: `<Response><Errors><Error><Code>VpcLimitExceeded</Code>` +
			`</Error></Errors></Response>`})
	}
	want := "1 ec2:CreateVpc 200 [hide]\n2 ec2:DescribeVpcs 200 [hide (no object found)]\n" +
		"3 ec2:CreateVpc 400 VpcLimitExceeded [hide]\n4 ec2:DescribeVpcs 200 [hide (no object found)]\n"
	if got := Format(p.Journal()); got != want {
		t.Errorf("journal:\n%s", got)
	}
}

func TestHideNewestRecord(t *testing.T) {
	records := `<ListResourceRecordSetsResponse><ResourceRecordSets>` +
		`<ResourceRecordSet><Name>a.example.com.</Name><Type>A</Type></ResourceRecordSet>` +
		`<ResourceRecordSet><Name>a.example.com.</Name><Type>AAAA</Type></ResourceRecordSet>` +
		`</ResourceRecordSets><IsTruncated>false</IsTruncated></ListResourceRecordSetsResponse>`
	p, _ := before(t, map[string]string{
		"route53:ListResourceRecordSets": records,
		"route53:ChangeResourceRecordSets": `<ChangeResourceRecordSetsResponse><ChangeInfo><Id>/change/C1</Id></ChangeInfo>` +
			`</ChangeResourceRecordSetsResponse>`,
	})
	p.On(Writes(), HideNewest(1))
	if err := changeRecords(t, p); err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		zone string
		n    int
	}{{"Z2", 2}, {"Z1", 1}, {"Z1", 2}} {
		out, err := route53Client(p).ListResourceRecordSets(t.Context(), &route53.ListResourceRecordSetsInput{
			HostedZoneId: aws.String(want.zone),
		})
		if err != nil || len(out.ResourceRecordSets) != want.n {
			t.Errorf("listing %d: %d records, %v", i, len(out.ResourceRecordSets), err)
		}
	}
}

func TestClearRulesShowsWhatWasHidden(t *testing.T) {
	p, _ := before(t, everything())
	p.On(Writes(), HideNewest(5))
	_ = one["ec2"](t.Context(), p)
	p.ClearRules()
	if n, err := listings["ec2"](t.Context(), p); n != 2 || err != nil {
		t.Errorf("%d items, %v", n, err)
	}
}
