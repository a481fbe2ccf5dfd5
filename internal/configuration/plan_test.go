package configuration_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
)

// A refactoring is an archive with the configuration "before" and "after". Its file "plan" holds the lines of the plan that the
// second makes of what the first has applied, "plan.Terraform" those where Terraform differs; "tainted" and "deposed" name
// instances that are, or have such an object, by then.

// file is a file of the archive, line by line.
func (x tree) file(name string) ([]string, bool) {
	for _, f := range x.archive.Files {
		if f.Name != name {
			continue
		}
		text := strings.TrimSpace(string(f.Data))
		if text == "" {
			return nil, true
		}
		return strings.Split(text, "\n"), true
	}
	return nil, false
}

// wantPlan are the lines that a tool plans.
func (x tree) wantPlan(t *testing.T, tool string) []string {
	t.Helper()
	want, ok := x.file("plan." + tool)
	if !ok {
		if want, ok = x.file("plan"); !ok {
			t.Fatal("the archive has no plan")
		}
	}
	return sorted(want)
}

func sorted(lines []string) []string {
	out := slices.Clone(lines)
	slices.Sort(out)
	return out
}

// evaluated reads and evaluates the configuration in a folder.
func evaluated(t *testing.T, x tree, dir string) *configuration.Evaluation {
	t.Helper()
	loaded, diags := configuration.Load(dir)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	values, diags := configuration.ReadValues(loaded, x.env, x.given(dir))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return configuration.Evaluate(loaded, configuration.Options{Values: values, Functions: language(dir)})
}

const deposedKey = "00000001"

// stateOf is the state that an apply of the configuration leaves.
func stateOf(t *testing.T, x tree, e *configuration.Evaluation) *configuration.State {
	t.Helper()
	tainted, _ := x.file("tainted")
	deposed, _ := x.file("deposed")
	s := &configuration.State{}
	listing := e.List()
	if diags := e.Diagnostics(); diags.HasErrors() || len(listing.Unsettled) > 0 {
		t.Fatal(diags, listing.Unsettled)
	}
	for _, r := range listing.Instances {
		if r.Mode == configuration.Ephemeral {
			continue
		}
		o := configuration.StateObject{Mode: r.Mode, Address: r.Address, Tainted: slices.Contains(tainted, r.String()), Kept: r.Resource.Kept}
		s.Objects = append(s.Objects, o)
		if slices.Contains(deposed, r.String()) {
			o.Deposed, o.Tainted = deposedKey, false
			s.Objects = append(s.Objects, o)
		}
	}
	return s
}

// planned are the lines of our plan, without what no tool shows.
func planned(t *testing.T, x tree, dir string, s *configuration.State, tool configuration.Tool) ([]string, configuration.Counts) {
	t.Helper()
	e := evaluated(t, x, dir)
	plan, diags := e.Plan(s, tool)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if diags := e.Diagnostics(); diags.HasErrors() {
		t.Fatal(diags)
	}
	if len(plan.Undecided) > 0 {
		t.Fatalf("undecided: %v", plan.Undecided)
	}
	var out []string
	for _, c := range plan.Changes {
		c.Implied = false
		out = append(out, c.String())
	}
	return sorted(out), plan.Counts()
}

// sum counts the lines of a plan.
func sum(lines []string) configuration.Counts {
	var c configuration.Counts
	for _, line := range lines {
		sign, _, _ := strings.Cut(line, " ")
		switch sign {
		case "+":
			c.Add++
		case "-":
			c.Destroy++
		case ".":
			c.Forget++
		case "<=":
			c.Import++
		case "-/+":
			c.Add++
			c.Destroy++
		}
		if strings.Contains(line, "(was ") && (sign == "->" || sign == "-/+") {
			c.Move++
		}
	}
	return c
}

var tools = map[string]configuration.Tool{"OpenTofu": configuration.OpenTofu, "Terraform": configuration.Terraform}

// TestPlan plans each refactoring by the rules of both tools, over the state that an apply would leave.
func TestPlan(t *testing.T) {
	for _, x := range trees(t, "refactorings/*.txtar") {
		for name, tool := range tools {
			if !x.isFor(cli{name: name}) {
				continue
			}
			t.Run(x.name+"/"+name, func(t *testing.T) {
				before, after := t.TempDir(), t.TempDir()
				x.write(t, before, "before/")
				x.write(t, after, "after/")
				s := stateOf(t, x, evaluated(t, x, before))
				want := x.wantPlan(t, name)
				if got, counts := planned(t, x, after, s, tool); !slices.Equal(got, want) || counts != sum(want) {
					t.Errorf("plan\n  %s\n%swant\n  %s\n%s", strings.Join(got, "\n  "), counts, strings.Join(want, "\n  "), sum(want))
				}
			})
		}
	}
}

// shownPlan is what show -json says of a plan.
type shownPlan struct {
	ResourceChanges []struct {
		Address  string `json:"address"`
		Previous string `json:"previous_address"`
		Mode     string `json:"mode"`
		Deposed  string `json:"deposed"`
		Change   struct {
			Actions   []string        `json:"actions"`
			Importing json.RawMessage `json:"importing"`
		} `json:"change"`
	} `json:"resource_changes"`
}

// lines are those of our plan that say the same.
func (p shownPlan) lines(t *testing.T) ([]string, configuration.Counts) {
	t.Helper()
	var out []string
	var counts configuration.Counts
	for _, c := range p.ResourceChanges {
		if c.Mode != "managed" {
			continue
		}
		actions := strings.Join(c.Change.Actions, "+")
		sign := map[string]string{
			"create": "+", "delete": "-", "forget": ".", "no-op": "->", "update": "->", "delete+create": "-/+", "create+delete": "-/+",
		}[actions]
		if c.Change.Importing != nil {
			counts.Import++
			out = append(out, "<= "+c.Address)
			continue
		}
		switch actions {
		case "create":
			counts.Add++
		case "delete":
			counts.Destroy++
		case "forget":
			counts.Forget++
		case "no-op", "update":
			if c.Previous == "" {
				continue
			}
			counts.Move++
		case "delete+create", "create+delete":
			counts.Add++
			counts.Destroy++
			if c.Previous != "" {
				counts.Move++
			}
		default:
			t.Fatalf("unknown actions %s at %s", actions, c.Address)
		}
		var notes []string
		if c.Deposed != "" {
			notes = append(notes, "deposed "+c.Deposed)
		}
		if c.Previous != "" {
			notes = append(notes, "was "+c.Previous)
		}
		line := sign + " " + c.Address
		if len(notes) > 0 {
			line += " (" + strings.Join(notes, ", ") + ")"
		}
		out = append(out, line)
	}
	return sorted(out), counts
}

// replaceFiles empties a folder of configuration and writes another one into it; the tool's own files stay.
func (x tree) replaceFiles(t *testing.T, dir, by string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".terraform") || strings.HasPrefix(e.Name(), "terraform.tfstate") {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	x.write(t, dir, by)
}

// depose gives instances of a state file a deposed object beside the current one.
func depose(t *testing.T, path string, addresses []string) {
	t.Helper()
	text, err := os.ReadFile(path) //nolint:gosec // G304: the state of the test.
	if err != nil {
		t.Fatal(err)
	}
	var state map[string]any
	if err := json.Unmarshal(text, &state); err != nil {
		t.Fatal(err)
	}
	done := 0
	for _, r := range state["resources"].([]any) {
		r := r.(map[string]any)
		instances := r["instances"].([]any)
		for _, i := range instances {
			i := i.(map[string]any)
			address := fmt.Sprintf("%s.%s", r["type"], r["name"])
			if module, ok := r["module"]; ok {
				address = fmt.Sprintf("%s.%s", module, address)
			}
			if key, ok := i["index_key"]; ok {
				quoted, err := json.Marshal(key)
				if err != nil {
					t.Fatal(err)
				}
				address += "[" + string(quoted) + "]"
			}
			if !slices.Contains(addresses, address) {
				continue
			}
			done++
			copied := map[string]any{"deposed": deposedKey}
			for k, v := range i {
				copied[k] = v
			}
			delete(copied, "status")
			instances = append(instances, copied)
		}
		r["instances"] = instances
	}
	if done != len(addresses) {
		t.Fatalf("%d of %d instances found", done, len(addresses))
	}
	if text, err = json.Marshal(state); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// leastRefactorings is the number of archives that there shall be at least.
const leastRefactorings = 25

// TestPlanEqualsTools applies each "before" with the real tools, plans the "after", and compares line by line.
func TestPlanEqualsTools(t *testing.T) {
	eachTree(t, "refactorings/*.txtar", leastRefactorings, func(t *testing.T, c cli, x tree, dir string) {
		x.write(t, dir, "before/")
		c.must(t, dir, x.env, "init", "-no-color")
		c.must(t, dir, x.env, append([]string{"apply", "-auto-approve", "-no-color"}, x.arguments...)...)
		tainted, _ := x.file("tainted")
		for _, address := range tainted {
			c.must(t, dir, x.env, "taint", "-no-color", address)
		}
		state := filepath.Join(dir, "terraform.tfstate")
		if deposed, ok := x.file("deposed"); ok {
			depose(t, state, deposed)
		}
		x.replaceFiles(t, dir, "after/")
		c.must(t, dir, x.env, "init", "-no-color")
		c.must(t, dir, x.env, append([]string{"plan", "-out=p", "-no-color"}, x.arguments...)...)
		var shown shownPlan
		if err := json.Unmarshal([]byte(c.must(t, dir, x.env, "show", "-json", "p")), &shown); err != nil {
			t.Fatal(err)
		}
		want, wantCounts := shown.lines(t)
		s, err := configuration.ReadState(state)
		if err != nil {
			t.Fatal(err)
		}
		got, counts := planned(t, x, dir, s, tools[c.name])
		if !slices.Equal(got, want) || counts != wantCounts {
			t.Errorf("plan\n  %s\n  %v\nthe tool's\n  %s\n  %v", strings.Join(got, "\n  "), counts, strings.Join(want, "\n  "), wantCounts)
		}
		if !slices.Equal(want, x.wantPlan(t, c.name)) {
			t.Errorf("the archive's own plan differs from the tool's:\n%s", strings.Join(want, "\n"))
		}
	})
}
