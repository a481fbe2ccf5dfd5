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

// Each type has words of its own for what does not exist, to Get as to an Update and a Delete.
func TestAbsenceOfNetworkObjects(t *testing.T) {
	k := engine.Key{"x-1"}
	tests := []struct {
		action, gone string
		call         func(*cloud.Session) error
	}{
		{"DescribeSubnets", "InvalidSubnetID.NotFound", func(s *cloud.Session) error {
			_, err := getSubnet(t.Context(), s, k)
			return err
		}},
		{"ModifySubnetAttribute", "InvalidSubnetID.NotFound", func(s *cloud.Session) error {
			return setSubnetPublicIP(t.Context(), s, k, &subnet{}, &subnet{})
		}},
		{"DeleteSubnet", "InvalidSubnetID.NotFound", func(s *cloud.Session) error {
			return deleteSubnet(t.Context(), s, k, &subnet{})
		}},
		{"DescribeSecurityGroups", "InvalidGroup.NotFound", func(s *cloud.Session) error {
			_, err := getSecurityGroup(t.Context(), s, k)
			return err
		}},
		{"DeleteSecurityGroup", "InvalidGroup.NotFound", func(s *cloud.Session) error {
			return deleteSecurityGroup(t.Context(), s, k, &securityGroup{})
		}},
		{"DescribeInternetGateways", "InvalidInternetGatewayID.NotFound", func(s *cloud.Session) error {
			_, err := getInternetGateway(t.Context(), s, k)
			return err
		}},
		{"DeleteInternetGateway", "InvalidInternetGatewayID.NotFound", func(s *cloud.Session) error {
			return deleteInternetGateway(t.Context(), s, k, &internetGateway{})
		}},
	}
	for _, tt := range tests {
		for code, gone := range map[string]bool{tt.gone: true, "UnauthorizedOperation": false} {
			s, _ := canned.New(t, canned.Answers{tt.action: {"!" + code + " words"}})
			if err := tt.call(s); errors.Is(err, engine.ErrNotFound) != gone || cloud.Code(err) != code {
				t.Errorf("%s, %s: got %v, gone should be %t", tt.action, code, err, gone)
			}
		}
	}
}

// Each listing is one series of calls, which asks for the estates and stops at an error.
func TestListingsOfNetworkObjects(t *testing.T) {
	const pages = " Filter.1.Name=tag:tofu-estate Filter.1.Value.1=prod MaxResults=1000"
	const next = "<nextToken>two</nextToken>"
	one := markers.Filter{Estates: []string{"prod"}}
	tests := []struct {
		action, first, second string
		list                  func(*cloud.Session) ([]string, error)
	}{
		{
			"DescribeSubnets", "<subnetSet><item><subnetId>a</subnetId></item></subnetSet>", "<subnetSet><item><subnetId>b</subnetId></item></subnetSet>",
			func(s *cloud.Session) ([]string, error) { return listed(listSubnets(t.Context(), s, one)) },
		},
		{
			"DescribeSecurityGroups", "<securityGroupInfo><item><groupId>a</groupId></item></securityGroupInfo>",
			"<securityGroupInfo><item><groupId>b</groupId></item></securityGroupInfo>",
			func(s *cloud.Session) ([]string, error) { return listed(listSecurityGroups(t.Context(), s, one)) },
		},
		{
			"DescribeInternetGateways", "<internetGatewaySet><item><internetGatewayId>a</internetGatewayId></item></internetGatewaySet>",
			"<internetGatewaySet><item><internetGatewayId>b</internetGatewayId></item></internetGatewaySet>",
			func(s *cloud.Session) ([]string, error) { return listed(listInternetGateways(t.Context(), s, one)) },
		},
	}
	for _, tt := range tests {
		s, server := canned.New(t, canned.Answers{tt.action: {tt.first + next, tt.second}})
		if got, err := tt.list(s); err != nil || !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("%s: got %v, %v", tt.action, got, err)
		}
		wantCalls(t, server, tt.action+pages, tt.action+pages+" NextToken=two")
		s, _ = canned.New(t, canned.Answers{tt.action: {tt.first + next, "!UnauthorizedOperation no"}})
		if got, err := tt.list(s); cloud.Code(err) != "UnauthorizedOperation" || !slices.Equal(got, []string{"a"}) {
			t.Errorf("%s: got %v, %v, want the first page and the denial", tt.action, got, err)
		}
	}
}

// listed are the keys of a listing up to its first error.
func listed[M any](seq iter.Seq2[engine.Live[M], error]) ([]string, error) {
	var out []string
	for l, err := range seq {
		if err != nil {
			return out, err
		}
		out = append(out, l.Key.String())
	}
	return out, nil
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

func TestListingByAddress(t *testing.T) {
	s, server := canned.New(t, canned.Answers{"DescribeAddresses": {"<addressesSet><item><allocationId>eipalloc-1</allocationId></item></addressesSet>"}})
	got := keys(t, listEIPs(t.Context(), s, markers.Filter{Estates: []string{"prod"}, Address: "estate_eip.a:0"}))
	if !slices.Equal(got, []string{"eipalloc-1"}) {
		t.Errorf("got %v", got)
	}
	wantCalls(t, server, "DescribeAddresses Filter.1.Name=tag:tofu-estate Filter.1.Value.1=prod Filter.2.Name=tag:tofu-address Filter.2.Value.1=estate_eip.a:0")
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
		{"a subnet with something in it", busyDependency, api("DependencyViolation", "has dependencies"), true},
		{"a denial to a subnet", busyDependency, api("UnauthorizedOperation", "no"), false},
		{"a group in a rule or an interface", busySecurityGroup, api("DependencyViolation", "has a dependent object"), true},
		{"a group in use", busySecurityGroup, api("InvalidGroup.InUse", "x"), true},
		{"a rule that went meanwhile", busySecurityGroup, api("InvalidSecurityGroupRuleId.NotFound", "x"), true},
		{"a rule that went meanwhile, in older words", busySecurityGroup, api("InvalidPermission.NotFound", "x"), true},
		{"a denial to a group", busySecurityGroup, api("UnauthorizedOperation", "no"), false},
		{"public addresses behind a gateway", busyInternetGateway, api("DependencyViolation", "has some mapped public address(es)"), true},
		{"a gateway not known yet", busyInternetGateway, api("InvalidInternetGatewayID.NotFound", "x"), true},
		{"a gateway that is gone", busyInternetGateway, absent(api("InvalidInternetGatewayID.NotFound", "x")), false},
		{"a denial to a gateway", busyInternetGateway, api("UnauthorizedOperation", "no"), false},
		{"an address not known yet", busyEIP, api("InvalidAllocationID.NotFound", "x"), true},
		{"a VPC not known yet to a subnet", subnetTooFresh, api("InvalidVpcID.NotFound", "x"), true},
		{"a VPC not known yet to a group", vpcTooFresh, api("InvalidVpcID.NotFound", "x"), true},
		{"a subnet that is gone", subnetTooFresh, absent(api("InvalidSubnetID.NotFound", "x")), false},
		{"a range that is taken", rangeTaken, api("InvalidSubnet.Conflict", "x"), true},
		{"a range outside the network", rangeTaken, api("InvalidSubnet.Range", "x"), false},
		{"a subnet in another's range", subnetTooFresh, api("InvalidSubnet.Conflict", "x"), false},
		{"an instance that starts", busyEIP, api("InvalidInstanceID", "The pending instance 'i-1' is not in a valid state"), true},
		{"a wrong instance", busyEIP, api("InvalidInstanceID", "no such thing"), false},
	}
	for _, tt := range tests {
		if got := tt.busy(tt.err); got != tt.want {
			t.Errorf("%s: got %t", tt.name, got)
		}
	}
}

// The filters of a data source go to EC2 as they stand.
func TestSearch(t *testing.T) {
	s, server := canned.New(t, canned.Answers{
		"DescribeVpcs": {
			"<vpcSet><item><vpcId>vpc-1</vpcId></item></vpcSet><nextToken>two</nextToken>", "<vpcSet><item><vpcId>vpc-2</vpcId></item></vpcSet>",
		},
		"DescribeAddresses":        {"<addressesSet><item><allocationId>eipalloc-1</allocationId></item></addressesSet>"},
		"DescribeSubnets":          {"<subnetSet><item><subnetId>subnet-1</subnetId></item></subnetSet>"},
		"DescribeSecurityGroups":   {"<securityGroupInfo><item><groupId>sg-1</groupId></item></securityGroupInfo>"},
		"DescribeInternetGateways": {"<internetGatewaySet><item><internetGatewayId>igw-1</internetGatewayId></item></internetGatewaySet>"},
	})
	by := []engine.Filter{{Name: "tag:Name", Values: []string{"a", "b"}}, {Name: "x", Values: []string{"c"}}}
	got := slices.Concat(
		keys(t, search(vpcs)(t.Context(), s, by)), keys(t, search(eips)(t.Context(), s, by)), keys(t, search(liveSubnets)(t.Context(), s, by)),
		keys(t, search(liveSecurityGroups)(t.Context(), s, by)), keys(t, search(internetGateways)(t.Context(), s, by)),
	)
	if want := []string{"vpc-1", "vpc-2", "eipalloc-1", "subnet-1", "sg-1", "igw-1"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	const filters = " Filter.1.Name=tag:Name Filter.1.Value.1=a Filter.1.Value.2=b Filter.2.Name=x Filter.2.Value.1=c"
	const paged = filters + " MaxResults=1000"
	wantCalls(t, server, "DescribeVpcs"+paged, "DescribeVpcs"+paged+" NextToken=two", "DescribeAddresses"+filters,
		"DescribeSubnets"+paged, "DescribeSecurityGroups"+paged, "DescribeInternetGateways"+paged)
}
