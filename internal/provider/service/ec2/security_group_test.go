package ec2

import (
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

func TestLiveSecurityGroup(t *testing.T) {
	str := types.StringValue
	got := liveSecurityGroup(ec2types.SecurityGroup{
		GroupId: aws.String("sg-1"), GroupName: aws.String("web-abcdefghijklmnopqrstuvwxyz"), Description: aws.String("Web servers"),
		SecurityGroupArn: aws.String("arn:aws:ec2:eu-west-1:444455556666:security-group/sg-1"), OwnerId: aws.String("444455556666"),
		VpcId: aws.String("vpc-1"), Tags: []ec2types.Tag{{Key: aws.String("a"), Value: aws.String("1")}},
	})
	want := engine.Live[securityGroup]{
		Key: engine.Key{"sg-1"}, Owner: "444455556666", Tags: map[string]string{"a": "1"},
		Model: securityGroup{
			ARN: str("arn:aws:ec2:eu-west-1:444455556666:security-group/sg-1"), Description: str("Web servers"),
			Name: str("web-abcdefghijklmnopqrstuvwxyz"), NamePrefix: str("web-"), Owner: str("444455556666"), VPC: str("vpc-1"),
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want - got +\n%s", diff)
	}
}

func TestGroupNames(t *testing.T) {
	for name, fits := range map[string]bool{
		"web": true, "s": true, "sg": true, "sgx": true, "s-g": true, "default": true, "sg-": false, "sg-web": false,
	} {
		if groupName.MatchString(name) != fits {
			t.Errorf("%q: should fit: %t", name, fits)
		}
	}
}

func TestHolderOfGroupName(t *testing.T) {
	str := types.StringValue
	const describe = "DescribeSecurityGroups Filter.1.Name=vpc-id Filter.1.Value.1=vpc-1 Filter.2.Name=group-name Filter.2.Value.1="
	const defaults = "DescribeVpcs Filter.1.Name=is-default Filter.1.Value.1=true"
	group := func(id, name string) string {
		return "<item><groupId>" + id + "</groupId><groupName>" + name + "</groupName><vpcId>vpc-1</vpcId></item>"
	}
	info := func(items string) string { return "<securityGroupInfo>" + items + "</securityGroupInfo>" }
	tests := []struct {
		name        string
		plan        securityGroup
		vpcs, found string
		want        engine.Key
		calls       []string
	}{
		{"held", securityGroup{Name: str("web"), VPC: str("vpc-1")}, "", info(group("sg-1", "web")), engine.Key{"sg-1"}, []string{describe + "web MaxResults=1000"}},
		{
			"the same name elsewhere", securityGroup{Name: str("web"), VPC: str("vpc-2")}, "", info(group("sg-1", "web")), nil,
			[]string{strings.Replace(describe, "vpc-1", "vpc-2", 1) + "web MaxResults=1000"},
		},
		{"free", securityGroup{Name: str("web"), VPC: str("vpc-1")}, "", info(""), nil, []string{describe + "web MaxResults=1000"}},
		{
			"a wildcard that finds others too", securityGroup{Name: str("*"), VPC: str("vpc-1")}, "",
			info(group("sg-1", "web") + group("sg-2", "*")), engine.Key{"sg-2"}, []string{describe + "* MaxResults=1000"},
		},
		{
			"in the default VPC", securityGroup{Name: str("web")}, "<vpcSet><item><vpcId>vpc-1</vpcId></item></vpcSet>",
			info(group("sg-1", "web")), engine.Key{"sg-1"}, []string{defaults, describe + "web MaxResults=1000"},
		},
		{"no default VPC", securityGroup{Name: str("web")}, "<vpcSet/>", "", nil, []string{defaults}},
		{"a name that comes later", securityGroup{VPC: str("vpc-1")}, "", "", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{"DescribeVpcs": {tt.vpcs}, "DescribeSecurityGroups": {tt.found}})
			got, err := holderOfGroupName(t.Context(), s, &tt.plan)
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("got %v, %v", got, err)
			}
			wantCalls(t, server, tt.calls...)
		})
	}
	for _, denied := range []string{"DescribeVpcs", "DescribeSecurityGroups"} {
		answers := canned.Answers{"DescribeVpcs": {"<vpcSet><item><vpcId>vpc-1</vpcId></item></vpcSet>"}}
		answers[denied] = []string{"!UnauthorizedOperation no"}
		s, _ := canned.New(t, answers)
		if _, err := holderOfGroupName(t.Context(), s, &securityGroup{Name: str("web")}); err == nil {
			t.Errorf("a denied %s reads as a free name", denied)
		}
	}
}

func TestCreateSecurityGroupRequest(t *testing.T) {
	str := types.StringValue
	const tags = " TagSpecification.1.ResourceType=security-group TagSpecification.1.Tag.1.Key=tofu-pending TagSpecification.1.Tag.1.Value=create"
	tests := []struct {
		plan securityGroup
		want string
	}{
		{
			securityGroup{Name: str("web"), Description: str("Web servers"), VPC: str("vpc-1")},
			"CreateSecurityGroup GroupDescription=Web servers GroupName=web" + tags + " VpcId=vpc-1",
		},
		{
			securityGroup{Name: str("web"), Description: str("Web servers"), VPC: types.StringUnknown()},
			"CreateSecurityGroup GroupDescription=Web servers GroupName=web" + tags,
		},
	}
	for _, tt := range tests {
		s, server := canned.New(t, canned.Answers{"CreateSecurityGroup": {"<groupId>sg-1</groupId>"}})
		k, err := createSecurityGroup(t.Context(), s, &tt.plan, markers.Tags{"tofu-pending": "create"}, "")
		if err != nil || k.String() != "sg-1" {
			t.Fatalf("got %s, %v", k, err)
		}
		wantCalls(t, server, tt.want)
	}
}
