package functions

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// literals returns the literal values in an expression.
func literals(e hclsyntax.Expression) []*hclsyntax.LiteralValueExpr {
	var out []*hclsyntax.LiteralValueExpr
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		if l, ok := n.(*hclsyntax.LiteralValueExpr); ok {
			out = append(out, l)
		}
		return nil
	})
	return out
}

// admits says whether a value that may hold unknown parts leaves room for another one. Sets with unknown parts do: what their
// elements come to cannot be told.
func admits(partial, full cty.Value) bool {
	partial, _ = partial.Unmark()
	full, _ = full.Unmark()
	switch {
	case !partial.IsKnown():
		return partial.Type() == cty.DynamicPseudoType || full.IsNull() || partial.Range().Includes(full) != cty.False
	case partial.IsWhollyKnown():
		return partial.RawEquals(full)
	case partial.Type().IsSetType():
		return true
	case full.IsNull() || !partial.CanIterateElements() || !full.CanIterateElements():
		return false
	}
	a, b := partial.AsValueSlice(), full.AsValueSlice()
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !admits(a[i], b[i]) {
			return false
		}
	}
	return true
}

// TestUnknownsAreSound puts unknown for each literal of each expression, one after the other. What a function says all the
// same has to hold for whatever the literal may turn out to be, and so for the literal.
func TestUnknownsAreSound(t *testing.T) {
	ctx := scope(t, place(t))
	for _, e := range expressions(t) {
		whole, diags := parse(t, e.text).Value(ctx)
		if diags.HasErrors() {
			continue
		}
		whole, _ = whole.UnmarkDeep()
		for i := range literals(parse(t, e.text)) {
			for _, replacement := range []func(cty.Value) cty.Value{
				func(v cty.Value) cty.Value { return cty.UnknownVal(v.Type()) },
				func(cty.Value) cty.Value { return cty.DynamicVal },
			} {
				expression := parse(t, e.text)
				literal := literals(expression)[i]
				was := literal.Val
				literal.Val = replacement(was)
				v, diags := expression.Value(ctx)
				if diags.HasErrors() {
					t.Errorf("%s with %#v for %#v: %s", e.text, literal.Val, was, diags)
					continue
				}
				v, _ = v.UnmarkDeep()
				if whole.IsWhollyKnown() && !admits(v, whole) {
					t.Errorf("%s with %#v for %#v: %#v, but it may be %#v", e.text, literal.Val, was, v, whole)
				}
			}
		}
	}
}

// losesMark are expressions in which the mark of a null is lost on the way, as it is in the CLIs.
var losesMark = []string{
	"toset([null])", `merge({a = 2}, true ? null : {a = 1, b = 2})`, `merge(true ? null : tomap({a = 1}), {b = "x"})`,
}

// TestMarksTravel marks each literal of each expression as sensitive, one after the other. The value stays what it was, and the
// mark stands on it, or on what is in it, where another literal makes it another value.
func TestMarksTravel(t *testing.T) {
	ctx := scope(t, place(t))
	seen := 0
	for _, e := range expressions(t) {
		whole, diags := parse(t, e.text).Value(ctx)
		// nonsensitive is there to lose the mark; what can says never carries one.
		if diags.HasErrors() || strings.Contains(e.text, "sensitive(") || strings.Contains(e.text, "can(") {
			continue
		}
		for i := range literals(parse(t, e.text)) {
			with := func(change func(cty.Value) cty.Value) (cty.Value, hcl.Diagnostics) {
				expression := parse(t, e.text)
				literal := literals(expression)[i]
				literal.Val = change(literal.Val)
				return expression.Value(ctx)
			}
			v, diags := with(func(v cty.Value) cty.Value { return v.Mark(Sensitive) })
			if diags.HasErrors() {
				t.Errorf("%s with a mark on literal %d: %s", e.text, i, diags)
				continue
			}
			bare, marks := v.UnmarkDeep()
			if whole.IsWhollyKnown() && !admits(bare, whole) {
				t.Errorf("%s with a mark on literal %d: %#v, want %#v", e.text, i, bare, whole)
			}
			other, diags := with(another)
			if _, marked := marks[Sensitive]; !marked && !diags.HasErrors() && !other.RawEquals(whole) && !slices.Contains(losesMark, e.text) {
				t.Errorf("%s with a mark on literal %d: no mark on %#v", e.text, i, v)
			} else if marked {
				seen++
			}
		}
	}
	if seen < 500 {
		t.Errorf("only %d literals left their mark", seen)
	}
}

// another is a value of the same type that is not the same.
func another(v cty.Value) cty.Value {
	switch {
	case v.IsNull():
		return cty.StringVal("not null")
	case v.Type() == cty.String:
		return cty.StringVal(v.AsString() + "1")
	case v.Type() == cty.Number:
		return v.Add(cty.NumberIntVal(1))
	case v.Type() == cty.Bool:
		return v.Not()
	}
	return v
}
