package ec2

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/aws/smithy-go"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// session is a Session without a server, for functions that only ask it who and where we are.
func session() *cloud.Session {
	return &cloud.Session{Account: canned.Account, Partition: "aws", Region: canned.Region}
}

func keys[M any](t *testing.T, seq iter.Seq2[engine.Live[M], error]) []string {
	t.Helper()
	var out []string
	for l, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, l.Key.String())
	}
	return out
}

func wantCalls(t *testing.T, server *canned.AWS, want ...string) {
	t.Helper()
	if got := server.Calls(); !slices.Equal(got, want) {
		t.Errorf("calls\n got  %s\n want %s", strings.Join(got, "\n      "), strings.Join(want, "\n      "))
	}
}

// What a service did not say is not absence: above all a denial is not.
func TestAbsence(t *testing.T) {
	const none = "<vpcSet/>"
	tests := []struct {
		answer string
		gone   bool
	}{
		{"!InvalidVpcID.NotFound The vpc ID 'vpc-1' does not exist", true},
		{none, true},
		{"!UnauthorizedOperation You are not authorized to perform this operation.", false},
		{"!AuthFailure AWS was not able to validate the provided access credentials", false},
		{"!InvalidVpcID.Malformed Invalid id", false},
	}
	for _, tt := range tests {
		s, _ := canned.New(t, canned.Answers{"DescribeVpcs": {tt.answer}})
		_, err := getVPC(t.Context(), s, engine.Key{"vpc-1"})
		if err == nil || errors.Is(err, engine.ErrNotFound) != tt.gone {
			t.Errorf("%s: got %v, gone should be %t", tt.answer, err, tt.gone)
		}
		if code := strings.Fields(tt.answer)[0]; strings.HasPrefix(code, "!") && cloud.Code(err) != code[1:] {
			t.Errorf("%s: AWS's code is lost in %v", tt.answer, err)
		}
	}
}

func TestListingGoesOnAfterAnEmptyPage(t *testing.T) {
	s, server := canned.New(t, canned.Answers{"DescribeVpcs": {
		"<vpcSet/><nextToken>two</nextToken>",
		"<vpcSet><item><vpcId>vpc-1</vpcId></item></vpcSet><nextToken>three</nextToken>",
		"<vpcSet><item><vpcId>vpc-2</vpcId></item></vpcSet>",
	}})
	got := keys(t, listVPCs(t.Context(), s, markers.Filter{Estates: []string{"prod", "old"}}))
	if !slices.Equal(got, []string{"vpc-1", "vpc-2"}) {
		t.Errorf("got %v", got)
	}
	const filter = "DescribeVpcs Filter.1.Name=tag:tofu-estate Filter.1.Value.1=prod Filter.1.Value.2=old MaxResults=1000"
	wantCalls(t, server, filter, filter+" NextToken=two", filter+" NextToken=three")
}

func TestListingWithoutEstatesAsksForAll(t *testing.T) {
	s, server := canned.New(t, canned.Answers{"DescribeVpcs": {"<vpcSet/>"}, "DescribeAddresses": {"<addressesSet/>"}})
	if n := len(keys(t, listVPCs(t.Context(), s, markers.Filter{}))) + len(keys(t, listEIPs(t.Context(), s, markers.Filter{}))); n != 0 {
		t.Errorf("%d objects from nowhere", n)
	}
	wantCalls(t, server, "DescribeVpcs MaxResults=1000", "DescribeAddresses")
}

func TestListingStopsAtAnError(t *testing.T) {
	s, _ := canned.New(t, canned.Answers{
		"DescribeVpcs": {
			"<vpcSet><item><vpcId>vpc-1</vpcId></item></vpcSet><nextToken>two</nextToken>", "!UnauthorizedOperation no",
		},
		"DescribeAddresses": {"!UnauthorizedOperation no"},
	})
	var failed int
	for _, err := range listVPCs(t.Context(), s, markers.Filter{}) {
		if err != nil {
			failed++
		}
	}
	for _, err := range listEIPs(t.Context(), s, markers.Filter{}) {
		if err != nil {
			failed++
		}
	}
	if failed != 2 {
		t.Errorf("%d listings reported their error, want 2", failed)
	}
}

func TestBusy(t *testing.T) {
	api := func(code, message string) error {
		return fmt.Errorf("calling: %w", &smithy.GenericAPIError{Code: code, Message: message})
	}
	tests := []struct {
		name string
		busy func(error) bool
		err  error
		want bool
	}{
		{"a VPC with something in it", busyVPC, api("DependencyViolation", "has dependencies"), true},
		{"IPAM is late", busyVPC, api("UnsupportedOperation", "Account 1 is not monitored by IPAM ipam-1."), true},
		{"not supported for good", busyVPC, api("UnsupportedOperation", "not here"), false},
		{"a denial", busyVPC, api("UnauthorizedOperation", "no"), false},
		{"an address not known yet", busyEIP, api("InvalidAllocationID.NotFound", "x"), true},
		{"an instance that starts", busyEIP, api("InvalidInstanceID", "The pending instance 'i-1' is not in a valid state"), true},
		{"a wrong instance", busyEIP, api("InvalidInstanceID", "no such thing"), false},
	}
	for _, tt := range tests {
		if got := tt.busy(tt.err); got != tt.want {
			t.Errorf("%s: got %t", tt.name, got)
		}
	}
}
