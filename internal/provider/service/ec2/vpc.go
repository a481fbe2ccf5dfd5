package ec2

import (
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

type vpc struct {
	ARN                types.String `tfsdk:"arn"`
	AssignIPv6         types.Bool   `tfsdk:"assign_generated_ipv6_cidr_block"`
	CIDR               attrs.CIDR   `tfsdk:"cidr_block"`
	DefaultACL         types.String `tfsdk:"default_network_acl_id"`
	DefaultRoutes      types.String `tfsdk:"default_route_table_id"`
	DefaultGroup       types.String `tfsdk:"default_security_group_id"`
	DHCPOptions        types.String `tfsdk:"dhcp_options_id"`
	DNSHostnames       types.Bool   `tfsdk:"enable_dns_hostnames"`
	DNSSupport         types.Bool   `tfsdk:"enable_dns_support"`
	UsageMetrics       types.Bool   `tfsdk:"enable_network_address_usage_metrics"`
	Tenancy            types.String `tfsdk:"instance_tenancy"`
	IPv4Pool           types.String `tfsdk:"ipv4_ipam_pool_id"`
	IPv4Netmask        types.Int64  `tfsdk:"ipv4_netmask_length"`
	IPv6Association    types.String `tfsdk:"ipv6_association_id"`
	IPv6CIDR           attrs.CIDR   `tfsdk:"ipv6_cidr_block"`
	NetworkBorderGroup types.String `tfsdk:"ipv6_cidr_block_network_border_group"`
	IPv6Pool           types.String `tfsdk:"ipv6_ipam_pool_id"`
	IPv6Netmask        types.Int64  `tfsdk:"ipv6_netmask_length"`
	MainRoutes         types.String `tfsdk:"main_route_table_id"`
	Owner              types.String `tfsdk:"owner_id"`
}

// ipv6Attrs decide together which IPv6 block a VPC has.
var ipv6Attrs = []string{
	"assign_generated_ipv6_cidr_block", "ipv6_cidr_block", "ipv6_cidr_block_network_border_group", "ipv6_ipam_pool_id",
	"ipv6_netmask_length",
}

// ipv6Recomputes are what a change of the block may alter.
var ipv6Recomputes = []string{"ipv6_association_id", "ipv6_cidr_block", "ipv6_cidr_block_network_border_group"}

// VPC is a virtual private cloud.
var VPC = engine.Of(engine.ResourceType[vpc]{
	Name:    "vpc",
	Service: "VPC",
	Doc: `A virtual private cloud: an isolated network with address ranges of its own.

A refresh lists all VPCs of the estate and reads their route tables, security groups and network ACLs in batches of
200 VPCs; the three ` + "`enable_`" + ` settings cost one ` + "`ec2:DescribeVpcAttribute`" + ` call each for every VPC, because EC2 has no batch
for them.

EC2 does not tell which IPAM pool a range came from, so ` + "`ipv4_ipam_pool_id`, `ipv4_netmask_length`, `ipv6_ipam_pool_id`" + `
and ` + "`ipv6_netmask_length`" + ` show what the configuration said. IPAM frees the range of a deleted VPC up to half an hour
later; the destroy does not wait for that. Where a VPC has several IPv6 blocks, the attributes show the first that
EC2 lists.`,
	Tier: engine.Marked,
	Tags: tagging.EC2,
	Attrs: map[string]schema.Attribute{
		"arn": attrs.ComputedString("ARN of the VPC."),
		"assign_generated_ipv6_cidr_block": attrs.DefaultBool(false,
			"Whether the VPC gets a /56 of Amazon's IPv6 addresses. Default `false`.", attrs.Conflicts("ipv6_ipam_pool_id")),
		"cidr_block": attrs.OptionalComputedCIDR(
			"IPv4 range of the VPC, from /16 to /28. It may be left out where `ipv4_ipam_pool_id` provides one.",
			attrs.IPv4(16, 28), attrs.Conflicts("ipv4_netmask_length"), attrs.AtLeastOneOf("ipv4_ipam_pool_id")),
		"default_network_acl_id":    attrs.ComputedString("ID of the network ACL that AWS made with the VPC."),
		"default_route_table_id":    attrs.ComputedString("ID of the VPC's main route table."),
		"default_security_group_id": attrs.ComputedString("ID of the security group that AWS made with the VPC."),
		"dhcp_options_id":           attrs.ComputedString("ID of the set of DHCP options, `default` for AWS's own."),
		"enable_dns_hostnames": attrs.OptionalComputedBool(
			"Whether instances get DNS names. AWS says `false` for a new VPC when unset."),
		"enable_dns_support": attrs.DefaultBool(true, "Whether Amazon's DNS server answers in the VPC. Default `true`."),
		"enable_network_address_usage_metrics": attrs.OptionalComputedBool(
			"Whether CloudWatch counts the addresses in use. AWS says `false` for a new VPC when unset."),
		"instance_tenancy": attrs.DefaultString("default",
			"Tenancy of instances: `default`, or `dedicated` for hardware of their own, which AWS charges for. "+
				"Default `default`. Only the change from `dedicated` to `default` keeps the VPC.",
			attrs.OneOf(ec2types.TenancyDefault, ec2types.TenancyDedicated)),
		"ipv4_ipam_pool_id": attrs.OptionalString("ID of the IPAM pool that the IPv4 range comes from."),
		"ipv4_netmask_length": attrs.OptionalInt64(
			"Size of the IPv4 range to take from the IPAM pool, 16 to 28. The pool's own default when unset.",
			attrs.Between(16, 28), attrs.Requires("ipv4_ipam_pool_id"), attrs.Conflicts("cidr_block")),
		"ipv6_association_id": attrs.ComputedString("ID of the association of the IPv6 block with the VPC."),
		"ipv6_cidr_block": attrs.OptionalComputedCIDR("IPv6 block of the VPC, from `ipv6_ipam_pool_id`. AWS picks one when unset.",
			attrs.IPv6(44, 60), attrs.Requires("ipv6_ipam_pool_id"),
			attrs.Conflicts("ipv6_netmask_length", "assign_generated_ipv6_cidr_block")),
		"ipv6_cidr_block_network_border_group": attrs.OptionalComputedString(
			"Network border group that Amazon's IPv6 block is advertised from. The region's own when unset.",
			attrs.NotEmpty(), attrs.Requires("assign_generated_ipv6_cidr_block")),
		"ipv6_ipam_pool_id": attrs.OptionalString("ID of the IPAM pool that the IPv6 block comes from.",
			attrs.Conflicts("assign_generated_ipv6_cidr_block")),
		"ipv6_netmask_length": attrs.OptionalInt64(
			"Size of the IPv6 block to take from the IPAM pool, 44 to 60 in steps of 4. The pool's own default when unset.",
			attrs.OneOfInt64(44, 48, 52, 56, 60), attrs.Requires("ipv6_ipam_pool_id"), attrs.Conflicts("ipv6_cidr_block")),
		"main_route_table_id": attrs.ComputedString("ID of the VPC's main route table."),
		"owner_id":            attrs.ComputedString("Account that owns the VPC."),
	},
	Settings: []string{"ipv4_ipam_pool_id", "ipv4_netmask_length", "ipv6_ipam_pool_id", "ipv6_netmask_length"},
	Get:      getVPC,
	List:     listVPCs,
	Alike:    []string{"cidr_block"},
	Search:   search(vpcs),
	Fill:     fillVPCs,
	FillOne:  fillVPC,
	Create:   createVPC,
	Updates: []engine.Update[vpc]{
		{Attrs: []string{"enable_dns_support", "enable_dns_hostnames"}, Apply: setVPCNames},
		{Attrs: []string{"enable_network_address_usage_metrics"}, Apply: setVPCMetrics},
		{Attrs: []string{"instance_tenancy"}, Apply: setVPCTenancy},
		// The new block must wait until the old one is gone.
		{Attrs: ipv6Attrs, Recomputes: ipv6Recomputes, Settle: true, Apply: dropVPCBlock},
		{Attrs: ipv6Attrs, Recomputes: ipv6Recomputes, Settle: true, Apply: addVPCBlock},
	},
	Replaces: replacesVPC,
	Delete:   deleteVPC,
	Busy:     busyVPC,
})
