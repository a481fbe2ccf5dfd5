package ec2

import (
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// The emulator knows neither IPAM nor Outposts, so the requests are looked at here.
func TestCreateSubnetRequest(t *testing.T) {
	str := types.StringValue
	tests := []struct {
		name string
		plan subnet
		want []string
	}{
		{
			"smallest", subnet{VPC: str("vpc-1"), CIDR: ipRange("10.0.1.0/24"), IPv6Native: types.BoolValue(false), Outpost: attrs.NewARN(nil)},
			[]string{"CidrBlock=10.0.1.0/24", "Ipv6Native=false"},
		},
		{
			"with a zone and an IPv6 block",
			subnet{VPC: str("vpc-1"), CIDR: ipRange("10.0.1.0/24"), IPv6CIDR: ipRange("2600:1::/64"), Zone: str("eu-west-1a")},
			[]string{"AvailabilityZone=eu-west-1a", "CidrBlock=10.0.1.0/24", "Ipv6CidrBlock=2600:1::/64"},
		},
		{
			"IPv6 alone, in a zone by its id",
			subnet{VPC: str("vpc-1"), IPv6CIDR: ipRange("2600:1::/64"), IPv6Native: types.BoolValue(true), ZoneID: str("euw1-az1")},
			[]string{"AvailabilityZoneId=euw1-az1", "Ipv6CidrBlock=2600:1::/64", "Ipv6Native=true"},
		},
		{
			"pools", subnet{
				VPC: str("vpc-1"), IPv4Pool: str("ipam-pool-4"), IPv4Netmask: types.Int64Value(24),
				IPv6Pool: str("ipam-pool-6"), IPv6Netmask: types.Int64Value(64), CIDR: attrs.CIDR{StringValue: types.StringUnknown()},
			},
			[]string{"Ipv4IpamPoolId=ipam-pool-4", "Ipv4NetmaskLength=24", "Ipv6IpamPoolId=ipam-pool-6", "Ipv6NetmaskLength=64"},
		},
		{
			"an Outpost", subnet{
				VPC: str("vpc-1"), CIDR: ipRange("10.0.1.0/24"), Zone: str("eu-west-1a"),
				Outpost: attrs.NewARN(aws.String("arn:aws:outposts:eu-west-1:1:outpost/op-1")), MapCustomerIP: types.BoolValue(true),
			},
			[]string{"AvailabilityZone=eu-west-1a", "CidrBlock=10.0.1.0/24", "OutpostArn=arn:aws:outposts:eu-west-1:1:outpost/op-1"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{"CreateSubnet": {"<subnet><subnetId>subnet-1</subnetId></subnet>"}})
			k, err := createSubnet(t.Context(), s, &tt.plan, markers.Tags{"tofu-estate": "prod"}, "")
			if err != nil || k.String() != "subnet-1" {
				t.Fatalf("got %s, %v", k, err)
			}
			wantCalls(t, server, "CreateSubnet "+strings.Join(tt.want, " ")+" TagSpecification.1.ResourceType=subnet"+
				" TagSpecification.1.Tag.1.Key=tofu-estate TagSpecification.1.Tag.1.Value=prod VpcId=vpc-1")
		})
	}
}

// applySubnet runs the updates in their order.
func applySubnet(t *testing.T, prior, plan subnet) []string {
	t.Helper()
	s, server := canned.New(t, canned.Answers{
		"ModifySubnetAttribute": make([]string, len(subnetUpdates)), "DisassociateSubnetCidrBlock": {""}, "AssociateSubnetCidrBlock": {""},
	})
	for _, u := range subnetUpdates {
		if err := u.Apply(t.Context(), s, engine.Key{"subnet-1"}, &prior, &plan); err != nil {
			t.Fatal(err)
		}
	}
	return server.Calls()
}

func modify(what string) string { return "ModifySubnetAttribute " + what + " SubnetId=subnet-1" }

// EC2 takes one setting a call, and those that need an IPv6 block only while there is one.
func TestSubnetUpdatesKeepEC2sOrder(t *testing.T) {
	on, off := types.BoolValue(true), types.BoolValue(false)
	state := func(v types.Bool, block string) subnet {
		m := subnet{
			AssignIPv6: v, DNS64: v, NameA: v, NameAAAA: v, MapCustomerIP: v, MapPublicIP: v,
			HostnameType: types.StringValue("ip-name"), CustomerPool: types.StringValue("ipv4pool-coip-1"),
		}
		if v.ValueBool() {
			m.HostnameType, m.LocalInterface = types.StringValue("resource-name"), types.Int64Value(2)
		}
		if block != "" {
			m.IPv6CIDR, m.IPv6Association = ipRange(block), types.StringValue("a")
		}
		return m
	}
	tests := []struct {
		name        string
		prior, plan subnet
		want        []string
	}{
		{
			"all on, with a new block", state(off, "2600:1::/64"), state(on, "2600:2::/64"),
			[]string{
				"DisassociateSubnetCidrBlock AssociationId=a", "AssociateSubnetCidrBlock Ipv6CidrBlock=2600:2::/64 SubnetId=subnet-1",
				modify("AssignIpv6AddressOnCreation.Value=true"),
				modify("EnableDns64.Value=true"),
				modify("EnableResourceNameDnsAAAARecordOnLaunch.Value=true"),
				modify("EnableResourceNameDnsARecordOnLaunch.Value=true"),
				modify("PrivateDnsHostnameTypeOnLaunch=resource-name"),
				modify("MapPublicIpOnLaunch.Value=true"),
				modify("CustomerOwnedIpv4Pool=ipv4pool-coip-1 MapCustomerOwnedIpOnLaunch.Value=true"),
				modify("EnableLniAtDeviceIndex=2"),
			},
		},
		{
			"all off, with another block", state(on, "2600:1::/64"), state(off, "2600:2::/64"),
			[]string{
				modify("AssignIpv6AddressOnCreation.Value=false"),
				modify("EnableDns64.Value=false"),
				modify("EnableResourceNameDnsAAAARecordOnLaunch.Value=false"),
				"DisassociateSubnetCidrBlock AssociationId=a", "AssociateSubnetCidrBlock Ipv6CidrBlock=2600:2::/64 SubnetId=subnet-1",
				modify("EnableResourceNameDnsARecordOnLaunch.Value=false"),
				modify("PrivateDnsHostnameTypeOnLaunch=ip-name"),
				modify("MapPublicIpOnLaunch.Value=false"),
				modify("MapCustomerOwnedIpOnLaunch.Value=false"),
				modify("DisableLniAtDeviceIndex.Value=true"),
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, applySubnet(t, tt.prior, tt.plan)); diff != "" {
				t.Errorf("want - got +\n%s", diff)
			}
		})
	}
}

func TestSubnetBlockRequests(t *testing.T) {
	tests := []struct {
		name        string
		prior, plan subnet
		want        []string
	}{
		{"none to none", subnet{}, subnet{}, nil},
		{"none to one", subnet{}, subnet{IPv6CIDR: ipRange("2600:1::/64")}, []string{"AssociateSubnetCidrBlock Ipv6CidrBlock=2600:1::/64 SubnetId=subnet-1"}},
		{
			"one of a pool", subnet{}, subnet{IPv6CIDR: ipRange("2600:1::/64"), IPv6Pool: types.StringValue("ipam-pool-6")},
			[]string{"AssociateSubnetCidrBlock Ipv6CidrBlock=2600:1::/64 Ipv6IpamPoolId=ipam-pool-6 SubnetId=subnet-1"},
		},
		{
			"the same in other words", subnet{IPv6CIDR: ipRange("2600:1::/64"), IPv6Association: types.StringValue("a")},
			subnet{IPv6CIDR: ipRange("2600:0001::/64")}, nil,
		},
		{"not named any more", subnet{IPv6CIDR: ipRange("2600:1::/64"), IPv6Association: types.StringValue("a")}, subnet{}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{"AssociateSubnetCidrBlock": {""}})
			if err := dropSubnetBlock(t.Context(), s, engine.Key{"subnet-1"}, &tt.prior, &tt.plan); err != nil {
				t.Fatal(err)
			}
			if err := addSubnetBlock(t.Context(), s, engine.Key{"subnet-1"}, &tt.prior, &tt.plan); err != nil {
				t.Fatal(err)
			}
			wantCalls(t, server, tt.want...)
		})
	}
}

func TestDropSubnetBlockThatIsGone(t *testing.T) {
	prior := subnet{IPv6CIDR: ipRange("2600:1::/64"), IPv6Association: types.StringValue("a")}
	for answer, fails := range map[string]bool{
		"!InvalidSubnetCidrBlockAssociationID.NotFound gone": false, "!UnauthorizedOperation no": true,
	} {
		s, _ := canned.New(t, canned.Answers{"DisassociateSubnetCidrBlock": {answer}})
		err := dropSubnetBlock(t.Context(), s, engine.Key{"subnet-1"}, &prior, &subnet{IPv6CIDR: ipRange("2600:2::/64")})
		if (err != nil) != fails {
			t.Errorf("%s: got %v", answer, err)
		}
	}
}

// A block that EC2 refuses since it still counts the former one is asked for again, for a while; other refusals are final.
func TestAddSubnetBlockTooSoon(t *testing.T) {
	for answer, passes := range map[string]bool{
		"!InvalidSubnet.Conflict The CIDR conflicts with another subnet":                true,
		"!CidrLimitExceeded The network has met its maximum number of allowed CIDRs: 1": true,
		"!InvalidSubnetID.NotFound gone":                                                false, "!InvalidSubnet.Range The CIDR is invalid": false, "!UnauthorizedOperation no": false,
	} {
		s, _ := canned.New(t, canned.Answers{"AssociateSubnetCidrBlock": {answer}})
		err := addSubnetBlock(t.Context(), s, engine.Key{"subnet-1"}, &subnet{}, &subnet{IPv6CIDR: ipRange("2600:2::/64")})
		if err == nil || subnetTooFresh(err) != passes || "!"+cloud.Code(err) != strings.Fields(answer)[0] {
			t.Errorf("%s: got %v", answer, err)
		}
	}
}

func TestReplacesSubnet(t *testing.T) {
	with := func(assigns bool, block string) subnet {
		return subnet{AssignIPv6: types.BoolValue(assigns), IPv6CIDR: ipRange(block)}
	}
	tests := []struct {
		name        string
		prior, plan subnet
		replaces    bool
	}{
		{"another block, and interfaces have addresses of it", with(true, "2600:1::/64"), with(true, "2600:2::/64"), true},
		{"they had, and new ones no longer get one", with(true, "2600:1::/64"), with(false, "2600:2::/64"), true},
		{"another block that none was assigned of", with(false, "2600:1::/64"), with(true, "2600:2::/64"), false},
		{"the same block", with(true, "2600:1::/64"), with(true, "2600:0001::/64"), false},
		{"none named", with(true, "2600:1::/64"), with(true, ""), false},
	}
	for _, tt := range tests {
		got := replacesSubnet(&tt.prior, &tt.plan)
		if slices.Equal(got, []string{"ipv6_cidr_block"}) != tt.replaces || !tt.replaces && got != nil {
			t.Errorf("%s: got %v", tt.name, got)
		}
	}
}
