package acceptance

import (
	"context"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"
)

var iamKinds = []Kind{
	{Type: "estate_iam_role", Exists: roleExists, List: listRoles, Make: makeRole, Tag: tagRole, Untag: untagRole},
	{Type: "estate_iam_role_policy", Exists: rolePolicyExists},
	{Type: "estate_iam_role_policy_attachment", Exists: rolePolicyAttachmentExists},
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

func rolePolicyAttachmentExists(ctx context.Context, a *AWS, id string) (bool, error) {
	role, arn, _ := strings.Cut(id, "/")
	pages := iam.NewListAttachedRolePoliciesPaginator(a.IAM, &iam.ListAttachedRolePoliciesInput{RoleName: aws.String(role)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return found(err, "NoSuchEntity")
		}
		for _, p := range page.AttachedPolicies {
			if aws.ToString(p.PolicyArn) == arn {
				return true, nil
			}
		}
	}
	return false, nil
}

// RolePolicy returns the document of a role's inline policy as JSON.
func (a *AWS) RolePolicy(ctx context.Context, role, policy string) (string, error) {
	out, err := a.IAM.GetRolePolicy(ctx, &iam.GetRolePolicyInput{RoleName: aws.String(role), PolicyName: aws.String(policy)})
	if err != nil {
		return "", err
	}
	return url.QueryUnescape(aws.ToString(out.PolicyDocument))
}
