package acceptance

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
)

// What the emulator answers where it cannot follow AWS.
const (
	noIPAM   = "moto has no IPAM: CreateVpc reads no pool and fails without CidrBlock"
	noBorder = "moto's DescribeVpcs answers without NetworkBorderGroup"
	noPools  = "moto's AllocateAddress reads Domain, Address and TagSpecification alone, and shows no pool"
	noRanges = "moto's CreateSubnet reads no pool, and fails without a range"
	noNative = "moto counts more free addresses in an IPv6 subnet than the number of the answer can be"
	noRacks  = "moto's CreateSubnet reads no Outpost, and DescribeSubnets shows none"
	noNames  = "moto's ModifySubnetAttribute reads public and IPv6 addresses and A records alone, and says that all went well"
)

var ec2Lifecycles = []lifecycle{
	{
		Type: "estate_vpc",
		Edits: []edit{
			{Attr: "tags", Value: `{ Name = "changed", Stage = "test" }`},
			{Attr: "enable_dns_hostnames", Value: "true"},
			{Attr: "enable_dns_support", Value: "false"},
			{Attr: "enable_network_address_usage_metrics", Value: "true"},
			{Attr: "assign_generated_ipv6_cidr_block", Value: "true"},
			{Attr: "instance_tenancy", Value: `"dedicated"`, Replaces: true, Keeps: true},
			{Attr: "cidr_block", Value: `"10.99.0.0/16"`, Replaces: true},
			{In: "full.tf", Attr: "region", Value: `"eu-central-1"`, Replaces: true},
		},
		Unchanged: map[string]string{
			"ipv4_ipam_pool_id":                    noIPAM,
			"ipv4_netmask_length":                  noIPAM,
			"ipv6_ipam_pool_id":                    noIPAM,
			"ipv6_netmask_length":                  noIPAM,
			"ipv6_cidr_block":                      noIPAM,
			"ipv6_cidr_block_network_border_group": noBorder,
		},
		Unapplied: map[string]string{"full3.tf": noBorder, "full4.tf": noIPAM, "full5.tf": noIPAM},
	},
	{
		Type:  "estate_subnet",
		Setup: makeOtherVpc,
		Edits: []edit{
			{Attr: "tags", Value: `{ Name = "changed", Stage = "test" }`},
			{Attr: "map_public_ip_on_launch", Value: "true"},
			{Attr: "enable_resource_name_dns_a_record_on_launch", Value: "true"},
			{Attr: "cidr_block", Value: `"10.0.2.0/24"`, Replaces: true},
			{Attr: "vpc_id", Value: "setup:other_vpc_id", Replaces: true},
			{In: "full.tf", Attr: "availability_zone", Value: `"eu-west-1b"`, Replaces: true},
			{In: "full.tf", Attr: "assign_ipv6_address_on_creation", Value: "false"},
			{In: "full.tf", Attr: "ipv6_cidr_block", Value: "cidrsubnet(estate_vpc.example.ipv6_cidr_block, 8, 2)", Replaces: true},
			{In: "full.tf", Attr: "timeouts.create", Value: `"6m"`},
			{In: "full.tf", Attr: "timeouts.delete", Value: `"46m"`},
			{In: "full2.tf", Attr: "availability_zone_id", Value: `"euw1-az3"`, Replaces: true},
			{In: "full2.tf", Attr: "ipv6_cidr_block", Value: "cidrsubnet(estate_vpc.example.ipv6_cidr_block, 8, each.value + 10)"},
		},
		Unchanged: map[string]string{
			"region":                     "a subnet is in the region of its VPC, and an edit changes one argument of one resource",
			"customer_owned_ipv4_pool":   noRacks,
			"enable_dns64":               noNames,
			"enable_lni_at_device_index": noRacks,
			"enable_resource_name_dns_aaaa_record_on_launch": noNames,
			"ipv4_ipam_pool_id":                   noRanges,
			"ipv4_netmask_length":                 noRanges,
			"ipv6_ipam_pool_id":                   noRanges,
			"ipv6_native":                         noNative,
			"ipv6_netmask_length":                 noRanges,
			"map_customer_owned_ip_on_launch":     noRacks,
			"outpost_arn":                         noRacks,
			"private_dns_hostname_type_on_launch": noNames,
		},
		Unapplied: map[string]string{
			"full3.tf": noNative, "full4.tf": noNames, "full5.tf": noRanges, "full6.tf": noRacks, "full7.tf": noRacks,
		},
	},
	{
		Type:  "estate_security_group",
		Setup: makeOtherVpc,
		Edits: []edit{
			{Attr: "tags", Value: `{ Name = "changed", Stage = "test" }`},
			{Attr: "name", Value: `"other"`, Replaces: true},
			{Attr: "description", Value: `"Other servers"`, Replaces: true},
			{Attr: "vpc_id", Value: "setup:other_vpc_id", Replaces: true},
			{In: "full.tf", Attr: "name_prefix", Value: `"api-"`, Replaces: true},
			{In: "full.tf", Attr: "revoke_rules_on_delete", Value: "false"},
			{In: "full.tf", Attr: "region", Value: `"eu-central-1"`, Replaces: true},
			{In: "full.tf", Attr: "timeouts.create", Value: `"6m"`},
			{In: "full.tf", Attr: "timeouts.delete", Value: `"46m"`},
		},
	},
	{
		Type:  "estate_internet_gateway",
		Setup: makeOtherVpc,
		Edits: []edit{
			{Attr: "tags", Value: `{ Name = "changed", Stage = "test" }`},
			{Attr: "vpc_id", Value: "setup:other_vpc_id"},
			{In: "full.tf", Attr: "region", Value: `"eu-central-1"`, Replaces: true},
			{In: "full.tf", Attr: "timeouts.create", Value: `"6m"`},
			{In: "full.tf", Attr: "timeouts.update", Value: `"6m"`},
			{In: "full.tf", Attr: "timeouts.delete", Value: `"31m"`},
		},
	},
	{
		Type:  "estate_eip",
		Setup: makeAttachable,
		Edits: []edit{
			{Attr: "tags", Value: `{ Name = "changed", Stage = "test" }`},
			{In: "full.tf", Attr: "region", Value: `"eu-central-1"`, Replaces: true},
			{In: "full.tf", Attr: "timeouts.read", Value: `"11m"`},
			{In: "full.tf", Attr: "timeouts.update", Value: `"6m"`},
			{In: "full.tf", Attr: "timeouts.delete", Value: `"4m"`},
			{In: "full2.tf", Attr: "associate_with_private_ip", Value: "setup:other_private_ip"},
			{In: "full2.tf", Attr: "network_interface", Value: "setup:other_interface_id", Without: []string{"associate_with_private_ip"}},
			{In: "full3.tf", Attr: "instance", Value: "setup:other_instance_id"},
			{In: "full4.tf", Attr: "address", Value: `"192.0.2.45"`, Replaces: true},
		},
		Unchanged: map[string]string{
			"domain":                   "AWS takes one value alone",
			"customer_owned_ipv4_pool": noPools,
			"ipam_pool_id":             noPools,
			"network_border_group":     noPools,
			"public_ipv4_pool":         noPools,
		},
		Unapplied: map[string]string{"full5.tf": noPools, "full6.tf": noPools, "full7.tf": noPools},
	},
}

// makeOtherVpc makes a VPC with the range of the examples' own.
func makeOtherVpc(ctx context.Context, t *testing.T, a *AWS) map[string]string {
	t.Helper()
	out, err := a.EC2.CreateVpc(ctx, &ec2.CreateVpcInput{CidrBlock: aws.String("10.0.0.0/16")})
	must(t, err)
	return map[string]string{"other_vpc_id": aws.ToString(out.Vpc.VpcId)}
}

// makeAttachable makes two instances and two network interfaces, the first with a second private address (which moto
// takes, and shows the first all the same), in a VPC
// with an internet gateway, and names an address that nobody holds.
func makeAttachable(ctx context.Context, t *testing.T, a *AWS) map[string]string {
	t.Helper()
	vpc, err := makeVpc(ctx, a, "", nil)
	must(t, err)
	subnet, err := a.EC2.CreateSubnet(ctx, &ec2.CreateSubnetInput{VpcId: aws.String(vpc), CidrBlock: aws.String("10.200.1.0/24")})
	must(t, err)
	gateway, err := a.EC2.CreateInternetGateway(ctx, &ec2.CreateInternetGatewayInput{})
	must(t, err)
	_, err = a.EC2.AttachInternetGateway(ctx, &ec2.AttachInternetGatewayInput{
		VpcId: aws.String(vpc), InternetGatewayId: gateway.InternetGateway.InternetGatewayId,
	})
	must(t, err)
	images, err := a.EC2.DescribeImages(ctx, &ec2.DescribeImagesInput{})
	must(t, err)
	instances, err := a.EC2.RunInstances(ctx, &ec2.RunInstancesInput{
		ImageId: images.Images[0].ImageId, InstanceType: ec2types.InstanceTypeT3Micro, SubnetId: subnet.Subnet.SubnetId,
		MinCount: aws.Int32(2), MaxCount: aws.Int32(2),
	})
	must(t, err)
	face := func(private ...string) string {
		in := &ec2.CreateNetworkInterfaceInput{SubnetId: subnet.Subnet.SubnetId}
		for i, address := range private {
			in.PrivateIpAddresses = append(in.PrivateIpAddresses, ec2types.PrivateIpAddressSpecification{
				PrivateIpAddress: aws.String(address), Primary: aws.Bool(i == 0),
			})
		}
		out, err := a.EC2.CreateNetworkInterface(ctx, in)
		must(t, err)
		return aws.ToString(out.NetworkInterface.NetworkInterfaceId)
	}
	return map[string]string{
		"network_interface_id": face("10.200.1.100", "10.200.1.101"),
		"private_ip":           "10.200.1.100",
		"other_private_ip":     "10.200.1.101",
		"other_interface_id":   face("10.200.1.110"),
		"instance_id":          aws.ToString(instances.Instances[0].InstanceId),
		"other_instance_id":    aws.ToString(instances.Instances[1].InstanceId),
		"address":              "192.0.2.44",
	}
}
