package iam

import (
	"context"
	"errors"
	"iter"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

type rolePolicy struct {
	Name       types.String `tfsdk:"name"`
	NamePrefix types.String `tfsdk:"name_prefix"`
	Policy     attrs.Policy `tfsdk:"policy"`
	Role       types.String `tfsdk:"role"`
}

// policyNameLength is the longest name of an inline policy.
const policyNameLength = 128

// RolePolicy is an inline policy of an IAM role.
var RolePolicy = engine.Of(engine.ResourceType[rolePolicy]{
	Name:    "iam_role_policy",
	Service: "IAM",
	Doc: `An inline policy of an IAM role: permissions that live and die with the role.

It carries no tags. Its role's marker guards it: the policy of another estate's role is never touched.`,
	Tier: engine.Composed,
	Identity: []engine.Part{
		{Attr: "role"},
		{Attr: "name", Prefix: "name_prefix", MaxLength: policyNameLength},
	},
	Global:   true,
	ListsAll: true,
	Attrs: map[string]schema.Attribute{
		"name": attrs.OptionalComputedString("Name of the policy, up to 128 characters. Generated when unset.",
			attrs.Length(1, policyNameLength), attrs.Matches(namePattern, nameRule), attrs.Conflicts("name_prefix")),
		"name_prefix": attrs.OptionalComputedString("Start of the generated name, up to 102 characters. Default `terraform-`.",
			attrs.Length(1, policyNameLength-suffixLength), attrs.Matches(namePattern, nameRule)),
		"policy": attrs.RequiredPolicy("Policy document, as JSON."),
		"role": attrs.RequiredString("Name of the role; not its ARN.",
			attrs.Length(1, roleNameLength), attrs.Matches(namePattern, nameRule)),
	},
	Get:      getRolePolicy,
	List:     listRolePolicies,
	Create:   createRolePolicy,
	Updates:  []engine.Update[rolePolicy]{{Attrs: []string{"policy"}, Apply: setRolePolicy}},
	Delete:   deleteRolePolicy,
	Under:    "iam_role",
	Parents:  rolePolicyParents,
	Busy:     func(err error) bool { return cloud.HasCode(err, "ConcurrentModification") },
	TooFresh: tooFresh,
})

func getRolePolicy(ctx context.Context, s *cloud.Session, k engine.Key) (engine.Live[rolePolicy], error) {
	out, err := api(s).GetRolePolicy(ctx, &iam.GetRolePolicyInput{RoleName: aws.String(k[0]), PolicyName: aws.String(k[1])})
	if err != nil {
		return engine.Live[rolePolicy]{}, absent(err)
	}
	return liveRolePolicy(aws.ToString(out.RoleName), aws.ToString(out.PolicyName), out.PolicyDocument)
}

func listRolePolicies(ctx context.Context, s *cloud.Session, _ markers.Filter) iter.Seq2[engine.Live[rolePolicy], error] {
	return func(yield func(engine.Live[rolePolicy], error) bool) {
		all, err := roles(ctx, s)
		if err != nil {
			yield(engine.Live[rolePolicy]{}, err)
			return
		}
		for _, r := range all {
			for _, p := range r.RolePolicyList {
				l, err := liveRolePolicy(aws.ToString(r.RoleName), aws.ToString(p.PolicyName), p.PolicyDocument)
				if !yield(l, err) || err != nil {
					return
				}
			}
		}
	}
}

func liveRolePolicy(role, name string, text *string) (engine.Live[rolePolicy], error) {
	policy, err := document(text)
	return engine.Live[rolePolicy]{
		Key: engine.Key{role, name},
		Model: rolePolicy{
			Name:       types.StringValue(name),
			NamePrefix: attrs.PrefixOf(name),
			Policy:     policy,
			Role:       types.StringValue(role),
		},
	}, err
}

// createRolePolicy takes no token and no tags: PutRolePolicy has neither, and the name admits one policy.
func createRolePolicy(ctx context.Context, s *cloud.Session, plan *rolePolicy, _ markers.Tags, _ engine.Token) (engine.Key, error) {
	k := engine.Key{plan.Role.ValueString(), plan.Name.ValueString()}
	return k, putRolePolicy(ctx, s, k, plan)
}

func setRolePolicy(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *rolePolicy) error {
	return absent(putRolePolicy(ctx, s, k, plan))
}

func putRolePolicy(ctx context.Context, s *cloud.Session, k engine.Key, plan *rolePolicy) error {
	_, err := api(s).PutRolePolicy(ctx, &iam.PutRolePolicyInput{
		RoleName: aws.String(k[0]), PolicyName: aws.String(k[1]), PolicyDocument: attrs.Ptr(plan.Policy),
	})
	return err
}

func deleteRolePolicy(ctx context.Context, s *cloud.Session, k engine.Key, _ *rolePolicy) error {
	_, err := api(s).DeleteRolePolicy(ctx, &iam.DeleteRolePolicyInput{RoleName: aws.String(k[0]), PolicyName: aws.String(k[1])})
	return absent(err)
}

// rolePolicyParents reads the role, whose answer holds its tags.
func rolePolicyParents(ctx context.Context, s *cloud.Session, k engine.Key) ([]engine.Parent, error) {
	l, err := getRole(ctx, s, k[:1])
	if errors.Is(err, engine.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []engine.Parent{{Type: "iam_role", ID: k[0], Tags: l.Tags, FoldsCase: tagging.IAMRole.FoldsCase()}}, nil
}
