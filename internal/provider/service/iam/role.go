package iam

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/arn"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

type role struct {
	ARN          types.String `tfsdk:"arn"`
	TrustPolicy  attrs.Policy `tfsdk:"assume_role_policy"`
	CreateDate   types.String `tfsdk:"create_date"`
	Description  types.String `tfsdk:"description"`
	ForceDetach  types.Bool   `tfsdk:"force_detach_policies"`
	MaxSession   types.Int64  `tfsdk:"max_session_duration"`
	Name         types.String `tfsdk:"name"`
	NamePrefix   types.String `tfsdk:"name_prefix"`
	Path         types.String `tfsdk:"path"`
	Boundary     attrs.ARN    `tfsdk:"permissions_boundary"`
	UniqueRoleID types.String `tfsdk:"unique_id"`
}

// roleNameLength is the longest name of a role.
const roleNameLength = 64

// Role is an IAM role.
var Role = engine.Of(engine.ResourceType[role]{
	Name:    "iam_role",
	Service: "IAM",
	Doc: `An IAM role: permissions that services, users and other accounts can take on.

A refresh of more than a few roles lists all roles of the account: IAM cannot filter them by tag. Inline policies and
attachments are resources of their own. A destroy takes the role out of its instance profiles; policies that the
configuration does not know stop it, unless ` + "`force_detach_policies`" + ` is on.`,
	Tier:     engine.Named,
	Identity: []engine.Part{{Attr: "name", Prefix: "name_prefix", MaxLength: roleNameLength}},
	Tags:     tagging.IAMRole,
	Global:   true,
	ListsAll: true,
	Attrs: map[string]schema.Attribute{
		"arn":                attrs.ComputedString("ARN of the role."),
		"assume_role_policy": attrs.RequiredPolicy("Trust policy: who may assume the role, as JSON."),
		"create_date":        attrs.ComputedString("Time of creation, as RFC 3339."),
		"description":        attrs.DefaultString("", "Description of the role. Default empty.", attrs.Length(0, 1000)),
		"force_detach_policies": attrs.DefaultBool(false,
			"Whether a destroy detaches and deletes the role's policies first, whoever made them. Default `false`."),
		"max_session_duration": attrs.DefaultInt64(3600,
			"Longest session in seconds, from 3600 to 43200. Default `3600`.", attrs.Between(3600, 43200)),
		"name": attrs.OptionalComputedString("Name of the role, up to 64 characters. Generated when unset.",
			attrs.Length(1, roleNameLength), attrs.Matches(namePattern, nameRule), attrs.Conflicts("name_prefix")),
		"name_prefix": attrs.OptionalComputedString("Start of the generated name, up to 38 characters. Default `terraform-`.",
			attrs.Length(1, roleNameLength-suffixLength), attrs.Matches(namePattern, nameRule)),
		"path": attrs.DefaultString("/", "Path of the role, which begins and ends with a slash. Default `/`.",
			attrs.Length(1, 512)),
		"permissions_boundary": attrs.OptionalARN("ARN of the policy that bounds the role's permissions. Default none."),
		"unique_id":            attrs.ComputedString("ID that no other role ever has, even of the same name."),
	},
	Settings: []string{"force_detach_policies"},
	Get:      getRole,
	List:     listRoles,
	Fill:     fillRoles,
	Create:   createRole,
	Updates: []engine.Update[role]{
		{Attrs: []string{"assume_role_policy"}, Apply: setRoleTrust},
		{Attrs: []string{"description", "max_session_duration"}, Apply: updateRole},
		{Attrs: []string{"permissions_boundary"}, Apply: setRoleBoundary},
		{Attrs: []string{"force_detach_policies"}},
	},
	Delete: deleteRole,
	Exists: func(err error) bool { return cloud.HasCode(err, "EntityAlreadyExists") },
	Busy:   busyRole,
})

func getRole(ctx context.Context, s *cloud.Session, k engine.Key) (engine.Live[role], error) {
	out, err := api(s).GetRole(ctx, &iam.GetRoleInput{RoleName: aws.String(k.String())})
	if err != nil {
		return engine.Live[role]{}, absent(err)
	}
	l, err := liveRole(*out.Role)
	l.Tags = tagMap(out.Role.Tags)
	return l, err
}

// listRoles leaves out description and session length, which fillRoles adds.
func listRoles(ctx context.Context, s *cloud.Session, _ markers.Filter) iter.Seq2[engine.Live[role], error] {
	return func(yield func(engine.Live[role], error) bool) {
		all, err := roles(ctx, s)
		if err != nil {
			yield(engine.Live[role]{}, err)
			return
		}
		for _, d := range all {
			l, err := liveRole(iamtypes.Role{
				Arn: d.Arn, AssumeRolePolicyDocument: d.AssumeRolePolicyDocument, CreateDate: d.CreateDate, Path: d.Path,
				PermissionsBoundary: d.PermissionsBoundary, RoleId: d.RoleId, RoleName: d.RoleName,
			})
			l.Tags, l.Partial = tagMap(d.Tags), true
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}

// fillRoles adds what GetAccountAuthorizationDetails does not show. ListRoles shows it, but neither tags nor boundary.
func fillRoles(ctx context.Context, s *cloud.Session, live []*engine.Live[role]) error {
	byName := make(map[string]*role, len(live))
	for _, l := range live {
		byName[l.Key.String()] = &l.Model
	}
	p := iam.NewListRolesPaginator(api(s), &iam.ListRolesInput{MaxItems: aws.Int32(pageSize)})
	for p.HasMorePages() {
		page, err := p.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, r := range page.Roles {
			if m := byName[aws.ToString(r.RoleName)]; m != nil {
				m.Description = types.StringValue(aws.ToString(r.Description))
				m.MaxSession = attrs.Int64(r.MaxSessionDuration)
			}
		}
	}
	return nil
}

func liveRole(r iamtypes.Role) (engine.Live[role], error) {
	trust, err := document(r.AssumeRolePolicyDocument)
	if err != nil {
		return engine.Live[role]{}, err
	}
	l := engine.Live[role]{Key: engine.Key{aws.ToString(r.RoleName)}, Created: aws.ToTime(r.CreateDate),
		// Service-linked roles: https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_create-service-linked-role.html
		MadeByAWS: strings.HasPrefix(aws.ToString(r.Path), "/aws-service-role/"),
	}
	l.Model = role{
		ARN:          attrs.String(r.Arn),
		TrustPolicy:  trust,
		Description:  types.StringValue(aws.ToString(r.Description)),
		MaxSession:   attrs.Int64(r.MaxSessionDuration),
		Name:         attrs.String(r.RoleName),
		NamePrefix:   attrs.PrefixOf(aws.ToString(r.RoleName)),
		Path:         attrs.String(r.Path),
		Boundary:     attrs.NewARN(nil),
		UniqueRoleID: attrs.String(r.RoleId),
	}
	if r.CreateDate != nil {
		l.Model.CreateDate = types.StringValue(r.CreateDate.UTC().Format(time.RFC3339))
	}
	if r.PermissionsBoundary != nil {
		l.Model.Boundary = attrs.NewARN(r.PermissionsBoundary.PermissionsBoundaryArn)
	}
	if !arn.IsARN(aws.ToString(r.Arn)) {
		l.State, l.Reason = engine.Pending, fmt.Sprintf("IAM still shows %q as the ARN of the new role", aws.ToString(r.Arn))
	}
	return l, nil
}

// createRole takes no token: CreateRole has none, and the name admits one role.
func createRole(ctx context.Context, s *cloud.Session, plan *role, tags markers.Tags, _ engine.Token) (engine.Key, error) {
	in := &iam.CreateRoleInput{
		AssumeRolePolicyDocument: attrs.Ptr(plan.TrustPolicy),
		Description:              attrs.Ptr(plan.Description),
		MaxSessionDuration:       attrs.Int32Ptr(plan.MaxSession),
		Path:                     attrs.Ptr(plan.Path),
		PermissionsBoundary:      attrs.Ptr(plan.Boundary),
		RoleName:                 attrs.Ptr(plan.Name),
	}
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		in.Tags = append(in.Tags, iamtypes.Tag{Key: aws.String(key), Value: aws.String(tags[key])})
	}
	out, err := api(s).CreateRole(ctx, in)
	if err != nil {
		return nil, err
	}
	return engine.Key{aws.ToString(out.Role.RoleName)}, nil
}

func setRoleTrust(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *role) error {
	_, err := api(s).UpdateAssumeRolePolicy(ctx, &iam.UpdateAssumeRolePolicyInput{
		RoleName: aws.String(k.String()), PolicyDocument: attrs.Ptr(plan.TrustPolicy),
	})
	return absent(err)
}

// updateRole says both: UpdateRole resets a session length that it is not told.
func updateRole(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *role) error {
	_, err := api(s).UpdateRole(ctx, &iam.UpdateRoleInput{
		RoleName: aws.String(k.String()), Description: aws.String(plan.Description.ValueString()),
		MaxSessionDuration: attrs.Int32Ptr(plan.MaxSession),
	})
	return absent(err)
}

func setRoleBoundary(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *role) error {
	var err error
	if boundary := attrs.Ptr(plan.Boundary); boundary != nil {
		_, err = api(s).PutRolePermissionsBoundary(ctx, &iam.PutRolePermissionsBoundaryInput{
			RoleName: aws.String(k.String()), PermissionsBoundary: boundary,
		})
	} else {
		_, err = api(s).DeleteRolePermissionsBoundary(ctx, &iam.DeleteRolePermissionsBoundaryInput{
			RoleName: aws.String(k.String()),
		})
	}
	return absent(err)
}

// busyRole waits for principals that were made a moment ago and are not known everywhere yet, and for other writers.
func busyRole(err error) bool {
	unknown := cloud.HasCode(err, "MalformedPolicyDocument") &&
		strings.Contains(cloud.Message(err), "Invalid principal in policy")
	return unknown || cloud.HasCode(err, "ConcurrentModification")
}
