package ec2

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

type eip struct {
	Address            types.String `tfsdk:"address"`
	AllocationID       types.String `tfsdk:"allocation_id"`
	ARN                types.String `tfsdk:"arn"`
	AssociatePrivateIP types.String `tfsdk:"associate_with_private_ip"`
	AssociationID      types.String `tfsdk:"association_id"`
	CarrierIP          types.String `tfsdk:"carrier_ip"`
	CustomerIP         types.String `tfsdk:"customer_owned_ip"`
	CustomerPool       types.String `tfsdk:"customer_owned_ipv4_pool"`
	Domain             types.String `tfsdk:"domain"`
	Instance           types.String `tfsdk:"instance"`
	IPAMPool           types.String `tfsdk:"ipam_pool_id"`
	NetworkBorderGroup types.String `tfsdk:"network_border_group"`
	NetworkInterface   types.String `tfsdk:"network_interface"`
	PrivateDNS         types.String `tfsdk:"private_dns"`
	PrivateIP          types.String `tfsdk:"private_ip"`
	PTR                types.String `tfsdk:"ptr_record"`
	PublicDNS          types.String `tfsdk:"public_dns"`
	PublicIP           types.String `tfsdk:"public_ip"`
	PublicPool         types.String `tfsdk:"public_ipv4_pool"`
}

// EIP is an Elastic IP address.
var EIP = engine.Of(engine.ResourceType[eip]{
	Name:    "eip",
	Service: "EC2",
	Doc: `An Elastic IP address: a public IPv4 address that stays with the account until it is released.

The address may be associated with an instance or a network interface. Where neither is configured, an association
that others make, such as a NAT gateway, is shown and left alone. EC2 shows neither ` + "`address`" + ` nor
` + "`associate_with_private_ip`" + ` again: they show what the configuration said, ` + "`public_ip` and `private_ip`" + ` what is.`,
	Tier: engine.Marked,
	Tags: tagging.EC2,
	Attrs: map[string]schema.Attribute{
		"address":       attrs.OptionalString("Address to take from a pool of one's own, or to get back after it was released."),
		"allocation_id": attrs.ComputedString("ID of the allocation; the same as `id`."),
		"arn":           attrs.ComputedString("ARN of the address."),
		"associate_with_private_ip": attrs.OptionalString(
			"Private address of the instance or network interface to associate with. Its primary one when unset."),
		"association_id":           attrs.ComputedString("ID of the association with an instance or network interface."),
		"carrier_ip":               attrs.ComputedString("Carrier IP address, in a Wavelength Zone."),
		"customer_owned_ip":        attrs.ComputedString("Customer-owned IP address, on an Outpost."),
		"customer_owned_ipv4_pool": attrs.OptionalString("ID of the customer-owned pool that the address comes from.", attrs.NotEmpty()),
		"domain": attrs.OptionalComputedString("Network of the address: `vpc`, the only one that AWS still has.",
			attrs.OneOf(ec2types.DomainTypeVpc)),
		"instance": attrs.OptionalComputedString("ID of the instance to associate with.", attrs.NotEmpty()),
		"ipam_pool_id": attrs.OptionalComputedString(
			"ID of the IPAM pool of public addresses that the address comes from.", attrs.NotEmpty()),
		"network_border_group": attrs.OptionalComputedString(
			"Group of zones that the address is advertised from. The region's own when unset.", attrs.NotEmpty()),
		"network_interface": attrs.OptionalComputedString("ID of the network interface to associate with.", attrs.NotEmpty()),
		"private_dns":       attrs.ComputedString("Private DNS name that belongs to `private_ip`."),
		"private_ip":        attrs.ComputedString("Private address that the address is associated with."),
		"ptr_record":        attrs.ComputedString("Name that the reverse DNS look-up of the address gives."),
		"public_dns":        attrs.ComputedString("Public DNS name that belongs to `public_ip`."),
		"public_ip":         attrs.ComputedString("The address."),
		"public_ipv4_pool": attrs.OptionalComputedString(
			"ID of the pool that the address comes from, or `amazon`. Amazon's own pool when unset.", attrs.NotEmpty()),
	},
	Settings: []string{"address", "associate_with_private_ip"},
	Timeouts: engine.Timeouts{Read: 15 * time.Minute, Update: 5 * time.Minute, Delete: 3 * time.Minute},
	Get:      getEIP,
	List:     listEIPs,
	Search:   search(eips),
	Fill:     fillEIPs,
	Create:   createEIP,
	Updates: []engine.Update[eip]{{
		Attrs: []string{"associate_with_private_ip", "instance", "network_interface"},
		Recomputes: []string{
			"association_id", "carrier_ip", "customer_owned_ip", "instance", "network_interface", "private_dns", "private_ip",
		},
		Apply: associateEIP,
	}},
	Replaces: replacesEIP,
	Delete:   deleteEIP,
	Busy:     busyEIP,
})

// replacesEIP tells whether the address is another one than the argument asks for. EC2 does not show the argument again, but
// what came of it: in the public address, or in that of the Outpost or Wavelength Zone.
func replacesEIP(prior, plan *eip) []string {
	asked := plan.Address.ValueString()
	have := []string{prior.PublicIP.ValueString(), prior.CustomerIP.ValueString(), prior.CarrierIP.ValueString()}
	if asked == "" || have[0] == "" || slices.Contains(have, asked) {
		return nil
	}
	return []string{"address"}
}

func getEIP(ctx context.Context, s *cloud.Session, k engine.Key) (engine.Live[eip], error) {
	out, err := api(s).DescribeAddresses(ctx, &ec2.DescribeAddressesInput{AllocationIds: k})
	if err != nil {
		return engine.Live[eip]{}, absent(err)
	}
	return only(out.Addresses, k, func(a ec2types.Address) engine.Live[eip] { return liveEIP(s, a) })
}

func listEIPs(ctx context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[engine.Live[eip], error] {
	return eips(ctx, s, marked(f)...)
}

// eips makes one call: DescribeAddresses has no pages.
func eips(ctx context.Context, s *cloud.Session, by ...ec2types.Filter) iter.Seq2[engine.Live[eip], error] {
	return func(yield func(engine.Live[eip], error) bool) {
		out, err := api(s).DescribeAddresses(ctx, &ec2.DescribeAddressesInput{Filters: by})
		if err != nil {
			yield(engine.Live[eip]{}, err)
			return
		}
		for _, a := range out.Addresses {
			if !yield(liveEIP(s, a), nil) {
				return
			}
		}
	}
}

// ipamPrefix tells pools of IPAM from others: EC2 shows both in one field.
const ipamPrefix = "ipam-pool-"

func liveEIP(s *cloud.Session, a ec2types.Address) engine.Live[eip] {
	l := engine.Live[eip]{Key: engine.Key{aws.ToString(a.AllocationId)}, Tags: tagMap(a.Tags), Partial: true}
	l.Model = eip{
		AllocationID: attrs.String(a.AllocationId),
		ARN: types.StringValue(fmt.Sprintf("arn:%s:ec2:%s:%s:elastic-ip/%s",
			s.Partition, s.Region, s.Account, aws.ToString(a.AllocationId))),
		AssociationID:      attrs.String(a.AssociationId),
		CarrierIP:          attrs.String(a.CarrierIp),
		CustomerIP:         attrs.String(a.CustomerOwnedIp),
		CustomerPool:       attrs.String(a.CustomerOwnedIpv4Pool),
		Domain:             attrs.String(&a.Domain),
		Instance:           attrs.String(a.InstanceId),
		NetworkBorderGroup: attrs.String(a.NetworkBorderGroup),
		NetworkInterface:   attrs.String(a.NetworkInterfaceId),
		PrivateDNS:         privateName(s.Region, a.PrivateIpAddress),
		PrivateIP:          attrs.String(a.PrivateIpAddress),
		PublicDNS:          publicName(s.Partition, s.Region, a.PublicIp),
		PublicIP:           attrs.String(a.PublicIp),
		PublicPool:         attrs.String(a.PublicIpv4Pool),
	}
	if strings.HasPrefix(aws.ToString(a.PublicIpv4Pool), ipamPrefix) {
		l.Model.IPAMPool = l.Model.PublicPool
	}
	return l
}

// privateName builds the name that the VPC's DNS gives a private address; EC2 does not tell it with the address.
func privateName(region string, ip *string) types.String {
	if aws.ToString(ip) == "" {
		return types.StringNull()
	}
	suffix := region + ".compute.internal"
	if region == "us-east-1" {
		suffix = "ec2.internal"
	}
	return types.StringValue("ip-" + strings.ReplaceAll(*ip, ".", "-") + "." + suffix)
}

// publicName builds the name that DNS gives a public address; EC2 does not tell it with the address.
func publicName(partition, region string, ip *string) types.String {
	if aws.ToString(ip) == "" {
		return types.StringNull()
	}
	zone := region + ".compute"
	if region == "us-east-1" {
		zone = "compute-1"
	}
	suffix, ok := map[string]string{
		"aws-cn": "amazonaws.com.cn", "aws-iso": "c2s.ic.gov", "aws-iso-b": "sc2s.sgov.gov", "aws-iso-e": "cloud.adc-e.uk",
		"aws-iso-f": "csp.hci.ic.gov", "aws-eusc": "amazonaws.eu",
	}[partition]
	if !ok {
		suffix = "amazonaws.com"
	}
	return types.StringValue("ec2-" + strings.ReplaceAll(*ip, ".", "-") + "." + zone + "." + suffix)
}

// fillEIPs adds the reverse DNS names. One address that is gone fails a whole call; then each is asked for alone.
func fillEIPs(ctx context.Context, s *cloud.Session, live []*engine.Live[eip]) error {
	for some := range slices.Chunk(live, filterValues) {
		err := fillPTR(ctx, s, some)
		if !errors.Is(err, engine.ErrNotFound) || len(some) == 1 {
			if err != nil {
				return err
			}
			continue
		}
		for i := range some {
			// What is gone keeps no name; the next Get of it says that it is gone.
			if err := fillPTR(ctx, s, some[i:i+1]); err != nil && !errors.Is(err, engine.ErrNotFound) {
				return err
			}
		}
	}
	return nil
}

func fillPTR(ctx context.Context, s *cloud.Session, live []*engine.Live[eip]) error {
	in := &ec2.DescribeAddressesAttributeInput{Attribute: ec2types.AddressAttributeNameDomainName}
	byID := make(map[string]*eip, len(live))
	for _, l := range live {
		in.AllocationIds = append(in.AllocationIds, l.Key.String())
		byID[l.Key.String()] = &l.Model
	}
	p := ec2.NewDescribeAddressesAttributePaginator(api(s), in)
	for a, err := range pages(ctx, p, func(o *ec2.DescribeAddressesAttributeOutput) []ec2types.AddressAttribute { return o.Addresses }) {
		if cloud.HasCode(err, "InvalidAction") {
			return nil // partitions without reverse DNS do not know the call
		}
		if err != nil {
			return absent(err)
		}
		if m := byID[aws.ToString(a.AllocationId)]; m != nil {
			name := strings.TrimSuffix(aws.ToString(a.PtrRecord), ".")
			m.PTR = attrs.String(&name)
		}
	}
	return nil
}

// createEIP takes no token: AllocateAddress has none, a retry finds the address by its marker.
func createEIP(ctx context.Context, s *cloud.Session, plan *eip, tags markers.Tags, _ engine.Token) (engine.Key, error) {
	out, err := api(s).AllocateAddress(ctx, &ec2.AllocateAddressInput{
		Address:               attrs.Ptr(plan.Address),
		CustomerOwnedIpv4Pool: attrs.Ptr(plan.CustomerPool),
		Domain:                ec2types.DomainTypeVpc,
		IpamPoolId:            attrs.Ptr(plan.IPAMPool),
		NetworkBorderGroup:    attrs.Ptr(plan.NetworkBorderGroup),
		PublicIpv4Pool:        attrs.Ptr(plan.PublicPool),
		TagSpecifications:     specification(ec2types.ResourceTypeElasticIp, tags),
	})
	if err != nil {
		return nil, err
	}
	return engine.Key{aws.ToString(out.AllocationId)}, nil
}

// associateEIP moves the address. The old association goes first, as the new one may be with the same interface.
func associateEIP(ctx context.Context, s *cloud.Session, k engine.Key, prior, plan *eip) error {
	in := target(prior, plan)
	if in == nil {
		return nil
	}
	if err := disassociateEIP(ctx, s, prior); err != nil {
		return err
	}
	in.AllocationId = aws.String(k.String())
	_, err := api(s).AssociateAddress(ctx, in)
	return err // not absent: a new address may take a moment to be known here, which Busy waits for
}

// target says what to associate with, nil when it is so already. An instance and its interface are shown together, so
// the one that the plan does not change is what the old association was, and is not asked for. Where the plan
// changes neither, the interface stays and only its private address is another.
func target(prior, plan *eip) *ec2.AssociateAddressInput {
	in := &ec2.AssociateAddressInput{
		InstanceId:         asked(prior.Instance, plan.Instance),
		NetworkInterfaceId: asked(prior.NetworkInterface, plan.NetworkInterface),
		PrivateIpAddress:   attrs.Ptr(plan.AssociatePrivateIP),
	}
	if in.InstanceId != nil || in.NetworkInterfaceId != nil {
		return in
	}
	// An import does not know the private address that was asked for: it may be the present one.
	in.NetworkInterfaceId = attrs.Ptr(prior.NetworkInterface)
	if in.NetworkInterfaceId == nil || in.PrivateIpAddress != nil && *in.PrivateIpAddress == prior.PrivateIP.ValueString() {
		return nil
	}
	return in
}

func disassociateEIP(ctx context.Context, s *cloud.Session, prior *eip) error {
	if attrs.Ptr(prior.AssociationID) == nil {
		return nil
	}
	_, err := api(s).DisassociateAddress(ctx, &ec2.DisassociateAddressInput{AssociationId: attrs.Ptr(prior.AssociationID)})
	if cloud.HasCode(err, "InvalidAssociationID.NotFound") {
		return nil
	}
	return err
}

func deleteEIP(ctx context.Context, s *cloud.Session, k engine.Key, prior *eip) error {
	if err := disassociateEIP(ctx, s, prior); err != nil {
		return err
	}
	_, err := api(s).ReleaseAddress(ctx, &ec2.ReleaseAddressInput{
		AllocationId: aws.String(k.String()), NetworkBorderGroup: attrs.Ptr(prior.NetworkBorderGroup),
	})
	return absent(err)
}

// busyEIP waits until the address is known where it is associated, and until the instance runs.
func busyEIP(err error) bool {
	return cloud.HasCode(err, "InvalidAllocationID.NotFound") || says(err, "InvalidInstanceID", "pending instance")
}
