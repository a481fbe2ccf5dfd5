package ec2

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// createVPC takes no token: CreateVpc has none, a retry finds the VPC by its marker.
func createVPC(ctx context.Context, s *cloud.Session, plan *vpc, tags markers.Tags, _ engine.Token) (engine.Key, error) {
	out, err := api(s).CreateVpc(ctx, &ec2.CreateVpcInput{
		AmazonProvidedIpv6CidrBlock:     attrs.BoolPtr(plan.AssignIPv6),
		CidrBlock:                       attrs.Ptr(plan.CIDR),
		InstanceTenancy:                 ec2types.Tenancy(plan.Tenancy.ValueString()),
		Ipv4IpamPoolId:                  attrs.Ptr(plan.IPv4Pool),
		Ipv4NetmaskLength:               attrs.Int32Ptr(plan.IPv4Netmask),
		Ipv6CidrBlock:                   attrs.Ptr(plan.IPv6CIDR),
		Ipv6CidrBlockNetworkBorderGroup: attrs.Ptr(plan.NetworkBorderGroup),
		Ipv6IpamPoolId:                  attrs.Ptr(plan.IPv6Pool),
		Ipv6NetmaskLength:               attrs.Int32Ptr(plan.IPv6Netmask),
		TagSpecifications:               specification(ec2types.ResourceTypeVpc, tags),
	})
	if err != nil {
		return nil, err
	}
	return engine.Key{aws.ToString(out.Vpc.VpcId)}, nil
}

// setVPCNames keeps EC2's order: host names need DNS support, so they come after it and go before it.
func setVPCNames(ctx context.Context, s *cloud.Session, k engine.Key, prior, plan *vpc) error {
	support := func() error {
		if plan.DNSSupport.IsNull() || plan.DNSSupport.Equal(prior.DNSSupport) {
			return nil
		}
		return modifyVPC(ctx, s, k, &ec2.ModifyVpcAttributeInput{EnableDnsSupport: boolValue(plan.DNSSupport)})
	}
	hostnames := func() error {
		if plan.DNSHostnames.IsNull() || plan.DNSHostnames.Equal(prior.DNSHostnames) {
			return nil
		}
		return modifyVPC(ctx, s, k, &ec2.ModifyVpcAttributeInput{EnableDnsHostnames: boolValue(plan.DNSHostnames)})
	}
	first, second := support, hostnames
	if !plan.DNSSupport.ValueBool() {
		first, second = hostnames, support
	}
	if err := first(); err != nil {
		return err
	}
	return second()
}

func setVPCMetrics(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *vpc) error {
	return modifyVPC(ctx, s, k, &ec2.ModifyVpcAttributeInput{EnableNetworkAddressUsageMetrics: boolValue(plan.UsageMetrics)})
}

// modifyVPC changes one setting: EC2 takes one a call.
func modifyVPC(ctx context.Context, s *cloud.Session, k engine.Key, in *ec2.ModifyVpcAttributeInput) error {
	in.VpcId = aws.String(k.String())
	_, err := api(s).ModifyVpcAttribute(ctx, in)
	return absent(err)
}

func boolValue(v types.Bool) *ec2types.AttributeBooleanValue {
	return &ec2types.AttributeBooleanValue{Value: attrs.BoolPtr(v)}
}

// setVPCTenancy is only asked for the change that EC2 makes in place; see replacesVPC.
func setVPCTenancy(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *vpc) error {
	_, err := api(s).ModifyVpcTenancy(ctx, &ec2.ModifyVpcTenancyInput{
		VpcId: aws.String(k.String()), InstanceTenancy: ec2types.VpcTenancy(plan.Tenancy.ValueString()),
	})
	return absent(err)
}

// dropVPCBlock starts to take the present IPv6 block away, unless it is what the plan asks for.
func dropVPCBlock(ctx context.Context, s *cloud.Session, k engine.Key, prior, plan *vpc) error {
	if prior.IPv6Association.IsNull() {
		return nil
	}
	if keeps, err := keepsBlock(ctx, s, k, prior, plan); keeps || err != nil {
		return err
	}
	_, err := api(s).DisassociateVpcCidrBlock(ctx, &ec2.DisassociateVpcCidrBlockInput{AssociationId: attrs.Ptr(prior.IPv6Association)})
	if cloud.HasCode(err, "InvalidVpcCidrBlockAssociationID.NotFound") {
		return nil
	}
	return err
}

// addVPCBlock starts to give the VPC the IPv6 block that the plan asks for, if any.
func addVPCBlock(ctx context.Context, s *cloud.Session, k engine.Key, prior, plan *vpc) error {
	in := &ec2.AssociateVpcCidrBlockInput{VpcId: aws.String(k.String())}
	switch {
	case plan.AssignIPv6.ValueBool():
		in.AmazonProvidedIpv6CidrBlock = aws.Bool(true)
		in.Ipv6CidrBlockNetworkBorderGroup = asked(prior.NetworkBorderGroup, plan.NetworkBorderGroup)
	case plan.IPv6Pool.ValueString() != "":
		if keeps, err := keepsBlock(ctx, s, k, prior, plan); keeps || err != nil {
			return err
		}
		in.Ipv6IpamPoolId = attrs.Ptr(plan.IPv6Pool)
		in.Ipv6CidrBlock = askedBlock(ctx, prior.IPv6CIDR, plan.IPv6CIDR)
		in.Ipv6NetmaskLength = attrs.Int32Ptr(plan.IPv6Netmask)
	default:
		return nil
	}
	_, err := api(s).AssociateVpcCidrBlock(ctx, in)
	return absent(err)
}

// keepsBlock reports whether the VPC has a block of the planned pool and the plan names no other one. EC2 does not
// show the pool with the VPC, so that after an import the pool looks new; taking the block away for that would
// cut off everything that uses it.
func keepsBlock(ctx context.Context, s *cloud.Session, k engine.Key, prior, plan *vpc) (bool, error) {
	if prior.IPv6Association.IsNull() || prior.AssignIPv6.ValueBool() || attrs.Ptr(plan.IPv6Pool) == nil ||
		askedBlock(ctx, prior.IPv6CIDR, plan.IPv6CIDR) != nil {
		return false, nil
	}
	p := ec2.NewGetIpamPoolAllocationsPaginator(api(s), &ec2.GetIpamPoolAllocationsInput{
		IpamPoolId: attrs.Ptr(plan.IPv6Pool), MaxResults: aws.Int32(pageSize),
	})
	for a, err := range pages(ctx, p, func(o *ec2.GetIpamPoolAllocationsOutput) []ec2types.IpamPoolAllocation { return o.IpamPoolAllocations }) {
		if err != nil {
			return false, err
		}
		if aws.ToString(a.ResourceId) == k.String() && aws.ToString(a.Cidr) == prior.IPv6CIDR.ValueString() {
			return true, nil
		}
	}
	return false, nil
}

// replacesVPC lets only the change from dedicated to default tenancy happen in place, as EC2 does.
func replacesVPC(prior, plan *vpc) []string {
	from, to := prior.Tenancy.ValueString(), plan.Tenancy.ValueString()
	if from == to || from == string(ec2types.TenancyDedicated) && to == string(ec2types.TenancyDefault) {
		return nil
	}
	return []string{"instance_tenancy"}
}

func deleteVPC(ctx context.Context, s *cloud.Session, k engine.Key, _ *vpc) error {
	_, err := api(s).DeleteVpc(ctx, &ec2.DeleteVpcInput{VpcId: aws.String(k.String())})
	return absent(err)
}

// busyVPC waits for what still lives in the VPC, and for IPAM, which hears of an account a little late.
func busyVPC(err error) bool {
	return cloud.HasCode(err, "DependencyViolation") || says(err, "UnsupportedOperation", "is not monitored by IPAM")
}
