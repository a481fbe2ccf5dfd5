package acceptance

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
)

var s3Lifecycles = []lifecycle{
	{
		Type:  "estate_s3_bucket",
		Setup: nameOfNobody,
		Edits: []edit{
			{Attr: "tags", Value: `{ Name = "changed", Stage = "test" }`},
			{Attr: "force_destroy", Value: "true"},
			{Attr: "bucket", Value: `"changed-${var.organization}"`, Replaces: true},
			{Attr: "bucket_prefix", Value: `"changed-"`, Replaces: true, Without: []string{"bucket"}},
			{Attr: "object_lock_enabled", Value: "true", Replaces: true, Keeps: true},
			{In: "full.tf", Attr: "region", Value: `"us-east-1"`, Replaces: true},
			{In: "full.tf", Attr: "object_lock_enabled", Value: "false", Replaces: true},
			{In: "full.tf", Attr: "timeouts.create", Value: `"16m"`},
			{In: "full.tf", Attr: "timeouts.read", Value: `"11m"`},
			{In: "full.tf", Attr: "timeouts.update", Value: `"11m"`},
			{In: "full.tf", Attr: "timeouts.delete", Value: `"3h"`},
		},
		Unchanged: map[string]string{
			"bucket_namespace": "it follows from the name, and an edit changes one argument",
		},
	},
}

// nameOfNobody makes names of buckets that no other account of the emulator has, out of the account's id.
func nameOfNobody(ctx context.Context, t *testing.T, a *AWS) map[string]string {
	t.Helper()
	out, err := a.EC2.DescribeVpcs(ctx, &ec2.DescribeVpcsInput{})
	must(t, err)
	if len(out.Vpcs) == 0 {
		t.Fatal("the account has no default VPC, which tells its id")
	}
	account := aws.ToString(out.Vpcs[0].OwnerId)
	return map[string]string{"organization": "org-" + account, "account_id": account}
}
