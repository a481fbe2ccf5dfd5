package ec2

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// amazonPool is the name under which EC2 shows Amazon's own pool of IPv6 addresses.
const amazonPool = "Amazon"

func getVPC(ctx context.Context, s *cloud.Session, k engine.Key) (engine.Live[vpc], error) {
	out, err := api(s).DescribeVpcs(ctx, &ec2.DescribeVpcsInput{VpcIds: k})
	if err != nil {
		return engine.Live[vpc]{}, absent(err)
	}
	return only(out.Vpcs, k, func(v ec2types.Vpc) engine.Live[vpc] { return liveVPC(s, v) })
}

func listVPCs(ctx context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[engine.Live[vpc], error] {
	return vpcs(ctx, s, marked(f)...)
}

func vpcs(ctx context.Context, s *cloud.Session, by ...ec2types.Filter) iter.Seq2[engine.Live[vpc], error] {
	p := ec2.NewDescribeVpcsPaginator(api(s), &ec2.DescribeVpcsInput{Filters: by, MaxResults: aws.Int32(pageSize)})
	found := pages(ctx, p, func(o *ec2.DescribeVpcsOutput) []ec2types.Vpc { return o.Vpcs })
	return lives(found, func(v ec2types.Vpc) engine.Live[vpc] { return liveVPC(s, v) })
}

// liveVPC maps what DescribeVpcs shows; fillVPCs and fillVPC add the rest.
func liveVPC(s *cloud.Session, v ec2types.Vpc) engine.Live[vpc] {
	l := engine.Live[vpc]{
		Key: engine.Key{aws.ToString(v.VpcId)}, Owner: aws.ToString(v.OwnerId), Tags: tagMap(v.Tags), Partial: true,
		MadeByAWS: aws.ToBool(v.IsDefault),
		Model: vpc{
			ARN: types.StringValue(fmt.Sprintf("arn:%s:ec2:%s:%s:vpc/%s",
				s.Partition, s.Region, aws.ToString(v.OwnerId), aws.ToString(v.VpcId))),
			AssignIPv6:  types.BoolValue(false),
			CIDR:        attrs.NewCIDR(v.CidrBlock),
			DHCPOptions: attrs.String(v.DhcpOptionsId),
			Tenancy:     attrs.String(&v.InstanceTenancy),
			Owner:       attrs.String(v.OwnerId),
		},
	}
	if v.State == ec2types.VpcStatePending {
		l.State, l.Reason = engine.Pending, "the VPC is pending"
	}
	for _, b := range v.Ipv6CidrBlockAssociationSet {
		state := ec2types.VpcCidrBlockStateCodeAssociated
		if b.Ipv6CidrBlockState != nil {
			state = b.Ipv6CidrBlockState.State
		}
		switch state {
		case ec2types.VpcCidrBlockStateCodeAssociating, ec2types.VpcCidrBlockStateCodeDisassociating:
			l.State = engine.Pending
			l.Reason = fmt.Sprintf("the IPv6 block %s is %s", aws.ToString(b.Ipv6CidrBlock), state)
		}
		serves := state == ec2types.VpcCidrBlockStateCodeAssociated || state == ec2types.VpcCidrBlockStateCodeAssociating
		if serves && l.Model.IPv6Association.IsNull() {
			l.Model.AssignIPv6 = types.BoolValue(aws.ToString(b.Ipv6Pool) == amazonPool)
			l.Model.IPv6Association = attrs.String(b.AssociationId)
			l.Model.IPv6CIDR = attrs.NewCIDR(b.Ipv6CidrBlock)
			l.Model.NetworkBorderGroup = attrs.String(b.NetworkBorderGroup)
		}
	}
	return l
}

// fillVPCs adds the main route table and the default security group and network ACL.
func fillVPCs(ctx context.Context, s *cloud.Session, live []*engine.Live[vpc]) error {
	byID := make(map[string]*vpc, len(live))
	for _, l := range live {
		byID[l.Key.String()] = &l.Model
	}
	for some := range slices.Chunk(live, filterValues) {
		ids := filter("vpc-id")
		for _, l := range some {
			ids.Values = append(ids.Values, l.Key.String())
		}
		if err := fillRouteTables(ctx, s, ids, byID); err != nil {
			return err
		}
		if err := fillSecurityGroups(ctx, s, ids, byID); err != nil {
			return err
		}
		if err := fillACLs(ctx, s, ids, byID); err != nil {
			return err
		}
	}
	return nil
}

func fillRouteTables(ctx context.Context, s *cloud.Session, ids ec2types.Filter, byID map[string]*vpc) error {
	p := ec2.NewDescribeRouteTablesPaginator(api(s), &ec2.DescribeRouteTablesInput{
		Filters:    []ec2types.Filter{ids, filter("association.main", "true")},
		MaxResults: aws.Int32(100), // AWS's limit for this call
	})
	for t, err := range pages(ctx, p, func(o *ec2.DescribeRouteTablesOutput) []ec2types.RouteTable { return o.RouteTables }) {
		if err != nil {
			return err
		}
		isMain := slices.ContainsFunc(t.Associations, func(a ec2types.RouteTableAssociation) bool { return aws.ToBool(a.Main) })
		if m := byID[aws.ToString(t.VpcId)]; m != nil && isMain {
			m.MainRoutes, m.DefaultRoutes = attrs.String(t.RouteTableId), attrs.String(t.RouteTableId)
		}
	}
	return nil
}

func fillSecurityGroups(ctx context.Context, s *cloud.Session, ids ec2types.Filter, byID map[string]*vpc) error {
	p := ec2.NewDescribeSecurityGroupsPaginator(api(s), &ec2.DescribeSecurityGroupsInput{
		Filters: []ec2types.Filter{ids, filter("group-name", "default")}, MaxResults: aws.Int32(pageSize),
	})
	for g, err := range pages(ctx, p, func(o *ec2.DescribeSecurityGroupsOutput) []ec2types.SecurityGroup { return o.SecurityGroups }) {
		if err != nil {
			return err
		}
		if m := byID[aws.ToString(g.VpcId)]; m != nil && aws.ToString(g.GroupName) == "default" {
			m.DefaultGroup = attrs.String(g.GroupId)
		}
	}
	return nil
}

func fillACLs(ctx context.Context, s *cloud.Session, ids ec2types.Filter, byID map[string]*vpc) error {
	p := ec2.NewDescribeNetworkAclsPaginator(api(s), &ec2.DescribeNetworkAclsInput{
		Filters: []ec2types.Filter{ids, filter("default", "true")}, MaxResults: aws.Int32(pageSize),
	})
	for a, err := range pages(ctx, p, func(o *ec2.DescribeNetworkAclsOutput) []ec2types.NetworkAcl { return o.NetworkAcls }) {
		if err != nil {
			return err
		}
		if m := byID[aws.ToString(a.VpcId)]; m != nil && aws.ToBool(a.IsDefault) {
			m.DefaultACL = attrs.String(a.NetworkAclId)
		}
	}
	return nil
}

// fillVPC reads the settings that EC2 answers one by one.
func fillVPC(ctx context.Context, s *cloud.Session, l *engine.Live[vpc]) error {
	read := func(name ec2types.VpcAttributeName) (*ec2.DescribeVpcAttributeOutput, error) {
		out, err := api(s).DescribeVpcAttribute(ctx, &ec2.DescribeVpcAttributeInput{VpcId: aws.String(l.Key.String()), Attribute: name})
		return out, absent(err)
	}
	hostnames, err := read(ec2types.VpcAttributeNameEnableDnsHostnames)
	if err != nil {
		return err
	}
	support, err := read(ec2types.VpcAttributeNameEnableDnsSupport)
	if err != nil {
		return err
	}
	metrics, err := read(ec2types.VpcAttributeNameEnableNetworkAddressUsageMetrics)
	if err != nil {
		return err
	}
	l.Model.DNSHostnames = boolOf(hostnames.EnableDnsHostnames)
	l.Model.DNSSupport = boolOf(support.EnableDnsSupport)
	l.Model.UsageMetrics = boolOf(metrics.EnableNetworkAddressUsageMetrics)
	return nil
}

func boolOf(v *ec2types.AttributeBooleanValue) types.Bool {
	return types.BoolValue(v != nil && aws.ToBool(v.Value))
}
