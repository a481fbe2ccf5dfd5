package acceptance

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
)

func subnetExists(ctx context.Context, a *AWS, id string) (bool, error) {
	return inSomeRegion(a, "InvalidSubnetID.NotFound", func(client *ec2.Client) error {
		_, err := client.DescribeSubnets(ctx, &ec2.DescribeSubnetsInput{SubnetIds: []string{id}})
		return err
	})
}

func listSubnets(ctx context.Context, a *AWS) ([]Object, error) {
	var out []Object
	err := a.eachRegion(func(client *ec2.Client) error {
		pages := ec2.NewDescribeSubnetsPaginator(client, &ec2.DescribeSubnetsInput{})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return err
			}
			for _, n := range page.Subnets {
				out = append(out, Object{"estate_subnet", aws.ToString(n.SubnetId), ec2Tags(n.Tags)})
			}
		}
		return nil
	})
	return out, err
}

func makeSubnet(ctx context.Context, a *AWS, _ string, tags map[string]string) (string, error) {
	vpc, err := makeVpc(ctx, a, "", nil)
	if err != nil {
		return "", err
	}
	in := &ec2.CreateSubnetInput{VpcId: &vpc, CidrBlock: aws.String("10.200.1.0/24")}
	if len(tags) > 0 {
		in.TagSpecifications = []ec2types.TagSpecification{{ResourceType: ec2types.ResourceTypeSubnet, Tags: toEC2Tags(tags)}}
	}
	out, err := a.EC2.CreateSubnet(ctx, in)
	if err != nil {
		return "", err
	}
	return aws.ToString(out.Subnet.SubnetId), nil
}

func groupExists(ctx context.Context, a *AWS, id string) (bool, error) {
	return inSomeRegion(a, "InvalidGroup.NotFound", func(client *ec2.Client) error {
		_, err := client.DescribeSecurityGroups(ctx, &ec2.DescribeSecurityGroupsInput{GroupIds: []string{id}})
		return err
	})
}

func listGroups(ctx context.Context, a *AWS) ([]Object, error) {
	var out []Object
	err := a.eachRegion(func(client *ec2.Client) error {
		pages := ec2.NewDescribeSecurityGroupsPaginator(client, &ec2.DescribeSecurityGroupsInput{})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return err
			}
			for _, g := range page.SecurityGroups {
				out = append(out, Object{"estate_security_group", aws.ToString(g.GroupId), ec2Tags(g.Tags)})
			}
		}
		return nil
	})
	return out, err
}

func makeGroup(ctx context.Context, a *AWS, name string, tags map[string]string) (string, error) {
	in := &ec2.CreateSecurityGroupInput{GroupName: &name, Description: aws.String("Managed by Terraform")}
	if len(tags) > 0 {
		in.TagSpecifications = []ec2types.TagSpecification{{ResourceType: ec2types.ResourceTypeSecurityGroup, Tags: toEC2Tags(tags)}}
	}
	out, err := a.EC2.CreateSecurityGroup(ctx, in)
	if err != nil {
		return "", err
	}
	return aws.ToString(out.GroupId), nil
}

func gatewayExists(ctx context.Context, a *AWS, id string) (bool, error) {
	return inSomeRegion(a, "InvalidInternetGatewayID.NotFound", func(client *ec2.Client) error {
		_, err := client.DescribeInternetGateways(ctx, &ec2.DescribeInternetGatewaysInput{InternetGatewayIds: []string{id}})
		return err
	})
}

func listGateways(ctx context.Context, a *AWS) ([]Object, error) {
	var out []Object
	err := a.eachRegion(func(client *ec2.Client) error {
		pages := ec2.NewDescribeInternetGatewaysPaginator(client, &ec2.DescribeInternetGatewaysInput{})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return err
			}
			for _, g := range page.InternetGateways {
				out = append(out, Object{"estate_internet_gateway", aws.ToString(g.InternetGatewayId), ec2Tags(g.Tags)})
			}
		}
		return nil
	})
	return out, err
}

func makeGateway(ctx context.Context, a *AWS, _ string, tags map[string]string) (string, error) {
	in := &ec2.CreateInternetGatewayInput{}
	if len(tags) > 0 {
		in.TagSpecifications = []ec2types.TagSpecification{{ResourceType: ec2types.ResourceTypeInternetGateway, Tags: toEC2Tags(tags)}}
	}
	out, err := a.EC2.CreateInternetGateway(ctx, in)
	if err != nil {
		return "", err
	}
	return aws.ToString(out.InternetGateway.InternetGatewayId), nil
}
