package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// written is an archive of testdata in a folder of its own. The file "want" says what is expected, a line each.
type written struct {
	name, dir string
	want      []string
}

// archives writes each archive that a pattern names into a folder.
func archives(t *testing.T, pattern string) []written {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives %s: %v", pattern, err)
	}
	var out []written
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w := written{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), dir: t.TempDir()}
		for _, f := range archive.Files {
			if f.Name == "want" {
				w.want = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
				continue
			}
			path := filepath.Join(w.dir, f.Name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, w)
	}
	return out
}

// ran is what a command came to.
type ran struct {
	status    int
	out, errs string
}

func runIn(args ...string) ran {
	var out, errs bytes.Buffer
	status := Run(args, &out, &errs)
	return ran{status, out.String(), errs.String()}
}

// findings are the diagnostics of a command with -json, each as FILE:LINE SUMMARY.
func (r ran) findings(t *testing.T, dir string) []string {
	t.Helper()
	var said struct{ Diagnostics []diagnostic }
	if err := json.Unmarshal([]byte(r.out), &said); err != nil {
		t.Fatalf("%s\n%s", err, r.out)
	}
	var out []string
	for _, d := range said.Diagnostics {
		place := "-"
		if d.Severity == "warning" {
			d.Summary = "warning: " + d.Summary
		}
		if d.Range != nil {
			name, err := filepath.Rel(dir, d.Range.Filename)
			if err != nil {
				t.Fatal(err)
			}
			place = fmt.Sprintf("%s:%d", name, d.Range.Start.Line)
		}
		out = append(out, place+" "+d.Summary)
	}
	return out
}

// TestCheck holds each archive to what check finds in it: nothing, or findings in their order.
func TestCheck(t *testing.T) {
	for _, w := range archives(t, "check/*.txtar") {
		t.Run(w.name, func(t *testing.T) {
			r := runIn("check", "-json", w.dir)
			got := r.findings(t, w.dir)
			if len(got) == 0 {
				got = []string{"fine"}
			}
			if !slices.Equal(got, w.want) {
				t.Errorf("check finds\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(w.want, "\n  "))
			}
			status := Fine
			for _, line := range w.want {
				if line != "fine" && !strings.Contains(line, " warning: ") {
					status = Findings
				}
			}
			if r.status != status {
				t.Errorf("the status is %d, want %d", r.status, status)
			}
			if plain := runIn("check", w.dir); plain.status != status || (w.want[0] == "fine") != (plain.errs == "") {
				t.Errorf("without -json: %+v", plain)
			}
		})
	}
}

// TestRefusedArguments shows that a wrong command line changes nothing and says how to do it.
func TestRefusedArguments(t *testing.T) {
	for _, args := range [][]string{
		{"addresses", "-nope"},
		{"addresses", "a", "b"},
		{"addresses", "-var", "novalue"},
		{"check", "-var-file", "there-is-none", "testdata"},
		{"addresses", "there-is-none"},
		{"addresses", "check_test.go"},
		{"nope"},
	} {
		r := runIn(args...)
		if r.status != Failed || r.out != "" || r.errs == "" {
			t.Errorf("%q: %+v", args, r)
		}
	}
	if r := runIn("addresses", ".", "-json"); r.status != Failed || !strings.Contains(r.errs, "the option -json has to stand before the folder") {
		t.Errorf("%+v", r)
	}
	if r := runIn("addresses", "check_test.go"); !strings.Contains(r.errs, "check_test.go is no folder") {
		t.Errorf("%+v", r)
	}
	for _, c := range commands() {
		if r := runIn(c.name, "-help"); r.status != Fine || !strings.Contains(r.out, "terraform-provider-estate "+c.name) || r.errs != "" {
			t.Errorf("%s -help: %+v", c.name, r)
		}
	}
}

// TestAddressesCommand shows both forms of the list.
func TestAddressesCommand(t *testing.T) {
	dir := t.TempDir()
	text := "resource \"terraform_data\" \"a\" { count = 2 }\nvariable \"n\" {}\nresource \"terraform_data\" \"b\" {\n  for_each = toset(split(\",\", var.n))\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := "terraform_data.a[0]\nterraform_data.a[1]\nterraform_data.b[\"x\"]\nterraform_data.b[\"y\"]\n"
	if r := runIn("addresses", "-var", "n=x,y", dir); r.status != Fine || r.out != want || r.errs != "" {
		t.Errorf("%+v", r)
	}
	r := runIn("addresses", "-json", "-var=n=x,y", dir)
	var said struct{ Addresses []string }
	if err := json.Unmarshal([]byte(r.out), &said); err != nil || strings.Join(said.Addresses, "\n")+"\n" != want {
		t.Errorf("%v %+v", err, r)
	}
	if r := runIn("addresses", dir); r.status != Failed || !strings.Contains(r.errs, "No value for required variable") {
		t.Errorf("%+v", r)
	}
}
