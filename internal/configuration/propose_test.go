package configuration_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
)

// A proposal is an archive with the configuration "before" and "after"; its file "proposal" holds the blocks that are proposed and
// what is left.

// proposed is what we propose for an archive, in the form of its file.
func proposed(p *configuration.Proposal, dir string) []string {
	var out []string
	for _, f := range p.Files {
		name, err := filepath.Rel(dir, f.Dir)
		if err != nil {
			name = f.Dir
		}
		line := "in " + filepath.ToSlash(name)
		if len(f.Modules) > 0 {
			line += " for " + strings.Join(f.Modules, " and ")
		}
		out = append(out, line)
		for _, b := range f.Blocks {
			out = append(out, b.From+" -> "+b.To)
		}
	}
	for _, l := range p.Left {
		out = append(out, "left "+l.Change.String()+": "+l.Reason)
	}
	return append(out, p.After.Counts().String())
}

func propose(t *testing.T, x tree, before, after string, s *configuration.State) *configuration.Proposal {
	t.Helper()
	old := evaluated(t, x, before)
	if s == nil {
		s = old.StateOf()
	}
	p, diags := configuration.Propose(old, evaluated(t, x, after), s, configuration.OpenTofu)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return p
}

// TestPropose compares with what the archives have recorded.
func TestPropose(t *testing.T) {
	for _, x := range trees(t, "proposals/*.txtar") {
		t.Run(x.name, func(t *testing.T) {
			before, after := t.TempDir(), t.TempDir()
			x.write(t, before, "before/")
			x.write(t, after, "after/")
			want, _ := x.file("proposal")
			if got := proposed(propose(t, x, before, after, nil), after); !slices.Equal(got, want) {
				t.Errorf("proposal\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// TestProposalsPlanInTools applies each "before", writes what is proposed over the real state beside the "after", and has the real
// tools plan it: what they add and destroy is what is said to be left, and no more.
func TestProposalsPlanInTools(t *testing.T) {
	eachTool(t, func(t *testing.T, c cli) {
		for _, x := range trees(t, "proposals/*.txtar") {
			t.Run(x.name, func(t *testing.T) {
				t.Parallel()
				dir, before := t.TempDir(), t.TempDir()
				x.write(t, before, "before/")
				x.write(t, dir, "before/")
				c.must(t, dir, x.env, "init", "-no-color")
				c.must(t, dir, x.env, "apply", "-auto-approve", "-no-color")
				x.replaceFiles(t, dir, "after/")
				s, err := configuration.ReadState(filepath.Join(dir, "terraform.tfstate"))
				if err != nil {
					t.Fatal(err)
				}
				p := propose(t, x, before, dir, s)
				for _, f := range p.Files {
					if err := os.WriteFile(filepath.Join(f.Dir, "moved.tf"), []byte(f.Text()), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				c.must(t, dir, x.env, "init", "-no-color")
				c.must(t, dir, x.env, "plan", "-out=p", "-no-color")
				var shown shownPlan
				if err := json.Unmarshal([]byte(c.must(t, dir, x.env, "show", "-json", "p")), &shown); err != nil {
					t.Fatal(err)
				}
				lines, counts := shown.lines(t)
				if counts != p.After.Counts() {
					t.Errorf("the tool plans\n%s\nwhere we say %s", strings.Join(lines, "\n"), p.After.Counts())
				}
				want, _ := x.file("proposal")
				if got := proposed(p, dir); !slices.Equal(got, want) {
					t.Errorf("over the real state we propose\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			})
		}
	})
}
