package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The catalogue is held to the code by make test, which does not try it: a mutation that no longer fits the source, or names a
// test that is gone, fails here.
func TestCatalogueFits(t *testing.T) {
	w, err := openWorkshop(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(w.scratch) })
	seen := map[string]bool{}
	for _, m := range catalogue() {
		if m.breaks == "" || seen[m.breaks] {
			t.Errorf("%q: it is there twice, or without words", m.breaks)
		}
		seen[m.breaks] = true
		if m.section < 2 || m.section > 13 {
			t.Errorf("%q: section %d of DESIGN.md holds no such rule", m.breaks, m.section)
		}
		source, err := m.mutate(w.root)
		if err != nil {
			t.Errorf("%q: %v", m.breaks, err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), m.file, source, parser.SkipObjectResolution); err != nil {
			t.Errorf("%q: %v", m.breaks, err)
		}
		if len(m.tests) == 0 {
			t.Errorf("%q: no test has to notice", m.breaks)
		}
		for _, test := range m.tests {
			if !declares(t, filepath.Join(w.root, m.dir), test) {
				t.Errorf("%q: %s has no test %s", m.breaks, m.dir, test)
			}
		}
	}
}

// declares tells whether a test file in a folder declares a test.
func declares(t *testing.T, dir, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^func ` + test + `\(`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if declared.Match(text) {
			return true
		}
	}
	return false
}

// A module with one rule, a test that holds it and one that does not.
var tiny = map[string]string{
	"go.mod": "module tiny\n\ngo 1.24\n",
	"door/door.go": `package door

func Opens(key string) bool { return key == "right" }
`,
	"door/door_test.go": `package door

import "testing"

func TestWrongKey(t *testing.T) {
	t.Run("wrong", func(t *testing.T) {
		if Opens("wrong") {
			t.Error("opened")
		}
	})
}

func TestRightKey(t *testing.T) {
	if !Opens("right") {
		panic("shut out")
	}
}

func TestBroken(t *testing.T) { t.Error("always") }

func TestSkipped(t *testing.T) { t.Skip("never") }
`,
}

// Each way in which a mutation can end is told apart, and only failing tests are good.
func TestVerdicts(t *testing.T) {
	w := workshop{root: t.TempDir(), scratch: t.TempDir()}
	for name, text := range tiny {
		path := filepath.Join(w.root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	change := func(breaks, old, replacement, needs string, tests ...string) mutation {
		return mutation{breaks: breaks, file: "door/door.go", old: old, new: replacement, needs: needs, dir: "door", tests: tests}
	}
	cases := []struct {
		mutation
		want verdict
		why  string
	}{
		{change("caught", `== "right"`, `!= ""`, "", "TestWrongKey"), caught, "TestWrongKey"},
		{change("survived", `key == "right"`, `strings.HasPrefix(key, "right")`, "strings", "TestWrongKey"), survived, "did not fail: TestWrongKey"},
		{change("uncompiled", `== "right"`, `== 1`, "", "TestWrongKey"), uncompiled, "mismatched types"},
		{change("panics", `== "right"`, `== "none"`, "", "TestRightKey"), brokeOff, "shut out"},
		{change("no such text", `== "left"`, `== "none"`, "", "TestWrongKey"), unusable, "holds the text to be replaced 0 times"},
		{change("text twice", `key`, `k`, "", "TestWrongKey"), unusable, "holds the text to be replaced 2 times"},
		{change("no change", `key == `, `key == `, "", "TestWrongKey"), unusable, "is not changed"},
		{change("no such test", `== "right"`, `!= ""`, "", "TestNothing"), unusable, "TestNothing does not pass"},
		{change("fails without it", `== "right"`, `!= ""`, "", "TestWrongKey", "TestBroken"), unusable, "TestBroken does not pass"},
		{change("is skipped", `== "right"`, `!= ""`, "", "TestSkipped"), unusable, "TestSkipped does not pass"},
	}
	var mutations []mutation
	for _, c := range cases {
		mutations = append(mutations, c.mutation)
	}
	told := 0
	outcomes, err := w.judgeAll(t.Context(), mutations, 1, func(mutation, outcome) { told++ })
	if err != nil {
		t.Fatal(err)
	}
	if told != len(cases) {
		t.Errorf("%d of %d were told", told, len(cases))
	}
	for n, c := range cases {
		if got := outcomes[n]; got.verdict != c.want || !strings.Contains(got.why, c.why) {
			t.Errorf("%s: %s, %s; want %s, %s", c.breaks, got.verdict, got.why, c.want, c.why)
		}
	}
	source, err := os.ReadFile(filepath.Join(w.root, "door/door.go"))
	if err != nil || string(source) != tiny["door/door.go"] {
		t.Errorf("the source was written to: %v\n%s", err, source)
	}
}

func TestReport(t *testing.T) {
	var out bytes.Buffer
	r := &reporter{out: &out}
	r.tell(mutation{breaks: "one rule", section: 6, file: "a.go"}, outcome{caught, "TestA"})
	if err := r.sum([]outcome{{caught, "TestA"}, {caught, "TestB"}}, time.Second); err != nil {
		t.Error(err)
	}
	if want := "caught    §6   one rule\n               a.go: TestA\n2 of 2 mutations are caught, in 1s.\n"; out.String() != want {
		t.Errorf("it is\n%s\nwant\n%s", out.String(), want)
	}
	for _, v := range []verdict{survived, uncompiled, brokeOff, unusable} {
		if err := r.sum([]outcome{{caught, "TestA"}, {v, "why"}}, time.Second); err == nil {
			t.Errorf("%s is no failure", v)
		}
	}
}

func TestChoose(t *testing.T) {
	all := catalogue()
	chosen, err := choose(catalogue(), "fence")
	if err != nil || len(chosen) == 0 || len(chosen) == len(all) {
		t.Errorf("%d of %d chosen: %v", len(chosen), len(all), err)
	}
	for _, only := range []string{"no mutation is called so", "("} {
		if _, err := choose(catalogue(), only); err == nil {
			t.Errorf("%q chooses something", only)
		}
	}
}
