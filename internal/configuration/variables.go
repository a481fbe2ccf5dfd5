package configuration

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Given is one -var or -var-file of a command line.
type Given struct {
	// File is a path, or Name and Text the parts of NAME=VALUE.
	File, Name, Text string
}

// Values are those that a user gives for the root's variables.
type Values struct {
	values map[string]given
}

type given struct {
	// expr is nil for a text that the variable's type decides how to read.
	expr hcl.Expression
	text string
	at   *hcl.Range
}

// ReadValues collects values in OpenTofu's order, the later ones first to hold: the environment's TF_VAR_ names, then
// terraform.tfvars, terraform.tfvars.json, the *.auto.tfvars files by name, and last the command line's as typed.
func ReadValues(t *Tree, environment []string, line []Given) (Values, hcl.Diagnostics) {
	out := Values{values: map[string]given{}}
	var diags hcl.Diagnostics
	for _, entry := range environment {
		name, text, _ := strings.Cut(entry, "=")
		if name, ok := strings.CutPrefix(name, "TF_VAR_"); ok && t.Root.Variables[name] != nil {
			out.values[name] = given{text: text}
		}
	}
	for _, file := range valueFiles(t.Root.Dir) {
		diags = append(diags, out.file(t, file, false)...)
	}
	for _, g := range line {
		switch {
		case g.File != "":
			diags = append(diags, out.file(t, g.File, true)...)
		case t.Root.Variables[g.Name] == nil:
			diags = append(diags, failure("Value for undeclared variable", fmt.Sprintf("The root module declares no variable %q, for which -var gives a value.", g.Name), nil))
		default:
			out.values[g.Name] = given{text: g.Text}
		}
	}
	for name, v := range t.Root.Variables {
		if _, ok := out.values[name]; !ok && !v.hasDefault() {
			diags = append(diags, about(name, failure("No value for required variable", fmt.Sprintf("The variable %q has no default, and nothing gives it a value. Add: -var '%s=VALUE'", name, name), &v.Range)))
		}
	}
	return out, diags
}

// valueFiles are the files that are read without being asked for, in their order.
func valueFiles(dir string) []string {
	var out []string
	for _, name := range []string{"terraform.tfvars", "terraform.tfvars.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			out = append(out, filepath.Join(dir, name))
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return out // the module could not be read either, which is said there
	}
	for _, e := range entries { // sorted by name
		if strings.HasSuffix(e.Name(), ".auto.tfvars") || strings.HasSuffix(e.Name(), ".auto.tfvars.json") {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

// file reads a file of values. One that a user names may not be missing.
func (v Values) file(t *Tree, path string, named bool) hcl.Diagnostics {
	if _, err := os.Stat(path); err != nil && named {
		return hcl.Diagnostics{failure("Failed to read variables file", fmt.Sprintf("The file of -var-file cannot be read: %s.", err), nil)}
	}
	body, diags := parseValues(t.parser, path)
	if body == nil {
		return diags
	}
	attrs, more := body.JustAttributes()
	diags = append(diags, more...)
	for name, a := range attrs {
		if t.Root.Variables[name] == nil {
			diags = append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagWarning, Summary: "Value for undeclared variable",
				Detail: fmt.Sprintf("The root module declares no variable %q.", name), Subject: &a.NameRange,
			})
			continue
		}
		at := a.Expr.Range()
		v.values[name] = given{expr: a.Expr, at: &at}
	}
	return diags
}

func parseValues(parser *hclparse.Parser, path string) (hcl.Body, hcl.Diagnostics) {
	if strings.HasSuffix(path, ".json") {
		return parseFile(parser, path)
	}
	file, diags := parser.ParseHCLFile(path)
	if file == nil {
		return nil, diags
	}
	return file.Body, diags
}

// rootValue is the value that a user gives for a variable of the root.
func (e *Evaluation) rootValue(v *Variable) (cty.Value, *hcl.Range) {
	g, ok := e.values.values[v.Name]
	if !ok {
		return cty.NilVal, &v.Range
	}
	at := g.at
	if at == nil {
		at = &v.Range
	}
	expr := g.expr
	if expr == nil {
		if !v.written {
			return cty.StringVal(g.text), at
		}
		parsed, diags := hclsyntax.ParseExpression([]byte(g.text), "<value for var."+v.Name+">", hcl.InitialPos)
		if diags.HasErrors() {
			e.report(failure("Invalid value for input variable", fmt.Sprintf("The text given for %q is no value of its type: %s.", v.Name, diags[0].Detail), at))
			return cty.UnknownVal(v.Type), at
		}
		expr = parsed
	}
	value, diags := expr.Value(nil)
	e.report(diags...)
	if diags.HasErrors() {
		return cty.UnknownVal(v.Type), at
	}
	return value, at
}
