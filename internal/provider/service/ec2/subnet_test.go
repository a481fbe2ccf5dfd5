package ec2

import (
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

func ipRange(s string) attrs.CIDR { return attrs.NewCIDR(&s) }

func subnetBlock(id, cidr string, state ec2types.SubnetCidrBlockStateCode) ec2types.SubnetIpv6CidrBlockAssociation {
	return ec2types.SubnetIpv6CidrBlockAssociation{
		AssociationId: aws.String(id), Ipv6CidrBlock: aws.String(cidr),
		Ipv6CidrBlockState: &ec2types.SubnetCidrBlockState{State: state},
	}
}

// plainSubnet is what a subnet shows of which EC2 says the least.
func plainSubnet() engine.Live[subnet] {
	no := types.BoolValue(false)
	return engine.Live[subnet]{
		Key: engine.Key{"subnet-1"}, Owner: "444455556666", Tags: map[string]string{},
		Model: subnet{
			ARN:  types.StringValue("arn:aws:ec2:eu-west-1:444455556666:subnet/subnet-1"),
			Zone: types.StringValue("eu-west-1a"), ZoneID: types.StringValue("euw1-az1"),
			CIDR: ipRange("10.0.1.0/24"), Outpost: attrs.NewARN(nil), Owner: types.StringValue("444455556666"), VPC: types.StringValue("vpc-1"),
			AssignIPv6: no, DNS64: no, NameA: no, NameAAAA: no, IPv6Native: no, MapCustomerIP: no, MapPublicIP: no,
		},
	}
}

// The emulator shows neither DNS64 and AAAA records nor Outposts, and no block on its way.
func TestLiveSubnet(t *testing.T) {
	yes := types.BoolValue(true)
	tests := []struct {
		name string
		in   func(*ec2types.Subnet)
		want func(*engine.Live[subnet])
	}{
		{"plain", func(*ec2types.Subnet) {}, func(*engine.Live[subnet]) {}},
		{
			"everything that is on or off",
			func(n *ec2types.Subnet) {
				n.Tags = []ec2types.Tag{{Key: aws.String("Name"), Value: aws.String("main")}}
				n.AssignIpv6AddressOnCreation, n.EnableDns64, n.Ipv6Native = aws.Bool(true), aws.Bool(true), aws.Bool(true)
				n.MapPublicIpOnLaunch, n.MapCustomerOwnedIpOnLaunch = aws.Bool(true), aws.Bool(true)
				n.CustomerOwnedIpv4Pool, n.EnableLniAtDeviceIndex = aws.String("ipv4pool-coip-1"), aws.Int32(1)
				n.OutpostArn = aws.String("arn:aws:outposts:eu-west-1:444455556666:outpost/op-1")
				n.PrivateDnsNameOptionsOnLaunch = &ec2types.PrivateDnsNameOptionsOnLaunch{
					EnableResourceNameDnsARecord: aws.Bool(true), EnableResourceNameDnsAAAARecord: aws.Bool(true),
					HostnameType: ec2types.HostnameTypeResourceName,
				}
			},
			func(l *engine.Live[subnet]) {
				m := &l.Model
				l.Tags["Name"] = "main"
				m.AssignIPv6, m.DNS64, m.IPv6Native, m.MapPublicIP, m.MapCustomerIP, m.NameA, m.NameAAAA = yes, yes, yes, yes, yes, yes, yes
				m.CustomerPool, m.LocalInterface = types.StringValue("ipv4pool-coip-1"), types.Int64Value(1)
				m.Outpost = attrs.NewARN(aws.String("arn:aws:outposts:eu-west-1:444455556666:outpost/op-1"))
				m.HostnameType = types.StringValue("resource-name")
			},
		},
		{
			"no local network interfaces",
			func(n *ec2types.Subnet) { n.EnableLniAtDeviceIndex = aws.Int32(0) },
			func(*engine.Live[subnet]) {},
		},
		{
			"pending",
			func(n *ec2types.Subnet) { n.State = ec2types.SubnetStatePending },
			func(l *engine.Live[subnet]) { l.State, l.Reason = engine.Pending, "the subnet is pending" },
		},
		{
			"failed, whatever its block does",
			func(n *ec2types.Subnet) {
				n.State = ec2types.SubnetStateFailedInsufficientCapacity
				n.Ipv6CidrBlockAssociationSet = []ec2types.SubnetIpv6CidrBlockAssociation{
					subnetBlock("a", "2600:1::/64", ec2types.SubnetCidrBlockStateCodeDisassociating),
				}
			},
			func(l *engine.Live[subnet]) {
				l.State, l.Reason = engine.Failed, "the subnet is failed-insufficient-capacity"
			},
		},
		{
			"a block, and what was before",
			func(n *ec2types.Subnet) {
				n.Ipv6CidrBlockAssociationSet = []ec2types.SubnetIpv6CidrBlockAssociation{
					subnetBlock("old", "2600:1::/64", ec2types.SubnetCidrBlockStateCodeDisassociated),
					subnetBlock("bad", "2600:2::/64", ec2types.SubnetCidrBlockStateCodeFailed),
					subnetBlock("worse", "2600:3::/64", ec2types.SubnetCidrBlockStateCodeFailing),
					subnetBlock("a", "2600:4::/64", ec2types.SubnetCidrBlockStateCodeAssociated),
				}
			},
			func(l *engine.Live[subnet]) {
				l.Model.IPv6Association, l.Model.IPv6CIDR = types.StringValue("a"), ipRange("2600:4::/64")
			},
		},
		{
			"a block that comes",
			func(n *ec2types.Subnet) {
				n.Ipv6CidrBlockAssociationSet = []ec2types.SubnetIpv6CidrBlockAssociation{
					subnetBlock("a", "2600:4::/64", ec2types.SubnetCidrBlockStateCodeAssociating),
				}
			},
			func(l *engine.Live[subnet]) {
				l.State, l.Reason = engine.Pending, "the IPv6 block 2600:4::/64 is associating"
				l.Model.IPv6Association, l.Model.IPv6CIDR = types.StringValue("a"), ipRange("2600:4::/64")
			},
		},
		{
			"a block that goes",
			func(n *ec2types.Subnet) {
				n.Ipv6CidrBlockAssociationSet = []ec2types.SubnetIpv6CidrBlockAssociation{
					subnetBlock("a", "2600:4::/64", ec2types.SubnetCidrBlockStateCodeDisassociating),
				}
			},
			func(l *engine.Live[subnet]) {
				l.State, l.Reason = engine.Pending, "the IPv6 block 2600:4::/64 is disassociating"
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := ec2types.Subnet{
				SubnetId: aws.String("subnet-1"), OwnerId: aws.String("444455556666"), VpcId: aws.String("vpc-1"),
				SubnetArn:        aws.String("arn:aws:ec2:eu-west-1:444455556666:subnet/subnet-1"),
				AvailabilityZone: aws.String("eu-west-1a"), AvailabilityZoneId: aws.String("euw1-az1"),
				CidrBlock: aws.String("10.0.1.0/24"), State: ec2types.SubnetStateAvailable,
			}
			tt.in(&n)
			want := plainSubnet()
			tt.want(&want)
			if diff := cmp.Diff(want, liveSubnet(n)); diff != "" {
				t.Errorf("want - got +\n%s", diff)
			}
		})
	}
}

func TestHolderOfRange(t *testing.T) {
	const call = "DescribeSubnets Filter.1.Name=vpc-id Filter.1.Value.1=vpc-1 Filter.2.Name=cidr-block Filter.2.Value.1=10.0.1.0/24 MaxResults=1000"
	plan := subnet{VPC: types.StringValue("vpc-1"), CIDR: ipRange("10.0.1.0/24")}
	item := func(id, vpc, cidr string) string {
		return "<subnetSet><item><subnetId>" + id + "</subnetId><vpcId>" + vpc + "</vpcId><cidrBlock>" + cidr + "</cidrBlock></item></subnetSet>"
	}
	tests := []struct {
		name, answer string
		plan         subnet
		want         engine.Key
		calls        []string
	}{
		{"held", item("subnet-1", "vpc-1", "10.0.1.0/24"), plan, engine.Key{"subnet-1"}, []string{call}},
		{"free", "<subnetSet/>", plan, nil, []string{call}},
		{"an answer to another question", item("subnet-1", "vpc-1", "10.0.0.0/16"), plan, nil, []string{call}},
		{"the same range elsewhere", item("subnet-1", "vpc-2", "10.0.1.0/24"), plan, nil, []string{call}},
		{"a range that AWS is to pick", "", subnet{VPC: types.StringValue("vpc-1")}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{"DescribeSubnets": {tt.answer}})
			got, err := holderOfRange(t.Context(), s, &tt.plan)
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("got %v, %v", got, err)
			}
			wantCalls(t, server, tt.calls...)
		})
	}
	s, _ := canned.New(t, canned.Answers{"DescribeSubnets": {"!UnauthorizedOperation no"}})
	if _, err := holderOfRange(t.Context(), s, &plan); err == nil {
		t.Error("a denial reads as a free range")
	}
}
