package acceptance

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
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
