package functions

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// What stands for a value where there is an error instead, or none that is known.
const (
	refused = "refused"
	unknown = "unknown"
)

// expected is a line of testdata/expressions.txt.
type expected struct {
	text string
	// unsettled is unknown here; varies is what the CLIs are not asked for; tofuOnly is an error in Terraform.
	unsettled, varies, tofuOnly bool
}

func expressions(t *testing.T) []expected {
	t.Helper()
	content, err := os.ReadFile("testdata/expressions.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []expected
	seen := map[string]bool{}
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		e := expected{text: line}
		for prefix, set := range map[string]func(){
			"? ": func() { e.unsettled = true }, "! ": func() { e.unsettled, e.varies = true, true }, "tofu ": func() { e.tofuOnly = true },
		} {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				e.text = rest
				set()
				break
			}
		}
		if seen[e.text] {
			t.Errorf("%s stands twice in expressions.txt", e.text)
		}
		seen[e.text] = true
		out = append(out, e)
	}
	return out
}

// answers are what the CLIs make of an expression: type and value as JSON, or refused. Both is set where they agree.
type answers struct {
	Expression string `json:"expression"`
	Both       string `json:"both,omitempty"`
	OpenTofu   string `json:"opentofu,omitempty"`
	Terraform  string `json:"terraform,omitempty"`
}

const recordings = "testdata/recorded.json"

func recorded(t *testing.T) map[string]answers {
	t.Helper()
	content, err := os.ReadFile(recordings)
	if err != nil {
		t.Fatal(err)
	}
	var list []answers
	if err := json.Unmarshal(content, &list); err != nil {
		t.Fatal(err)
	}
	out := map[string]answers{}
	for _, a := range list {
		if a.Both != "" {
			a.OpenTofu, a.Terraform = a.Both, a.Both
		}
		out[a.Expression] = a
	}
	return out
}

// place makes the directory that the expressions are evaluated in: the files of testdata, and symbolic links.
func place(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS("testdata/files")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"broken", "linked"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"link": "set/sub", "linked.txt": "hello.txt", "broken/link": "nowhere",
		"linked/dir": "../set/sub", "linked/file.txt": "../hello.txt",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// scope is a context with our table and the locals of testdata.
func scope(t *testing.T, dir string) *hcl.EvalContext {
	t.Helper()
	ctx := &hcl.EvalContext{Functions: Table(Scope{Base: dir})}
	content, err := os.ReadFile("testdata/locals.tf")
	if err != nil {
		t.Fatal(err)
	}
	file, diags := hclsyntax.ParseConfig(content, "locals.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	locals := map[string]cty.Value{}
	for _, block := range file.Body.(*hclsyntax.Body).Blocks {
		for name, attribute := range block.Body.Attributes {
			if locals[name], diags = attribute.Expr.Value(ctx); diags.HasErrors() {
				t.Fatal(diags)
			}
		}
	}
	ctx.Variables = map[string]cty.Value{"local": cty.ObjectVal(locals)}
	return ctx
}

func parse(t *testing.T, text string) hclsyntax.Expression {
	t.Helper()
	expression, diags := hclsyntax.ParseExpression([]byte(text), "expression", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%s: %s", text, diags)
	}
	return expression
}

// written is a value as the recordings have it.
func written(t *testing.T, v cty.Value) string {
	t.Helper()
	v, _ = v.UnmarkDeep()
	kind, err := ctyjson.MarshalType(v.Type())
	if err != nil {
		t.Fatal(err)
	}
	value, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		t.Fatal(err)
	}
	return pair(t, kind, value)
}

// pair puts a type and a value into one text that is the same for the same JSON.
func pair(t *testing.T, kind, value json.RawMessage) string {
	t.Helper()
	return normal(t, kind) + " " + normal(t, value)
}

func normal(t *testing.T, packed []byte) string {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(packed))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%s: %v", packed, err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestExpressions holds that our table makes of each expression what the CLIs make of it, or leaves it open where the list
// says so.
func TestExpressions(t *testing.T) {
	want, ctx := recorded(t), scope(t, place(t))
	for _, e := range expressions(t) {
		v, diags := parse(t, e.text).Value(ctx)
		got := refused
		switch {
		case diags.HasErrors():
		case !v.IsWhollyKnown():
			got = unknown
		default:
			got = written(t, v)
		}
		cli, asked := want[e.text]
		switch {
		case asked == e.varies:
			t.Errorf("%s: recorded: %v", e.text, asked)
		case e.unsettled && got != unknown:
			t.Errorf("%s: got %s, want unknown", e.text, got)
		case e.unsettled:
		case got != cli.OpenTofu:
			t.Errorf("%s: got %s, OpenTofu %s\n%v", e.text, got, cli.OpenTofu, diags)
		case e.tofuOnly && cli.Terraform != refused:
			t.Errorf("%s: Terraform has it: %s", e.text, cli.Terraform)
		case !e.tofuOnly && got != cli.Terraform:
			t.Errorf("%s: got %s, Terraform %s", e.text, got, cli.Terraform)
		}
	}
}
