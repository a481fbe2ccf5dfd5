package ec2

import (
	"context"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

func getSubnet(ctx context.Context, s *cloud.Session, k engine.Key) (engine.Live[subnet], error) {
	out, err := api(s).DescribeSubnets(ctx, &ec2.DescribeSubnetsInput{SubnetIds: k})
	if err != nil {
		return engine.Live[subnet]{}, absent(err)
	}
	return only(out.Subnets, k, liveSubnet)
}

func listSubnets(ctx context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[engine.Live[subnet], error] {
	return liveSubnets(ctx, s, marked(f)...)
}

func liveSubnets(ctx context.Context, s *cloud.Session, by ...ec2types.Filter) iter.Seq2[engine.Live[subnet], error] {
	return lives(subnets(ctx, s, by...), liveSubnet)
}

func subnets(ctx context.Context, s *cloud.Session, by ...ec2types.Filter) iter.Seq2[ec2types.Subnet, error] {
	p := ec2.NewDescribeSubnetsPaginator(api(s), &ec2.DescribeSubnetsInput{Filters: by, MaxResults: aws.Int32(pageSize)})
	return pages(ctx, p, func(o *ec2.DescribeSubnetsOutput) []ec2types.Subnet { return o.Subnets })
}

// rangeTaken tells whether a create was refused since a subnet has the range, or a part of it. One that another run has made
// since the look-up shows by its range.
func rangeTaken(err error) bool { return cloud.HasCode(err, "InvalidSubnet.Conflict") }

// holderOfRange finds the subnet that has the IPv4 range in the VPC. IPv6 blocks are not looked for: they may change.
func holderOfRange(ctx context.Context, s *cloud.Session, plan *subnet) (engine.Key, error) {
	vpc, cidr := plan.VPC.ValueString(), plan.CIDR.ValueString()
	if vpc == "" || cidr == "" {
		return nil, nil
	}
	for n, err := range subnets(ctx, s, filter("vpc-id", vpc), filter("cidr-block", cidr)) {
		if err != nil {
			return nil, err
		}
		if aws.ToString(n.VpcId) == vpc && aws.ToString(n.CidrBlock) == cidr {
			return engine.Key{aws.ToString(n.SubnetId)}, nil
		}
	}
	return nil, nil
}

func liveSubnet(n ec2types.Subnet) engine.Live[subnet] {
	l := engine.Live[subnet]{
		Key: engine.Key{aws.ToString(n.SubnetId)}, Owner: aws.ToString(n.OwnerId), Tags: tagMap(n.Tags),
		MadeByAWS: aws.ToBool(n.DefaultForAz),
		Model: subnet{
			ARN:           attrs.String(n.SubnetArn),
			AssignIPv6:    types.BoolValue(aws.ToBool(n.AssignIpv6AddressOnCreation)),
			Zone:          attrs.String(n.AvailabilityZone),
			ZoneID:        attrs.String(n.AvailabilityZoneId),
			CIDR:          attrs.NewCIDR(n.CidrBlock),
			CustomerPool:  attrs.String(n.CustomerOwnedIpv4Pool),
			DNS64:         types.BoolValue(aws.ToBool(n.EnableDns64)),
			NameA:         types.BoolValue(false),
			NameAAAA:      types.BoolValue(false),
			IPv6Native:    types.BoolValue(aws.ToBool(n.Ipv6Native)),
			MapCustomerIP: types.BoolValue(aws.ToBool(n.MapCustomerOwnedIpOnLaunch)),
			MapPublicIP:   types.BoolValue(aws.ToBool(n.MapPublicIpOnLaunch)),
			Outpost:       attrs.NewARN(n.OutpostArn),
			Owner:         attrs.String(n.OwnerId),
			VPC:           attrs.String(n.VpcId),
		},
	}
	if aws.ToInt32(n.EnableLniAtDeviceIndex) != 0 {
		l.Model.LocalInterface = attrs.Int64(n.EnableLniAtDeviceIndex)
	}
	if o := n.PrivateDnsNameOptionsOnLaunch; o != nil {
		l.Model.NameA = types.BoolValue(aws.ToBool(o.EnableResourceNameDnsARecord))
		l.Model.NameAAAA = types.BoolValue(aws.ToBool(o.EnableResourceNameDnsAAAARecord))
		l.Model.HostnameType = attrs.String(&o.HostnameType)
	}
	switch n.State {
	case ec2types.SubnetStatePending:
		l.State, l.Reason = engine.Pending, "the subnet is pending"
	case ec2types.SubnetStateFailed, ec2types.SubnetStateFailedInsufficientCapacity:
		l.State, l.Reason = engine.Failed, fmt.Sprintf("the subnet is %s", n.State)
	}
	for _, b := range n.Ipv6CidrBlockAssociationSet {
		showSubnetBlock(&l, b)
	}
	return l
}

// showSubnetBlock adds an IPv6 block to what a subnet shows. A subnet has one at a time; old ones show for a while.
func showSubnetBlock(l *engine.Live[subnet], b ec2types.SubnetIpv6CidrBlockAssociation) {
	state := ec2types.SubnetCidrBlockStateCodeAssociated
	if b.Ipv6CidrBlockState != nil {
		state = b.Ipv6CidrBlockState.State
	}
	switch state {
	case ec2types.SubnetCidrBlockStateCodeDisassociated, ec2types.SubnetCidrBlockStateCodeFailing,
		ec2types.SubnetCidrBlockStateCodeFailed:
		return
	case ec2types.SubnetCidrBlockStateCodeAssociating, ec2types.SubnetCidrBlockStateCodeDisassociating:
		if l.State == engine.Ready {
			l.State, l.Reason = engine.Pending, fmt.Sprintf("the IPv6 block %s is %s", aws.ToString(b.Ipv6CidrBlock), state)
		}
	}
	if state != ec2types.SubnetCidrBlockStateCodeDisassociating && l.Model.IPv6Association.IsNull() {
		l.Model.IPv6Association = attrs.String(b.AssociationId)
		l.Model.IPv6CIDR = attrs.NewCIDR(b.Ipv6CidrBlock)
	}
}
