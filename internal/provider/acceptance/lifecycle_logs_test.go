package acceptance

import (
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// What the emulator answers where it cannot follow AWS.
const (
	noGroupKey   = "moto has neither AssociateKmsKey nor DisassociateKmsKey"
	noGroupClass = "moto's CreateLogGroup reads neither logGroupClass nor deletionProtectionEnabled, and its groups show neither"
)

var logsLifecycles = []lifecycle{
	{
		Type: "estate_cloudwatch_log_group",
		Edits: []edit{
			{Attr: "tags", Value: `{ Name = "changed", Stage = "test" }`},
			{Attr: "retention_in_days", Value: "3653"},
			{Attr: "retention_in_days", Value: ""},
			{Attr: "skip_destroy", Value: "true"},
			{Attr: "name", Value: `"changed"`, Replaces: true},
			{Attr: "name_prefix", Value: `"changed-"`, Replaces: true, Without: []string{"name"}},
			{In: "full.tf", Attr: "region", Value: `"eu-central-1"`, Replaces: true},
		},
		Unchanged: map[string]string{
			"kms_key_id":                  noGroupKey,
			"log_group_class":             noGroupClass,
			"deletion_protection_enabled": noGroupClass,
		},
		Unapplied: map[string]string{"full3.tf": noGroupClass},
	},
}

// TestSkipDestroy keeps what hashicorp/aws keeps under the same argument: the group outlives its destruction, untouched,
// and nothing waits for it to go.
func TestSkipDestroy(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		const group = `
resource "estate_cloudwatch_log_group" "a" {
  tofu_address = "estate_cloudwatch_log_group.a"
  name         = "kept"
  skip_destroy = true
}
`
		start(t, w, "kept", group)
		w.Apply(ctx).Must(t)
		mark := w.Proxy.Mark()
		w.Destroy(ctx).Must(t)
		w.MustNotWrite(t, mark)
		w.AWS.MustHold(ctx, t, "kept", "estate_cloudwatch_log_group", 1)

		// It is found again, and goes once the argument does.
		mark = w.Proxy.Mark()
		w.Apply(ctx).Must(t)
		w.MustNotCreate(t, mark)
		must(t, w.Write("main.tf", strings.Replace(group, "skip_destroy = true", "", 1)))
		w.Apply(ctx).Must(t)
		mark = w.Proxy.Mark()
		w.Destroy(ctx).Must(t)
		w.MustCall(t, mark, "delete", 1, faultproxy.Action("logs:DeleteLogGroup"))
		w.AWS.MustHold(ctx, t, "kept", "estate_cloudwatch_log_group", 0)
	})
}
