package main

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

const (
	trust = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}`
	// otherTrust and otherPolicy differ from trust and policy in meaning.
	otherTrust  = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"lambda.amazonaws.com"},"Action":"sts:AssumeRole"}]}`
	policy      = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:ListAllMyBuckets","Resource":"*"}]}`
	otherPolicy = `{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Action":"s3:*","Resource":"*"}]}`
	boundary    = "arn:aws:iam::aws:policy/ReadOnlyAccess"
	otherARN    = "arn:aws:iam::aws:policy/IAMReadOnlyAccess"
)

var (
	firstRole   = conf{"name": "crash", "assume_role_policy": trust, "description": "first", "tags": conf{"Name": "a"}}
	firstPolicy = conf{"name": "crash", "role": "parent", "policy": policy}
	firstHold   = conf{"role": "parent", "policy_arn": boundary}
)

var iamSubjects = []*subject{
	{
		typ:   "estate_iam_role",
		tier:  named,
		keyed: []operation{replaceBeside},
		first: fixed(firstRole),
		changed: fixed(with(firstRole, conf{
			"description": "second", "assume_role_policy": otherTrust, "permissions_boundary": boundary, "tags": conf{"Name": "b"},
		})),
		replaced: fixed(with(firstRole, conf{"path": "/other/"})),
		beside:   fixed(with(firstRole, conf{"name": "crash-other"})),
	},
	{
		typ:      "estate_iam_role_policy",
		tier:     composed,
		keyed:    []operation{replace, replaceBeside},
		setup:    makeRoles,
		first:    fixed(firstPolicy),
		changed:  fixed(with(firstPolicy, conf{"policy": otherPolicy})),
		replaced: fixed(with(firstPolicy, conf{"name": "crash-other"})),
		beside:   fixed(with(firstPolicy, conf{"name": "crash-other"})),
		live:     livePolicies,
		absent:   map[operation]string{rename: noMarker},
	},
	{
		typ:      "estate_iam_role_policy_attachment",
		tier:     composed,
		keyed:    []operation{replace, replaceBeside},
		setup:    makeRoles,
		first:    fixed(firstHold),
		replaced: fixed(with(firstHold, conf{"policy_arn": otherARN})),
		beside:   fixed(with(firstHold, conf{"policy_arn": otherARN})),
		live:     liveAttachments,
		absent:   map[operation]string{rename: noMarker, update: "an attachment has no attribute that changes in place"},
	},
}

// noMarker is why an object without tags cannot be renamed.
const noMarker = "objects without tags carry no address: a rename makes no call"

func makeRoles(ctx context.Context, a *acceptance.AWS, _ map[string]string) error {
	_, err := a.IAM.CreateRole(ctx, &iam.CreateRoleInput{RoleName: aws.String("parent"), AssumeRolePolicyDocument: aws.String(trust)})
	return err
}

func livePolicies(ctx context.Context, a *acceptance.AWS, _ map[string]string) ([]string, error) {
	out, err := a.IAM.ListRolePolicies(ctx, &iam.ListRolePoliciesInput{RoleName: aws.String("parent")})
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, name := range out.PolicyNames {
		ids = append(ids, "parent:"+name)
	}
	return ids, nil
}

func liveAttachments(ctx context.Context, a *acceptance.AWS, _ map[string]string) ([]string, error) {
	out, err := a.IAM.ListAttachedRolePolicies(ctx, &iam.ListAttachedRolePoliciesInput{RoleName: aws.String("parent")})
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, p := range out.AttachedPolicies {
		ids = append(ids, "parent/"+aws.ToString(p.PolicyArn))
	}
	return ids, nil
}
