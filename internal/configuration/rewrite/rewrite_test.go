package rewrite_test

import (
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration/rewrite"
)

// open reads a text that the test writes.
func open(t *testing.T, name, text string) *rewrite.File {
	t.Helper()
	f, err := rewrite.Open(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// block is the one of that name.
func block(t *testing.T, f *rewrite.File, kind string, labels ...string) *rewrite.Block {
	t.Helper()
	blocks := f.Blocks(kind, labels...)
	if len(blocks) != 1 {
		t.Fatalf("%d blocks %s %v", len(blocks), kind, labels)
	}
	return blocks[0]
}

var (
	one = []rewrite.Argument{{Name: "x", Expr: `"y"`}}
	two = []rewrite.Argument{{Name: "x", Expr: `"y"`}, {Name: "longer", Expr: "each.key"}}
)

// TestEdits makes one change, or a few, in a short text.
func TestEdits(t *testing.T) {
	for name, c := range map[string]struct {
		file, before, after string
		change              func(*rewrite.Block)
	}{
		"insert at the top": {
			"a.tf", "resource \"a\" \"b\" {\n  c = 1\n}\n", "resource \"a\" \"b\" {\n  x      = \"y\"\n  longer = each.key\n  c      = 1\n}\n",
			func(b *rewrite.Block) { b.Insert(two, rewrite.Place{}) },
		},
		"lines end as the others": {
			"a.tf", "resource \"a\" \"b\" {\r\n  c = 1\r\n}\r\n", "resource \"a\" \"b\" {\r\n  x = \"y\"\r\n\r\n  c = 1\r\n}\r\n",
			func(b *rewrite.Block) { b.Insert(one, rewrite.Place{Ends: true}) },
		},
		"no empty line before the end": {
			"a.tf", "resource \"a\" \"b\" {\n  c = 1\n}", "resource \"a\" \"b\" {\n  c = 1\n  x = \"y\"\n}",
			func(b *rewrite.Block) { b.Insert(one, rewrite.Place{After: []string{"c", "absent"}, Ends: true}) },
		},
		"no second empty line": {
			"a.tf", "resource \"a\" \"b\" {\n  c = 1\n\n  d = 2\n}\n", "resource \"a\" \"b\" {\n  c = 1\n\n  x = \"y\"\n\n  d = 2\n}\n",
			func(b *rewrite.Block) { b.Insert(one, rewrite.Place{After: []string{"c"}, Apart: true, Ends: true}) },
		},
		"behind a heredoc": {
			"a.tf", "resource \"a\" \"b\" {\n  c = <<E\n  {\nE\n  d = 2\n}\n", "resource \"a\" \"b\" {\n  c = <<E\n  {\nE\n  x = \"y\"\n  d = 2\n}\n",
			func(b *rewrite.Block) { b.Insert(one, rewrite.Place{After: []string{"c"}}) },
		},
		"before one with a long comment": {
			"a.tf", "resource \"a\" \"b\" { /* of\nlines */\n  c = 1 # one\n}\n", "resource \"a\" \"b\" { /* of\nlines */\n  x = \"y\"\n  c = 1 # one\n}\n",
			func(b *rewrite.Block) { b.Insert(one, rewrite.Place{Before: "c"}) },
		},
		"before one behind a long comment": {
			"a.tf", "resource \"a\" \"b\" {\n  /* of\nlines */ c = 1\n}\n", "resource \"a\" \"b\" {\n  x                = \"y\"\n  /* of\nlines */ c = 1\n}\n", // the tools' own layout
			func(b *rewrite.Block) { b.Insert(one, rewrite.Place{Before: "c"}) },
		},
		"remove one behind a long comment": {
			"a.tf", "resource \"a\" \"b\" {\n  d = 1\n  /* of\nlines */ c = 1\n}\n", "resource \"a\" \"b\" {\n  d = 1\n}\n",
			func(b *rewrite.Block) { b.Remove("c") },
		},
		"replace a heredoc": {
			"a.tf", "resource \"a\" \"b\" {\n  c = <<E\nE\n  d = 1\n}\n", "resource \"a\" \"b\" {\n  c = 7\n  d = 1\n}\n",
			func(b *rewrite.Block) { b.Replace("c", "7") },
		},
		"replace by the same": {
			"a.tf", "resource \"a\" \"b\" {\n  c=1\n}\n", "resource \"a\" \"b\" {\n  c=1\n}\n",
			func(b *rewrite.Block) { b.Replace("c", "1") },
		},
		"remove a heredoc": {
			"a.tf", "resource \"a\" \"b\" {\n  c = <<E\nE\n  d = 1\n}\n", "resource \"a\" \"b\" {\n  d = 1\n}\n",
			func(b *rewrite.Block) { b.Remove("c") },
		},
		"remove with its comment": {
			"a.tf", "resource \"a\" \"b\" {\n  long = 1 # one\n  d    = 1\n}\n", "resource \"a\" \"b\" {\n  d = 1\n}\n",
			func(b *rewrite.Block) { b.Remove("long") },
		},
		"remove from one line": {
			"a.tf", "resource \"a\" \"b\" { c = 1 }\n", "resource \"a\" \"b\" {}\n",
			func(b *rewrite.Block) { b.Remove("c") },
		},
		"remove and insert on one line": {
			"a.tf", "resource \"a\" \"b\" { c = 1 }\n", "resource \"a\" \"b\" {\n  x = \"y\"\n}\n",
			func(b *rewrite.Block) { b.Remove("c"); b.Insert(one, rewrite.Place{Before: "c"}) },
		},
		"a comment on one line": {
			"a.tf", "resource \"a\" \"b\" { /* empty */ }\n", "resource \"a\" \"b\" {\n  x = \"y\"\n  /* empty */\n}\n",
			func(b *rewrite.Block) { b.Insert(one, rewrite.Place{Ends: true}) },
		},
		"words without quotes": {
			"a.tf", "resource a b {\n}\n", "resource a b {\n  x = \"y\"\n}\n",
			func(b *rewrite.Block) { b.Insert(one, rewrite.Place{}) },
		},
		"JSON on one line": {
			"a.tf.json", `{"resource":{"a":{"b":{"c":1,"d":2}}}}`, `{"resource":{"a":{"b":{"c":1,"x":"y","longer":"${each.key}","d":2}}}}`,
			func(b *rewrite.Block) { b.Insert(two, rewrite.Place{After: []string{"c"}}) },
		},
		"JSON in a list": {
			"a.tf.json", "[{\"resource\": [{\"a\": {\"b\": [{\n \"c\": 1\n}]}}]}]\n", "[{\"resource\": [{\"a\": {\"b\": [{\n \"x\": \"y\",\n \"c\": 1\n}]}}]}]\n",
			func(b *rewrite.Block) { b.Insert(one, rewrite.Place{}) },
		},
		"JSON before": {
			"a.tf.json", `{"resource": {"a": {"b": {"c": 1, "d": 2}}}}`, `{"resource": {"a": {"b": {"c": 1, "x": "y", "d": 2}}}}`,
			func(b *rewrite.Block) { b.Insert(one, rewrite.Place{Before: "d"}) },
		},
		"JSON remove the first": {
			"a.tf.json", `{"resource": {"a": {"b": {"c": {"}": "\""}, "d": 2}}}}`, `{"resource": {"a": {"b": {"d": 2}}}}`,
			func(b *rewrite.Block) { b.Remove("c") },
		},
		"JSON remove the last": {
			"a.tf.json", `{"resource": {"a": {"b": {"c": 1, "d": 2}}}}`, `{"resource": {"a": {"b": {"c": 1}}}}`,
			func(b *rewrite.Block) { b.Remove("d") },
		},
		"JSON remove and insert": {
			"a.tf.json", `{"resource": {"a": {"b": {"c": 1}}}}`, `{"resource": {"a": {"b": {"x": "y"}}}}`,
			func(b *rewrite.Block) { b.Remove("c"); b.Insert(one, rewrite.Place{Before: "c"}) },
		},
		"JSON escapes that say the same": {
			"a.tf.json", `{"resource": {"a": {"b": {"c": "\u0061"}}}}`, `{"resource": {"a": {"b": {"c": "\u0061"}}}}`,
			func(b *rewrite.Block) { b.Replace("c", `"a"`) },
		},
		"JSON expression": {
			"a.tf.json", `{"resource": {"a": {"b": {"c": 1}}}}`, `{"resource": {"a": {"b": {"c": "${f(\"<\")}"}}}}`,
			func(b *rewrite.Block) { b.Replace("c", `f("<")`) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, c.file, c.before)
			c.change(block(t, f, "resource", "a", "b"))
			text, changed := f.Result()
			if string(text) != c.after {
				t.Errorf("%q\nbecomes\n%q\nwant\n%q", c.before, text, c.after)
			}
			if changed != (c.before != c.after) {
				t.Errorf("changed is %v", changed)
			}
			open(t, c.file, string(text))
		})
	}
}

// TestUnformattedLinesStay formats what is new alone, and what stands in one column with it.
func TestUnformattedLinesStay(t *testing.T) {
	f := open(t, "a.tf", "resource \"a\" \"b\" {\n  cc = 1\n  d=2\n    e = 3\n\n  f  =4\n}\n")
	block(t, f, "resource", "a", "b").Insert([]rewrite.Argument{{Name: "longer", Expr: "0"}}, rewrite.Place{})
	text, _ := f.Result()
	want := "resource \"a\" \"b\" {\n  longer = 0\n  cc     = 1\n  d=2\n    e = 3\n\n  f  =4\n}\n"
	if string(text) != want {
		t.Errorf("becomes\n%s\nwant\n%s", text, want)
	}
}

// TestDeclare puts a variable where a file has its variables.
func TestDeclare(t *testing.T) {
	empty := ""
	native := "variable \"v\" {\n  type = string\n}\n"
	for name, c := range map[string]struct {
		file, before, after string
		text                *string
	}{
		"empty":                {"a.tf", "", native, nil},
		"default":              {"a.tf", "", "variable \"v\" {\n  type    = string\n  default = \"\"\n}\n", &empty},
		"no end":               {"a.tf", "locals {}", "locals {}\n\n" + native, nil},
		"behind settings":      {"a.tf", "terraform {} # x\nlocals {}\n", "terraform {} # x\n\n" + native + "\nlocals {}\n", nil},
		"settings come first":  {"a.tf", "terraform {}\n\nvariable \"a\" {}\n", "terraform {}\n\n" + native + "\nvariable \"a\" {}\n", nil},
		"behind variables":     {"a.tf", "variable \"a\" {}\n\nvariable \"b\" {}\n\nlocals {}\n", "variable \"a\" {}\n\nvariable \"b\" {}\n\n" + native + "\nlocals {}\n", nil},
		"behind one at an end": {"a.tf", "variable \"a\" {}", "variable \"a\" {}\n\n" + native, nil},
		"JSON":                 {"a.tf.json", `{"locals": {"a": 1}}`, `{"variable": {"v": {"type": "string"}}, "locals": {"a": 1}}`, nil},
		"JSON empty":           {"a.tf.json", `{}`, `{"variable": {"v": {"type": "string"}}}`, nil},
		"JSON with others":     {"a.tf.json", `{"variable": {"a": {}}}`, `{"variable": {"v": {"type": "string"}, "a": {}}}`, nil},
		"JSON default": {
			"a.tf.json", "{\n \"terraform\": {},\n \"locals\": {}\n}\n",
			"{\n \"terraform\": {},\n \"variable\": {\n  \"v\": {\n   \"type\": \"string\",\n   \"default\": \"\"\n  }\n },\n \"locals\": {}\n}\n", &empty,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, c.file, c.before)
			f.Declare("v", c.text)
			text, changed := f.Result()
			if string(text) != c.after || !changed {
				t.Errorf("%q\nbecomes\n%q\nwant\n%q", c.before, text, c.after)
			}
			if again := open(t, c.file, string(text)); !again.DeclaresVariables() || len(again.Blocks("variable", "v")) != 1 {
				t.Errorf("the variable is not there")
			}
		})
	}
}

// TestText reads expressions of both syntaxes in the native one.
func TestText(t *testing.T) {
	for json, want := range map[string]string{
		`"${merge(a, {b = \"c\"})}"`:     `merge(a, {b = "c"})`,
		`"a"`:                            `"a"`,
		`"a ${b} c"`:                     `"a ${b} c"`,
		`"say \"hi\""`:                   `"say \"hi\""`,
		`"tab\t${b}"`:                    "",
		`{"a": "b", "${c}": 1, "d": {}}`: `{ "a" = "b", (c) = 1, "d" = {  } }`,
		`["a"]`:                          "",
		`{"a": ["b"]}`:                   "",
		`null`:                           "null",
	} {
		f := open(t, "a.tf.json", `{"resource": {"a": {"b": {"c": `+json+`}}}}`)
		got, ok := block(t, f, "resource", "a", "b").Text("c")
		if got != want || ok != (want != "") {
			t.Errorf("%s is %q, %v, want %q", json, got, ok, want)
		}
	}
	f := open(t, "a.tf", "resource \"a\" \"b\" {\n  c = [1, # one\n  2]\n}\n")
	if got, ok := block(t, f, "resource", "a", "b").Text("c"); got != "[1, # one\n  2]" || !ok {
		t.Errorf("the text is %q", got)
	}
}

// TestOpenRefuses what is in neither syntax.
func TestOpenRefuses(t *testing.T) {
	for _, text := range []string{"", "{", "[1", `{"a"}`, `{"a": }`, `{"a": "b`, `{} {}`, `{"a" 1}`, `{a: 1}`} {
		if _, err := rewrite.Open("a.tf.json", []byte(text)); err == nil || !strings.Contains(err.Error(), "no JSON") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := rewrite.Open("a.tf", []byte("a {")); err == nil {
		t.Error("an open block was read")
	}
}
