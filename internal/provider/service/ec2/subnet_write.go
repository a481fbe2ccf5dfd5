package ec2

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// createSubnet takes no token: CreateSubnet has none, a retry finds the subnet by its marker.
func createSubnet(ctx context.Context, s *cloud.Session, plan *subnet, tags markers.Tags, _ engine.Token) (engine.Key, error) {
	out, err := api(s).CreateSubnet(ctx, &ec2.CreateSubnetInput{
		AvailabilityZone:   attrs.Ptr(plan.Zone),
		AvailabilityZoneId: attrs.Ptr(plan.ZoneID),
		CidrBlock:          attrs.Ptr(plan.CIDR),
		Ipv4IpamPoolId:     attrs.Ptr(plan.IPv4Pool),
		Ipv4NetmaskLength:  attrs.Int32Ptr(plan.IPv4Netmask),
		Ipv6CidrBlock:      attrs.Ptr(plan.IPv6CIDR),
		Ipv6IpamPoolId:     attrs.Ptr(plan.IPv6Pool),
		Ipv6Native:         attrs.BoolPtr(plan.IPv6Native),
		Ipv6NetmaskLength:  attrs.Int32Ptr(plan.IPv6Netmask),
		OutpostArn:         attrs.Ptr(plan.Outpost),
		TagSpecifications:  specification(ec2types.ResourceTypeSubnet, tags),
		VpcId:              attrs.Ptr(plan.VPC),
	})
	if err != nil {
		return nil, err
	}
	return engine.Key{aws.ToString(out.Subnet.SubnetId)}, nil
}

// modifySubnet changes one setting: EC2 takes one a call, but for the customer-owned addresses and their pool.
func modifySubnet(ctx context.Context, s *cloud.Session, k engine.Key, in *ec2.ModifySubnetAttributeInput) error {
	in.SubnetId = aws.String(k.String())
	_, err := api(s).ModifySubnetAttribute(ctx, in)
	return absent(err)
}

// subnetSwitch is a setting that needs an IPv6 block: what the plan says of it, and the request that says so.
type subnetSwitch func(plan *subnet) (types.Bool, *ec2.ModifySubnetAttributeInput)

func assignIPv6(plan *subnet) (types.Bool, *ec2.ModifySubnetAttributeInput) {
	return plan.AssignIPv6, &ec2.ModifySubnetAttributeInput{AssignIpv6AddressOnCreation: boolValue(plan.AssignIPv6)}
}

func dns64(plan *subnet) (types.Bool, *ec2.ModifySubnetAttributeInput) {
	return plan.DNS64, &ec2.ModifySubnetAttributeInput{EnableDns64: boolValue(plan.DNS64)}
}

func nameAAAA(plan *subnet) (types.Bool, *ec2.ModifySubnetAttributeInput) {
	return plan.NameAAAA, &ec2.ModifySubnetAttributeInput{EnableResourceNameDnsAAAARecordOnLaunch: boolValue(plan.NameAAAA)}
}

func switchOff(of subnetSwitch) func(context.Context, *cloud.Session, engine.Key, *subnet, *subnet) error {
	return func(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *subnet) error {
		on, in := of(plan)
		if on.ValueBool() {
			return nil
		}
		return modifySubnet(ctx, s, k, in)
	}
}

func switchOn(of subnetSwitch) func(context.Context, *cloud.Session, engine.Key, *subnet, *subnet) error {
	return func(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *subnet) error {
		on, in := of(plan)
		if !on.ValueBool() {
			return nil
		}
		return modifySubnet(ctx, s, k, in)
	}
}

func setSubnetNameA(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *subnet) error {
	return modifySubnet(ctx, s, k, &ec2.ModifySubnetAttributeInput{EnableResourceNameDnsARecordOnLaunch: boolValue(plan.NameA)})
}

func setSubnetHostnames(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *subnet) error {
	return modifySubnet(ctx, s, k, &ec2.ModifySubnetAttributeInput{
		PrivateDnsHostnameTypeOnLaunch: ec2types.HostnameType(plan.HostnameType.ValueString()),
	})
}

func setSubnetPublicIP(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *subnet) error {
	return modifySubnet(ctx, s, k, &ec2.ModifySubnetAttributeInput{MapPublicIpOnLaunch: boolValue(plan.MapPublicIP)})
}

// setSubnetCustomerIP names the pool only where addresses come from it.
func setSubnetCustomerIP(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *subnet) error {
	in := &ec2.ModifySubnetAttributeInput{MapCustomerOwnedIpOnLaunch: boolValue(plan.MapCustomerIP)}
	if plan.MapCustomerIP.ValueBool() {
		in.CustomerOwnedIpv4Pool = attrs.Ptr(plan.CustomerPool)
	}
	return modifySubnet(ctx, s, k, in)
}

func setSubnetLocalInterface(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *subnet) error {
	in := &ec2.ModifySubnetAttributeInput{EnableLniAtDeviceIndex: attrs.Int32Ptr(plan.LocalInterface)}
	if in.EnableLniAtDeviceIndex == nil {
		in.DisableLniAtDeviceIndex = boolValue(types.BoolValue(true))
	}
	return modifySubnet(ctx, s, k, in)
}

// dropSubnetBlock starts to take the present IPv6 block away where the plan names another one.
func dropSubnetBlock(ctx context.Context, s *cloud.Session, _ engine.Key, prior, plan *subnet) error {
	if prior.IPv6Association.IsNull() || askedBlock(ctx, prior.IPv6CIDR, plan.IPv6CIDR) == nil {
		return nil
	}
	_, err := api(s).DisassociateSubnetCidrBlock(ctx, &ec2.DisassociateSubnetCidrBlockInput{
		AssociationId: attrs.Ptr(prior.IPv6Association),
	})
	if cloud.HasCode(err, "InvalidSubnetCidrBlockAssociationID.NotFound") {
		return nil
	}
	return err
}

// addSubnetBlock starts to give the subnet the IPv6 block that the plan names.
func addSubnetBlock(ctx context.Context, s *cloud.Session, k engine.Key, prior, plan *subnet) error {
	block := askedBlock(ctx, prior.IPv6CIDR, plan.IPv6CIDR)
	if block == nil {
		return nil
	}
	_, err := api(s).AssociateSubnetCidrBlock(ctx, &ec2.AssociateSubnetCidrBlockInput{
		Ipv6CidrBlock: block, Ipv6IpamPoolId: attrs.Ptr(plan.IPv6Pool), SubnetId: aws.String(k.String()),
	})
	if cloud.HasCode(err, "InvalidSubnet.Conflict", "CidrLimitExceeded") {
		return formerBlockError{err}
	}
	return absent(err)
}

// formerBlockError is the refusal of a block that another one may be the cause of: a subnet has one, and its former block may
// still count when it no longer shows. EC2's reference names neither code for this call; both are what it says elsewhere of a
// block that is in the way.
type formerBlockError struct{ error }

func (e formerBlockError) Unwrap() error { return e.error }

// subnetTooFresh tells whether a new VPC is not known everywhere, or a block that was taken away still is.
func subnetTooFresh(err error) bool {
	var former formerBlockError
	return vpcTooFresh(err) || errors.As(err, &former)
}

// replacesSubnet lets the IPv6 block change in place only while no interface got an address from it unasked, like
// hashicorp/aws: EC2 keeps a block that is in use.
func replacesSubnet(prior, plan *subnet) []string {
	if !prior.AssignIPv6.ValueBool() || askedBlock(context.Background(), prior.IPv6CIDR, plan.IPv6CIDR) == nil {
		return nil
	}
	return []string{"ipv6_cidr_block"}
}

func deleteSubnet(ctx context.Context, s *cloud.Session, k engine.Key, _ *subnet) error {
	_, err := api(s).DeleteSubnet(ctx, &ec2.DeleteSubnetInput{SubnetId: aws.String(k.String())})
	return held(s, filter("subnet-id", k.String()), absent(err))
}
