package main

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// conf is a configuration: names with Go values. Lists and sets are []any, maps, objects and blocks conf.
type conf = map[string]any

// with returns the configuration with other values; nil takes a name out.
func with(c conf, changes conf) conf {
	out := maps.Clone(c)
	for name, v := range changes {
		if v == nil {
			delete(out, name)
			continue
		}
		out[name] = v
	}
	return out
}

// members are the attributes of a raw object or the elements of a raw map; none of what is null or unknown.
func members(v tftypes.Value) map[string]tftypes.Value {
	out := map[string]tftypes.Value{}
	if v.IsKnown() && !v.IsNull() {
		_ = v.As(&out) // objects and maps alone are asked
	}
	return out
}

// elements are those of a raw list or set.
func elements(v tftypes.Value) []tftypes.Value {
	var out []tftypes.Value
	if v.IsKnown() && !v.IsNull() {
		_ = v.As(&out) // lists and sets alone are asked
	}
	return out
}

// text is an attribute that is a string, "" where it is not known or null.
func text(v tftypes.Value, name string) string {
	var s string
	if a, ok := members(v)[name]; ok && a.IsKnown() && !a.IsNull() {
		_ = a.As(&s) // an attribute of another type has no text
	}
	return s
}

// raw makes a raw value of a Go one. What an object leaves out is null, or an empty block.
func raw(typ tftypes.Type, in level, v any) (tftypes.Value, error) {
	switch v := v.(type) {
	case nil:
		return tftypes.NewValue(typ, nil), nil
	case conf:
		return rawMembers(typ, in, v)
	case []any:
		return rawElements(typ, in, v)
	}
	if err := tftypes.ValidateValue(typ, v); err != nil {
		return tftypes.Value{}, err
	}
	return tftypes.NewValue(typ, v), nil
}

func rawMembers(typ tftypes.Type, in level, v conf) (tftypes.Value, error) {
	out := map[string]tftypes.Value{}
	switch typ := typ.(type) {
	case tftypes.Map:
		for name, e := range v {
			one, err := raw(typ.ElementType, nil, e)
			if err != nil {
				return one, fmt.Errorf("%s: %w", name, err)
			}
			out[name] = one
		}
	case tftypes.Object:
		for name := range v {
			if _, ok := typ.AttributeTypes[name]; !ok {
				return tftypes.Value{}, fmt.Errorf("the schema has no %s", name)
			}
		}
		for name, inner := range typ.AttributeTypes {
			given, said := v[name]
			if f := in[name]; f.block && !f.single && !said {
				given = []any{}
			}
			one, err := raw(inner, in[name].inner, given)
			if err != nil {
				return one, fmt.Errorf("%s: %w", name, err)
			}
			out[name] = one
		}
	default:
		return tftypes.Value{}, fmt.Errorf("%v is no %s", v, typ)
	}
	return tftypes.NewValue(typ, out), nil
}

func rawElements(typ tftypes.Type, in level, v []any) (tftypes.Value, error) {
	var inner tftypes.Type
	switch typ := typ.(type) {
	case tftypes.List:
		inner = typ.ElementType
	case tftypes.Set:
		inner = typ.ElementType
	default:
		return tftypes.Value{}, fmt.Errorf("%v is no %s", v, typ)
	}
	out := []tftypes.Value{}
	for _, e := range v {
		one, err := raw(inner, in, e)
		if err != nil {
			return one, err
		}
		out = append(out, one)
	}
	return tftypes.NewValue(typ, out), nil
}

// stateJSON is a raw value as a state file holds it.
func stateJSON(v tftypes.Value) (any, error) {
	if v.IsNull() {
		return nil, nil
	}
	typ := v.Type()
	switch {
	case typ.Is(tftypes.Object{}), typ.Is(tftypes.Map{}):
		out := map[string]any{}
		for name, e := range members(v) {
			one, err := stateJSON(e)
			if err != nil {
				return nil, err
			}
			out[name] = one
		}
		return out, nil
	case typ.Is(tftypes.List{}), typ.Is(tftypes.Set{}):
		out := []any{}
		for _, e := range elements(v) {
			one, err := stateJSON(e)
			if err != nil {
				return nil, err
			}
			out = append(out, one)
		}
		return out, nil
	case typ.Is(tftypes.Bool):
		var b bool
		err := v.As(&b)
		return b, err
	case typ.Is(tftypes.Number):
		var n *big.Float
		if err := v.As(&n); err != nil {
			return nil, err
		}
		f, _ := n.Float64()
		return f, nil
	}
	var s string
	err := v.As(&s)
	return s, err
}

// broken returns where a later value breaks what an earlier one promised, "" where it does not. Sets of which a part is not
// known yet are not compared, since nothing tells which element is which.
func broken(at string, promised, actual tftypes.Value) string {
	if !promised.IsKnown() || promised.IsFullyKnown() && promised.Equal(actual) {
		return ""
	}
	typ := promised.Type()
	switch {
	case promised.IsFullyKnown() && !typ.Is(tftypes.Object{}) || promised.IsNull() || actual.IsNull() || !actual.IsKnown():
		return fmt.Sprintf("%s: promised %s, got %s", at, promised, actual)
	case typ.Is(tftypes.Object{}), typ.Is(tftypes.Map{}):
		was, is := members(promised), members(actual)
		for _, name := range slices.Sorted(maps.Keys(was)) {
			if b := broken(at+"."+name, was[name], is[name]); b != "" {
				return b
			}
		}
	case typ.Is(tftypes.List{}):
		was, is := elements(promised), elements(actual)
		if len(was) != len(is) {
			return fmt.Sprintf("%s: promised %d elements, got %d", at, len(was), len(is))
		}
		for i := range was {
			if b := broken(fmt.Sprintf("%s[%d]", at, i), was[i], is[i]); b != "" {
				return b
			}
		}
	}
	return ""
}
