package acceptance

import (
	"context"
	"testing"
)

// Policies that differ from those of the examples.
const (
	otherTrust = `jsonencode({
  Version = "2012-10-17"
  Statement = [{
    Effect    = "Allow"
    Principal = { Service = "lambda.amazonaws.com" }
    Action    = "sts:AssumeRole"
  }]
})`
	otherPolicy = `jsonencode({
  Version   = "2012-10-17"
  Statement = [{ Effect = "Deny", Action = "s3:*", Resource = "*" }]
})`
)

var iamLifecycles = []lifecycle{
	{
		Type: "estate_iam_role",
		Edits: []edit{
			{Attr: "tags", Value: `{ Name = "changed", Stage = "test" }`},
			{Attr: "description", Value: `"changed"`},
			{Attr: "max_session_duration", Value: "7200"},
			{Attr: "assume_role_policy", Value: otherTrust},
			{Attr: "permissions_boundary", Value: `"arn:aws:iam::aws:policy/ReadOnlyAccess"`},
			{Attr: "force_detach_policies", Value: "true"},
			{Attr: "path", Value: `"/changed/"`, Replaces: true},
			{Attr: "name", Value: `"changed"`, Replaces: true},
			{Attr: "name_prefix", Value: `"changed-"`, Replaces: true, Without: []string{"name"}},
		},
	},
	{
		Type:  "estate_iam_role_policy",
		Setup: makeOtherRole,
		Edits: []edit{
			{Attr: "policy", Value: otherPolicy},
			{Attr: "role", Value: "setup:other_role", Replaces: true},
			{Attr: "name", Value: `"changed"`, Replaces: true},
			{Attr: "name_prefix", Value: `"changed-"`, Replaces: true, Without: []string{"name"}},
		},
	},
	{
		Type:  "estate_iam_role_policy_attachment",
		Setup: makeOtherRole,
		Edits: []edit{
			{Attr: "policy_arn", Value: `"arn:aws:iam::aws:policy/IAMReadOnlyAccess"`, Replaces: true},
			{Attr: "role", Value: "setup:other_role", Replaces: true},
		},
	},
}

// makeOtherRole makes a role of nobody's estate.
func makeOtherRole(ctx context.Context, t *testing.T, a *AWS) map[string]string {
	t.Helper()
	name, err := makeRole(ctx, a, "other", nil)
	must(t, err)
	return map[string]string{"other_role": name}
}
