package configuration

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// This file reads variables: their types, defaults and overrides.

func (r *reader) variable(b *hcl.Block) {
	v := &Variable{Name: b.Labels[0], Type: cty.DynamicPseudoType, Nullable: true, Range: b.DefRange}
	if !r.name(b, 0) {
		return
	}
	if reservedVariable[v.Name] {
		r.fail(b.LabelRanges[0], "Invalid variable name", "The variable name %q is reserved: module blocks have a meta-argument of that name.", v.Name)
		return
	}
	content, diags := b.Body.Content(variableSchema)
	r.add(diags)
	typed := false
	if a, ok := content.Attributes["type"]; ok {
		typ, defaults, diags := constraint(a.Expr)
		r.add(diags)
		if !diags.HasErrors() {
			v.Type, v.defaults, typed = typ, defaults, true
			// So "any" is told from no type at all.
			v.written = !typ.IsPrimitiveType()
		}
	}
	v.nullableSet = r.flag(content.Attributes, "nullable", &v.Nullable)
	v.sensitiveSet = r.flag(content.Attributes, "sensitive", &v.Sensitive)
	v.ephemeralSet = r.flag(content.Attributes, "ephemeral", &v.Ephemeral)
	if a, ok := content.Attributes["default"]; ok {
		v.Default = r.defaultValue(v, a.Expr)
	}
	for _, b := range content.Blocks {
		c := r.condition(b)
		if c.Condition != nil && len(c.Condition.Variables()) > 0 && !names(c.Condition, v.Name) {
			r.fail(c.Condition.Range(), "Invalid variable validation condition", "The condition of the variable %q has to refer to var.%s.", v.Name, v.Name)
		}
		v.Validations = append(v.Validations, c)
	}
	old := r.m.Variables[v.Name]
	if old == nil {
		if !r.again("variable", v.Name, nil, v.Range) {
			r.m.Variables[v.Name] = v
		}
		return
	}
	if !r.again("variable", v.Name, &old.Range, v.Range) {
		r.overrideVariable(old, v, typed)
	}
}

// names tells whether an expression refers to a variable.
func names(e hcl.Expression, variable string) bool {
	return slices.ContainsFunc(e.Variables(), func(t hcl.Traversal) bool {
		if t.RootName() != "var" || len(t) < 2 {
			return false
		}
		name, _ := nameOf(t[1])
		return name == variable
	})
}

// constraint reads a type. A list or map that does not say of what is one of anything.
func constraint(e hcl.Expression) (cty.Type, *typeexpr.Defaults, hcl.Diagnostics) {
	switch hcl.ExprAsKeyword(e) {
	case "list":
		return cty.List(cty.DynamicPseudoType), nil, nil
	case "map":
		return cty.Map(cty.DynamicPseudoType), nil, nil
	}
	return typeexpr.TypeConstraintWithDefaults(e)
}

// defaultValue converts a default to the variable's type.
func (r *reader) defaultValue(v *Variable, expr hcl.Expression) cty.Value {
	value, diags := expr.Value(nil)
	r.add(diags)
	if diags.HasErrors() {
		return cty.DynamicVal
	}
	out, err := v.convert(value)
	if err != nil {
		r.fail(expr.Range(), "Invalid default value for variable", "This default is not compatible with the variable's type: %s.", err)
		return cty.DynamicVal
	}
	if !v.Nullable && out.IsNull() && !r.override {
		r.fail(expr.Range(), "Invalid default value for variable", "A null default is not valid when nullable = false.")
	}
	return out
}

// hasDefault tells whether a value need not be given.
func (v *Variable) hasDefault() bool { return v.Default != cty.NilVal }

// convert converts a value to the variable's type, with the defaults of its optional attributes.
func (v *Variable) convert(value cty.Value) (cty.Value, error) {
	if v.defaults != nil && !value.IsNull() {
		value = v.defaults.Apply(value)
	}
	return convert.Convert(value, v.Type)
}

func (r *reader) overrideVariable(old, v *Variable, typed bool) {
	if typed {
		old.Type, old.defaults, old.written = v.Type, v.defaults, v.written
	}
	if v.nullableSet {
		old.Nullable = v.Nullable
	}
	if v.sensitiveSet {
		old.Sensitive = v.Sensitive
	}
	if v.ephemeralSet {
		old.Ephemeral = v.Ephemeral
	}
	if v.Default != cty.NilVal {
		old.Default = v.Default
	}
	if old.Default != cty.NilVal {
		// Only together do type and default have to fit.
		value, err := old.convert(old.Default)
		if err != nil {
			r.fail(v.Range, "Invalid default value for variable", "After this override the default is not compatible with the variable's type: %s.", err)
			return
		}
		if !old.Nullable && value.IsNull() {
			r.fail(v.Range, "Invalid default value for variable", "After this override the default is null, which is not valid when nullable = false.")
		}
		old.Default = value
	}
	if len(v.Validations) > 0 {
		r.fail(v.Validations[0].Range, "Cannot override validation blocks", "An override file cannot change validation blocks.")
	}
}
