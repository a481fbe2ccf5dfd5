package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// This file is the one place where values of configuration, plan, state and AWS are compared and merged. It walks
// raw values along their attr.Type, so that plain attributes, nested attributes and blocks need no code of
// their own. The framework compares by meaning only after calls; core lets a plan repeat the prior value in
// place of an equivalent one at any depth, which is what removes differences of spelling.

// object is a raw object value taken apart.
type object map[string]tftypes.Value

// objectOf takes v apart; a null or unknown object has no attributes. The result is the caller's own: tftypes hands
// out the value's inner map, and values are shared with the index and between calls.
func objectOf(v tftypes.Value) object {
	o := object{}
	if v.IsKnown() && !v.IsNull() {
		_ = v.As((*map[string]tftypes.Value)(&o)) // cannot fail: every caller passes an object
	}
	return maps.Clone(o)
}

// value puts the object together again.
func (o object) value(t tftypes.Type) tftypes.Value {
	return tftypes.NewValue(t, map[string]tftypes.Value(o))
}

// elements takes a list, set or tuple apart, into a slice of the caller's own.
func elements(v tftypes.Value) []tftypes.Value {
	var e []tftypes.Value
	if v.IsKnown() && !v.IsNull() {
		_ = v.As(&e) // cannot fail: the type was checked
	}
	return slices.Clone(e)
}

// shape is what the walk needs to know of a type.
type shape int

const (
	leafShape shape = iota
	objectShape
	mapShape
	listShape
	setShape
)

func shapeOf(t attr.Type) shape {
	switch t.(type) {
	case attr.TypeWithAttributeTypes:
		return objectShape
	case attr.TypeWithElementType:
		switch t.TerraformType(context.Background()).(type) {
		case tftypes.Map:
			return mapShape
		case tftypes.Set:
			return setShape
		default:
			return listShape
		}
	}
	return leafShape
}

// childType returns the type of the attribute name of an object, or of the elements of a collection.
func childType(t attr.Type, name string) attr.Type {
	switch t := t.(type) {
	case attr.TypeWithAttributeTypes:
		return t.AttributeTypes()[name]
	case attr.TypeWithElementType:
		return t.ElementType()
	}
	return t
}

// said tells whether the configuration gives a value here.
func said(config tftypes.Value) bool { return !config.IsKnown() || !config.IsNull() }

// none returns a null of the same type.
func none(v tftypes.Value) tftypes.Value { return tftypes.NewValue(v.Type(), nil) }

// child returns the configuration of an attribute: null below a null, unknown below an unknown.
func child(parent tftypes.Value, name string, like tftypes.Value) tftypes.Value {
	if !parent.IsKnown() {
		return tftypes.NewValue(like.Type(), tftypes.UnknownValue)
	}
	if c, ok := objectOf(parent)[name]; ok {
		return c
	}
	return none(like)
}

// sameMeaning compares two known leaves.
func sameMeaning(ctx context.Context, t attr.Type, a, b tftypes.Value) bool {
	if a.Equal(b) {
		return true
	}
	if a.IsNull() || b.IsNull() {
		return false
	}
	x, errX := t.ValueFromTerraform(ctx, a)
	y, errY := t.ValueFromTerraform(ctx, b)
	if errX != nil || errY != nil {
		return false
	}
	left, ok := x.(basetypes.StringValuableWithSemanticEquals)
	if !ok {
		return false
	}
	right, ok := y.(basetypes.StringValuable)
	if !ok {
		return false
	}
	same, diags := left.StringSemanticEquals(ctx, right)
	return same && !diags.HasError()
}

// empty tells whether v is null or a collection without elements, which mean the same.
func empty(t attr.Type, v tftypes.Value) bool {
	if !v.IsKnown() {
		return false
	}
	if v.IsNull() {
		return true
	}
	switch shapeOf(t) {
	case listShape, setShape:
		return len(elements(v)) == 0
	case mapShape:
		return len(objectOf(v)) == 0
	}
	return false
}

// settle returns plan with state's value wherever the configuration leaves the choice to the provider or says
// the same in other words. keep is false inside an element that is not the old one any more: its computed
// parts are then decided anew.
func settle(ctx context.Context, t attr.Type, config, plan, state tftypes.Value, keep bool) tftypes.Value {
	if !plan.IsKnown() {
		if keep && !said(config) {
			return state
		}
		return plan
	}
	if empty(t, plan) && empty(t, state) && !said(config) {
		return state
	}
	if plan.IsNull() || state.IsNull() || !state.IsKnown() {
		return plan
	}
	switch shapeOf(t) {
	case objectShape:
		out := object{}
		was := objectOf(state)
		for name, p := range objectOf(plan) {
			out[name] = settle(ctx, childType(t, name), child(config, name, p), p, was[name], keep)
		}
		return out.value(plan.Type())
	case mapShape:
		out := object{}
		was := objectOf(state)
		for key, p := range objectOf(plan) {
			out[key] = settleElement(ctx, childType(t, ""), child(config, key, p), p, was[key])
		}
		return out.value(plan.Type())
	case listShape:
		was, said := elements(state), elements(config)
		out := elements(plan)
		for i, p := range out {
			old, c := none(p), none(p)
			if i < len(was) {
				old = was[i]
			}
			if i < len(said) {
				c = said[i]
			}
			out[i] = settleElement(ctx, childType(t, ""), c, p, old)
		}
		return tftypes.NewValue(plan.Type(), out)
	case setShape:
		return settleSet(ctx, t, config, plan, state)
	}
	if sameMeaning(ctx, t, plan, state) {
		return state
	}
	return plan
}

// settleElement settles one element of a collection against the old element in its place.
func settleElement(ctx context.Context, t attr.Type, config, plan, old tftypes.Value) tftypes.Value {
	if old.Type() == nil || old.IsNull() {
		return plan
	}
	return settle(ctx, t, config, plan, old, fits(ctx, t, config, plan, old))
}

// settleSet settles each planned element against the old one that it fits; elements without one stay as planned.
func settleSet(ctx context.Context, t attr.Type, config, plan, state tftypes.Value) tftypes.Value {
	out, was := elements(plan), elements(state)
	pairs, said := pairFitting(ctx, childType(t, ""), config, out, was)
	for i, j := range pairs {
		if j >= 0 {
			out[i] = settle(ctx, childType(t, ""), said[i], out[i], was[j], true)
		}
	}
	return tftypes.NewValue(plan.Type(), out)
}

// fits tells whether everything that the plan says of an element holds for the old one. Unknown parts that the
// configuration leaves out say nothing; unknown parts that it gives might say anything and so do not fit.
func fits(ctx context.Context, t attr.Type, config, plan, old tftypes.Value) bool {
	if !plan.IsKnown() {
		return !said(config)
	}
	if empty(t, plan) || empty(t, old) {
		return empty(t, plan) && empty(t, old)
	}
	switch shapeOf(t) {
	case objectShape:
		was := objectOf(old)
		for name, p := range objectOf(plan) {
			if !fits(ctx, childType(t, name), child(config, name, p), p, was[name]) {
				return false
			}
		}
		return true
	case mapShape:
		was, is := objectOf(old), objectOf(plan)
		for key, p := range is {
			o, ok := was[key]
			if !ok || !fits(ctx, childType(t, ""), child(config, key, p), p, o) {
				return false
			}
		}
		return len(was) == len(is)
	case listShape:
		was, is, c := elements(old), elements(plan), elements(config)
		if len(was) != len(is) {
			return false
		}
		for i, p := range is {
			conf := none(p)
			if i < len(c) {
				conf = c[i]
			}
			if !fits(ctx, childType(t, ""), conf, p, was[i]) {
				return false
			}
		}
		return true
	case setShape:
		was, is := elements(old), elements(plan)
		if len(was) != len(is) {
			return false
		}
		pairs, _ := pairFitting(ctx, childType(t, ""), config, is, was)
		return !slices.Contains(pairs, -1)
	}
	return sameMeaning(ctx, t, plan, old)
}

// complete returns plan with its unknown parts taken from live. What the plan knows stays byte for byte.
func complete(ctx context.Context, t attr.Type, plan, live tftypes.Value) tftypes.Value {
	if !plan.IsKnown() {
		return live
	}
	if plan.IsNull() || live.IsNull() || !live.IsKnown() {
		return withoutUnknown(plan)
	}
	switch shapeOf(t) {
	case objectShape, mapShape:
		out := object{}
		is := objectOf(live)
		for name, p := range objectOf(plan) {
			l, ok := is[name]
			if !ok {
				l = none(p)
			}
			out[name] = complete(ctx, childType(t, name), p, l)
		}
		return out.value(plan.Type())
	case listShape:
		out, is := elements(plan), elements(live)
		for i, p := range out {
			l := none(p)
			if i < len(is) {
				l = is[i]
			}
			out[i] = complete(ctx, childType(t, ""), p, l)
		}
		return tftypes.NewValue(plan.Type(), out)
	case setShape:
		out, is := elements(plan), elements(live)
		pairs := pair(ctx, childType(t, ""), out, is)
		for i, p := range out {
			l := none(p)
			if j := pairs[i]; j >= 0 {
				l = is[j]
			}
			out[i] = complete(ctx, childType(t, ""), p, l)
		}
		return tftypes.NewValue(plan.Type(), out)
	}
	return plan
}

// overlay returns plan with its unknown parts taken from settled, which settle made of it: elements are at one place in
// both.
func overlay(t attr.Type, plan, settled tftypes.Value) tftypes.Value {
	if !plan.IsKnown() {
		return settled
	}
	if plan.IsNull() || settled.IsNull() || !settled.IsKnown() {
		return plan
	}
	switch shapeOf(t) {
	case objectShape, mapShape:
		out, other := objectOf(plan), objectOf(settled)
		for name, p := range out {
			out[name] = overlay(childType(t, name), p, other[name])
		}
		return out.value(plan.Type())
	case listShape, setShape:
		out, other := elements(plan), elements(settled)
		for i, p := range out {
			out[i] = overlay(childType(t, ""), p, other[i])
		}
		return tftypes.NewValue(plan.Type(), out)
	}
	return plan
}

// foreseen returns plan as a call is to be told of it: unknown parts as the object has them, null in elements that are
// not the object's yet. Completed by place, a new element would carry the id of the one that it pushes aside.
func foreseen(ctx context.Context, t attr.Type, plan, live tftypes.Value) tftypes.Value {
	return withoutUnknown(overlay(t, plan, settle(ctx, t, none(plan), plan, live, true)))
}

// withoutUnknown returns v with null in place of everything unknown, so that no unknown value reaches AWS or state.
func withoutUnknown(v tftypes.Value) tftypes.Value {
	out, err := tftypes.Transform(v, func(_ *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		if !v.IsKnown() {
			return none(v), nil
		}
		return v, nil
	})
	if err != nil {
		return none(v) // cannot happen: nulls fit every type
	}
	return out
}

// changes returns the dotted schema paths at which plan and state differ in meaning. An unknown value counts as
// a change. Lists of one length are compared element by element; other collections as a whole.
func changes(ctx context.Context, t attr.Type, plan, state tftypes.Value, at string) []string {
	if !plan.IsKnown() {
		return []string{at}
	}
	if empty(t, plan) || empty(t, state) {
		if empty(t, plan) && empty(t, state) {
			return nil
		}
		return []string{at}
	}
	switch shapeOf(t) {
	case objectShape:
		var out []string
		was, is := objectOf(state), objectOf(plan)
		for _, name := range sortedKeys(is) {
			path := name
			if at != "" {
				path = at + "." + name
			}
			out = append(out, changes(ctx, childType(t, name), is[name], was[name], path)...)
		}
		return out
	case listShape:
		was, is := elements(state), elements(plan)
		if len(was) != len(is) {
			return []string{at}
		}
		seen := map[string]bool{}
		for i, p := range is {
			for _, path := range changes(ctx, childType(t, ""), p, was[i], at) {
				seen[path] = true
			}
		}
		return sortedKeys(seen)
	case mapShape, setShape:
		if plan.IsFullyKnown() && agrees(ctx, t, plan, state) {
			return nil
		}
		return []string{at}
	}
	if sameMeaning(ctx, t, plan, state) {
		return nil
	}
	return []string{at}
}

// keepText returns live with prior's spelling wherever both mean the same, so that a refresh shows no change
// where there is none.
func keepText(ctx context.Context, t attr.Type, prior, live tftypes.Value) tftypes.Value {
	if !prior.IsKnown() || empty(t, prior) && empty(t, live) {
		return prior
	}
	if prior.IsNull() || live.IsNull() {
		return live
	}
	switch shapeOf(t) {
	case objectShape, mapShape:
		out := object{}
		was := objectOf(prior)
		for name, l := range objectOf(live) {
			p, ok := was[name]
			if !ok {
				p = none(l)
			}
			out[name] = keepText(ctx, childType(t, name), p, l)
		}
		return out.value(live.Type())
	case listShape:
		was, is := elements(prior), elements(live)
		for i, l := range is {
			if i < len(was) {
				is[i] = keepText(ctx, childType(t, ""), was[i], l)
			}
		}
		return tftypes.NewValue(live.Type(), is)
	case setShape:
		was, is := elements(prior), elements(live)
		for i, j := range pair(ctx, childType(t, ""), is, was) {
			if j >= 0 {
				is[i] = keepText(ctx, childType(t, ""), was[j], is[i])
			}
		}
		return tftypes.NewValue(live.Type(), is)
	}
	if sameMeaning(ctx, t, live, prior) {
		return prior
	}
	return live
}
