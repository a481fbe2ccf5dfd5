package functions

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var record = flag.Bool("record", false, "write what the CLIs answer into testdata")

// clis returns the two CLIs, OpenTofu first.
func clis(t *testing.T) [2]string {
	t.Helper()
	if os.Getenv("ESTATE_ACCEPTANCE") == "" {
		t.Skip("asks the CLIs: only with ESTATE_ACCEPTANCE=1")
	}
	tofu := os.Getenv("ESTATE_TOFU")
	if tofu == "" {
		t.Fatal("ESTATE_TOFU does not say where OpenTofu is")
	}
	terraform, err := exec.LookPath("terraform")
	if err != nil {
		t.Fatal(err)
	}
	return [2]string{tofu, terraform}
}

func runs(t *testing.T, dir, cli string, args ...string) []byte {
	t.Helper()
	command := exec.CommandContext(t.Context(), cli, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+os.DevNull, "CHECKPOINT_DISABLE=1")
	var complaints strings.Builder
	command.Stderr = &complaints
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", cli, args[0], err, complaints.String())
	}
	return out
}

// TestCLIsAnswerAsRecorded asks both CLIs for each expression, in one apply of each.
func TestCLIsAnswerAsRecorded(t *testing.T) {
	tools := clis(t)
	var asked []string
	for _, e := range expressions(t) {
		if !e.varies {
			asked = append(asked, e.text)
		}
	}
	tofu, terraform := ask(t, tools[0], asked), ask(t, tools[1], asked)
	list := make([]answers, len(asked))
	for i, text := range asked {
		list[i] = answers{Expression: text, OpenTofu: tofu[i], Terraform: terraform[i]}
		if tofu[i] == terraform[i] {
			list[i] = answers{Expression: text, Both: tofu[i]}
		}
	}
	if *record {
		save(t, recordings, list)
	}
	was := recorded(t)
	for i, text := range asked {
		if a := was[text]; a.OpenTofu != tofu[i] || a.Terraform != terraform[i] {
			t.Errorf("%s: OpenTofu %s, Terraform %s; recorded %s, %s", text, tofu[i], terraform[i], a.OpenTofu, a.Terraform)
		}
	}
	if len(was) != len(asked) {
		t.Errorf("%d expressions are recorded, %d were asked", len(was), len(asked))
	}
}

// ask lets a CLI evaluate expressions. Each is an output in a tuple of one element, which is empty where it is an error. The
// outputs are sensitive, as otherwise those that hold something sensitive would be refused.
func ask(t *testing.T, cli string, asked []string) []string {
	t.Helper()
	dir := place(t)
	locals, err := os.ReadFile("testdata/locals.tf")
	if err != nil {
		t.Fatal(err)
	}
	configuration := string(locals)
	for i, text := range asked {
		configuration += fmt.Sprintf("output \"e%d\" {\n  value     = try([%s], [])\n  sensitive = true\n}\n", i, text)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(configuration), 0o600); err != nil { //nolint:gosec // a folder of the test
		t.Fatal(err)
	}
	runs(t, dir, cli, "apply", "-auto-approve", "-input=false", "-no-color")
	var outputs map[string]struct {
		Type  json.RawMessage `json:"type"`
		Value json.RawMessage `json:"value"`
	}
	if err := json.Unmarshal(runs(t, dir, cli, "output", "-json"), &outputs); err != nil {
		t.Fatal(err)
	}
	out := make([]string, len(asked))
	for i := range asked {
		var kind []json.RawMessage
		var types, values []json.RawMessage
		o := outputs[fmt.Sprintf("e%d", i)]
		// A CLI may have no value even after an apply.
		if string(o.Type) == `"dynamic"` {
			out[i] = unknown
			continue
		}
		if err := json.Unmarshal(o.Type, &kind); err != nil || len(kind) != 2 {
			t.Fatalf("%s: the type is %s", asked[i], o.Type)
		}
		if err := json.Unmarshal(kind[1], &types); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(o.Value, &values); err != nil {
			t.Fatal(err)
		}
		out[i] = refused
		if len(values) == 1 {
			out[i] = pair(t, types[0], values[0])
		}
	}
	return out
}

func save(t *testing.T, path string, v any) {
	t.Helper()
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

const namesFile = "testdata/names.json"

// names are the functions of each CLI.
type names struct {
	OpenTofu  []string `json:"opentofu"`
	Terraform []string `json:"terraform"`
}

func recordedNames(t *testing.T) names {
	t.Helper()
	content, err := os.ReadFile(namesFile)
	if err != nil {
		t.Fatal(err)
	}
	var out names
	if err := json.Unmarshal(content, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCLIsHaveTheFunctions asks both CLIs which functions they have.
func TestCLIsHaveTheFunctions(t *testing.T) {
	tools := clis(t)
	var got [2][]string
	for i, cli := range tools {
		var answer struct {
			Functions map[string]json.RawMessage `json:"function_signatures"`
		}
		if err := json.Unmarshal(runs(t, t.TempDir(), cli, "metadata", "functions", "-json"), &answer); err != nil {
			t.Fatal(err)
		}
		for name := range answer.Functions {
			got[i] = append(got[i], name)
		}
		slices.Sort(got[i])
	}
	if *record {
		save(t, namesFile, names{OpenTofu: got[0], Terraform: got[1]})
	}
	was := recordedNames(t)
	if !slices.Equal(was.OpenTofu, got[0]) || !slices.Equal(was.Terraform, got[1]) {
		t.Errorf("OpenTofu has %q, Terraform %q; recorded are %q and %q", got[0], got[1], was.OpenTofu, was.Terraform)
	}
}
