package ec2

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

func block(id, cidr, pool string, state ec2types.VpcCidrBlockStateCode) ec2types.VpcIpv6CidrBlockAssociation {
	return ec2types.VpcIpv6CidrBlockAssociation{
		AssociationId: aws.String(id), Ipv6CidrBlock: aws.String(cidr), Ipv6Pool: aws.String(pool),
		Ipv6CidrBlockState: &ec2types.VpcCidrBlockState{State: state}, NetworkBorderGroup: aws.String("eu-west-1"),
	}
}

func TestLiveVPC(t *testing.T) {
	plain := func() engine.Live[vpc] {
		return engine.Live[vpc]{
			Key: engine.Key{"vpc-1"}, Owner: "444455556666", Tags: map[string]string{}, Partial: true,
			Model: vpc{
				ARN:        types.StringValue("arn:aws:ec2:eu-west-1:444455556666:vpc/vpc-1"),
				AssignIPv6: types.BoolValue(false),
				CIDR:       attrs.NewCIDR(aws.String("10.0.0.0/16")),
				Tenancy:    types.StringValue("default"),
				Owner:      types.StringValue("444455556666"),
			},
		}
	}
	with := func(change func(*engine.Live[vpc])) engine.Live[vpc] {
		l := plain()
		change(&l)
		return l
	}
	ipv6 := func(id, cidr string, amazon bool) func(*engine.Live[vpc]) {
		return func(l *engine.Live[vpc]) {
			l.Model.AssignIPv6 = types.BoolValue(amazon)
			l.Model.IPv6Association = types.StringValue(id)
			l.Model.IPv6CIDR = attrs.NewCIDR(&cidr)
			l.Model.NetworkBorderGroup = types.StringValue("eu-west-1")
		}
	}
	tests := []struct {
		name   string
		change func(*ec2types.Vpc)
		want   engine.Live[vpc]
	}{
		{"plain", func(*ec2types.Vpc) {}, plain()},
		{
			"tags, DHCP options, dedicated",
			func(v *ec2types.Vpc) {
				v.Tags = []ec2types.Tag{{Key: aws.String("Name"), Value: aws.String("main")}}
				v.DhcpOptionsId = aws.String("dopt-1")
				v.InstanceTenancy = ec2types.TenancyDedicated
			},
			with(func(l *engine.Live[vpc]) {
				l.Tags["Name"] = "main"
				l.Model.DHCPOptions = types.StringValue("dopt-1")
				l.Model.Tenancy = types.StringValue("dedicated")
			}),
		},
		{
			"pending",
			func(v *ec2types.Vpc) { v.State = ec2types.VpcStatePending },
			with(func(l *engine.Live[vpc]) { l.State, l.Reason = engine.Pending, "the VPC is pending" }),
		},
		{
			"Amazon's block",
			func(v *ec2types.Vpc) {
				v.Ipv6CidrBlockAssociationSet = []ec2types.VpcIpv6CidrBlockAssociation{
					block("old", "2600:1::/56", "Amazon", ec2types.VpcCidrBlockStateCodeDisassociated),
					block("a", "2600:2::/56", "Amazon", ec2types.VpcCidrBlockStateCodeAssociated),
				}
			},
			with(ipv6("a", "2600:2::/56", true)),
		},
		{
			"a block of IPAM on its way",
			func(v *ec2types.Vpc) {
				v.Ipv6CidrBlockAssociationSet = []ec2types.VpcIpv6CidrBlockAssociation{
					block("a", "2600:2::/52", "IPAM Managed", ec2types.VpcCidrBlockStateCodeAssociating),
				}
			},
			with(func(l *engine.Live[vpc]) {
				ipv6("a", "2600:2::/52", false)(l)
				l.State, l.Reason = engine.Pending, "the IPv6 block 2600:2::/52 is associating"
			}),
		},
		{
			"a block that goes",
			func(v *ec2types.Vpc) {
				v.Ipv6CidrBlockAssociationSet = []ec2types.VpcIpv6CidrBlockAssociation{
					block("a", "2600:2::/56", "Amazon", ec2types.VpcCidrBlockStateCodeDisassociating),
				}
			},
			with(func(l *engine.Live[vpc]) {
				l.State, l.Reason = engine.Pending, "the IPv6 block 2600:2::/56 is disassociating"
			}),
		},
		{
			"the first of two blocks",
			func(v *ec2types.Vpc) {
				v.Ipv6CidrBlockAssociationSet = []ec2types.VpcIpv6CidrBlockAssociation{
					block("a", "2600:2::/56", "ipam-pool-1", ec2types.VpcCidrBlockStateCodeAssociated),
					block("b", "2600:3::/56", "Amazon", ec2types.VpcCidrBlockStateCodeAssociated),
				}
			},
			with(ipv6("a", "2600:2::/56", false)),
		},
		{
			"a block that failed is none",
			func(v *ec2types.Vpc) {
				v.Ipv6CidrBlockAssociationSet = []ec2types.VpcIpv6CidrBlockAssociation{
					block("a", "2600:2::/56", "Amazon", ec2types.VpcCidrBlockStateCodeFailed),
				}
			},
			plain(),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := ec2types.Vpc{
				VpcId: aws.String("vpc-1"), OwnerId: aws.String("444455556666"), CidrBlock: aws.String("10.0.0.0/16"),
				InstanceTenancy: ec2types.TenancyDefault, State: ec2types.VpcStateAvailable,
			}
			tt.change(&v)
			if diff := cmp.Diff(tt.want, liveVPC(session(), v)); diff != "" {
				t.Errorf("want - got +\n%s", diff)
			}
		})
	}
}

func TestFillVPCs(t *testing.T) {
	routes := func(items ...string) string { return "<routeTableSet>" + strings.Join(items, "") + "</routeTableSet>" }
	route := func(id, vpc, main string) string {
		return fmt.Sprintf("<item><routeTableId>%s</routeTableId><vpcId>%s</vpcId><associationSet><item><main>%s</main></item></associationSet></item>", id, vpc, main)
	}
	s, server := canned.New(t, canned.Answers{
		"DescribeRouteTables": {
			routes(route("rtb-9", "vpc-0", "false"), route("rtb-0", "vpc-0", "true")) + "<nextToken>n</nextToken>",
			routes(route("rtb-1", "vpc-1", "true"), route("rtb-x", "vpc-x", "true")),
			routes(route("rtb-200", "vpc-200", "true")),
		},
		"DescribeSecurityGroups": {
			`<securityGroupInfo><item><groupId>sg-0</groupId><groupName>default</groupName><vpcId>vpc-0</vpcId></item>
			 <item><groupId>sg-9</groupId><groupName>other</groupName><vpcId>vpc-0</vpcId></item></securityGroupInfo>`,
			"<securityGroupInfo/>",
		},
		"DescribeNetworkAcls": {
			`<networkAclSet><item><networkAclId>acl-0</networkAclId><default>true</default><vpcId>vpc-0</vpcId></item>
			 <item><networkAclId>acl-9</networkAclId><default>false</default><vpcId>vpc-0</vpcId></item></networkAclSet>`,
			"<networkAclSet/>",
		},
	})
	live := make([]*engine.Live[vpc], 201)
	for i := range live {
		live[i] = &engine.Live[vpc]{Key: engine.Key{fmt.Sprintf("vpc-%d", i)}}
	}
	if err := fillVPCs(t.Context(), s, live); err != nil {
		t.Fatal(err)
	}
	want := vpc{
		MainRoutes: types.StringValue("rtb-0"), DefaultRoutes: types.StringValue("rtb-0"),
		DefaultGroup: types.StringValue("sg-0"), DefaultACL: types.StringValue("acl-0"),
	}
	if diff := cmp.Diff(want, live[0].Model); diff != "" {
		t.Errorf("vpc-0: want - got +\n%s", diff)
	}
	for i, want := range map[int]string{1: "rtb-1", 200: "rtb-200"} {
		if got := live[i].Model.MainRoutes.ValueString(); got != want {
			t.Errorf("vpc-%d: main route table %q, want %s", i, got, want)
		}
	}
	calls := server.Calls()
	if len(calls) != 7 {
		t.Fatalf("%d calls, want one for each page and batch: %q", len(calls), calls)
	}
	for i, c := range calls {
		if strings.Contains(c, "Filter.1.Value.201=") {
			t.Errorf("call %d asks for more than 200 VPCs", i)
		}
	}
	last := "DescribeNetworkAcls Filter.1.Name=vpc-id Filter.1.Value.1=vpc-200 Filter.2.Name=default Filter.2.Value.1=true MaxResults=1000"
	if calls[6] != last {
		t.Errorf("got  %s\nwant %s", calls[6], last)
	}
}

func TestFillVPCReadsEachSetting(t *testing.T) {
	s, server := canned.New(t, canned.Answers{"DescribeVpcAttribute": {
		"<enableDnsHostnames><value>true</value></enableDnsHostnames>",
		"<enableDnsSupport><value>true</value></enableDnsSupport>",
		"<enableNetworkAddressUsageMetrics><value>false</value></enableNetworkAddressUsageMetrics>",
	}})
	l := engine.Live[vpc]{Key: engine.Key{"vpc-1"}}
	if err := fillVPC(t.Context(), s, &l); err != nil {
		t.Fatal(err)
	}
	if !l.Model.DNSHostnames.ValueBool() || !l.Model.DNSSupport.ValueBool() || !l.Model.UsageMetrics.Equal(types.BoolValue(false)) {
		t.Errorf("got %v", l.Model)
	}
	wantCalls(t, server,
		"DescribeVpcAttribute Attribute=enableDnsHostnames VpcId=vpc-1",
		"DescribeVpcAttribute Attribute=enableDnsSupport VpcId=vpc-1",
		"DescribeVpcAttribute Attribute=enableNetworkAddressUsageMetrics VpcId=vpc-1")
}

// The emulator knows no IPAM and drops the network border group, so the requests are looked at here.
func TestCreateVPCRequest(t *testing.T) {
	tests := []struct {
		name string
		plan vpc
		want string
	}{
		{
			"smallest", vpc{CIDR: attrs.NewCIDR(aws.String("10.0.0.0/16")), Tenancy: types.StringValue("default"), AssignIPv6: types.BoolValue(false)},
			"CreateVpc AmazonProvidedIpv6CidrBlock=false CidrBlock=10.0.0.0/16 InstanceTenancy=default",
		},
		{
			"pools", vpc{
				Tenancy: types.StringValue("dedicated"), IPv4Pool: types.StringValue("ipam-pool-4"), IPv4Netmask: types.Int64Value(24),
				IPv6Pool: types.StringValue("ipam-pool-6"), IPv6Netmask: types.Int64Value(52), CIDR: attrs.CIDR{StringValue: types.StringUnknown()},
			},
			"CreateVpc InstanceTenancy=dedicated Ipv4IpamPoolId=ipam-pool-4 Ipv4NetmaskLength=24 Ipv6IpamPoolId=ipam-pool-6 Ipv6NetmaskLength=52",
		},
		{
			"a chosen IPv6 block", vpc{
				CIDR: attrs.NewCIDR(aws.String("10.0.0.0/16")), IPv6Pool: types.StringValue("ipam-pool-6"),
				IPv6CIDR: attrs.NewCIDR(aws.String("2600:2::/56")),
			},
			"CreateVpc CidrBlock=10.0.0.0/16 Ipv6CidrBlock=2600:2::/56 Ipv6IpamPoolId=ipam-pool-6",
		},
		{
			"a border group", vpc{
				CIDR: attrs.NewCIDR(aws.String("10.0.0.0/16")), AssignIPv6: types.BoolValue(true),
				NetworkBorderGroup: types.StringValue("us-west-2-lax-1"),
			},
			"CreateVpc AmazonProvidedIpv6CidrBlock=true CidrBlock=10.0.0.0/16 Ipv6CidrBlockNetworkBorderGroup=us-west-2-lax-1",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{"CreateVpc": {"<vpc><vpcId>vpc-1</vpcId></vpc>"}})
			k, err := createVPC(t.Context(), s, &tt.plan, markers.Tags{"tofu-estate": "prod", "Name": "main"}, "")
			if err != nil || k.String() != "vpc-1" {
				t.Fatalf("got %s, %v", k, err)
			}
			wantCalls(t, server, tt.want+" TagSpecification.1.ResourceType=vpc"+
				" TagSpecification.1.Tag.1.Key=Name TagSpecification.1.Tag.1.Value=main"+
				" TagSpecification.1.Tag.2.Key=tofu-estate TagSpecification.1.Tag.2.Value=prod")
		})
	}
}

func TestSetVPCNamesKeepsEC2sOrder(t *testing.T) {
	const support, hostnames = "ModifyVpcAttribute EnableDnsSupport.Value=%t VpcId=vpc-1", "ModifyVpcAttribute EnableDnsHostnames.Value=%t VpcId=vpc-1"
	on, off := types.BoolValue(true), types.BoolValue(false)
	tests := []struct {
		name        string
		prior, plan vpc
		want        []string
	}{
		{"both on", vpc{DNSSupport: off, DNSHostnames: off}, vpc{DNSSupport: on, DNSHostnames: on}, []string{fmt.Sprintf(support, true), fmt.Sprintf(hostnames, true)}},
		{"both off", vpc{DNSSupport: on, DNSHostnames: on}, vpc{DNSSupport: off, DNSHostnames: off}, []string{fmt.Sprintf(hostnames, false), fmt.Sprintf(support, false)}},
		{"only names", vpc{DNSSupport: on, DNSHostnames: off}, vpc{DNSSupport: on, DNSHostnames: on}, []string{fmt.Sprintf(hostnames, true)}},
		{"names left to AWS", vpc{DNSSupport: on, DNSHostnames: off}, vpc{DNSSupport: off}, []string{fmt.Sprintf(support, false)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{"ModifyVpcAttribute": make([]string, len(tt.want))})
			if err := setVPCNames(t.Context(), s, engine.Key{"vpc-1"}, &tt.prior, &tt.plan); err != nil {
				t.Fatal(err)
			}
			wantCalls(t, server, tt.want...)
		})
	}
}

func TestIPv6BlockRequests(t *testing.T) {
	const associate = "AssociateVpcCidrBlock "
	ours := vpc{IPv6Association: types.StringValue("a"), IPv6CIDR: attrs.NewCIDR(aws.String("2600:2::/56"))}
	pool6 := `<ipamPoolAllocationSet><item><cidr>2600:2::/56</cidr><resourceId>vpc-9</resourceId></item>
		<item><cidr>2600:2::/56</cidr><resourceId>vpc-1</resourceId></item></ipamPoolAllocationSet>`
	tests := []struct {
		name        string
		prior, plan vpc
		want        []string
	}{
		{"none to none", vpc{}, vpc{}, nil},
		{
			"Amazon's to none", vpc{AssignIPv6: types.BoolValue(true), IPv6Association: types.StringValue("a")}, vpc{AssignIPv6: types.BoolValue(false)},
			[]string{"DisassociateVpcCidrBlock AssociationId=a"},
		},
		{
			"none to Amazon's", vpc{}, vpc{AssignIPv6: types.BoolValue(true)},
			[]string{associate + "AmazonProvidedIpv6CidrBlock=true VpcId=vpc-1"},
		},
		{
			"another border group", vpc{AssignIPv6: types.BoolValue(true), IPv6Association: types.StringValue("a")},
			vpc{AssignIPv6: types.BoolValue(true), NetworkBorderGroup: types.StringValue("g")},
			[]string{"DisassociateVpcCidrBlock AssociationId=a", associate + "AmazonProvidedIpv6CidrBlock=true Ipv6CidrBlockNetworkBorderGroup=g VpcId=vpc-1"},
		},
		{
			"Amazon's to a pool's", vpc{
				AssignIPv6: types.BoolValue(true), IPv6Association: types.StringValue("a"), IPv6CIDR: attrs.NewCIDR(aws.String("2600:1::/56")),
			},
			vpc{
				AssignIPv6: types.BoolValue(false), IPv6Pool: types.StringValue("ipam-pool-6"), IPv6Netmask: types.Int64Value(56),
				IPv6CIDR: attrs.NewCIDR(aws.String("2600:1::/56")), // what the object shows, not what is asked for
			},
			[]string{"DisassociateVpcCidrBlock AssociationId=a", associate + "Ipv6IpamPoolId=ipam-pool-6 Ipv6NetmaskLength=56 VpcId=vpc-1"},
		},
		{
			"a pool that the block came from, told after an import", ours,
			vpc{IPv6Pool: types.StringValue("ipam-pool-6"), IPv6CIDR: attrs.NewCIDR(aws.String("2600:0002::/56"))},
			[]string{"GetIpamPoolAllocations IpamPoolId=ipam-pool-6 MaxResults=1000", "GetIpamPoolAllocations IpamPoolId=ipam-pool-6 MaxResults=1000"},
		},
		{
			"another pool", ours, vpc{IPv6Pool: types.StringValue("ipam-pool-7"), IPv6CIDR: ours.IPv6CIDR},
			[]string{
				"GetIpamPoolAllocations IpamPoolId=ipam-pool-7 MaxResults=1000", "DisassociateVpcCidrBlock AssociationId=a",
				"GetIpamPoolAllocations IpamPoolId=ipam-pool-7 MaxResults=1000", associate + "Ipv6IpamPoolId=ipam-pool-7 VpcId=vpc-1",
			},
		},
		{
			"another block of the pool", ours, vpc{IPv6Pool: types.StringValue("ipam-pool-6"), IPv6CIDR: attrs.NewCIDR(aws.String("2600:3::/56"))},
			[]string{"DisassociateVpcCidrBlock AssociationId=a", associate + "Ipv6CidrBlock=2600:3::/56 Ipv6IpamPoolId=ipam-pool-6 VpcId=vpc-1"},
		},
		{
			"a chosen block", vpc{}, vpc{IPv6Pool: types.StringValue("ipam-pool-6"), IPv6CIDR: attrs.NewCIDR(aws.String("2600:2::/56"))},
			[]string{associate + "Ipv6CidrBlock=2600:2::/56 Ipv6IpamPoolId=ipam-pool-6 VpcId=vpc-1"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			allocations := []string{"", ""}
			if tt.plan.IPv6Pool.ValueString() == "ipam-pool-6" {
				allocations = []string{pool6, pool6}
			}
			s, server := canned.New(t, canned.Answers{
				"DisassociateVpcCidrBlock": {""}, "AssociateVpcCidrBlock": {""}, "GetIpamPoolAllocations": allocations,
			})
			if err := dropVPCBlock(t.Context(), s, engine.Key{"vpc-1"}, &tt.prior, &tt.plan); err != nil {
				t.Fatal(err)
			}
			if err := addVPCBlock(t.Context(), s, engine.Key{"vpc-1"}, &tt.prior, &tt.plan); err != nil {
				t.Fatal(err)
			}
			wantCalls(t, server, tt.want...)
		})
	}
}

func TestReplacesVPC(t *testing.T) {
	tests := []struct {
		from, to string
		replaces bool
	}{
		{"default", "default", false},
		{"dedicated", "default", false},
		{"default", "dedicated", true},
	}
	for _, tt := range tests {
		got := replacesVPC(&vpc{Tenancy: types.StringValue(tt.from)}, &vpc{Tenancy: types.StringValue(tt.to)})
		if (len(got) == 1 && got[0] == "instance_tenancy") != tt.replaces {
			t.Errorf("%s to %s: got %v", tt.from, tt.to, got)
		}
	}
}
