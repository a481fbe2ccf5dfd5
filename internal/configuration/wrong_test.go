package configuration_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
)

// firstError checks a configuration, and returns where its first error is, as FILE:LINE, or a dash for one without a place.
func firstError(t *testing.T, x tree, dir string) (string, hcl.Diagnostics) {
	t.Helper()
	loaded, diags := configuration.Load(dir)
	if !diags.HasErrors() {
		values, more := configuration.ReadValues(loaded, x.env, x.given(dir))
		diags = append(diags, more...)
		if !diags.HasErrors() {
			e := configuration.Evaluate(loaded, configuration.Options{Values: values, Functions: language(dir)})
			e.Validate()
			for _, u := range e.List().Unsettled {
				diags = append(diags, u.Diagnostics()...)
			}
			diags = append(diags, e.Diagnostics()...)
		}
	}
	for _, d := range diags {
		if d.Severity != hcl.DiagError {
			continue
		}
		if d.Subject == nil {
			return "-", diags
		}
		name, err := filepath.Rel(dir, d.Subject.Filename)
		if err != nil || strings.HasPrefix(name, "..") {
			name = d.Subject.Filename
		}
		return fmt.Sprintf("%s:%d", name, d.Subject.Start.Line), diags
	}
	return "", diags
}

// TestWrong holds each wrong configuration to the place of its first error.
func TestWrong(t *testing.T) {
	for _, x := range trees(t, "wrong/*.txtar") {
		t.Run(x.name, func(t *testing.T) {
			dir := t.TempDir()
			x.write(t, dir, "")
			got, diags := firstError(t, x, dir)
			if len(x.list) == 0 || !slices.Contains(x.list, got) {
				t.Errorf("the first error is at %q, want %q:\n%v", got, x.list, diags)
			}
		})
	}
}

// TestToolsRefuseWrong shows each wrong configuration to the real tools: what they refuse, and where, is what the archive says.
func TestToolsRefuseWrong(t *testing.T) {
	eachTree(t, "wrong/*.txtar", 40, func(t *testing.T, c cli, x tree, dir string) {
		x.write(t, dir, "")
		if got := c.firstError(t, x, dir); got == "" || !slices.Contains(x.list, got) {
			t.Errorf("%s finds the first error at %q; the archive says %q", c.name, got, x.list)
		}
	})
}

// firstError is where the tool's validate or, where that has nothing to say, its plan finds the first error.
func (c cli) firstError(t *testing.T, x tree, dir string) string {
	t.Helper()
	// Init may refuse already, and what it says is what validate says again.
	_, _ = c.run(t, dir, x.env, "init", "-no-color", "-input=false")
	out, _ := c.run(t, dir, x.env, "validate", "-json")
	type report struct {
		Severity string
		Range    *struct {
			Filename string
			Start    struct{ Line int }
		}
	}
	place := func(r report) string {
		if r.Range == nil || r.Range.Filename == "" {
			return "-"
		}
		return fmt.Sprintf("%s:%d", r.Range.Filename, r.Range.Start.Line)
	}
	var said struct{ Diagnostics []report }
	if start := strings.Index(out, "{"); start >= 0 {
		if err := json.NewDecoder(strings.NewReader(out[start:])).Decode(&said); err != nil {
			t.Fatalf("%s\n%s", err, out)
		}
	}
	for _, r := range said.Diagnostics {
		if r.Severity == "error" {
			return place(r)
		}
	}
	out, _ = c.run(t, dir, x.env, append([]string{"plan", "-json", "-input=false"}, x.arguments...)...)
	for line := range strings.Lines(out) {
		var message struct {
			Diagnostic *report `json:"diagnostic"`
		}
		if json.Unmarshal([]byte(line), &message) == nil && message.Diagnostic != nil && message.Diagnostic.Severity == "error" {
			return place(*message.Diagnostic)
		}
	}
	return ""
}
