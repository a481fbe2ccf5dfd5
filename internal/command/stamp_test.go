package command_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"golang.org/x/tools/txtar"

	"github.com/tofu-estate/terraform-provider-estate/internal/command"
	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
)

// stamping is an archive: files before, those of them that differ after, the arguments, what the warnings say, and the
// instances that cannot say their address even then.
type stamping struct {
	before, after                  map[string]string
	arguments, warnings, unstamped []string
}

func readStamping(t *testing.T, path string) stamping {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	x := stamping{before: map[string]string{}, after: map[string]string{}}
	for _, f := range archive.Files {
		lines := strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		switch f.Name {
		case "arguments":
			x.arguments = lines
		case "warnings":
			x.warnings = lines
		case "unstamped":
			x.unstamped = lines
		default:
			if name, ok := strings.CutPrefix(f.Name, "after/"); ok {
				x.after[name] = string(f.Data)
			} else if name, ok := strings.CutPrefix(f.Name, "before/"); ok {
				x.before[name] = string(f.Data)
			} else {
				t.Fatalf("what is %s?", f.Name)
			}
		}
	}
	return x
}

// enter writes files into a new folder and makes it the working one.
func enter(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// mustHold fails the test unless the files are these, and there are no others.
func mustHold(t *testing.T, want map[string]string) {
	t.Helper()
	for name, text := range want {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != text {
			t.Errorf("%s is\n%s\nwant\n%s", name, got, text)
		}
	}
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if _, ok := want[filepath.ToSlash(path)]; err == nil && !d.IsDir() && !ok {
			t.Errorf("there is a file %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// run runs a command and fails the test unless it returns the status.
func run(t *testing.T, status int, args ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	if got := command.Run(args, &o, &e); got != status {
		t.Fatalf("%s returned %d, want %d\n%s%s", strings.Join(args, " "), got, status, o.String(), e.String())
	}
	return o.String(), e.String()
}

// TestStamp stamps each archive: shown, written, and once more.
func TestStamp(t *testing.T) {
	files, err := filepath.Glob("testdata/stamp/*.txtar")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d archives: %v", len(files), err)
	}
	checked := 0
	for _, file := range files {
		x := readStamping(t, file)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			enter(t, x.before)
			after, changed := map[string]string{}, []string{}
			for name, text := range x.before {
				after[name] = text
				if new, ok := x.after[name]; ok {
					after[name] = new
					changed = append(changed, name)
				}
			}
			slices.Sort(changed)
			status := command.Fine
			if len(changed) > 0 {
				status = command.Findings
			}
			diff, _ := run(t, status, append([]string{"stamp"}, x.arguments...)...)
			if got := strings.Count(diff, "\n+++ b/"); got != len(changed) {
				t.Errorf("the diff is of %d files, want %q\n%s", got, changed, diff)
			}
			mustHold(t, x.before)
			out, errs := run(t, command.Fine, append([]string{"stamp", "-write"}, x.arguments...)...)
			listed := strings.Fields(out)
			slices.Sort(listed)
			if !slices.Equal(listed, changed) {
				t.Errorf("it lists %q, want %q", listed, changed)
			}
			mustHold(t, after)
			if len(x.warnings) == 0 && errs != "" {
				t.Errorf("it says\n%s", errs)
			}
			for _, w := range x.warnings {
				if !strings.Contains(strings.Join(strings.Fields(errs), " "), w) {
					t.Errorf("it does not say %q:\n%s", w, errs)
				}
			}
			again, _ := run(t, command.Fine, append([]string{"stamp", "-write"}, x.arguments...)...)
			if again != "" {
				t.Errorf("once more it writes %s", again)
			}
			mustHold(t, after)
			mustBeFormatted(t, x)
			checked += saysItsOwn(t, x.unstamped)
		})
	}
	if checked < 50 {
		t.Errorf("%d addresses were looked at", checked)
	}
}

// mustBeFormatted fails the test where a file was formatted before and is not any more.
func mustBeFormatted(t *testing.T, x stamping) {
	t.Helper()
	formatted := func(text string) bool { return string(hclwrite.Format([]byte(text))) == text }
	for name, text := range x.after {
		if filepath.Ext(name) == ".tf" && formatted(x.before[name]) && !formatted(text) {
			t.Errorf("%s is not formatted:\n%s", name, text)
		}
	}
}

// saysItsOwn evaluates the configuration as it is now, and fails the test unless each instance with tags says its own address as
// the provider reads it, and those that cannot are these. It returns how many do.
func saysItsOwn(t *testing.T, not []string) int {
	t.Helper()
	tree, diags := configuration.Load(".")
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	values, diags := configuration.ReadValues(tree, nil, nil)
	for _, d := range diags {
		if _, ok := configuration.Disagreement(d); !ok {
			t.Error(d)
		}
	}
	tagged := map[string]bool{}
	for _, typ := range provider.Types() {
		tagged["estate_"+typ.Name()] = typ.Tagged()
	}
	functions, err := command.Language(tree)
	if err != nil {
		t.Fatal(err)
	}
	e := configuration.Evaluate(tree, configuration.Options{Values: values, Functions: functions})
	n := 0
	var cannot []string
	for _, r := range e.List().Instances {
		if r.Mode != configuration.Managed || !tagged[r.Resource.Type] {
			continue
		}
		if markers.Escape(says(r)) == markers.Escape(r.Address.String()) {
			n++
			continue
		}
		cannot = append(cannot, r.String())
	}
	if !slices.Equal(cannot, not) {
		t.Errorf("these do not say their address: %q, want %q", cannot, not)
	}
	if diags := e.Diagnostics(); diags.HasErrors() {
		t.Error(diags)
	}
	return n
}

// says joins an instance's arguments as the provider does; "" where they give no address.
func says(r configuration.ResourceInstance) string {
	text := func(name string) (string, bool) {
		value, ok := r.Module.Argument(r.Resource, r.Repetition, name)
		if !ok || !value.IsKnown() || value.IsNull() {
			return "", false
		}
		value, err := convert.Convert(value, cty.String)
		return value.AsString(), err == nil
	}
	base, _ := text("tofu_address")
	address, err := markers.Parse(base)
	if err != nil {
		return ""
	}
	if key, ok := text("tofu_key"); ok {
		if address, err = address.WithKey(key); err != nil {
			return ""
		}
	}
	return address.String()
}

const unstampedVPC = `resource "estate_vpc" "main" {
  cidr_block = "10.0.0.0/16"
}`

// TestStampShows holds the diff, for people and for programs.
func TestStampShows(t *testing.T) {
	enter(t, map[string]string{"main.tf": unstampedVPC})
	want := `--- a/main.tf
+++ b/main.tf
@@ -1,3 +1,5 @@
 resource "estate_vpc" "main" {
+  tofu_address = "estate_vpc.main"
+
   cidr_block = "10.0.0.0/16"
 }
\ No newline at end of file
`
	if out, _ := run(t, command.Findings, "stamp"); out != want {
		t.Errorf("the diff is\n%s\nwant\n%s", out, want)
	}
	out, _ := run(t, command.Findings, "stamp", "-json")
	var result struct {
		Stamp []struct{ File, Diff string }
	}
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatal(err)
	}
	if len(result.Stamp) != 1 || result.Stamp[0].File != "main.tf" || result.Stamp[0].Diff != want {
		t.Errorf("-json shows %+v", result.Stamp)
	}
	mustHold(t, map[string]string{"main.tf": unstampedVPC})
}

// TestStampWritesThroughLinks keeps a link, and the mode of what it points to.
func TestStampWritesThroughLinks(t *testing.T) {
	enter(t, map[string]string{"real.txt": unstampedVPC})
	if err := os.Symlink("real.txt", "main.tf"); err != nil {
		t.Skip(err)
	}
	if err := os.Chmod("real.txt", 0o640); err != nil {
		t.Fatal(err)
	}
	run(t, command.Fine, "stamp", "-write")
	if info, err := os.Lstat("main.tf"); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	info, err := os.Stat("real.txt")
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v: %v", info.Mode(), err)
	}
	if text, err := os.ReadFile("real.txt"); err != nil || !strings.Contains(string(text), "tofu_address") {
		t.Errorf("what it points to was not written: %v", err)
	}
}

// TestStampRefuses returns 2 for what it cannot do, and writes nothing.
func TestStampRefuses(t *testing.T) {
	broken := `resource "estate_vpc" "main" {
  for_each = 7
}`
	for name, c := range map[string]struct {
		file, says string
		args       []string
	}{
		"no estate":            {unstampedVPC, "add -estate NAME", []string{"-tags"}},
		"no tags":              {unstampedVPC, "add -tags", []string{"-estate", "net"}},
		"no name":              {unstampedVPC, "lower-case letter", []string{"-tags", "-estate", "Net work"}},
		"reference":            {unstampedVPC, "refers to var.estate", []string{"-tags", "-estate", "${var.estate}"}},
		"function":             {unstampedVPC, "holds", []string{"-tags", "-estate", "net${lower(terraform.workspace)}"}},
		"syntax":               {"resource {", "Missing type for resource", nil},
		"expansion":            {broken, "Invalid for_each argument", nil},
		"undeclared reference": {`resource "estate_eip" "e" { count = var.no }`, "undeclared input variable", nil},
	} {
		t.Run(name, func(t *testing.T) {
			enter(t, map[string]string{"main.tf": c.file})
			_, errs := run(t, command.Failed, append([]string{"stamp", "-write"}, c.args...)...)
			if !strings.Contains(strings.Join(strings.Fields(errs), " "), c.says) {
				t.Errorf("it says\n%s\nwant %q", errs, c.says)
			}
			mustHold(t, map[string]string{"main.tf": c.file})
		})
	}
}

// TestStampLeavesFetchedModules reports a call that gives the path to a fetched module which does not know the variable.
func TestStampLeavesFetchedModules(t *testing.T) {
	files := map[string]string{
		"main.tf": `module "m" {
  source      = "example/m/estate"
  tofu_module = "module.m."
}
`,
		".terraform/modules/modules.json": `{"Modules":[{"Key":"m","Dir":".terraform/modules/m"}]}`,
		".terraform/modules/m/main.tf":    "output \"a\" {\n  value = 1\n}\n",
	}
	enter(t, files)
	if _, errs := run(t, command.Failed, "stamp", "-write"); !strings.Contains(errs, `has no variable "tofu_module"`) {
		t.Errorf("it says\n%s", errs)
	}
	mustHold(t, files)
}

// TestStampLeavesTheExamples has nothing to say of the estates that are published.
func TestStampLeavesTheExamples(t *testing.T) {
	dirs, err := filepath.Glob("../../examples/estates/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, dir := range dirs {
		if out, errs := run(t, command.Fine, "stamp", dir); out+errs != "" {
			t.Errorf("%s: %s%s", dir, out, errs)
		}
	}
}

// TestStampRestoresTheExamples takes what says an address out of the published example of each type, and has it stamped: what comes
// back is what was there.
func TestStampRestoresTheExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/resources/*/*.tf")
	if err != nil || len(files) < 2*len(provider.Types()) {
		t.Fatalf("%d examples: %v", len(files), err)
	}
	compared := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), func(t *testing.T) {
			want, stripped := withoutMarkers(t, string(text))
			enter(t, map[string]string{"main.tf": stripped})
			run(t, command.Fine, "stamp", "-write")
			stamped, err := os.ReadFile("main.tf")
			if err != nil {
				t.Fatal(err)
			}
			got, _ := withoutMarkers(t, string(stamped))
			if !slices.Equal(got, want) {
				t.Errorf("stamped it says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if string(hclwrite.Format(stamped)) != string(stamped) {
				t.Errorf("it is not formatted:\n%s", stamped)
			}
			compared += len(want)
		})
	}
	if compared < 50 {
		t.Errorf("%d arguments were compared", compared)
	}
}

// withoutMarkers returns the arguments that say addresses, with their blocks, and the text without them.
func withoutMarkers(t *testing.T, text string) (arguments []string, without string) {
	t.Helper()
	file, diags := hclwrite.ParseConfig([]byte(text), "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, b := range file.Body().Blocks() {
		for _, name := range []string{"tofu_address", "tofu_key", "tofu_module"} {
			if a := b.Body().GetAttribute(name); a != nil && b.Type() != "data" {
				arguments = append(arguments, strings.Join(b.Labels(), ".")+": "+name+" ="+string(a.Expr().BuildTokens(nil).Bytes()))
				b.Body().RemoveAttribute(name)
			}
		}
	}
	return arguments, string(hclwrite.Format(file.Bytes()))
}
