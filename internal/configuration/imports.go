package configuration

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// imports are the addresses of the managed instances that the import blocks name, as far as the configuration tells them. The tools
// read those blocks in the root module alone.
func (e *Evaluation) imports() map[string]bool {
	out := map[string]bool{}
	for _, i := range e.tree.Root.Imports {
		reps := []Repetition{{}}
		if i.ForEach != nil {
			reps = e.root.elements(i.ForEach)
		}
		for _, rep := range reps {
			if a, ok := e.root.target(i.To, rep); ok {
				out[a.String()] = true
			}
		}
	}
	return out
}

// elements are those of the for_each of an import block, which may be a list too; none where they are not known.
func (i *Instance) elements(expr hcl.Expression) []Repetition {
	value, _ := i.eval(expr, Repetition{}).Unmark()
	if !value.IsKnown() || value.IsNull() || !value.CanIterateElements() {
		return nil
	}
	var out []Repetition
	for it := value.ElementIterator(); it.Next(); {
		key, element := it.Element() // in a set both are the element
		if key.Type() == cty.Number {
			n, _ := key.AsBigFloat().Uint64()
			// each.key is a number there.
			out = append(out, Repetition{Index: markers.Index{Kind: markers.CountIndex, Number: n}, element: element, foreach: true})
		} else if key.IsKnown() && !key.IsNull() && key.Type() == cty.String {
			out = append(out, Repetition{Index: markers.Index{Kind: markers.KeyIndex, Key: key.AsString()}, element: element, foreach: true})
		}
	}
	return out
}

// target is the address that an import block comes to; false where it is none, or not known.
func (i *Instance) target(expr hcl.Expression, rep Repetition) (markers.Address, bool) {
	t, ok := i.traversal(expr, rep)
	if !ok {
		return markers.Address{}, false
	}
	e, d := parseEndpoint(nil, t)
	if d != nil || e.isModule() || e.block.mode != Managed {
		return markers.Address{}, false
	}
	return markers.Address{Module: e.path, Type: e.block.typ, Name: e.block.name, Index: e.index}, true
}

// traversal reads an address whose keys may be expressions.
func (i *Instance) traversal(expr hcl.Expression, rep Repetition) (hcl.Traversal, bool) {
	switch expr := expr.(type) {
	case *hclsyntax.RelativeTraversalExpr:
		t, ok := i.traversal(expr.Source, rep)
		return slices.Concat(t, expr.Traversal), ok
	case *hclsyntax.IndexExpr:
		t, ok := i.traversal(expr.Collection, rep)
		if !ok {
			return nil, false
		}
		key, _ := i.eval(expr.Key, rep).Unmark()
		if !key.IsKnown() || key.IsNull() || !key.Type().IsPrimitiveType() {
			return nil, false
		}
		return append(slices.Clone(t), hcl.TraverseIndex{Key: key, SrcRange: expr.SrcRange}), true
	}
	t, diags := hcl.AbsTraversalForExpr(expr)
	return t, !diags.HasErrors()
}
