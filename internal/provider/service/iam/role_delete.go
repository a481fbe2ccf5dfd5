package iam

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// deleteRole takes the role out of its instance profiles and, where the configuration asked for it, frees it from its
// policies; otherwise IAM refuses with DeleteConflict while it has any.
func deleteRole(ctx context.Context, s *cloud.Session, k engine.Key, prior *role) error {
	name := aws.String(k.String())
	if err := leaveInstanceProfiles(ctx, s, name); err != nil {
		return absent(err)
	}
	if prior.ForceDetach.ValueBool() {
		if err := detachPolicies(ctx, s, name); err != nil {
			return absent(err)
		}
		if err := deleteInlinePolicies(ctx, s, name); err != nil {
			return absent(err)
		}
	}
	_, err := api(s).DeleteRole(ctx, &iam.DeleteRoleInput{RoleName: name})
	return absent(err)
}

func leaveInstanceProfiles(ctx context.Context, s *cloud.Session, role *string) error {
	p := iam.NewListInstanceProfilesForRolePaginator(api(s), &iam.ListInstanceProfilesForRoleInput{RoleName: role})
	for p.HasMorePages() {
		page, err := p.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, profile := range page.InstanceProfiles {
			_, err := api(s).RemoveRoleFromInstanceProfile(ctx, &iam.RemoveRoleFromInstanceProfileInput{
				InstanceProfileName: profile.InstanceProfileName, RoleName: role,
			})
			if err = present(err); err != nil {
				return err
			}
		}
	}
	return nil
}

func detachPolicies(ctx context.Context, s *cloud.Session, role *string) error {
	// All names first: a page of what is left would skip some.
	var arns []*string
	p := iam.NewListAttachedRolePoliciesPaginator(api(s), &iam.ListAttachedRolePoliciesInput{RoleName: role})
	for p.HasMorePages() {
		page, err := p.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, policy := range page.AttachedPolicies {
			arns = append(arns, policy.PolicyArn)
		}
	}
	for _, arn := range arns {
		_, err := api(s).DetachRolePolicy(ctx, &iam.DetachRolePolicyInput{RoleName: role, PolicyArn: arn})
		if err = present(err); err != nil {
			return err
		}
	}
	return nil
}

func deleteInlinePolicies(ctx context.Context, s *cloud.Session, role *string) error {
	var names []string
	p := iam.NewListRolePoliciesPaginator(api(s), &iam.ListRolePoliciesInput{RoleName: role})
	for p.HasMorePages() {
		page, err := p.NextPage(ctx)
		if err != nil {
			return err
		}
		names = append(names, page.PolicyNames...)
	}
	for _, name := range names {
		_, err := api(s).DeleteRolePolicy(ctx, &iam.DeleteRolePolicyInput{RoleName: role, PolicyName: aws.String(name)})
		if err = present(err); err != nil {
			return err
		}
	}
	return nil
}
