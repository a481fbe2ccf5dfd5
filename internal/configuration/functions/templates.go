package functions

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// templates are the functions that render templates, which may call the functions of the table.
//
// OpenTofu lets a template render another, Terraform does not: within a template these functions are unknown.
func (s Scope) templates(table map[string]function.Function) map[string]function.Function {
	for _, name := range []string{"templatefile", "templatestring"} {
		table[name] = Unsettled(name)
	}
	// In a template that is no file, Terraform allows no function that reads files.
	withoutFiles := maps.Clone(table)
	for name := range s.files() {
		withoutFiles[name] = Unsettled(name)
	}
	return map[string]function.Function{
		"templatefile":   s.templateFile(withPrefix(table)),
		"templatestring": templateString(withPrefix(withoutFiles)),
	}
}

func withPrefix(table map[string]function.Function) map[string]function.Function {
	for _, name := range slices.Collect(maps.Keys(table)) {
		table[core+name] = table[name]
	}
	return table
}

func (s Scope) templateFile(table map[string]function.Function) function.Function {
	render := func(args []cty.Value) (cty.Value, error) {
		p, marks := pathOf(args[0])
		content, err := s.read(p)
		switch {
		case errors.Is(err, errUnsettled):
			return cty.DynamicVal.WithMarks(marks), nil
		case err != nil:
			return cty.DynamicVal, err
		}
		v, err := render(content, p.String(), args[1], table)
		if err == nil && v.IsNull() {
			// To Terraform that is an error.
			v = cty.DynamicVal
		}
		return v.WithMarks(marks), err
	}
	return function.New(&function.Spec{
		Params: []function.Parameter{
			{Name: "path", Type: cty.String, AllowMarked: true}, {Name: "vars", Type: cty.DynamicPseudoType},
		},
		// A template that is one interpolation has the type of what it holds.
		Type: func(args []cty.Value) (cty.Type, error) {
			if !args[0].IsKnown() || !args[1].IsKnown() {
				return cty.DynamicPseudoType, nil
			}
			vars, _ := args[1].UnmarkDeep()
			v, err := render([]cty.Value{args[0], vars})
			return v.Type(), err
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return render(args) },
	})
}

// templateString renders a string that is a template. Terraform takes only a reference to one, makes a string of whatever
// comes out and marks it for each variable; OpenTofu takes any expression and leaves the result as it is.
func templateString(table map[string]function.Function) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{
			{Name: "template", Type: customdecode.ExpressionClosureType},
			{Name: "vars", Type: cty.DynamicPseudoType, AllowMarked: true},
		},
		Type: function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			closure := customdecode.ExpressionClosureFromVal(args[0])
			template, diags := closure.Value()
			if diags.HasErrors() {
				return cty.DynamicVal, diags
			}
			template, marks := template.Unmark()
			_, varMarks := args[1].UnmarkDeep()
			unsettled := cty.DynamicVal.WithMarks(marks, varMarks)
			switch {
			case !isReference(closure.Expression) || !template.IsKnown() || args[1].IsMarked():
				return unsettled, nil
			case template.IsNull():
				return cty.DynamicVal, function.NewArgErrorf(0, "the template is null")
			case template.Type() != cty.String:
				return unsettled, nil
			}
			v, err := render([]byte(template.AsString()), "the template", args[1], table)
			switch {
			case err != nil:
				return cty.DynamicVal, err
			case v.Type() != cty.String || !v.Marks().Equal(varMarks):
				return unsettled, nil
			}
			return v.WithMarks(marks), nil
		},
	})
}

// isReference says whether an expression refers to a value, or to a part of one.
func isReference(e hcl.Expression) bool {
	switch e := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return true
	case *hclsyntax.RelativeTraversalExpr:
		return isReference(e.Source)
	case *hclsyntax.IndexExpr:
		return isReference(e.Collection)
	}
	return false
}

// render evaluates a template with nothing but its variables and the functions.
func render(template []byte, name string, vars cty.Value, table map[string]function.Function) (cty.Value, error) {
	expression, diags := hclsyntax.ParseTemplate(template, name, hcl.InitialPos)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	if t := vars.Type(); !t.IsMapType() && !t.IsObjectType() {
		return cty.DynamicVal, function.NewArgErrorf(1, "the variables are no map")
	}
	variables := vars.AsValueMap()
	for name := range variables {
		if !hclsyntax.ValidIdentifier(name) {
			return cty.DynamicVal, function.NewArgErrorf(1, "%q cannot be the name of a variable", name)
		}
	}
	for _, traversal := range expression.Variables() {
		if _, ok := variables[traversal.RootName()]; !ok {
			return cty.DynamicVal, function.NewArgErrorf(1, "the template wants the variable %q", traversal.RootName())
		}
	}
	if callsProvider(expression) {
		return cty.DynamicVal, nil
	}
	v, diags := expression.Value(&hcl.EvalContext{Variables: variables, Functions: table})
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	return v, nil
}

// callsProvider says whether a template calls a function that no language has, which Terraform allows.
func callsProvider(expression hclsyntax.Expression) bool {
	found := false
	_ = hclsyntax.VisitAll(expression, func(n hclsyntax.Node) hcl.Diagnostics {
		if call, ok := n.(*hclsyntax.FunctionCallExpr); ok && strings.Contains(call.Name, "::") {
			found = found || !strings.HasPrefix(call.Name, core)
		}
		return nil
	})
	return found
}
