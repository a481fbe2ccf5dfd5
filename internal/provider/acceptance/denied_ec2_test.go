package acceptance

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

var ec2Adoptions = []adoption{
	{
		resourceType: "estate_vpc", creates: "ec2:CreateVpc",
		config: func(keys string) string {
			return `
resource "estate_vpc" "a" {
  for_each                             = toset(` + keys + `)
  tofu_address                         = "estate_vpc.a"
  tofu_key                             = each.key
  cidr_block                           = "10.0.0.0/16"
  enable_dns_hostnames                 = true
  enable_network_address_usage_metrics = true
}
`
		},
		differ: func(ctx context.Context, a *AWS, id string) ([]string, error) {
			no := &ec2types.AttributeBooleanValue{Value: aws.Bool(false)}
			for _, in := range []*ec2.ModifyVpcAttributeInput{
				{EnableDnsHostnames: no}, {EnableDnsSupport: no}, {EnableNetworkAddressUsageMetrics: no},
			} {
				in.VpcId = &id
				if _, err := a.EC2.ModifyVpcAttribute(ctx, in); err != nil {
					return nil, err
				}
			}
			return nil, nil
		},
	},
	{
		resourceType: "estate_subnet", creates: "ec2:CreateSubnet",
		config: func(keys string) string {
			return `
variable "vpc_id" {
  type = string
}

resource "estate_subnet" "a" {
  for_each                                    = toset(` + keys + `)
  tofu_address                                = "estate_subnet.a"
  tofu_key                                    = each.key
  vpc_id                                      = var.vpc_id
  cidr_block                                  = cidrsubnet("10.200.0.0/16", 8, tonumber(trimprefix(each.key, "k")))
  map_public_ip_on_launch                     = true
  enable_resource_name_dns_a_record_on_launch = true
}
`
		},
		prepare: makeNetwork,
		differ: func(ctx context.Context, a *AWS, id string) ([]string, error) {
			no := &ec2types.AttributeBooleanValue{Value: aws.Bool(false)}
			for _, in := range []*ec2.ModifySubnetAttributeInput{{MapPublicIpOnLaunch: no}, {EnableResourceNameDnsARecordOnLaunch: no}} {
				in.SubnetId = &id
				if _, err := a.EC2.ModifySubnetAttribute(ctx, in); err != nil {
					return nil, err
				}
			}
			return nil, nil
		},
	},
	{
		// Nothing of a group changes in place. What an adoption can have left to do is what a create was cut off from.
		resourceType: "estate_security_group", creates: "ec2:CreateSecurityGroup",
		config: func(keys string) string {
			return `
resource "estate_security_group" "a" {
  for_each     = toset(` + keys + `)
  tofu_address = "estate_security_group.a"
  tofu_key     = each.key
  name         = each.key
}
`
		},
		differ: func(ctx context.Context, a *AWS, id string) ([]string, error) {
			return nil, tagEC2(ctx, a, id, map[string]string{"tofu-pending": "create"})
		},
	},
	{
		resourceType: "estate_internet_gateway", creates: "ec2:CreateInternetGateway",
		config: func(keys string) string {
			return `
variable "vpcs" {
  type = map(string)
}

resource "estate_internet_gateway" "a" {
  for_each     = toset(` + keys + `)
  tofu_address = "estate_internet_gateway.a"
  tofu_key     = each.key
  vpc_id       = var.vpcs[each.key]
}
`
		},
		prepare: makeNetworks,
		differ:  moveGateway,
		moves:   faultproxy.Action("ec2:DetachInternetGateway"),
	},
	{
		// The one Update of an address is its association, which takes two calls to move; reading again takes two.
		resourceType: "estate_eip", creates: "ec2:AllocateAddress",
		config: func(keys string) string {
			return `
variable "interfaces" {
  type = map(string)
}

resource "estate_eip" "a" {
  for_each          = toset(` + keys + `)
  tofu_address      = "estate_eip.a"
  tofu_key          = each.key
  domain            = "vpc"
  network_interface = var.interfaces[each.key]
}
`
		},
		prepare: makeInterfaces,
		differ:  moveAddress,
	},
}

// makeNetwork makes a VPC.
func makeNetwork(ctx context.Context, a *AWS, _ int) ([]string, error) {
	vpc, err := makeVpc(ctx, a, "", nil)
	return []string{"TF_VAR_vpc_id=" + vpc}, err
}

// makeNetworks makes n VPCs.
func makeNetworks(ctx context.Context, a *AWS, n int) ([]string, error) {
	made := make([]string, 0, n)
	for i := range n {
		vpc, err := makeVpc(ctx, a, "", nil)
		if err != nil {
			return nil, err
		}
		made = append(made, fmt.Sprintf("%s=%q", key(i), vpc))
	}
	return []string{"TF_VAR_vpcs={" + strings.Join(made, ",") + "}"}, nil
}

// moveGateway attaches an internet gateway to a new VPC.
func moveGateway(ctx context.Context, a *AWS, id string) ([]string, error) {
	now, err := a.EC2.DescribeInternetGateways(ctx, &ec2.DescribeInternetGatewaysInput{InternetGatewayIds: []string{id}})
	if err != nil {
		return nil, err
	}
	for _, at := range now.InternetGateways[0].Attachments {
		if _, err := a.EC2.DetachInternetGateway(ctx, &ec2.DetachInternetGatewayInput{InternetGatewayId: &id, VpcId: at.VpcId}); err != nil {
			return nil, err
		}
	}
	elsewhere, err := makeVpc(ctx, a, "", nil)
	if err != nil {
		return nil, err
	}
	_, err = a.EC2.AttachInternetGateway(ctx, &ec2.AttachInternetGatewayInput{InternetGatewayId: &id, VpcId: &elsewhere})
	return nil, err
}

// makeInterfaces makes n network interfaces and one to which moveAddress can take an address.
func makeInterfaces(ctx context.Context, a *AWS, n int) ([]string, error) {
	vpc, err := makeVpc(ctx, a, "", nil)
	if err != nil {
		return nil, err
	}
	subnet, err := a.EC2.CreateSubnet(ctx, &ec2.CreateSubnetInput{VpcId: &vpc, CidrBlock: aws.String("10.200.0.0/24")})
	if err != nil {
		return nil, err
	}
	made := make([]string, 0, n)
	for i := range n {
		out, err := a.EC2.CreateNetworkInterface(ctx, &ec2.CreateNetworkInterfaceInput{SubnetId: subnet.Subnet.SubnetId})
		if err != nil {
			return nil, err
		}
		made = append(made, fmt.Sprintf("%s=%q", key(i), aws.ToString(out.NetworkInterface.NetworkInterfaceId)))
	}
	return []string{"TF_VAR_interfaces={" + strings.Join(made, ",") + "}"}, nil
}

// moveAddress associates an address with a new interface, and returns the association's id.
func moveAddress(ctx context.Context, a *AWS, id string) ([]string, error) {
	subnets, err := a.EC2.DescribeSubnets(ctx, &ec2.DescribeSubnetsInput{
		Filters: []ec2types.Filter{{Name: aws.String("cidr-block"), Values: []string{"10.200.0.0/24"}}},
	})
	if err != nil {
		return nil, err
	}
	elsewhere, err := a.EC2.CreateNetworkInterface(ctx, &ec2.CreateNetworkInterfaceInput{SubnetId: subnets.Subnets[0].SubnetId})
	if err != nil {
		return nil, err
	}
	out, err := a.EC2.AssociateAddress(ctx, &ec2.AssociateAddressInput{
		AllocationId: &id, NetworkInterfaceId: elsewhere.NetworkInterface.NetworkInterfaceId, AllowReassociation: aws.Bool(true),
	})
	if err != nil {
		return nil, err
	}
	return []string{aws.ToString(out.AssociationId)}, nil
}
