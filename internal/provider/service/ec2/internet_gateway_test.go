package ec2

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// The emulator attaches and detaches at once.
func TestLiveInternetGateway(t *testing.T) {
	at := func(vpc string, state ec2types.AttachmentStatus) ec2types.InternetGatewayAttachment {
		return ec2types.InternetGatewayAttachment{VpcId: aws.String(vpc), State: state}
	}
	tests := []struct {
		name   string
		in     []ec2types.InternetGatewayAttachment
		vpc    types.String
		state  engine.State
		reason string
	}{
		{"free", nil, types.StringNull(), engine.Ready, ""},
		{"attached", []ec2types.InternetGatewayAttachment{at("vpc-1", "available")}, types.StringValue("vpc-1"), engine.Ready, ""},
		{"in the words of the documentation", []ec2types.InternetGatewayAttachment{at("vpc-1", "attached")}, types.StringValue("vpc-1"), engine.Ready, ""},
		{"moved", []ec2types.InternetGatewayAttachment{at("vpc-1", "detached"), at("vpc-2", "available")}, types.StringValue("vpc-2"), engine.Ready, ""},
		{
			"on its way", []ec2types.InternetGatewayAttachment{at("vpc-1", "attaching")}, types.StringValue("vpc-1"), engine.Pending,
			"the gateway is attaching: vpc-1",
		},
		{
			"on its way out", []ec2types.InternetGatewayAttachment{at("vpc-1", "detaching")}, types.StringNull(), engine.Pending,
			"the gateway is detaching: vpc-1",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := liveInternetGateway(session(), ec2types.InternetGateway{
				InternetGatewayId: aws.String("igw-1"), OwnerId: aws.String("444455556666"), Attachments: tt.in,
				Tags: []ec2types.Tag{{Key: aws.String("a"), Value: aws.String("1")}},
			})
			want := engine.Live[internetGateway]{
				Key: engine.Key{"igw-1"}, Owner: "444455556666", Tags: map[string]string{"a": "1"}, State: tt.state, Reason: tt.reason,
				Model: internetGateway{
					ARN:   types.StringValue("arn:aws:ec2:eu-west-1:444455556666:internet-gateway/igw-1"),
					Owner: types.StringValue("444455556666"), VPC: tt.vpc,
				},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("want - got +\n%s", diff)
			}
		})
	}
}

func TestCreateInternetGatewayRequest(t *testing.T) {
	s, server := canned.New(t, canned.Answers{
		"CreateInternetGateway": {"<internetGateway><internetGatewayId>igw-1</internetGatewayId></internetGateway>"},
	})
	k, err := createInternetGateway(t.Context(), s, &internetGateway{VPC: types.StringValue("vpc-1")}, markers.Tags{"tofu-estate": "prod"}, "")
	if err != nil || k.String() != "igw-1" {
		t.Fatalf("got %s, %v", k, err)
	}
	wantCalls(t, server, "CreateInternetGateway TagSpecification.1.ResourceType=internet-gateway"+
		" TagSpecification.1.Tag.1.Key=tofu-estate TagSpecification.1.Tag.1.Value=prod")
}

const (
	detachFirst  = "DetachInternetGateway InternetGatewayId=igw-1 VpcId=vpc-1"
	attachSecond = "AttachInternetGateway InternetGatewayId=igw-1 VpcId=vpc-2"
	readGateway  = "DescribeInternetGateways InternetGatewayId.1=igw-1"
)

func TestMoveInternetGateway(t *testing.T) {
	const taken = "!Resource.AlreadyAssociated resource igw-1 is already attached to network vpc-2"
	shows := func(vpc string) string {
		return "<internetGatewaySet><item><internetGatewayId>igw-1</internetGatewayId><attachmentSet><item><vpcId>" + vpc +
			"</vpcId><state>available</state></item></attachmentSet></item></internetGatewaySet>"
	}
	in := func(vpc string) internetGateway { return internetGateway{VPC: types.StringValue(vpc)} }
	tests := []struct {
		name                 string
		prior, plan          internetGateway
		detach, attach, read string
		calls                []string
		fails                bool
	}{
		{"attach", internetGateway{}, in("vpc-2"), "", "", "", []string{attachSecond}, false},
		{"move", in("vpc-1"), in("vpc-2"), "", "", "", []string{detachFirst, attachSecond}, false},
		{"left to others", in("vpc-1"), internetGateway{}, "", "", "", nil, false},
		{"there already", in("vpc-1"), in("vpc-1"), "", "", "", nil, false},
		{"others have detached it", in("vpc-1"), in("vpc-2"), "!Gateway.NotAttached no", "", "", []string{detachFirst, attachSecond}, false},
		{"public addresses are in use", in("vpc-1"), in("vpc-2"), "!DependencyViolation some", "", "", []string{detachFirst}, true},
		{"an answer was lost", internetGateway{}, in("vpc-2"), "", taken, shows("vpc-2"), []string{attachSecond, readGateway}, false},
		{"it is attached elsewhere", internetGateway{}, in("vpc-2"), "", taken, shows("vpc-3"), []string{attachSecond, readGateway}, true},
		{"nobody knows", internetGateway{}, in("vpc-2"), "", taken, "!UnauthorizedOperation no", []string{attachSecond, readGateway}, true},
		{"no such VPC", internetGateway{}, in("vpc-2"), "", "!InvalidVpcID.NotFound no", "", []string{attachSecond}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{
				"DetachInternetGateway": {tt.detach}, "AttachInternetGateway": {tt.attach}, "DescribeInternetGateways": {tt.read},
			})
			err := moveInternetGateway(t.Context(), s, engine.Key{"igw-1"}, &tt.prior, &tt.plan)
			if (err != nil) != tt.fails || errors.Is(err, engine.ErrNotFound) {
				t.Errorf("got %v, want an error: %t, and no absence", err, tt.fails)
			}
			wantCalls(t, server, tt.calls...)
		})
	}
}

func TestDeleteInternetGateway(t *testing.T) {
	const remove = "DeleteInternetGateway InternetGatewayId=igw-1"
	const gone = "!InvalidInternetGatewayID.NotFound The internetGateway ID 'igw-1' does not exist"
	tests := []struct {
		name, detach, remove string
		prior                internetGateway
		calls                []string
		want                 func(error) bool
	}{
		{"free", "", "", internetGateway{}, []string{remove}, func(err error) bool { return err == nil }},
		{"attached", "", "", internetGateway{VPC: types.StringValue("vpc-1")}, []string{detachFirst, remove}, func(err error) bool { return err == nil }},
		{
			"gone before it was detached", gone, "", internetGateway{VPC: types.StringValue("vpc-1")}, []string{detachFirst},
			func(err error) bool { return errors.Is(err, engine.ErrNotFound) && !busyInternetGateway(err) },
		},
		{
			"gone", "", gone, internetGateway{}, []string{remove},
			func(err error) bool { return errors.Is(err, engine.ErrNotFound) && !busyInternetGateway(err) },
		},
		{
			"public addresses are in use", "!DependencyViolation some", "", internetGateway{VPC: types.StringValue("vpc-1")},
			[]string{detachFirst}, busyInternetGateway,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{"DetachInternetGateway": {tt.detach}, "DeleteInternetGateway": {tt.remove}})
			if err := deleteInternetGateway(t.Context(), s, engine.Key{"igw-1"}, &tt.prior); !tt.want(err) {
				t.Errorf("got %v", err)
			}
			wantCalls(t, server, tt.calls...)
		})
	}
}
