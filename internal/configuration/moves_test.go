package configuration_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/tools/txtar"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
)

// A wrong move is an archive whose file "errors" holds what both tools report, a line each with file, line and summary, and
// "errors.Terraform" what that one reports where it differs. Where it has folders "before" and "after", the first is applied first.

func (x tree) hasBefore() bool {
	return slices.ContainsFunc(x.archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "before/") })
}

// errorLine is how the archives note a diagnostic.
func errorLine(file string, line int, summary string) string {
	if file == "" {
		return "- " + summary
	}
	return fmt.Sprintf("%s:%d %s", filepath.ToSlash(file), line, summary)
}

// reported are the errors of diagnostics, each once.
func reported(t *testing.T, dir string, diags hcl.Diagnostics) []string {
	t.Helper()
	var out []string
	for _, d := range diags {
		if d.Severity != hcl.DiagError {
			continue
		}
		if d.Subject == nil {
			out = append(out, errorLine("", 0, d.Summary))
			continue
		}
		file, err := filepath.Rel(dir, d.Subject.Filename)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, errorLine(file, d.Subject.Start.Line, d.Summary))
	}
	return slices.Compact(sorted(out))
}

// wrong is what we report of the archive.
func wrong(t *testing.T, x tree) []string {
	t.Helper()
	dir, prefix := t.TempDir(), ""
	var s *configuration.State
	if x.hasBefore() {
		before := t.TempDir()
		x.write(t, before, "before/")
		s, prefix = stateOf(t, x, evaluated(t, x, before)), "after/"
	}
	x.write(t, dir, prefix)
	loaded, diags := configuration.Load(dir)
	if diags.HasErrors() {
		return reported(t, dir, diags)
	}
	e := configuration.Evaluate(loaded, configuration.Options{Functions: language(dir)})
	if s == nil {
		// A plan has to refuse what the check of the configuration alone refuses.
		plan, diags := e.Plan(&configuration.State{}, configuration.OpenTofu)
		if plan != nil || !slices.Equal(reported(t, dir, diags), reported(t, dir, e.CheckMoves())) {
			t.Errorf("the plan says\n%s\nand the check\n%s", diags, e.CheckMoves())
		}
		return reported(t, dir, e.CheckMoves())
	}
	_, diags = e.Plan(s, configuration.OpenTofu)
	return reported(t, dir, diags)
}

// TestWrongMoves reports each at its place.
func TestWrongMoves(t *testing.T) {
	for _, x := range trees(t, "wrong_moves/*.txtar") {
		t.Run(x.name, func(t *testing.T) {
			want, _ := x.file("errors")
			if len(want) == 0 {
				t.Fatal("the archive has no errors")
			}
			if got := wrong(t, x); !slices.Equal(got, sorted(want)) {
				t.Errorf("errors\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
			}
		})
	}
}

// TestWrongMovesEqualTools compares with the tools' own diagnostics.
func TestWrongMovesEqualTools(t *testing.T) {
	eachTool(t, func(t *testing.T, c cli) {
		for _, x := range trees(t, "wrong_moves/*.txtar") {
			if !x.isFor(c) {
				continue
			}
			t.Run(x.name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				if x.hasBefore() {
					x.write(t, dir, "before/")
					c.must(t, dir, x.env, "init", "-no-color")
					c.must(t, dir, x.env, "apply", "-auto-approve", "-no-color")
					x.replaceFiles(t, dir, "after/")
				} else {
					x.write(t, dir, "")
				}
				if out, err := c.run(t, dir, x.env, "init", "-no-color"); err != nil && !strings.Contains(out, "Error: ") {
					t.Fatal(err, out)
				}
				got := c.errors(t, dir)
				want, ok := x.file("errors." + c.name)
				if !ok {
					want, _ = x.file("errors")
				}
				if !slices.Equal(got, sorted(want)) {
					t.Errorf("%s reports\n  %s\nthe archive\n  %s", c.name, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
				}
			})
		}
	})
}

// toolDiagnostic is one in the tools' JSON.
type toolDiagnostic struct {
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Range    *struct {
		Filename string `json:"filename"`
		Start    struct {
			Line int `json:"line"`
		} `json:"start"`
	} `json:"range"`
}

// errors are those of a plan; where the files are wrong themselves a plan prints no JSON, and those of a validation.
func (c cli) errors(t *testing.T, dir string) []string {
	t.Helper()
	var diags []toolDiagnostic
	out, err := c.run(t, dir, nil, "plan", "-json")
	if err == nil {
		t.Fatalf("the plan succeeds:\n%s", out)
	}
	for _, line := range strings.Split(out, "\n") {
		var message struct {
			Diagnostic *toolDiagnostic `json:"diagnostic"`
		}
		if json.Unmarshal([]byte(line), &message) == nil && message.Diagnostic != nil {
			diags = append(diags, *message.Diagnostic)
		}
	}
	if len(diags) == 0 {
		out, err = c.run(t, dir, nil, "validate", "-json")
		if err == nil {
			t.Fatalf("the validation succeeds:\n%s", out)
		}
		var result struct {
			Diagnostics []toolDiagnostic `json:"diagnostics"`
		}
		if err := json.Unmarshal([]byte(out), &result); err != nil {
			t.Fatal(err, out)
		}
		diags = result.Diagnostics
	}
	var lines []string
	for _, d := range diags {
		switch {
		case d.Severity != "error":
		case d.Range == nil:
			lines = append(lines, errorLine("", 0, d.Summary))
		default:
			lines = append(lines, errorLine(d.Range.Filename, d.Range.Start.Line, d.Summary))
		}
	}
	lines = slices.Compact(sorted(lines))
	if len(lines) > 1 {
		// OpenTofu says a second time that a block is wrong, after it could not read one of its addresses.
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasSuffix(l, ` Invalid "moved" address`) })
	}
	return lines
}
