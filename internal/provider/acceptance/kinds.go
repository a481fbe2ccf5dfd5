package acceptance

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"
)

// Kind is how the tests reach objects of one resource type without the provider.
type Kind struct {
	// Type is the resource type.
	Type string
	// Exists says whether the object with this id is there.
	Exists func(ctx context.Context, a *AWS, id string) (bool, error)
	// List returns all objects of the type with their tags; nil, like the next three, for types without tags.
	List func(ctx context.Context, a *AWS) ([]Object, error)
	// Make makes an object with these tags, by this name where the type has names, and returns its id.
	Make func(ctx context.Context, a *AWS, name string, tags map[string]string) (string, error)
	// Tag sets tags, Untag removes them.
	Tag   func(ctx context.Context, a *AWS, id string, tags map[string]string) error
	Untag func(ctx context.Context, a *AWS, id string, keys ...string) error
}

// Kinds are the types that the tests know, one for each type that the provider has.
var Kinds = []Kind{
	{Type: "estate_vpc", Exists: vpcExists, List: listVpcs, Make: makeVpc, Tag: tagEC2, Untag: untagEC2},
	{Type: "estate_eip", Exists: eipExists, List: listEips, Make: makeEip, Tag: tagEC2, Untag: untagEC2},
	{Type: "estate_iam_role", Exists: roleExists, List: listRoles, Make: makeRole, Tag: tagRole, Untag: untagRole},
	{Type: "estate_iam_role_policy", Exists: rolePolicyExists},
}

// KindOf returns the kind of a resource type.
func KindOf(resourceType string) (Kind, error) {
	for _, k := range Kinds {
		if k.Type == resourceType {
			return k, nil
		}
	}
	return Kind{}, fmt.Errorf("the tests know no kind %s: add it to Kinds", resourceType)
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

func roleExists(ctx context.Context, a *AWS, name string) (bool, error) {
	_, err := a.IAM.GetRole(ctx, &iam.GetRoleInput{RoleName: aws.String(name)})
	return found(err, "NoSuchEntity")
}

func listRoles(ctx context.Context, a *AWS) ([]Object, error) {
	var out []Object
	pages := iam.NewListRolesPaginator(a.IAM, &iam.ListRolesInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, r := range page.Roles { // without tags, on AWS too
			answer, err := a.IAM.ListRoleTags(ctx, &iam.ListRoleTagsInput{RoleName: r.RoleName})
			if err != nil {
				return nil, err
			}
			tags := map[string]string{}
			for _, t := range answer.Tags {
				tags[aws.ToString(t.Key)] = aws.ToString(t.Value)
			}
			out = append(out, Object{"estate_iam_role", aws.ToString(r.RoleName), tags})
		}
	}
	return out, nil
}

// trustPolicy lets EC2 instances assume a role.
const trustPolicy = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow",` +
	`"Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}`

func makeRole(ctx context.Context, a *AWS, name string, tags map[string]string) (string, error) {
	_, err := a.IAM.CreateRole(ctx, &iam.CreateRoleInput{
		RoleName: aws.String(name), AssumeRolePolicyDocument: aws.String(trustPolicy), Tags: toIAMTags(tags),
	})
	return name, err
}

func tagRole(ctx context.Context, a *AWS, name string, tags map[string]string) error {
	_, err := a.IAM.TagRole(ctx, &iam.TagRoleInput{RoleName: aws.String(name), Tags: toIAMTags(tags)})
	return err
}

func untagRole(ctx context.Context, a *AWS, name string, keys ...string) error {
	_, err := a.IAM.UntagRole(ctx, &iam.UntagRoleInput{RoleName: aws.String(name), TagKeys: keys})
	return err
}

func toIAMTags(tags map[string]string) []iamtypes.Tag {
	var out []iamtypes.Tag
	for k, v := range tags {
		out = append(out, iamtypes.Tag{Key: aws.String(k), Value: aws.String(v)})
	}
	return out
}

func rolePolicyExists(ctx context.Context, a *AWS, id string) (bool, error) {
	role, policy, _ := strings.Cut(id, ":")
	_, err := a.IAM.GetRolePolicy(ctx, &iam.GetRolePolicyInput{RoleName: aws.String(role), PolicyName: aws.String(policy)})
	return found(err, "NoSuchEntity")
}

// RolePolicy returns the document of a role's inline policy as JSON.
func (a *AWS) RolePolicy(ctx context.Context, role, policy string) (string, error) {
	out, err := a.IAM.GetRolePolicy(ctx, &iam.GetRolePolicyInput{RoleName: aws.String(role), PolicyName: aws.String(policy)})
	if err != nil {
		return "", err
	}
	return url.QueryUnescape(aws.ToString(out.PolicyDocument))
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

// found turns the answer to a read into whether the object exists: only the service's own code says that it does not.
func found(err error, code string) (bool, error) {
	if isCode(err, code) {
		return false, nil
	}
	return err == nil, err
}
