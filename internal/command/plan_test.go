package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder writes files into a folder of their own.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// stateWith is a state with one object of each of these names.
func stateWith(names ...string) string {
	var resources []string
	for _, name := range names {
		resources = append(resources, `{"mode": "managed", "type": "terraform_data", "name": "`+name+`", "instances": [{}]}`)
	}
	return `{"version": 4, "terraform_version": "1.12.6", "lineage": "l", "serial": 1, "outputs": {}, "resources": [` + strings.Join(resources, ",") + `]}`
}

const refactored = `resource "terraform_data" "new" {}
resource "terraform_data" "more" {}
moved {
  from = terraform_data.old
  to   = terraform_data.new
}
removed {
  from = terraform_data.silent
}
`

func TestPlanCommand(t *testing.T) {
	dir := folder(t, map[string]string{"main.tf": refactored, "terraform.tfstate": stateWith("old", "gone", "silent")})
	other := filepath.Join(folder(t, map[string]string{"s.json": stateWith("new", "more")}), "s.json")
	for _, test := range []struct {
		name   string
		args   []string
		status int
		out    string
	}{
		{
			"the state beside it", []string{"plan", dir}, Findings,
			"- terraform_data.gone\n+ terraform_data.more\n-> terraform_data.new (was terraform_data.old)\n. terraform_data.silent\nPlan: 1 to add, 1 to destroy, 1 to move, 1 to forget.\n",
		},
		{
			"by Terraform's rules", []string{"plan", "-terraform", dir}, Findings,
			"- terraform_data.gone\n+ terraform_data.more\n-> terraform_data.new (was terraform_data.old)\n- terraform_data.silent\nPlan: 1 to add, 2 to destroy, 1 to move.\n",
		},
		{
			"nothing to do", []string{"plan", "-state", other, dir}, Fine,
			"No changes: every address of the state is declared, and every declared address is in the state.\n",
		},
		{"no such state", []string{"plan", "-state", other + ".not", dir}, Failed, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := runIn(test.args...); got.status != test.status || got.out != test.out {
				t.Errorf("status %d, printed\n%s%s\nwant %d\n%s", got.status, got.out, got.errs, test.status, test.out)
			}
		})
	}
}

// TestPlanCommandJSON has all of a plan in one object.
func TestPlanCommandJSON(t *testing.T) {
	dir := folder(t, map[string]string{
		"main.tf": refactored + `resource "terraform_data" "open" {
  count = length(terraform_data.new.id)
}
resource "terraform_data" "taken" {}
moved {
  from = terraform_data.spare
  to   = terraform_data.taken
}
`, "terraform.tfstate": stateWith("old", "taken", "spare", "open"),
	})
	got := runIn("plan", "-json", dir)
	var result struct {
		Plan        planResult   `json:"plan"`
		Diagnostics []diagnostic `json:"diagnostics"`
	}
	if err := json.Unmarshal([]byte(got.out), &result); err != nil {
		t.Fatal(err, got.out)
	}
	want := planResult{
		Changes: []plannedChange{
			{Action: "create", Address: "terraform_data.more"},
			{Action: "no-op", Address: "terraform_data.new", Previous: "terraform_data.old"},
			{Action: "delete", Address: "terraform_data.spare"},
		},
		Blocked:   []blockedMove{{"terraform_data.spare", "terraform_data.taken"}},
		Undecided: []undecidedBlock{{"terraform_data.open", []string{"terraform_data.open[0]"}}},
	}
	want.Counts.Add, want.Counts.Destroy, want.Counts.Move = 1, 1, 1
	a, err := json.Marshal(result.Plan)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) || got.status != Findings {
		t.Errorf("status %d, plan\n%s\nwant\n%s", got.status, a, b)
	}
	var summaries []string
	for _, d := range result.Diagnostics {
		summaries = append(summaries, d.Severity+" "+d.Summary)
	}
	if got := strings.Join(summaries, ", "); got != "warning Instances are not known, warning Moves are blocked" {
		t.Errorf("diagnostics %s", got)
	}
}

// TestPlanCommandFails says what is wrong and prints no plan.
func TestPlanCommandFails(t *testing.T) {
	for _, test := range []struct {
		name, want string
		files      map[string]string
	}{
		{"a backend elsewhere", `backend "s3"`, map[string]string{"main.tf": "terraform {\n  backend \"s3\" {}\n}\n"}},
		{"a wrong move", "Moved object still exists", map[string]string{"main.tf": "resource \"terraform_data\" \"a\" {}\nmoved {\n  from = terraform_data.a\n  to   = terraform_data.b\n}\n"}},
		{"an encrypted state", "encrypted", map[string]string{"main.tf": "locals {}\n", "terraform.tfstate": `{"encrypted_data": "x"}`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := runIn("plan", folder(t, test.files)); got.status != Failed || got.out != "" || !strings.Contains(got.errs, test.want) {
				t.Errorf("status %d, printed %q, errors\n%s\nwant something about %q", got.status, got.out, got.errs, test.want)
			}
		})
	}
}

const movedOutput = `# NEW/moved.tf

moved {
  from = terraform_data.a
  to   = module.m["k"].terraform_data.in
}

# NEW/m/moved.tf, for module.m

moved {
  from = terraform_data.x
  to   = terraform_data.y
}

# - terraform_data.gone: nothing of its type is added that has no partner already
# Without the blocks: Plan: 2 to add, 3 to destroy, 0 to move.
# With the blocks:    Plan: 0 to add, 1 to destroy, 2 to move.
`

func refactoring(t *testing.T) (before, after string) {
	t.Helper()
	call := "module \"m\" {\n  source   = \"./m\"\n  for_each = { k = 1 }\n}\n"
	before = folder(t, map[string]string{
		"main.tf":   call + "resource \"terraform_data\" \"a\" {\n  input = 1\n}\nresource \"terraform_data\" \"gone\" {\n  input = 2\n}\n",
		"m/main.tf": "resource \"terraform_data\" \"x\" {\n  input = 3\n}\n",
	})
	after = folder(t, map[string]string{
		"main.tf":   call,
		"m/main.tf": "resource \"terraform_data\" \"in\" {\n  input = 1\n}\nresource \"terraform_data\" \"y\" {\n  input = 3\n}\n",
	})
	return before, after
}

// TestMovedCommand prints blocks to paste, what is left and the plan with them.
func TestMovedCommand(t *testing.T) {
	before, after := refactoring(t)
	want := strings.ReplaceAll(movedOutput, "NEW", after)
	got := runIn("moved", before, after)
	if got.status != Findings || got.out != want || got.errs != "" {
		t.Errorf("status %d, printed\n%s%s\nwant\n%s", got.status, got.out, got.errs, want)
	}
	// What is printed is a file of configuration as it stands.
	blocks, _, _ := strings.Cut(strings.SplitN(got.out, "moved.tf, for", 2)[0], "\n# "+after+"/m/")
	if err := os.WriteFile(filepath.Join(after, "moved.tf"), []byte(blocks), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := runIn("check", after); got.status != Fine {
		t.Errorf("with the printed blocks the configuration does not pass:\n%s", got.errs)
	}
}

// TestMovedCommandState holds the blocks against a state.
func TestMovedCommandState(t *testing.T) {
	before, after := refactoring(t)
	state := filepath.Join(folder(t, map[string]string{"s.json": stateWith("a")}), "s.json")
	got := runIn("moved", "-json", "-state", state, before, after)
	var result struct{ Moved movedResult }
	if err := json.Unmarshal([]byte(got.out), &result); err != nil {
		t.Fatal(err, got.out)
	}
	files, left := result.Moved.Files, result.Moved.Left
	if len(files) != 1 || files[0].Dir != after || len(files[0].Modules) != 0 || len(files[0].Blocks) != 1 ||
		files[0].Blocks[0] != (movedBlock{"terraform_data.a", `module.m["k"].terraform_data.in`}) || !strings.HasPrefix(files[0].Text, "moved {\n") {
		t.Errorf("files %+v", files)
	}
	if len(left) != 1 || left[0].Address != `module.m["k"].terraform_data.y` || left[0].Action != "create" || left[0].Reason == "" || got.status != Findings {
		t.Errorf("status %d, left %+v", got.status, left)
	}
	if a, b := result.Moved.Before, result.Moved.After; a.Add != 2 || a.Destroy != 1 || b.Add != 1 || b.Destroy != 0 || b.Move != 1 {
		t.Errorf("before %+v, after %+v", a, b)
	}
}

// TestMovedCommandFine returns 0 where the blocks leave nothing to add or destroy, and needs two folders.
func TestMovedCommandFine(t *testing.T) {
	a := folder(t, map[string]string{"main.tf": "resource \"terraform_data\" \"a\" {}\n"})
	b := folder(t, map[string]string{"main.tf": "resource \"terraform_data\" \"b\" {}\n"})
	if got := runIn("moved", a, b); got.status != Fine || !strings.Contains(got.out, "  to   = terraform_data.b\n") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errs)
	}
	if got := runIn("moved", a, a); got.status != Fine || !strings.HasPrefix(got.out, "# No block is proposed.\n") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errs)
	}
	if got := runIn("moved", a); got.status != Failed {
		t.Errorf("with one folder the status is %d", got.status)
	}
	if got := runIn("moved", a, filepath.Join(b, "not")); got.status != Failed {
		t.Errorf("with a folder that is not there the status is %d", got.status)
	}
}
