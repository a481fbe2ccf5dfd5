package ec2

import (
	"errors"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

func TestLiveEIP(t *testing.T) {
	str := types.StringValue
	arn := str("arn:aws:ec2:eu-west-1:111122223333:elastic-ip/eipalloc-1")
	tests := []struct {
		name string
		in   ec2types.Address
		want eip
	}{
		{
			"free",
			ec2types.Address{
				AllocationId: aws.String("eipalloc-1"), Domain: ec2types.DomainTypeVpc, PublicIp: aws.String("198.51.100.7"),
				InstanceId: aws.String(""), PublicIpv4Pool: aws.String("amazon"), NetworkBorderGroup: aws.String("eu-west-1"),
			},
			eip{
				AllocationID: str("eipalloc-1"), ARN: arn, Domain: str("vpc"), PublicIP: str("198.51.100.7"),
				PublicDNS: str("ec2-198-51-100-7.eu-west-1.compute.amazonaws.com"), PublicPool: str("amazon"),
				NetworkBorderGroup: str("eu-west-1"),
			},
		},
		{
			"associated, from a pool of IPAM",
			ec2types.Address{
				AllocationId: aws.String("eipalloc-1"), Domain: ec2types.DomainTypeVpc, PublicIp: aws.String("198.51.100.7"),
				InstanceId: aws.String("i-1"), NetworkInterfaceId: aws.String("eni-1"), AssociationId: aws.String("eipassoc-1"),
				PrivateIpAddress: aws.String("10.0.0.5"), PublicIpv4Pool: aws.String("ipam-pool-1"),
			},
			eip{
				AllocationID: str("eipalloc-1"), ARN: arn, Domain: str("vpc"), PublicIP: str("198.51.100.7"),
				PublicDNS: str("ec2-198-51-100-7.eu-west-1.compute.amazonaws.com"), PublicPool: str("ipam-pool-1"), IPAMPool: str("ipam-pool-1"),
				Instance: str("i-1"), NetworkInterface: str("eni-1"), AssociationID: str("eipassoc-1"),
				PrivateIP: str("10.0.0.5"), PrivateDNS: str("ip-10-0-0-5.eu-west-1.compute.internal"),
			},
		},
		{
			"on an Outpost and in a Wavelength Zone",
			ec2types.Address{
				AllocationId: aws.String("eipalloc-1"), CarrierIp: aws.String("203.0.113.9"),
				CustomerOwnedIp: aws.String("192.0.2.4"), CustomerOwnedIpv4Pool: aws.String("ipv4pool-coip-1"),
			},
			eip{
				AllocationID: str("eipalloc-1"), ARN: arn, CarrierIP: str("203.0.113.9"), CustomerIP: str("192.0.2.4"),
				CustomerPool: str("ipv4pool-coip-1"),
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.in.Tags = []ec2types.Tag{{Key: aws.String("a"), Value: aws.String("1")}}
			want := engine.Live[eip]{Key: engine.Key{"eipalloc-1"}, Tags: map[string]string{"a": "1"}, Partial: true, Model: tt.want}
			if diff := cmp.Diff(want, liveEIP(session(), tt.in)); diff != "" {
				t.Errorf("want - got +\n%s", diff)
			}
		})
	}
}

func TestNames(t *testing.T) {
	ip := aws.String("192.0.2.1")
	tests := []struct{ got, want string }{
		{privateName("us-east-1", ip).ValueString(), "ip-192-0-2-1.ec2.internal"},
		{privateName("eu-west-1", ip).ValueString(), "ip-192-0-2-1.eu-west-1.compute.internal"},
		{publicName("aws", "us-east-1", ip).ValueString(), "ec2-192-0-2-1.compute-1.amazonaws.com"},
		{publicName("aws-us-gov", "us-gov-west-1", ip).ValueString(), "ec2-192-0-2-1.us-gov-west-1.compute.amazonaws.com"},
		{publicName("aws-cn", "cn-north-1", ip).ValueString(), "ec2-192-0-2-1.cn-north-1.compute.amazonaws.com.cn"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %s, want %s", tt.got, tt.want)
		}
	}
	if !privateName("eu-west-1", nil).IsNull() || !publicName("aws", "eu-west-1", aws.String("")).IsNull() {
		t.Error("no address has no name")
	}
}

func addresses(n int) []*engine.Live[eip] {
	live := make([]*engine.Live[eip], n)
	for i := range live {
		live[i] = &engine.Live[eip]{Key: engine.Key{fmt.Sprintf("eipalloc-%d", i)}}
	}
	return live
}

// The emulator keeps no reverse DNS names.
func TestFillEIPs(t *testing.T) {
	ptr := func(id, name string) string {
		return "<addressSet><item><allocationId>" + id + "</allocationId><ptrRecord>" + name + "</ptrRecord></item></addressSet>"
	}
	t.Run("pages and batches", func(t *testing.T) {
		s, server := canned.New(t, canned.Answers{"DescribeAddressesAttribute": {
			ptr("eipalloc-0", "a.example.com.") + "<nextToken>n</nextToken>", ptr("eipalloc-1", "b.example.com."), ptr("eipalloc-200", "c.example.com."),
		}})
		live := addresses(201)
		if err := fillEIPs(t.Context(), s, live); err != nil {
			t.Fatal(err)
		}
		for i, want := range map[int]string{0: "a.example.com", 1: "b.example.com", 2: "", 200: "c.example.com"} {
			if got := live[i].Model.PTR.ValueString(); got != want {
				t.Errorf("address %d: got %q, want %q", i, got, want)
			}
		}
		calls := server.Calls()
		if want := "DescribeAddressesAttribute AllocationId.1=eipalloc-200 Attribute=domain-name"; len(calls) != 3 || calls[2] != want {
			t.Errorf("got %d calls, want 3, the last one %s: %q", len(calls), want, calls[len(calls)-1])
		}
	})
	t.Run("one of the batch is gone", func(t *testing.T) {
		const gone = "!InvalidAllocationID.NotFound gone"
		s, _ := canned.New(t, canned.Answers{"DescribeAddressesAttribute": {gone, gone, ptr("eipalloc-1", "b.example.com.")}})
		live := addresses(2)
		if err := fillEIPs(t.Context(), s, live); err != nil {
			t.Fatal(err)
		}
		if !live[0].Model.PTR.IsNull() || live[1].Model.PTR.ValueString() != "b.example.com" {
			t.Errorf("got %v and %v", live[0].Model.PTR, live[1].Model.PTR)
		}
	})
	t.Run("the one asked for is gone", func(t *testing.T) {
		s, _ := canned.New(t, canned.Answers{"DescribeAddressesAttribute": {"!InvalidAllocationID.NotFound gone"}})
		if err := fillEIPs(t.Context(), s, addresses(1)); !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("got %v, want not found", err)
		}
	})
	t.Run("no such call in the partition", func(t *testing.T) {
		s, _ := canned.New(t, canned.Answers{"DescribeAddressesAttribute": {
			"!InvalidAction The action DescribeAddressesAttribute is not valid for this web service.",
		}})
		if err := fillEIPs(t.Context(), s, addresses(2)); err != nil {
			t.Error(err)
		}
	})
	t.Run("denied", func(t *testing.T) {
		s, _ := canned.New(t, canned.Answers{"DescribeAddressesAttribute": {"!UnauthorizedOperation no"}})
		if err := fillEIPs(t.Context(), s, addresses(2)); err == nil || errors.Is(err, engine.ErrNotFound) {
			t.Errorf("got %v, want the denial", err)
		}
	})
}

// The emulator keeps none of the pools and no network border group.
func TestCreateEIPRequest(t *testing.T) {
	str := types.StringValue
	tests := []struct {
		name string
		plan eip
		want string
	}{
		{"smallest", eip{}, "Domain=vpc"},
		{"an address of our own pool", eip{Address: str("198.51.100.7"), PublicPool: str("ipv4pool-ec2-1"), Domain: str("vpc")}, "Address=198.51.100.7 Domain=vpc PublicIpv4Pool=ipv4pool-ec2-1"},
		{"IPAM", eip{IPAMPool: str("ipam-pool-1"), NetworkBorderGroup: str("eu-west-1")}, "Domain=vpc IpamPoolId=ipam-pool-1 NetworkBorderGroup=eu-west-1"},
		{"an Outpost", eip{CustomerPool: str("ipv4pool-coip-1")}, "CustomerOwnedIpv4Pool=ipv4pool-coip-1 Domain=vpc"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{"AllocateAddress": {"<allocationId>eipalloc-1</allocationId>"}})
			k, err := createEIP(t.Context(), s, &tt.plan, markers.Tags{"tofu-estate": "prod"}, "")
			if err != nil || k.String() != "eipalloc-1" {
				t.Fatalf("got %s, %v", k, err)
			}
			wantCalls(t, server, "AllocateAddress "+tt.want+
				" TagSpecification.1.ResourceType=elastic-ip TagSpecification.1.Tag.1.Key=tofu-estate TagSpecification.1.Tag.1.Value=prod")
		})
	}
}

// The emulator ignores the private address.
func TestAssociateEIP(t *testing.T) {
	str := types.StringValue
	tests := []struct {
		name        string
		prior, plan eip
		want        []string
	}{
		{"free to an instance", eip{}, eip{Instance: str("i-1")}, []string{"AssociateAddress AllocationId=eipalloc-1 InstanceId=i-1"}},
		{
			// The engine completes what the configuration leaves out with what the object shows.
			"an instance to an interface", eip{Instance: str("i-1"), NetworkInterface: str("eni-1"), AssociationID: str("a")},
			eip{Instance: str("i-1"), NetworkInterface: str("eni-2"), AssociatePrivateIP: str("10.0.0.5")},
			[]string{"DisassociateAddress AssociationId=a", "AssociateAddress AllocationId=eipalloc-1 NetworkInterfaceId=eni-2 PrivateIpAddress=10.0.0.5"},
		},
		{
			"an instance to another", eip{Instance: str("i-1"), NetworkInterface: str("eni-1"), AssociationID: str("a")},
			eip{Instance: str("i-2"), NetworkInterface: str("eni-1")},
			[]string{"DisassociateAddress AssociationId=a", "AssociateAddress AllocationId=eipalloc-1 InstanceId=i-2"},
		},
		{
			"another private address", eip{Instance: str("i-1"), NetworkInterface: str("eni-1"), AssociationID: str("a"), PrivateIP: str("10.0.0.5")},
			eip{Instance: str("i-1"), NetworkInterface: str("eni-1"), AssociatePrivateIP: str("10.0.0.6")},
			[]string{"DisassociateAddress AssociationId=a", "AssociateAddress AllocationId=eipalloc-1 NetworkInterfaceId=eni-1 PrivateIpAddress=10.0.0.6"},
		},
		{
			"the primary address again", eip{NetworkInterface: str("eni-1"), AssociationID: str("a"), PrivateIP: str("10.0.0.6")}, eip{NetworkInterface: str("eni-1")},
			[]string{"DisassociateAddress AssociationId=a", "AssociateAddress AllocationId=eipalloc-1 NetworkInterfaceId=eni-1"},
		},
		{
			"imported, and right already", eip{NetworkInterface: str("eni-1"), AssociationID: str("a"), PrivateIP: str("10.0.0.6")},
			eip{NetworkInterface: str("eni-1"), AssociatePrivateIP: str("10.0.0.6")}, nil,
		},
		{"a private address without a target", eip{}, eip{AssociatePrivateIP: str("10.0.0.6")}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{"DisassociateAddress": {""}, "AssociateAddress": {""}})
			if err := associateEIP(t.Context(), s, engine.Key{"eipalloc-1"}, &tt.prior, &tt.plan); err != nil {
				t.Fatal(err)
			}
			wantCalls(t, server, tt.want...)
		})
	}
}

func TestDeleteEIP(t *testing.T) {
	s, server := canned.New(t, canned.Answers{
		"DisassociateAddress": {"!InvalidAssociationID.NotFound gone"},
		"ReleaseAddress":      {"", "!InvalidAllocationID.NotFound gone"},
	})
	prior := eip{AssociationID: types.StringValue("a"), NetworkBorderGroup: types.StringValue("eu-west-1")}
	if err := deleteEIP(t.Context(), s, engine.Key{"eipalloc-1"}, &prior); err != nil {
		t.Errorf("an association that is gone already stops the delete: %v", err)
	}
	if err := deleteEIP(t.Context(), s, engine.Key{"eipalloc-1"}, &eip{}); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v, want not found", err)
	}
	wantCalls(t, server, "DisassociateAddress AssociationId=a",
		"ReleaseAddress AllocationId=eipalloc-1 NetworkBorderGroup=eu-west-1", "ReleaseAddress AllocationId=eipalloc-1")
}

func TestReplacesEIP(t *testing.T) {
	tests := []struct {
		name        string
		prior, plan eip
		replaces    bool
	}{
		{"not asked for", eip{PublicIP: types.StringValue("192.0.2.1")}, eip{}, false},
		{"as asked", eip{PublicIP: types.StringValue("192.0.2.1")}, eip{Address: types.StringValue("192.0.2.1")}, false},
		{"another", eip{PublicIP: types.StringValue("192.0.2.1")}, eip{Address: types.StringValue("192.0.2.2")}, true},
		{
			"an Outpost's", eip{PublicIP: types.StringValue("192.0.2.1"), CustomerIP: types.StringValue("10.0.0.1")},
			eip{Address: types.StringValue("10.0.0.1")}, false,
		},
		{"not shown", eip{}, eip{Address: types.StringValue("192.0.2.2")}, false},
	}
	for _, tt := range tests {
		got := replacesEIP(&tt.prior, &tt.plan)
		if (len(got) == 1 && got[0] == "address") != tt.replaces {
			t.Errorf("%s: got %v", tt.name, got)
		}
	}
}
