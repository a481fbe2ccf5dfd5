package configuration

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// place tells what an expression may refer to beside what its module declares.
type place struct {
	each, count, self bool
	// iterators are the names that dynamic blocks around it bring.
	iterators []string
}

// within is the place of what a block with these repetition arguments holds.
func (r Repeat) within() place { return place{each: r.ForEach != nil, count: r.Count != nil} }

// expressions calls visit for every expression of the module that is evaluated somewhere, in a stable order.
func (m *Module) expressions(visit func(hcl.Expression, place)) {
	each := func(in place, exprs ...hcl.Expression) {
		for _, e := range exprs {
			if e != nil {
				visit(e, in)
			}
		}
	}
	conditions := func(in place, list []Condition) {
		for _, c := range list {
			each(in, c.Condition, c.Message)
		}
	}
	args := func(in place, attrs map[string]*hcl.Attribute) {
		for _, name := range slices.Sorted(maps.Keys(attrs)) {
			each(in, attrs[name].Expr)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Variables)) {
		conditions(place{}, m.Variables[name].Validations)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Locals)) {
		each(place{}, m.Locals[name].Expr)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Calls)) {
		c := m.Calls[name]
		each(place{}, c.Count, c.ForEach, c.Enabled)
		args(c.within(), c.Args)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Resources)) {
		r := m.Resources[name]
		in := r.within()
		each(place{}, r.Count, r.ForEach, r.Enabled)
		args(in, r.Args)
		for _, b := range r.Blocks {
			blockExpressions(b, in, each)
		}
		conditions(in, r.Preconditions)
		in.self = true
		conditions(in, r.Postconditions)
		for _, b := range r.Actions {
			blockExpressions(b, in, func(in place, exprs ...hcl.Expression) {
				for _, e := range exprs {
					if !keywords[hcl.ExprAsKeyword(e)] {
						each(in, e)
					}
				}
			})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Checks)) {
		conditions(place{}, m.Checks[name].Conditions)
	}
	for _, i := range m.Imports {
		each(place{}, i.ForEach)
		each(place{each: i.ForEach != nil}, i.ID)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Outputs)) {
		each(place{}, m.Outputs[name].Expr)
		conditions(place{}, m.Outputs[name].Preconditions)
	}
}

// keywords are words of provisioners that refer to nothing.
var keywords = map[string]bool{"create": true, "destroy": true, "continue": true, "fail": true}

// blockExpressions visits a nested block. In the content of a dynamic one its iterator is a name.
func blockExpressions(b *hclsyntax.Block, in place, each func(place, ...hcl.Expression)) {
	inside := in
	if b.Type == "dynamic" && len(b.Labels) == 1 {
		iterator := b.Labels[0]
		if a := b.Body.Attributes["iterator"]; a != nil {
			iterator = hcl.ExprAsKeyword(a.Expr)
		}
		inside.iterators = append(slices.Clone(in.iterators), iterator)
	}
	for _, name := range slices.Sorted(maps.Keys(b.Body.Attributes)) {
		switch {
		case b.Type == "dynamic" && name == "iterator":
		case b.Type == "dynamic" && name == "for_each":
			each(in, b.Body.Attributes[name].Expr)
		default:
			each(inside, b.Body.Attributes[name].Expr)
		}
	}
	for _, b := range b.Body.Blocks {
		blockExpressions(b, inside, each)
	}
}

// visitNodes calls visit for every node of an expression. Texts of JSON, and names in its objects, are templates, and are taken apart as such.
func visitNodes(e hcl.Expression, visit func(hclsyntax.Node)) {
	if node, ok := e.(hclsyntax.Expression); ok {
		// The visitor returns no diagnostics, so that there are none.
		_ = hclsyntax.VisitAll(node, func(n hclsyntax.Node) hcl.Diagnostics { visit(n); return nil })
		return
	}
	value, diags := e.Value(nil)
	if diags.HasErrors() {
		return
	}
	// The walk's function returns no error, so that there is none.
	_ = cty.Walk(value, func(path cty.Path, v cty.Value) (bool, error) {
		var texts []string
		if len(path) > 0 {
			if name, ok := path[len(path)-1].(cty.GetAttrStep); ok {
				texts = append(texts, name.Name)
			}
		}
		if v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
			texts = append(texts, v.AsString())
		}
		for _, text := range texts {
			if template, diags := hclsyntax.ParseTemplate([]byte(text), "", hcl.InitialPos); !diags.HasErrors() {
				visitNodes(template, visit)
			}
		}
		return true, nil
	})
}

// collectAsked notes the attribute names that the module's expressions ask for: an object whose attributes nobody knows has to
// have these at least.
func (m *Module) collectAsked() {
	note := func(t hcl.Traversal) {
		for _, step := range t {
			if attr, ok := step.(hcl.TraverseAttr); ok {
				m.asked[attr.Name] = true
			}
		}
	}
	m.expressions(func(e hcl.Expression, _ place) {
		visitNodes(e, func(n hclsyntax.Node) {
			switch n := n.(type) {
			case *hclsyntax.ScopeTraversalExpr:
				note(n.Traversal)
			case *hclsyntax.RelativeTraversalExpr:
				note(n.Traversal)
			case *hclsyntax.IndexExpr:
				if key := literal(n.Key); key != "" {
					m.asked[key] = true
				}
			}
		})
	})
}

// FunctionCalls are the functions that an expression calls, each with its first place.
func FunctionCalls(e hcl.Expression) map[string]hcl.Range {
	out := map[string]hcl.Range{}
	visitNodes(e, func(n hclsyntax.Node) {
		if call, ok := n.(*hclsyntax.FunctionCallExpr); ok {
			if _, ok := out[call.Name]; !ok {
				out[call.Name] = call.NameRange
			}
		}
	})
	return out
}

// functionCalls are those of all the tree's expressions.
func (t *Tree) functionCalls() map[string]hcl.Range {
	out := map[string]hcl.Range{}
	t.Root.walk(func(m *Module) {
		m.expressions(func(e hcl.Expression, _ place) {
			for name, at := range FunctionCalls(e) {
				if _, ok := out[name]; !ok {
					out[name] = at
				}
			}
		})
	})
	return out
}

// walk calls visit for the module and all below it, parents first.
func (m *Module) walk(visit func(*Module)) {
	visit(m)
	for _, name := range slices.Sorted(maps.Keys(m.Children)) {
		m.Children[name].walk(visit)
	}
}
