package configuration_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
)

// tree is a configuration of testdata: an archive of files. The file "arguments" holds what stands on the command line and
// "environment" the variables, a line each, "list" what the state lists then; the comment may say "only: OpenTofu".
type tree struct {
	name      string
	archive   *txtar.Archive
	arguments []string
	env       []string
	// list is what the state lists after an apply.
	list []string
}

// trees reads the archives that a pattern names.
func trees(t *testing.T, pattern string) []tree {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives %s: %v", pattern, err)
	}
	var out []tree
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, readTree(strings.TrimSuffix(filepath.Base(file), ".txtar"), archive))
	}
	return out
}

func readTree(name string, archive *txtar.Archive) tree {
	x := tree{name: name, archive: archive}
	for _, f := range archive.Files {
		lines := strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		switch f.Name {
		case "arguments":
			x.arguments = lines
		case "environment":
			x.env = lines
		case "list":
			x.list = lines
		}
	}
	return x
}

// write puts the files into a folder; those in a subfolder of the archive alone, where one is named.
func (x tree) write(t *testing.T, dir, from string) {
	t.Helper()
	for _, f := range x.archive.Files {
		name, ok := strings.CutPrefix(f.Name, from)
		if !ok || slices.Contains([]string{"arguments", "environment", "list"}, name) {
			continue
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// given are the -var and -var-file arguments.
func (x tree) given(dir string) []configuration.Given {
	var out []configuration.Given
	for _, a := range x.arguments {
		if file, ok := strings.CutPrefix(a, "-var-file="); ok {
			out = append(out, configuration.Given{File: filepath.Join(dir, file)})
		} else if text, ok := strings.CutPrefix(a, "-var="); ok {
			name, text, _ := strings.Cut(text, "=")
			out = append(out, configuration.Given{Name: name, Text: text})
		}
	}
	return out
}

// cli is one of the tools.
type cli struct{ name, path string }

// eachTool runs a test with every tool that is there: OpenTofu where make test has built it, Terraform where it is installed.
func eachTool(t *testing.T, run func(t *testing.T, c cli)) {
	t.Helper()
	if os.Getenv("ESTATE_ACCEPTANCE") == "" {
		t.Skip("needs the tools: run make test")
	}
	tofu := os.Getenv("ESTATE_TOFU")
	if _, err := os.Stat(tofu); err != nil { //nolint:gosec // G703: the tool that make test has built.
		t.Fatalf("OpenTofu: %v", err)
	}
	tools := []cli{{"OpenTofu", tofu}}
	if path, err := exec.LookPath("terraform"); err == nil {
		tools = append(tools, cli{"Terraform", path})
	}
	for _, c := range tools {
		t.Run(c.name, func(t *testing.T) { run(t, c) })
	}
}

// eachTree shows every archive of a pattern that is meant for a tool to it, several at once and each in a folder of its own. There
// shall be so many at least.
func eachTree(t *testing.T, pattern string, least int, run func(t *testing.T, c cli, x tree, dir string)) {
	t.Helper()
	eachTool(t, func(t *testing.T, c cli) {
		n := 0
		for _, x := range trees(t, pattern) {
			if !x.isFor(c) {
				continue
			}
			n++
			t.Run(x.name, func(t *testing.T) {
				t.Parallel()
				run(t, c, x, t.TempDir())
			})
		}
		if n < least {
			t.Errorf("%d archives %s; there shall be %d", n, pattern, least)
		}
	})
}

// isFor tells whether the archive is meant for the tool.
func (x tree) isFor(c cli) bool {
	comment := string(x.archive.Comment)
	return !strings.Contains(comment, "only: ") || strings.Contains(comment, "only: "+c.name)
}

// run runs a command of the tool in a folder.
func (c cli) run(t *testing.T, dir string, env []string, args ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), c.path, args...) //nolint:gosec // G204: the tool under test.
	command.Dir = dir
	// Nothing that the user has set for the tools may change what they say.
	command.Env = slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "TF_") })
	command.Env = append(command.Env, "TF_IN_AUTOMATION=1", "TF_CLI_CONFIG_FILE="+os.DevNull, "CHECKPOINT_DISABLE=1")
	command.Env = append(command.Env, env...)
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	err := command.Run()
	return out.String() + errs.String(), err
}

func (c cli) must(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	out, err := c.run(t, dir, env, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", c.name, strings.Join(args, " "), err, out)
	}
	return out
}

// addresses expands the configuration in a folder.
func addresses(t *testing.T, x tree, dir string) []string {
	t.Helper()
	loaded, diags := configuration.Load(dir)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	values, diags := configuration.ReadValues(loaded, x.env, x.given(dir))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	e := configuration.Evaluate(loaded, configuration.Options{Values: values, Functions: language(dir)})
	listing := e.List()
	if diags := e.Diagnostics(); diags.HasErrors() {
		t.Fatal(diags)
	}
	if len(listing.Unsettled) > 0 {
		t.Fatalf("not settled: %v", listing.Unsettled)
	}
	var out []string
	for _, r := range listing.Instances {
		if r.Mode != configuration.Ephemeral {
			out = append(out, r.String())
		}
	}
	return out
}

// TestAddresses expands each tree.
func TestAddresses(t *testing.T) {
	for _, x := range trees(t, "trees/*.txtar") {
		t.Run(x.name, func(t *testing.T) {
			dir := t.TempDir()
			x.write(t, dir, "")
			if got := addresses(t, x, dir); !slices.Equal(got, x.list) {
				t.Errorf("addresses\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(x.list, "\n  "))
			}
		})
	}
}

// TestAddressesEqualStateList applies each tree with the real tools, and compares what their state lists.
func TestAddressesEqualStateList(t *testing.T) {
	eachTree(t, "trees/*.txtar", 40, func(t *testing.T, c cli, x tree, dir string) {
		x.write(t, dir, "")
		c.must(t, dir, x.env, "init", "-no-color")
		c.must(t, dir, x.env, append([]string{"apply", "-auto-approve", "-no-color"}, x.arguments...)...)
		want := strings.Split(strings.TrimSpace(c.must(t, dir, nil, "state", "list", "-no-color")), "\n")
		if got := addresses(t, x, dir); !slices.Equal(got, want) {
			t.Errorf("addresses\n  %s\nstate list\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
		if !slices.Equal(want, x.list) {
			t.Errorf("the archive's own list differs from the state's:\n%s", strings.Join(want, "\n"))
		}
	})
}
