package iam

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
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
	readOnly = "arn:aws:iam::aws:policy/ReadOnlyAccess"
	ownRule  = "arn:aws:iam::111122223333:policy/team/rule"
)

// attached is a page of ListAttachedRolePolicies, with the marker of the next one unless that is "".
func attached(next string, arns ...string) string {
	page := "<AttachedPolicies>"
	for _, arn := range arns {
		page += "<member><PolicyArn>" + arn + "</PolicyArn></member>"
	}
	page += "</AttachedPolicies>"
	if next != "" {
		page += "<IsTruncated>true</IsTruncated><Marker>" + next + "</Marker>"
	}
	return page
}

func TestGetRolePolicyAttachment(t *testing.T) {
	s, server := canned.New(t, canned.Answers{"ListAttachedRolePolicies": {
		attached("more", readOnly), attached("", ownRule), // found on the second page
		attached("more", readOnly), attached("", readOnly+"Too"), // on none
		attached("more", readOnly), "!Throttling slow down", // the second page is lost
		"!NoSuchEntity no role",
	}})
	k := engine.Key{"app", ownRule}
	got, err := getRolePolicyAttachment(t.Context(), s, k)
	want := engine.Live[rolePolicyAttachment]{Key: k, Model: rolePolicyAttachment{
		PolicyARN: attrs.NewARN(aws.String(ownRule)), Role: types.StringValue("app"),
	}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, want - got +\n%s", err, diff)
	}
	if _, err := getRolePolicyAttachment(t.Context(), s, k); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("not attached: got %v, want not found", err)
	}
	if _, err := getRolePolicyAttachment(t.Context(), s, k); err == nil || errors.Is(err, engine.ErrNotFound) {
		t.Errorf("a lost page: got %v, want the error alone", err)
	}
	if _, err := getRolePolicyAttachment(t.Context(), s, k); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("no role: got %v, want not found", err)
	}
	const first = "ListAttachedRolePolicies MaxItems=1000 RoleName=app"
	const second = "ListAttachedRolePolicies Marker=more MaxItems=1000 RoleName=app"
	wantCalls(t, server, first, second, first, second, first, second, first)
}

func TestListRolePolicyAttachments(t *testing.T) {
	member := func(arn string) string { return "<member><PolicyArn>" + arn + "</PolicyArn></member>" }
	s, _ := canned.New(t, canned.Answers{"GetAccountAuthorizationDetails": {
		"!AccessDenied no",
		"<RoleDetailList><member><RoleName>app</RoleName><AttachedManagedPolicies>" + member(readOnly) + member(ownRule) +
			"</AttachedManagedPolicies></member><member><RoleName>bare</RoleName></member></RoleDetailList>",
	}})
	var got []string
	list := func() (err error) {
		for l, e := range listRolePolicyAttachments(t.Context(), s, markers.Filter{Estates: []string{"prod"}}) {
			if e != nil {
				err = e
				continue
			}
			got = append(got, l.Model.Role.ValueString()+" "+l.Model.PolicyARN.ValueString()+" "+l.Key.String())
		}
		return err
	}
	if err := list(); !cloud.IsDenied(err) || len(got) > 0 {
		t.Errorf("got %v and %q, want the denial", err, got)
	}
	if err := list(); err != nil {
		t.Fatal(err)
	}
	want := []string{"app " + readOnly + " app:" + readOnly, "app " + ownRule + " app:" + ownRule}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want - got +\n%s", diff)
	}
}

func TestRolePolicyAttachmentRequests(t *testing.T) {
	s, server := canned.New(t, canned.Answers{
		"AttachRolePolicy": {"", "!NoSuchEntity no such policy"}, "DetachRolePolicy": {"", "!NoSuchEntity gone"},
	})
	plan := rolePolicyAttachment{PolicyARN: attrs.NewARN(aws.String(readOnly)), Role: types.StringValue("app")}
	k, err := createRolePolicyAttachment(t.Context(), s, &plan, nil, "")
	if diff := cmp.Diff(engine.Key{"app", readOnly}, k); diff != "" || err != nil {
		t.Fatalf("%v, want - got +\n%s", err, diff)
	}
	// That the policy is missing is no absence of the attachment; of a new policy it passes.
	if _, err := createRolePolicyAttachment(t.Context(), s, &plan, nil, ""); !tooFresh(err) || errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v, want the bare error", err)
	}
	if err := deleteRolePolicyAttachment(t.Context(), s, k, nil); err != nil {
		t.Error(err)
	}
	if err := deleteRolePolicyAttachment(t.Context(), s, k, nil); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v, want not found", err)
	}
	const attach = "AttachRolePolicy PolicyArn=" + readOnly + " RoleName=app"
	const detach = "DetachRolePolicy PolicyArn=" + readOnly + " RoleName=app"
	wantCalls(t, server, attach, attach, detach, detach)
}

// A policy of AWS's own that does not exist is a slip, and not waited for.
func TestTooFresh(t *testing.T) {
	for message, want := range map[string]bool{
		"The role with name app cannot be found.":                                       true,
		"Policy arn:aws:iam::111122223333:policy/x does not exist or is not attachable": true,
		"Policy arn:aws:iam::aws:policy/Slip does not exist or is not attachable":       false,
	} {
		if got := tooFresh(&smithy.GenericAPIError{Code: "NoSuchEntity", Message: message}); got != want {
			t.Errorf("%s: %v", message, got)
		}
	}
	if tooFresh(&smithy.GenericAPIError{Code: "AccessDenied"}) {
		t.Error("a denial passes")
	}
}
