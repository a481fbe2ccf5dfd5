package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/aws-sdk-go-v2/service/route53"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// lookEC2 adds what EC2's objects are like. The emulator answers in one page.
func lookEC2(ctx context.Context, a *acceptance.AWS, p picture) error {
	vpcs, err := a.EC2.DescribeVpcs(ctx, &ec2.DescribeVpcsInput{})
	if err != nil {
		return err
	}
	for _, v := range vpcs.Vpcs {
		names, err := a.EC2.DescribeVpcAttribute(ctx, &ec2.DescribeVpcAttributeInput{VpcId: v.VpcId, Attribute: ec2types.VpcAttributeNameEnableDnsHostnames})
		if err != nil {
			return err
		}
		facts := map[string]string{"cidr": *v.CidrBlock, "dns hostnames": strconv.FormatBool(aws.ToBool(names.EnableDnsHostnames.Value))}
		if err := p.set(vpcType.name, *v.VpcId, facts); err != nil {
			return err
		}
	}
	subnets, err := a.EC2.DescribeSubnets(ctx, &ec2.DescribeSubnetsInput{})
	if err != nil {
		return err
	}
	for _, n := range subnets.Subnets {
		facts := map[string]string{"cidr": *n.CidrBlock, "vpc": *n.VpcId, "public": strconv.FormatBool(aws.ToBool(n.MapPublicIpOnLaunch))}
		if err := p.set(subnetType.name, *n.SubnetId, facts); err != nil {
			return err
		}
	}
	groups, err := a.EC2.DescribeSecurityGroups(ctx, &ec2.DescribeSecurityGroupsInput{})
	if err != nil {
		return err
	}
	for _, g := range groups.SecurityGroups {
		facts := map[string]string{"name": *g.GroupName, "description": *g.Description, "vpc": aws.ToString(g.VpcId)}
		if err := p.set(securityGroupType.name, *g.GroupId, facts); err != nil {
			return err
		}
	}
	return lookEdges(ctx, a, p)
}

// lookEdges adds what gateways and addresses are like.
func lookEdges(ctx context.Context, a *acceptance.AWS, p picture) error {
	gateways, err := a.EC2.DescribeInternetGateways(ctx, &ec2.DescribeInternetGatewaysInput{})
	if err != nil {
		return err
	}
	for _, g := range gateways.InternetGateways {
		var vpcs []string
		for _, at := range g.Attachments {
			vpcs = append(vpcs, aws.ToString(at.VpcId))
		}
		if err := p.set(gatewayType.name, *g.InternetGatewayId, map[string]string{"vpc": strings.Join(vpcs, " ")}); err != nil {
			return err
		}
	}
	addresses, err := a.EC2.DescribeAddresses(ctx, &ec2.DescribeAddressesInput{})
	if err != nil {
		return err
	}
	for _, e := range addresses.Addresses {
		if err := p.set(eipType.name, *e.AllocationId, map[string]string{"domain": string(e.Domain)}); err != nil {
			return err
		}
	}
	return nil
}

// lookZones adds what zones are like, and their records.
func lookZones(ctx context.Context, a *acceptance.AWS, p picture) error {
	zones, err := a.Route53.ListHostedZones(ctx, &route53.ListHostedZonesInput{})
	if err != nil {
		return err
	}
	for _, z := range zones.HostedZones {
		id := strings.TrimPrefix(*z.Id, "/hostedzone/")
		facts := map[string]string{"name": strings.TrimSuffix(*z.Name, "."), "comment": aws.ToString(z.Config.Comment)}
		if err := p.set(zoneType.name, id, facts); err != nil {
			return err
		}
		records, err := a.Records(ctx, id)
		if err != nil {
			return err
		}
		for _, r := range records { // "name type set: ttl values"
			name, values, _ := strings.Cut(r, ": ")
			parts := strings.Fields(name)
			p.add(recordType.name, strings.Join(append([]string{id}, parts...), "_"), map[string]string{"values": values})
		}
	}
	return nil
}

// lookLogs adds what log groups are like.
func lookLogs(ctx context.Context, a *acceptance.AWS, p picture) error {
	pages := cloudwatchlogs.NewDescribeLogGroupsPaginator(a.Logs, &cloudwatchlogs.DescribeLogGroupsInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, g := range page.LogGroups {
			facts := map[string]string{"retention": strconv.Itoa(int(aws.ToInt32(g.RetentionInDays)))}
			if err := p.set(logGroupType.name, *g.LogGroupName, facts); err != nil {
				return err
			}
		}
	}
	return nil
}
