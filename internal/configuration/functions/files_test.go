package functions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// callNames are the functions that an expression calls.
func callNames(e hclsyntax.Expression) []string {
	var out []string
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		if call, ok := n.(*hclsyntax.FunctionCallExpr); ok {
			out = append(out, call.Name)
		}
		return nil
	})
	return out
}

func evaluate(t *testing.T, dir, text string) (cty.Value, hcl.Diagnostics) {
	t.Helper()
	return parse(t, text).Value(&hcl.EvalContext{Functions: Table(Scope{Base: dir})})
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestBaseWithPatterns shows that the name of the working directory is no pattern, though it looks like one.
func TestBaseWithPatterns(t *testing.T) {
	parent := place(t)
	dir := filepath.Join(parent, "a*{b}[c]?")
	write(t, filepath.Join(dir, "files", "one.txt"), "1")
	write(t, filepath.Join(parent, "ax{b}c?", "files", "two.txt"), "2")
	for _, call := range []string{`fileset("files", "*.txt")`, `fileset("files", "**")`} {
		v, diags := evaluate(t, dir, call)
		if diags.HasErrors() || !v.RawEquals(cty.SetVal([]cty.Value{cty.StringVal("one.txt")})) {
			t.Errorf("%s in %s: %#v %v", call, dir, v, diags)
		}
	}
	dir = filepath.Join(parent, `back\slash`)
	write(t, filepath.Join(dir, "one.txt"), "1")
	if v, diags := evaluate(t, dir, `fileset(".", "*")`); diags.HasErrors() || v.IsKnown() {
		t.Errorf("a backslash: %#v %v", v, diags)
	}
	// As the argument it is one.
	if v, diags := evaluate(t, parent, `fileset("a*{b}[c]?", "*")`); diags.HasErrors() || v.IsKnown() {
		t.Errorf("a directory with patterns: %#v %v", v, diags)
	}
}

// TestBaseThroughLink shows that paths start where the system starts them, which is where the link leads. What the CLI calls
// that directory is not known.
func TestBaseThroughLink(t *testing.T) {
	dir := place(t)
	write(t, filepath.Join(dir, "real", "root", "main.tf"), "")
	write(t, filepath.Join(dir, "real", "shared.txt"), "shared")
	link := filepath.Join(dir, "root")
	if err := os.Symlink(filepath.Join("real", "root"), link); err != nil {
		t.Fatal(err)
	}
	v, diags := evaluate(t, link, `file("../shared.txt")`)
	if diags.HasErrors() || !v.RawEquals(cty.StringVal("shared").RefineNotNull()) {
		t.Errorf("file: %#v %v", v, diags)
	}
	if v, diags := evaluate(t, link, `abspath("x")`); diags.HasErrors() || v.IsKnown() {
		t.Errorf("abspath: %#v %v", v, diags)
	}
	if v, diags := evaluate(t, link, `abspath("/x/../y")`); diags.HasErrors() || !v.RawEquals(cty.StringVal("/y")) {
		t.Errorf("abspath of an absolute path: %#v %v", v, diags)
	}
	if v, diags := evaluate(t, filepath.Join(dir, "real"), `abspath("x")`); diags.HasErrors() ||
		!v.RawEquals(cty.StringVal(filepath.ToSlash(filepath.Join(dir, "real", "x")))) {
		t.Errorf("abspath without a link: %#v %v", v, diags)
	}
}

// TestHome shows that ~ is HOME, and open without it.
func TestHome(t *testing.T) {
	home := place(t)
	t.Setenv("HOME", home)
	for call, want := range map[string]cty.Value{
		`pathexpand("~/x")`:         cty.StringVal(filepath.Join(home, "x")),
		`file("~/hello.txt")`:       cty.StringVal("hello\n"),
		`fileexists("~/hello.txt")`: cty.True,
		`filemd5("~/empty.txt")`:    cty.StringVal("d41d8cd98f00b204e9800998ecf8427e"),
	} {
		if v, diags := evaluate(t, t.TempDir(), call); diags.HasErrors() || !v.RawEquals(want) {
			t.Errorf("%s: %#v, want %#v %v", call, v, want, diags)
		}
	}
	t.Setenv("HOME", "")
	for _, call := range []string{`pathexpand("~/x")`, `file("~/hello.txt")`, `fileexists("~/x")`, `filemd5("~/x")`, `templatefile("~/x", {})`} {
		if v, diags := evaluate(t, home, call); diags.HasErrors() || v.IsKnown() {
			t.Errorf("%s without HOME: %#v %v", call, v, diags)
		}
	}
}

// TestDevicesAreNotRead shows that what is no file is left alone.
func TestDevicesAreNotRead(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("needs a device")
	}
	for _, call := range []string{`file("/dev/zero")`, `filebase64("/dev/zero")`, `filesha1("/dev/zero")`, `templatefile("/dev/zero", {})`} {
		if v, diags := evaluate(t, "", call); diags.HasErrors() || v.IsKnown() {
			t.Errorf("%s: %#v %v", call, v, diags)
		}
	}
	if _, diags := evaluate(t, "", `fileexists("/dev/zero")`); !diags.HasErrors() {
		t.Error("fileexists takes a device for a file")
	}
}

// TestMessagesHideMarkedPaths shows that a path with a mark stands in no message, and one without does.
func TestMessagesHideMarkedPaths(t *testing.T) {
	for call, shown := range map[string]bool{
		`file("hush.txt")`: true, `file(sensitive("hush.txt"))`: false,
		`filemd5(sensitive("hush.txt"))`: false, `templatefile(sensitive("hush.txt"), {})`: false,
		`fileexists(sensitive("hello.txt/hush.txt"))`: false,
	} {
		_, diags := evaluate(t, place(t), call)
		if !diags.HasErrors() || strings.Contains(diags.Error(), "hush") != shown {
			t.Errorf("%s: %v", call, diags)
		}
	}
}

// TestTemplatesOfProviders shows that a template which calls a provider's function is left open.
func TestTemplatesOfProviders(t *testing.T) {
	dir := place(t)
	write(t, filepath.Join(dir, "t"), `${provider::estate::address("", "a", "b")}`)
	if v, diags := evaluate(t, dir, `templatefile("t", {})`); diags.HasErrors() || !v.RawEquals(cty.DynamicVal) {
		t.Errorf("%#v %v", v, diags)
	}
	write(t, filepath.Join(dir, "t"), `${core::upper("a")}`)
	if v, diags := evaluate(t, dir, `templatefile("t", {})`); diags.HasErrors() || !v.RawEquals(cty.StringVal("A")) {
		t.Errorf("%#v %v", v, diags)
	}
}

// TestUnknownInTemplates shows that a template is rendered as far as it is known.
func TestUnknownInTemplates(t *testing.T) {
	ctx := scope(t, place(t))
	ctx.Variables["unknown"] = cty.UnknownVal(cty.String)
	v, diags := parse(t, `templatefile("templates/greet.tftpl", {name = unknown, loud = true, ports = []})`).Value(ctx)
	if diags.HasErrors() || v.IsKnown() || v.Range().StringPrefix() != "Hello, " {
		t.Errorf("a file: %#v %v", v, diags)
	}
	v, diags = parse(t, `templatestring(local.template, {name = unknown})`).Value(ctx)
	if diags.HasErrors() || v.IsKnown() {
		t.Errorf("a string: %#v %v", v, diags)
	}
}
