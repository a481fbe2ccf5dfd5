package acceptance

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
)

var ec2Kinds = []Kind{
	{Type: "estate_vpc", Exists: vpcExists, List: listVpcs, Make: makeVpc, Tag: tagEC2, Untag: untagEC2},
	{Type: "estate_subnet", Exists: subnetExists, List: listSubnets, Make: makeSubnet, Tag: tagEC2, Untag: untagEC2},
	{Type: "estate_security_group", Exists: groupExists, List: listGroups, Make: makeGroup, Tag: tagEC2, Untag: untagEC2},
	{Type: "estate_internet_gateway", Exists: gatewayExists, List: listGateways, Make: makeGateway, Tag: tagEC2, Untag: untagEC2},
	{Type: "estate_eip", Exists: eipExists, List: listEips, Make: makeEip, Tag: tagEC2, Untag: untagEC2},
}

func vpcExists(ctx context.Context, a *AWS, id string) (bool, error) {
	return inSomeRegion(a, "InvalidVpcID.NotFound", func(client *ec2.Client) error {
		_, err := client.DescribeVpcs(ctx, &ec2.DescribeVpcsInput{VpcIds: []string{id}})
		return err
	})
}

func listVpcs(ctx context.Context, a *AWS) ([]Object, error) {
	var out []Object
	err := a.eachRegion(func(client *ec2.Client) error {
		pages := ec2.NewDescribeVpcsPaginator(client, &ec2.DescribeVpcsInput{})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return err
			}
			for _, v := range page.Vpcs {
				out = append(out, Object{"estate_vpc", aws.ToString(v.VpcId), ec2Tags(v.Tags)})
			}
		}
		return nil
	})
	return out, err
}

func makeVpc(ctx context.Context, a *AWS, _ string, tags map[string]string) (string, error) {
	in := &ec2.CreateVpcInput{CidrBlock: aws.String("10.200.0.0/16")}
	if len(tags) > 0 {
		in.TagSpecifications = []ec2types.TagSpecification{{ResourceType: ec2types.ResourceTypeVpc, Tags: toEC2Tags(tags)}}
	}
	out, err := a.EC2.CreateVpc(ctx, in)
	if err != nil {
		return "", err
	}
	return aws.ToString(out.Vpc.VpcId), nil
}

func eipExists(ctx context.Context, a *AWS, id string) (bool, error) {
	return inSomeRegion(a, "InvalidAllocationID.NotFound", func(client *ec2.Client) error {
		_, err := client.DescribeAddresses(ctx, &ec2.DescribeAddressesInput{AllocationIds: []string{id}})
		return err
	})
}

func listEips(ctx context.Context, a *AWS) ([]Object, error) {
	var out []Object
	err := a.eachRegion(func(client *ec2.Client) error {
		answer, err := client.DescribeAddresses(ctx, &ec2.DescribeAddressesInput{})
		if err != nil {
			return err
		}
		for _, e := range answer.Addresses {
			out = append(out, Object{"estate_eip", aws.ToString(e.AllocationId), ec2Tags(e.Tags)})
		}
		return nil
	})
	return out, err
}

func makeEip(ctx context.Context, a *AWS, _ string, tags map[string]string) (string, error) {
	in := &ec2.AllocateAddressInput{Domain: ec2types.DomainTypeVpc}
	if len(tags) > 0 {
		in.TagSpecifications = []ec2types.TagSpecification{{ResourceType: ec2types.ResourceTypeElasticIp, Tags: toEC2Tags(tags)}}
	}
	out, err := a.EC2.AllocateAddress(ctx, in)
	if err != nil {
		return "", err
	}
	return aws.ToString(out.AllocationId), nil
}

func tagEC2(ctx context.Context, a *AWS, id string, tags map[string]string) error {
	_, err := a.EC2.CreateTags(ctx, &ec2.CreateTagsInput{Resources: []string{id}, Tags: toEC2Tags(tags)})
	return err
}

func untagEC2(ctx context.Context, a *AWS, id string, keys ...string) error {
	in := &ec2.DeleteTagsInput{Resources: []string{id}}
	for _, k := range keys {
		in.Tags = append(in.Tags, ec2types.Tag{Key: aws.String(k)})
	}
	_, err := a.EC2.DeleteTags(ctx, in)
	return err
}

func ec2Tags(tags []ec2types.Tag) map[string]string {
	out := map[string]string{}
	for _, t := range tags {
		out[aws.ToString(t.Key)] = aws.ToString(t.Value)
	}
	return out
}

func toEC2Tags(tags map[string]string) []ec2types.Tag {
	var out []ec2types.Tag
	for k, v := range tags {
		out = append(out, ec2types.Tag{Key: aws.String(k), Value: aws.String(v)})
	}
	return out
}

// inSomeRegion says whether the read finds the object in one of the regions.
func inSomeRegion(a *AWS, code string, read func(*ec2.Client) error) (bool, error) {
	anywhere := false
	err := a.eachRegion(func(client *ec2.Client) error {
		here, err := found(read(client), code)
		anywhere = anywhere || here
		return err
	})
	return anywhere, err
}
