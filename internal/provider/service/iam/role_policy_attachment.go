package iam

import (
	"context"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

type rolePolicyAttachment struct {
	PolicyARN attrs.ARN    `tfsdk:"policy_arn"`
	Role      types.String `tfsdk:"role"`
}

// RolePolicyAttachment is a managed policy that is attached to an IAM role.
var RolePolicyAttachment = engine.Of(engine.ResourceType[rolePolicyAttachment]{
	Name:    "iam_role_policy_attachment",
	Service: "IAM",
	Doc: `The attachment of a managed policy to an IAM role. The policy itself may be AWS's or anybody's.

It carries no tags. Its role's marker guards it: the attachments of another estate's role are never touched.`,
	Tier:      engine.Composed,
	Identity:  []engine.Part{{Attr: "role"}, {Attr: "policy_arn"}},
	Separator: "/", // as in hashicorp/aws: a role's name holds none, the ARN some
	Global:    true,
	ListsAll:  true,
	Attrs: map[string]schema.Attribute{
		"policy_arn": attrs.RequiredARN("ARN of the policy.", attrs.Length(20, 2048)),
		"role": attrs.RequiredString("Name of the role; not its ARN.",
			attrs.Length(1, roleNameLength), attrs.Matches(namePattern, nameRule)),
	},
	Get:      getRolePolicyAttachment,
	List:     listRolePolicyAttachments,
	Create:   createRolePolicyAttachment,
	Delete:   deleteRolePolicyAttachment,
	Under:    "iam_role",
	Parents:  rolePolicyParents,
	Busy:     func(err error) bool { return cloud.HasCode(err, "ConcurrentModification") },
	TooFresh: tooFresh,
})

// getRolePolicyAttachment searches the role's attachments: no call reads one.
func getRolePolicyAttachment(ctx context.Context, s *cloud.Session, k engine.Key) (engine.Live[rolePolicyAttachment], error) {
	p := iam.NewListAttachedRolePoliciesPaginator(api(s), &iam.ListAttachedRolePoliciesInput{
		RoleName: aws.String(k[0]), MaxItems: aws.Int32(pageSize),
	})
	for p.HasMorePages() {
		page, err := p.NextPage(ctx)
		if err != nil {
			return engine.Live[rolePolicyAttachment]{}, absent(err)
		}
		for _, policy := range page.AttachedPolicies {
			if aws.ToString(policy.PolicyArn) == k[1] {
				return liveRolePolicyAttachment(k[0], k[1]), nil
			}
		}
	}
	return engine.Live[rolePolicyAttachment]{},
		fmt.Errorf("%w: the role %s has no policy %s attached", engine.ErrNotFound, k[0], k[1])
}

func listRolePolicyAttachments(
	ctx context.Context, s *cloud.Session, _ markers.Filter,
) iter.Seq2[engine.Live[rolePolicyAttachment], error] {
	return func(yield func(engine.Live[rolePolicyAttachment], error) bool) {
		all, err := roles(ctx, s)
		if err != nil {
			yield(engine.Live[rolePolicyAttachment]{}, err)
			return
		}
		for _, r := range all {
			for _, policy := range r.AttachedManagedPolicies {
				if !yield(liveRolePolicyAttachment(aws.ToString(r.RoleName), aws.ToString(policy.PolicyArn)), nil) {
					return
				}
			}
		}
	}
}

func liveRolePolicyAttachment(role, policy string) engine.Live[rolePolicyAttachment] {
	return engine.Live[rolePolicyAttachment]{
		Key:   engine.Key{role, policy},
		Model: rolePolicyAttachment{PolicyARN: attrs.NewARN(&policy), Role: types.StringValue(role)},
	}
}

// createRolePolicyAttachment takes no token and no tags: AttachRolePolicy has neither, and succeeds on what is attached.
func createRolePolicyAttachment(
	ctx context.Context, s *cloud.Session, plan *rolePolicyAttachment, _ markers.Tags, _ engine.Token,
) (engine.Key, error) {
	_, err := api(s).AttachRolePolicy(ctx, &iam.AttachRolePolicyInput{
		RoleName: attrs.Ptr(plan.Role), PolicyArn: attrs.Ptr(plan.PolicyARN),
	})
	return engine.Key{plan.Role.ValueString(), plan.PolicyARN.ValueString()}, err
}

func deleteRolePolicyAttachment(ctx context.Context, s *cloud.Session, k engine.Key, _ *rolePolicyAttachment) error {
	_, err := api(s).DetachRolePolicy(ctx, &iam.DetachRolePolicyInput{RoleName: aws.String(k[0]), PolicyArn: aws.String(k[1])})
	return absent(err)
}
