package iam

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

func TestLiveRolePolicy(t *testing.T) {
	tests := []struct {
		name, text string
		want       rolePolicy
	}{
		{
			"read", encoded(trust),
			rolePolicy{Name: types.StringValue("read"), Policy: attrs.NewPolicy(aws.String(trust)), Role: types.StringValue("app")},
		},
		{
			// A plus sign is itself, also where nobody encoded it.
			"p-0123456789abcdef0123456789", `{"Resource":"a+b%20c%2Bd"}`,
			rolePolicy{
				Name: types.StringValue("p-0123456789abcdef0123456789"), NamePrefix: types.StringValue("p-"),
				Policy: attrs.NewPolicy(aws.String(`{"Resource":"a+b c+d"}`)), Role: types.StringValue("app"),
			},
		},
	}
	for _, tt := range tests {
		got, err := liveRolePolicy("app", tt.name, &tt.text)
		if err != nil {
			t.Fatal(err)
		}
		want := engine.Live[rolePolicy]{Key: engine.Key{"app", tt.name}, Model: tt.want}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("want - got +\n%s", diff)
		}
	}
	if _, err := liveRolePolicy("app", "read", aws.String("%zz")); err == nil {
		t.Error("a document that cannot be decoded is taken for a policy")
	}
}

func TestListRolePolicies(t *testing.T) {
	s, _ := canned.New(t, canned.Answers{"GetAccountAuthorizationDetails": {
		"<RoleDetailList><member><RoleName>app</RoleName><RolePolicyList>" +
			"<member><PolicyName>a</PolicyName><PolicyDocument>%7B%7D</PolicyDocument></member>" +
			"<member><PolicyName>b</PolicyName><PolicyDocument>%7B%7D</PolicyDocument></member>" +
			"</RolePolicyList></member><member><RoleName>bare</RoleName></member></RoleDetailList>",
	}})
	var got []string
	for l, err := range listRolePolicies(t.Context(), s, markers.Filter{Estates: []string{"prod"}}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, l.Key.String()+"="+l.Model.Policy.ValueString())
	}
	if diff := cmp.Diff([]string{"app:a={}", "app:b={}"}, got); diff != "" {
		t.Errorf("want - got +\n%s", diff)
	}
}

func TestRolePolicyRequests(t *testing.T) {
	s, server := canned.New(t, canned.Answers{
		"PutRolePolicy": {"", "!NoSuchEntity no role", "!NoSuchEntity no role"}, "DeleteRolePolicy": {"", "!NoSuchEntity gone"}, "GetRolePolicy": {"!NoSuchEntity gone"},
	})
	plan := rolePolicy{Role: types.StringValue("app"), Name: types.StringValue("read"), Policy: attrs.NewPolicy(aws.String("{}"))}
	k, err := createRolePolicy(t.Context(), s, &plan, nil, "")
	if err != nil || k.String() != "app:read" {
		t.Fatalf("got %s, %v", k, err)
	}
	if _, err := createRolePolicy(t.Context(), s, &plan, nil, ""); !tooFresh(err) || errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v, want the bare error", err)
	}
	if err := setRolePolicy(t.Context(), s, k, nil, &plan); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v, want not found", err)
	}
	if err := deleteRolePolicy(t.Context(), s, k, nil); err != nil {
		t.Error(err)
	}
	if err := deleteRolePolicy(t.Context(), s, k, nil); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v, want not found", err)
	}
	if _, err := getRolePolicy(t.Context(), s, k); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v, want not found", err)
	}
	const put = "PutRolePolicy PolicyDocument={} PolicyName=read RoleName=app"
	wantCalls(t, server, put, put, put, "DeleteRolePolicy PolicyName=read RoleName=app",
		"DeleteRolePolicy PolicyName=read RoleName=app", "GetRolePolicy PolicyName=read RoleName=app")
}

func TestRolePolicyParents(t *testing.T) {
	s, _ := canned.New(t, canned.Answers{"GetRole": {
		"<Role><RoleName>app</RoleName><Tags><member><Key>tofu-estate</Key><Value>prod</Value></member></Tags></Role>",
		"!NoSuchEntity gone", "!AccessDenied no",
	}})
	k := engine.Key{"app", "read"}
	got, err := rolePolicyParents(t.Context(), s, k)
	want := []engine.Parent{{Type: "iam_role", ID: "app", Tags: map[string]string{"tofu-estate": "prod"}, FoldsCase: true}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, want - got +\n%s", err, diff)
	}
	if got, err := rolePolicyParents(t.Context(), s, k); len(got) != 0 || err != nil {
		t.Errorf("a role that is gone: got %v, %v", got, err)
	}
	if _, err := rolePolicyParents(t.Context(), s, k); !cloud.IsDenied(err) {
		t.Errorf("got %v, want the denial", err)
	}
}
