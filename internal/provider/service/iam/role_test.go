package iam

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/aws/smithy-go"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

const (
	trust   = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"sts:AssumeRole","Principal":"a+b c%"}]}`
	roleARN = "arn:aws:iam::111122223333:role/app"
)

// encoded is a policy as IAM answers it.
func encoded(s string) string { return url.PathEscape(s) }

func wantCalls(t *testing.T, server *canned.AWS, want ...string) {
	t.Helper()
	if got := server.Calls(); !slices.Equal(got, want) {
		t.Errorf("calls\n got  %s\n want %s", strings.Join(got, "\n      "), strings.Join(want, "\n      "))
	}
}

func TestLiveRole(t *testing.T) {
	created := time.Date(2026, 11, 30, 12, 0, 0, 0, time.FixedZone("", 3600))
	plain := func() engine.Live[role] {
		return engine.Live[role]{
			Key: engine.Key{"app"}, Created: created,
			Model: role{
				ARN: types.StringValue(roleARN), TrustPolicy: attrs.NewPolicy(aws.String(trust)),
				CreateDate: types.StringValue("2026-11-30T11:00:00Z"), Description: types.StringValue(""),
				MaxSession: types.Int64Value(3600), Name: types.StringValue("app"), Path: types.StringValue("/"),
				Boundary: attrs.NewARN(nil), UniqueRoleID: types.StringValue("AROA1"),
			},
		}
	}
	tests := []struct {
		name   string
		change func(*iamtypes.Role)
		want   func(*engine.Live[role])
	}{
		{"plain", func(*iamtypes.Role) {}, func(*engine.Live[role]) {}},
		{
			"all there is",
			func(r *iamtypes.Role) {
				r.Description, r.Path, r.MaxSessionDuration = aws.String("For apps."), aws.String("/a/"), aws.Int32(7200)
				r.PermissionsBoundary = &iamtypes.AttachedPermissionsBoundary{PermissionsBoundaryArn: aws.String("arn:aws:iam::aws:policy/X")}
			},
			func(l *engine.Live[role]) {
				l.Model.Description, l.Model.Path, l.Model.MaxSession = types.StringValue("For apps."), types.StringValue("/a/"), types.Int64Value(7200)
				l.Model.Boundary = attrs.NewARN(aws.String("arn:aws:iam::aws:policy/X"))
			},
		},
		{
			"a generated name",
			func(r *iamtypes.Role) { r.RoleName = aws.String("app-abcdefghijklmnopqrstuvwxyz") },
			func(l *engine.Live[role]) {
				l.Key = engine.Key{"app-abcdefghijklmnopqrstuvwxyz"}
				l.Model.Name, l.Model.NamePrefix = types.StringValue("app-abcdefghijklmnopqrstuvwxyz"), types.StringValue("app-")
			},
		},
		{
			"an ARN that is not there yet",
			func(r *iamtypes.Role) { r.Arn = aws.String("AROA1") },
			func(l *engine.Live[role]) {
				l.Model.ARN = types.StringValue("AROA1")
				l.State, l.Reason = engine.Pending, `IAM still shows "AROA1" as the ARN of the new role`
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := iamtypes.Role{
				Arn: aws.String(roleARN), AssumeRolePolicyDocument: aws.String(encoded(trust)), CreateDate: &created,
				MaxSessionDuration: aws.Int32(3600), Path: aws.String("/"), RoleId: aws.String("AROA1"), RoleName: aws.String("app"),
			}
			tt.change(&r)
			want := plain()
			tt.want(&want)
			got, err := liveRole(r)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("want - got +\n%s", diff)
			}
		})
	}
	if _, err := liveRole(iamtypes.Role{AssumeRolePolicyDocument: aws.String("%zz")}); err == nil {
		t.Error("a document that cannot be decoded is taken for a policy")
	}
}

func TestListAndFillRoles(t *testing.T) {
	detail := func(name string) string {
		return fmt.Sprintf(`<member><RoleName>%s</RoleName><Arn>%s</Arn><AssumeRolePolicyDocument>%s</AssumeRolePolicyDocument>
			<Tags><member><Key>tofu-estate</Key><Value>prod</Value></member></Tags>
			<PermissionsBoundary><PermissionsBoundaryArn>arn:aws:iam::aws:policy/X</PermissionsBoundaryArn></PermissionsBoundary></member>`,
			name, roleARN, encoded(trust))
	}
	s, server := canned.New(t, canned.Answers{
		"GetAccountAuthorizationDetails": {
			"<RoleDetailList/><IsTruncated>true</IsTruncated><Marker>m</Marker>",
			"<RoleDetailList>" + detail("app") + detail("other") + "</RoleDetailList><IsTruncated>false</IsTruncated>",
		},
		"ListRoles": {
			"<Roles><member><RoleName>x</RoleName></member></Roles><IsTruncated>true</IsTruncated><Marker>m</Marker>",
			"<Roles><member><RoleName>app</RoleName><Description>For apps.</Description><MaxSessionDuration>7200</MaxSessionDuration></member></Roles>",
		},
	})
	var live []*engine.Live[role]
	for l, err := range listRoles(t.Context(), s, markers.Filter{Estates: []string{"prod"}}) {
		if err != nil {
			t.Fatal(err)
		}
		live = append(live, &l)
	}
	if len(live) != 2 || !live[0].Partial || live[0].Tags["tofu-estate"] != "prod" {
		t.Fatalf("got %v", live)
	}
	if err := fillRoles(t.Context(), s, live); err != nil {
		t.Fatal(err)
	}
	m := live[0].Model
	if m.Description.ValueString() != "For apps." || m.MaxSession.ValueInt64() != 7200 || m.Boundary.ValueString() == "" {
		t.Errorf("got %+v", m)
	}
	wantCalls(t, server,
		"GetAccountAuthorizationDetails Filter.member.1=Role MaxItems=1000",
		"GetAccountAuthorizationDetails Filter.member.1=Role Marker=m MaxItems=1000",
		"ListRoles MaxItems=1000", "ListRoles Marker=m MaxItems=1000")
}

func TestListingStopsAtAnError(t *testing.T) {
	s, _ := canned.New(t, canned.Answers{"GetAccountAuthorizationDetails": {"!AccessDenied no", "!AccessDenied no"}})
	var denied int
	for _, err := range listRoles(t.Context(), s, markers.Filter{}) {
		if cloud.IsDenied(err) {
			denied++
		}
	}
	for _, err := range listRolePolicies(t.Context(), s, markers.Filter{}) {
		if cloud.IsDenied(err) {
			denied++
		}
	}
	if denied != 2 {
		t.Errorf("%d listings reported the denial, want 2", denied)
	}
}

func TestRoleRequests(t *testing.T) {
	k := engine.Key{"app"}
	policy := attrs.NewPolicy(aws.String(`{"a": 1}`))
	boundary := "arn:aws:iam::aws:policy/X"
	tests := []struct {
		name string
		call func(*cloud.Session) error
		want []string
	}{
		{
			"create", func(s *cloud.Session) error {
				_, err := createRole(t.Context(), s, &role{
					Name: types.StringValue("app"), TrustPolicy: policy, Description: types.StringValue("For apps."),
					MaxSession: types.Int64Value(7200), Path: types.StringValue("/a/"), Boundary: attrs.NewARN(&boundary),
				}, markers.Tags{"tofu-estate": "prod", "Name": "x"}, "")
				return err
			},
			[]string{`CreateRole AssumeRolePolicyDocument={"a": 1} Description=For apps. MaxSessionDuration=7200 Path=/a/` +
				" PermissionsBoundary=" + boundary + " RoleName=app Tags.member.1.Key=Name Tags.member.1.Value=x" +
				" Tags.member.2.Key=tofu-estate Tags.member.2.Value=prod"},
		},
		{
			"create with what is empty left out", func(s *cloud.Session) error {
				_, err := createRole(t.Context(), s, &role{
					Name: types.StringValue("app"), TrustPolicy: policy, Description: types.StringValue(""), Boundary: attrs.NewARN(nil),
				}, nil, "")
				return err
			},
			[]string{`CreateRole AssumeRolePolicyDocument={"a": 1} RoleName=app`},
		},
		{
			"trust", func(s *cloud.Session) error { return setRoleTrust(t.Context(), s, k, nil, &role{TrustPolicy: policy}) },
			[]string{`UpdateAssumeRolePolicy PolicyDocument={"a": 1} RoleName=app`},
		},
		{
			"a description goes, the session length is said again", func(s *cloud.Session) error {
				return updateRole(t.Context(), s, k, nil, &role{Description: types.StringValue(""), MaxSession: types.Int64Value(7200)})
			},
			[]string{"UpdateRole Description= MaxSessionDuration=7200 RoleName=app"},
		},
		{
			"boundary", func(s *cloud.Session) error {
				return setRoleBoundary(t.Context(), s, k, nil, &role{Boundary: attrs.NewARN(&boundary)})
			},
			[]string{"PutRolePermissionsBoundary PermissionsBoundary=" + boundary + " RoleName=app"},
		},
		{
			"no boundary", func(s *cloud.Session) error {
				return setRoleBoundary(t.Context(), s, k, nil, &role{Boundary: attrs.NewARN(nil)})
			},
			[]string{"DeleteRolePermissionsBoundary RoleName=app"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{
				"CreateRole":             {"<Role><RoleName>app</RoleName></Role>"},
				"UpdateAssumeRolePolicy": {""}, "UpdateRole": {""},
				"PutRolePermissionsBoundary": {""}, "DeleteRolePermissionsBoundary": {""},
			})
			if err := tt.call(s); err != nil {
				t.Fatal(err)
			}
			wantCalls(t, server, tt.want...)
		})
	}
}

func TestDeleteRole(t *testing.T) {
	profiles := []string{"<InstanceProfiles><member><InstanceProfileName>p</InstanceProfileName></member></InstanceProfiles>"}
	t.Run("leaves its profiles", func(t *testing.T) {
		s, server := canned.New(t, canned.Answers{
			"ListInstanceProfilesForRole": profiles, "RemoveRoleFromInstanceProfile": {"!NoSuchEntity gone"},
			"DeleteRole": {"!DeleteConflict Cannot delete entity, must detach all policies first."},
		})
		if err := deleteRole(t.Context(), s, engine.Key{"app"}, &role{}); !cloud.HasCode(err, "DeleteConflict") {
			t.Errorf("got %v, want the conflict", err)
		}
		wantCalls(t, server, "ListInstanceProfilesForRole RoleName=app",
			"RemoveRoleFromInstanceProfile InstanceProfileName=p RoleName=app", "DeleteRole RoleName=app")
	})
	t.Run("by force", func(t *testing.T) {
		s, server := canned.New(t, canned.Answers{
			"ListInstanceProfilesForRole": {""}, "DeleteRole": {""},
			"ListAttachedRolePolicies": {
				"<AttachedPolicies><member><PolicyArn>a</PolicyArn></member></AttachedPolicies><IsTruncated>true</IsTruncated><Marker>m</Marker>",
				"<AttachedPolicies><member><PolicyArn>b</PolicyArn></member></AttachedPolicies>",
			},
			"DetachRolePolicy": {"!NoSuchEntity gone", ""},
			"ListRolePolicies": {"<PolicyNames><member>x</member></PolicyNames>"}, "DeleteRolePolicy": {""},
		})
		if err := deleteRole(t.Context(), s, engine.Key{"app"}, &role{ForceDetach: types.BoolValue(true)}); err != nil {
			t.Fatal(err)
		}
		wantCalls(t, server, "ListInstanceProfilesForRole RoleName=app",
			"ListAttachedRolePolicies RoleName=app", "ListAttachedRolePolicies Marker=m RoleName=app",
			"DetachRolePolicy PolicyArn=a RoleName=app", "DetachRolePolicy PolicyArn=b RoleName=app",
			"ListRolePolicies RoleName=app", "DeleteRolePolicy PolicyName=x RoleName=app", "DeleteRole RoleName=app")
	})
	t.Run("gone", func(t *testing.T) {
		s, _ := canned.New(t, canned.Answers{"ListInstanceProfilesForRole": {"!NoSuchEntity gone"}})
		if err := deleteRole(t.Context(), s, engine.Key{"app"}, &role{}); !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("got %v, want not found", err)
		}
	})
}

func TestBusyRole(t *testing.T) {
	tests := []struct {
		code, message string
		want          bool
	}{
		{"MalformedPolicyDocument", `Invalid principal in policy: "AWS":"arn:aws:iam::111122223333:role/new"`, true},
		{"MalformedPolicyDocument", "Syntax errors in policy.", false},
		{"ConcurrentModification", "", true},
		{"DeleteConflict", "", false},
		{"AccessDenied", "", false},
	}
	for _, tt := range tests {
		err := fmt.Errorf("calling: %w", &smithy.GenericAPIError{Code: tt.code, Message: tt.message})
		if got := busyRole(err); got != tt.want {
			t.Errorf("%s %s: got %t", tt.code, tt.message, got)
		}
	}
}
