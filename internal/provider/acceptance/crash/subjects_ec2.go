package main

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

var firstVPC = conf{"cidr_block": "10.1.0.0/16", "enable_dns_hostnames": true, "tags": conf{"Name": "a"}}

var ec2Subjects = []*subject{
	{
		typ:   "estate_vpc",
		tier:  marked,
		first: fixed(firstVPC),
		changed: fixed(with(firstVPC, conf{
			"enable_dns_hostnames": false, "enable_network_address_usage_metrics": true, "tags": conf{"Name": "b"},
		})),
		replaced: fixed(with(firstVPC, conf{"cidr_block": "10.2.0.0/16"})),
		beside:   fixed(with(firstVPC, conf{"cidr_block": "10.2.0.0/16"})),
	},
	{
		typ:      "estate_security_group",
		tier:     marked,
		setup:    makeVPCs,
		first:    group(nil),
		changed:  group(conf{"tags": conf{"Name": "b"}, "revoke_rules_on_delete": true}),
		replaced: group(conf{"description": "other servers"}),
		beside:   group(conf{"name": "crash-other"}),
	},
	{
		typ:      "estate_subnet",
		tier:     marked,
		setup:    makeVPCs,
		first:    subnet(nil),
		changed:  subnet(conf{"tags": conf{"Name": "b"}, "map_public_ip_on_launch": true}),
		replaced: subnet(conf{"cidr_block": "10.200.2.0/24"}),
		beside:   subnet(conf{"cidr_block": "10.200.2.0/24"}),
	},
	{
		typ:      "estate_eip",
		tier:     marked,
		setup:    makeInterface,
		first:    fixed(conf{"domain": "vpc", "tags": conf{"Name": "a"}}),
		changed:  associated,
		replaced: fixed(conf{"address": "192.0.2.44", "tags": conf{"Name": "a"}}),
		beside:   fixed(conf{"address": "192.0.2.44", "tags": conf{"Name": "a"}}),
	},
	{
		typ:     "estate_internet_gateway",
		tier:    marked,
		setup:   makeVPCs,
		first:   gateway("vpc"),
		changed: gateway("other_vpc"),
		absent:  map[operation]string{replace: noImmutable, replaceBeside: noImmutable},
	},
}

// noImmutable is why a gateway is not replaced.
const noImmutable = "an internet gateway has no attribute but its region that forces a new one"

func group(changes conf) func(map[string]string) conf {
	return func(vars map[string]string) conf {
		return with(conf{
			"name": "crash", "description": "servers", "vpc_id": vars["vpc"], "tags": conf{"Name": "a"},
		}, changes)
	}
}

func subnet(changes conf) func(map[string]string) conf {
	return func(vars map[string]string) conf {
		return with(conf{"cidr_block": "10.200.1.0/24", "vpc_id": vars["vpc"], "tags": conf{"Name": "a"}}, changes)
	}
}

func gateway(vpc string) func(map[string]string) conf {
	return func(vars map[string]string) conf { return conf{"vpc_id": vars[vpc], "tags": conf{"Name": vpc}} }
}

func associated(vars map[string]string) conf {
	return conf{"domain": "vpc", "network_interface": vars["interface"], "tags": conf{"Name": "b"}}
}

func makeVPCs(ctx context.Context, a *acceptance.AWS, vars map[string]string) error {
	for _, name := range []string{"vpc", "other_vpc"} {
		out, err := a.EC2.CreateVpc(ctx, &ec2.CreateVpcInput{CidrBlock: aws.String("10.200.0.0/16")})
		if err != nil {
			return err
		}
		vars[name] = aws.ToString(out.Vpc.VpcId)
	}
	return nil
}

func makeInterface(ctx context.Context, a *acceptance.AWS, vars map[string]string) error {
	if err := makeVPCs(ctx, a, vars); err != nil {
		return err
	}
	subnet, err := a.EC2.CreateSubnet(ctx, &ec2.CreateSubnetInput{VpcId: aws.String(vars["vpc"]), CidrBlock: aws.String("10.200.9.0/24")})
	if err != nil {
		return err
	}
	gateway, err := a.EC2.CreateInternetGateway(ctx, &ec2.CreateInternetGatewayInput{})
	if err != nil {
		return err
	}
	_, err = a.EC2.AttachInternetGateway(ctx, &ec2.AttachInternetGatewayInput{
		VpcId: aws.String(vars["vpc"]), InternetGatewayId: gateway.InternetGateway.InternetGatewayId,
	})
	if err != nil {
		return err
	}
	out, err := a.EC2.CreateNetworkInterface(ctx, &ec2.CreateNetworkInterfaceInput{SubnetId: subnet.Subnet.SubnetId})
	if err != nil {
		return err
	}
	vars["interface"] = aws.ToString(out.NetworkInterface.NetworkInterfaceId)
	return nil
}
