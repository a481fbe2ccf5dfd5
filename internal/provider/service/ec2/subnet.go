package ec2

import (
	"math"
	"time"

	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

type subnet struct {
	ARN             types.String `tfsdk:"arn"`
	AssignIPv6      types.Bool   `tfsdk:"assign_ipv6_address_on_creation"`
	Zone            types.String `tfsdk:"availability_zone"`
	ZoneID          types.String `tfsdk:"availability_zone_id"`
	CIDR            attrs.CIDR   `tfsdk:"cidr_block"`
	CustomerPool    types.String `tfsdk:"customer_owned_ipv4_pool"`
	DNS64           types.Bool   `tfsdk:"enable_dns64"`
	LocalInterface  types.Int64  `tfsdk:"enable_lni_at_device_index"`
	NameA           types.Bool   `tfsdk:"enable_resource_name_dns_a_record_on_launch"`
	NameAAAA        types.Bool   `tfsdk:"enable_resource_name_dns_aaaa_record_on_launch"`
	IPv4Pool        types.String `tfsdk:"ipv4_ipam_pool_id"`
	IPv4Netmask     types.Int64  `tfsdk:"ipv4_netmask_length"`
	IPv6CIDR        attrs.CIDR   `tfsdk:"ipv6_cidr_block"`
	IPv6Association types.String `tfsdk:"ipv6_cidr_block_association_id"`
	IPv6Pool        types.String `tfsdk:"ipv6_ipam_pool_id"`
	IPv6Native      types.Bool   `tfsdk:"ipv6_native"`
	IPv6Netmask     types.Int64  `tfsdk:"ipv6_netmask_length"`
	MapCustomerIP   types.Bool   `tfsdk:"map_customer_owned_ip_on_launch"`
	MapPublicIP     types.Bool   `tfsdk:"map_public_ip_on_launch"`
	Outpost         attrs.ARN    `tfsdk:"outpost_arn"`
	Owner           types.String `tfsdk:"owner_id"`
	HostnameType    types.String `tfsdk:"private_dns_hostname_type_on_launch"`
	VPC             types.String `tfsdk:"vpc_id"`
}

// Subnet is a range of addresses of a VPC, in one Availability Zone.
var Subnet = engine.Of(engine.ResourceType[subnet]{
	Name:    "subnet",
	Service: "VPC",
	Doc: `A subnet: a range of a VPC's addresses, in one Availability Zone.

A refresh lists all subnets of the estate and needs no further call. EC2 does not tell which IPAM pool a range came
from, so ` + "`ipv4_ipam_pool_id`, `ipv4_netmask_length`, `ipv6_ipam_pool_id` and `ipv6_netmask_length`" + ` show what the
configuration said.

The IPv6 block changes in place, but for subnets that give new interfaces an IPv6 address: those are replaced. A
configuration that no longer names a block leaves the subnet the one that it has. A destroy waits for what AWS services,
Lambda above all, leave in the subnet for a while, and deletes none of it.`,
	Tier: engine.Marked,
	Tags: tagging.EC2,
	Attrs: map[string]schema.Attribute{
		"arn": attrs.ComputedString("ARN of the subnet."),
		"assign_ipv6_address_on_creation": attrs.DefaultBool(false,
			"Whether new network interfaces get an IPv6 address. The subnet needs an IPv6 block for it. Default `false`."),
		"availability_zone": attrs.OptionalComputedString("Name of the subnet's zone. AWS picks one when unset.",
			attrs.NotEmpty(), attrs.Conflicts("availability_zone_id")),
		"availability_zone_id": attrs.OptionalComputedString(
			"ID of the subnet's zone, which is the same in all accounts. AWS picks one when unset.",
			attrs.NotEmpty(), attrs.Conflicts("availability_zone")),
		"cidr_block": attrs.OptionalComputedCIDR(
			"IPv4 range of the subnet, from /16 to /28. Subnets with `ipv6_native` have none, and `ipv4_ipam_pool_id` may provide it.",
			attrs.IPv4(16, 28), attrs.Conflicts("ipv4_netmask_length"), attrs.AtLeastOneOf("ipv4_ipam_pool_id", "ipv6_native")),
		"customer_owned_ipv4_pool": attrs.OptionalComputedString(
			"ID of the customer-owned pool that new network interfaces get an address from, on an Outpost.", attrs.NotEmpty(),
			attrs.Requires("map_customer_owned_ip_on_launch", "outpost_arn")),
		"enable_dns64": attrs.DefaultBool(false,
			"Whether Amazon's DNS server makes up IPv6 addresses for names that have IPv4 addresses alone. Default `false`."),
		"enable_lni_at_device_index": attrs.OptionalInt64(
			"Position of the local network interfaces of instances, from 1 on, on an Outpost. There are none when unset.",
			attrs.Between(1, math.MaxInt32)),
		"enable_resource_name_dns_a_record_on_launch": attrs.DefaultBool(false,
			"Whether the names of new instances have an A record. Default `false`."),
		"enable_resource_name_dns_aaaa_record_on_launch": attrs.DefaultBool(false,
			"Whether the names of new instances have an AAAA record. Default `false`."),
		"ipv4_ipam_pool_id": attrs.OptionalString("ID of the IPAM pool that the IPv4 range comes from.",
			attrs.Conflicts("customer_owned_ipv4_pool")),
		"ipv4_netmask_length": attrs.OptionalInt64(
			"Size of the IPv4 range to take from the IPAM pool, 16 to 28. The pool's own default when unset.",
			attrs.Between(16, 28), attrs.Requires("ipv4_ipam_pool_id"),
			attrs.Conflicts("cidr_block", "customer_owned_ipv4_pool")),
		"ipv6_cidr_block": attrs.OptionalComputedCIDR(
			"IPv6 block of the subnet, from /44 to /64 in steps of 4. None when unset, or one that `ipv6_ipam_pool_id` provides.",
			attrs.IPv6(44, 64), attrs.Conflicts("ipv6_netmask_length")),
		"ipv6_cidr_block_association_id": attrs.ComputedString("ID of the association of the IPv6 block with the subnet."),
		"ipv6_ipam_pool_id":              attrs.OptionalString("ID of the IPAM pool that the IPv6 block comes from."),
		"ipv6_native": attrs.DefaultBool(false,
			"Whether the subnet has IPv6 addresses alone. Default `false`."),
		"ipv6_netmask_length": attrs.OptionalInt64(
			"Size of the IPv6 block to take from the IPAM pool, 44 to 64 in steps of 4. The pool's own default when unset.",
			attrs.OneOfInt64(44, 48, 52, 56, 60, 64), attrs.Requires("ipv6_ipam_pool_id"), attrs.Conflicts("ipv6_cidr_block")),
		"map_customer_owned_ip_on_launch": attrs.DefaultBool(false,
			"Whether new network interfaces get a customer-owned address, on an Outpost. Default `false`.",
			attrs.Requires("customer_owned_ipv4_pool", "outpost_arn")),
		"map_public_ip_on_launch": attrs.DefaultBool(false,
			"Whether new instances get a public IPv4 address, which AWS charges for. Default `false`."),
		"outpost_arn": attrs.OptionalARN("ARN of the Outpost that the subnet is on. Default none."),
		"owner_id":    attrs.ComputedString("Account that owns the subnet."),
		"private_dns_hostname_type_on_launch": attrs.OptionalComputedString(
			"What the names of new instances are made of: `ip-name` or `resource-name`. AWS says `ip-name`, and "+
				"`resource-name` for subnets with `ipv6_native`, when unset.",
			attrs.OneOf(ec2types.HostnameTypeIpName, ec2types.HostnameTypeResourceName)),
		"vpc_id": attrs.RequiredString("ID of the VPC.", attrs.NotEmpty()),
	},
	Settings: []string{"ipv4_ipam_pool_id", "ipv4_netmask_length", "ipv6_ipam_pool_id", "ipv6_netmask_length"},
	Timeouts: engine.Timeouts{Create: 10 * time.Minute, Delete: 20 * time.Minute},
	Get:      getSubnet,
	List:     listSubnets,
	Search:   search(liveSubnets),
	Create:   createSubnet,
	Updates:  subnetUpdates,
	Replaces: replacesSubnet,
	Delete:   deleteSubnet,
	Natural:  holderOfRange,
	Exists:   rangeTaken,
	Busy:     busyDependency,
	TooFresh: subnetTooFresh,
})

// subnetUpdates keep EC2's order: what needs an IPv6 block is switched off before the block goes, and on after the new
// one came.
var subnetUpdates = []engine.Update[subnet]{
	{Attrs: []string{"assign_ipv6_address_on_creation"}, Apply: switchOff(assignIPv6)},
	{Attrs: []string{"enable_dns64"}, Apply: switchOff(dns64)},
	{Attrs: []string{"enable_resource_name_dns_aaaa_record_on_launch"}, Apply: switchOff(nameAAAA)},
	{Attrs: []string{"ipv6_cidr_block"}, Recomputes: blockRecomputes, Settle: true, Apply: dropSubnetBlock},
	{Attrs: []string{"ipv6_cidr_block"}, Recomputes: blockRecomputes, Settle: true, Apply: addSubnetBlock},
	{Attrs: []string{"assign_ipv6_address_on_creation"}, Apply: switchOn(assignIPv6)},
	{Attrs: []string{"enable_dns64"}, Apply: switchOn(dns64)},
	{Attrs: []string{"enable_resource_name_dns_aaaa_record_on_launch"}, Apply: switchOn(nameAAAA)},
	{Attrs: []string{"enable_resource_name_dns_a_record_on_launch"}, Apply: setSubnetNameA},
	{Attrs: []string{"private_dns_hostname_type_on_launch"}, Apply: setSubnetHostnames},
	{Attrs: []string{"map_public_ip_on_launch"}, Apply: setSubnetPublicIP},
	{
		Attrs:      []string{"customer_owned_ipv4_pool", "map_customer_owned_ip_on_launch"},
		Recomputes: []string{"customer_owned_ipv4_pool"}, Apply: setSubnetCustomerIP,
	},
	{Attrs: []string{"enable_lni_at_device_index"}, Apply: setSubnetLocalInterface},
}

// blockRecomputes is what a change of the IPv6 block alters.
var blockRecomputes = []string{"ipv6_cidr_block_association_id"}
