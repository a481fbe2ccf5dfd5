package configuration_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
)

// TestSupposedInstances gives every block an instance, and leaves those that there are.
func TestSupposedInstances(t *testing.T) {
	e := supposing(t, configuration.Supposed{Instances: true}, map[string]string{"main.tf": `
variable "open" {}
resource "terraform_data" "real" {
  count = 2
}
resource "terraform_data" "none" {
  count = 0
}
resource "terraform_data" "unknown" {
  count = var.open
}
resource "terraform_data" "keyed" {
  for_each = var.open
}
resource "terraform_data" "empty" {
  for_each = {}
}
resource "terraform_data" "off" {
  lifecycle {
    enabled = false
  }
}
`})
	listing := e.List()
	var got []string
	for _, r := range listing.Instances {
		got = append(got, r.String())
	}
	want := []string{
		`terraform_data.empty["supposed-instance"]`, `terraform_data.keyed["supposed-instance"]`, `terraform_data.none[0]`, `terraform_data.off`,
		`terraform_data.real[0]`, `terraform_data.real[1]`, `terraform_data.unknown[0]`, `terraform_data.unknown[1]`,
	}
	if !slices.Equal(got, want) || len(listing.Unsettled) > 0 {
		t.Errorf("instances %q, want %q; not settled: %v", got, want, listing.Unsettled)
	}
}

// TestSupposedPath puts the true path in the place of what calls give, in called modules and not in the root.
func TestSupposedPath(t *testing.T) {
	files := map[string]string{
		"main.tf": `
variable "path" {
  default = "root"
}
module "m" {
  source = "./m"
  count  = 2
  path   = "wrong"
}
resource "terraform_data" "r" {
  input = var.path
}
`,
		"m/main.tf": `
variable "path" {}
resource "terraform_data" "r" {
  input = "${var.path}x"
  other = count.index
}
`,
	}
	for path, want := range map[string]string{"": "wrongx", "path": "module.m[1].x"} {
		e := supposing(t, configuration.Supposed{Path: path}, files)
		root := e.Root()
		m := root.Called(root.Module.Calls["m"])[1]
		r := m.Module.Resources["terraform_data.r"]
		if value, ok := m.Value(r.Args["input"].Expr, configuration.Repetition{}); !ok || !value.RawEquals(cty.StringVal(want)) {
			t.Errorf("with %q the module says %#v, want %q", path, value, want)
		}
		if value, ok := m.Given("path"); !ok || !value.RawEquals(cty.StringVal("wrong")) {
			t.Errorf("the call gives %#v", value)
		}
		if value, ok := root.Value(root.Module.Resources["terraform_data.r"].Args["input"].Expr, configuration.Repetition{}); !ok || !value.RawEquals(cty.StringVal("root")) {
			t.Errorf("the root says %#v", value)
		}
		// What is wrong in an expression is told by the result alone.
		if _, ok := m.Value(r.Args["other"].Expr, configuration.Repetition{}); ok || e.Diagnostics().HasErrors() {
			t.Errorf("count.index has a value where there is no count: %v, %v", ok, e.Diagnostics())
		}
	}
}

// TestDisagreement names the variable about which a call and a module disagree.
func TestDisagreement(t *testing.T) {
	dir := configurationIn(t, map[string]string{
		"main.tf":   "module \"m\" {\n  source = \"./m\"\n  extra  = 1\n}\nlocals {\n  a = 1\n  a = 2\n}\n",
		"m/main.tf": "variable \"missing\" {}\n",
	})
	_, diags := configuration.Load(dir)
	var got []string
	for _, d := range diags {
		if name, ok := configuration.Disagreement(d); ok {
			got = append(got, name)
		}
	}
	if !slices.Equal(got, []string{"extra", "missing"}) || len(diags) < 3 {
		t.Errorf("disagreements about %q in %v", got, diags)
	}
}

// TestUses finds a variable in expressions of both syntaxes.
func TestUses(t *testing.T) {
	tree, diags := configuration.Load(configurationIn(t, map[string]string{
		"a.tf":      "variable \"a\" {}\nvariable \"b\" {}\nvariable \"c\" {}\noutput \"o\" {\n  value = [for x in [1] : \"${var.a}\"]\n}\n",
		"b.tf.json": `{"output": {"j": {"value": "x ${var.b}"}}}`,
	}))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for name, want := range map[string]bool{"a": true, "b": true, "c": false} {
		if got := tree.Root.Uses(name); got != want {
			t.Errorf("uses %s: %v", name, got)
		}
	}
}

func configurationIn(t *testing.T, files map[string]string) string {
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

func supposing(t *testing.T, s configuration.Supposed, files map[string]string) *configuration.Evaluation {
	t.Helper()
	tree, diags := configuration.Load(configurationIn(t, files))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return configuration.Evaluate(tree, configuration.Options{Supposed: s})
}
