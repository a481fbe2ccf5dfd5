package engine

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// This file is what a core does with a schema: it proposes new states, and checks what a provider plans and returns.
// Attributes and blocks are told apart only where core tells them apart.

// coreLevel is one object of a schema: its attributes and blocks.
type coreLevel map[string]coreField

type coreField struct {
	computed, optional, writeOnly, block bool
	nesting                              coreNesting
	inner                                coreLevel
}

type coreNesting int

const (
	nestingNone coreNesting = iota
	nestingSingle
	nestingList
	nestingSet
	nestingMap
)

func levelOfBlock(b *tfprotov6.SchemaBlock) coreLevel {
	level := levelOfAttributes(b.Attributes)
	for _, nested := range b.BlockTypes {
		f := coreField{block: true, inner: levelOfBlock(nested.Block)}
		switch nested.Nesting {
		case tfprotov6.SchemaNestedBlockNestingModeSingle:
			f.nesting = nestingSingle
		case tfprotov6.SchemaNestedBlockNestingModeSet:
			f.nesting = nestingSet
		default:
			f.nesting = nestingList
		}
		level[nested.TypeName] = f
	}
	return level
}

func levelOfAttributes(attributes []*tfprotov6.SchemaAttribute) coreLevel {
	level := coreLevel{}
	for _, a := range attributes {
		f := coreField{computed: a.Computed, optional: a.Optional, writeOnly: a.WriteOnly}
		if a.NestedType != nil {
			f.inner = levelOfAttributes(a.NestedType.Attributes)
			f.nesting = map[tfprotov6.SchemaObjectNestingMode]coreNesting{
				tfprotov6.SchemaObjectNestingModeSingle: nestingSingle,
				tfprotov6.SchemaObjectNestingModeList:   nestingList,
				tfprotov6.SchemaObjectNestingModeSet:    nestingSet,
				tfprotov6.SchemaObjectNestingModeMap:    nestingMap,
			}[a.NestedType.Nesting]
		}
		level[a.Name] = f
	}
	return level
}

// propose is core's ProposedNew: the configuration, with prior values where it leaves a computed attribute out.
func (l coreLevel) propose(prior, config tftypes.Value) tftypes.Value {
	was, conf := objectOf(prior), objectOf(config)
	out := object{}
	for name, f := range l {
		c := conf[name]
		p, ok := was[name]
		if !ok {
			p = none(c)
		}
		switch {
		case !f.block && f.computed && c.IsKnown() && c.IsNull():
			out[name] = p
			if f.optional && f.nesting != nestingNone && f.holdsConfigured(p) {
				out[name] = c // the prior value came from a configuration that is gone
			}
		case f.nesting != nestingNone:
			out[name] = f.propose(p, c)
		default:
			out[name] = c
		}
	}
	return out.value(config.Type())
}

func (f coreField) propose(prior, config tftypes.Value) tftypes.Value {
	if !config.IsKnown() || config.IsNull() {
		return config
	}
	switch f.nesting {
	case nestingSingle:
		return f.inner.propose(prior, config)
	case nestingMap:
		was, out := objectOf(prior), object{}
		for key, c := range objectOf(config) {
			out[key] = f.inner.proposeElement(was[key], c)
		}
		return out.value(config.Type())
	}
	was, out := elements(prior), elements(config)
	used := make([]bool, len(was))
	for i, c := range out {
		var p tftypes.Value
		if f.nesting == nestingList && i < len(was) {
			p = was[i]
		}
		if f.nesting == nestingSet {
			for j, old := range was {
				if !used[j] && f.inner.cameFrom(old, c) {
					used[j], p = true, old
					break
				}
			}
		}
		out[i] = f.inner.proposeElement(p, c)
	}
	return tftypes.NewValue(config.Type(), out)
}

func (l coreLevel) proposeElement(prior, config tftypes.Value) tftypes.Value {
	if !config.IsKnown() || config.IsNull() {
		return config
	}
	if prior.Type() == nil {
		prior = none(config)
	}
	return l.propose(prior, config)
}

// cameFrom tells whether a prior set element may be what became of a configured one: it differs in computed
// attributes alone that the configuration leaves out.
func (l coreLevel) cameFrom(prior, config tftypes.Value) bool {
	if prior.Equal(config) {
		return true
	}
	if !prior.IsKnown() || prior.IsNull() || !config.IsKnown() || config.IsNull() {
		return false
	}
	conf := objectOf(config)
	for name, p := range objectOf(prior) {
		c, f := conf[name], l[name]
		switch {
		case p.Equal(c):
		case f.nesting == nestingSingle:
			if !f.inner.cameFrom(p, c) {
				return false
			}
		case f.nesting == nestingList:
			was, is := elements(p), elements(c)
			if len(was) != len(is) {
				return false
			}
			for i := range was {
				if !f.inner.cameFrom(was[i], is[i]) {
					return false
				}
			}
		case f.nesting != nestingNone || !f.computed || !c.IsKnown() || !c.IsNull():
			return false
		}
	}
	return true
}

// holdsConfigured tells whether a value holds something that only a configuration can have said.
func (f coreField) holdsConfigured(v tftypes.Value) bool {
	if !v.IsKnown() || v.IsNull() {
		return false
	}
	parts := []tftypes.Value{v}
	switch f.nesting {
	case nestingList, nestingSet:
		parts = elements(v)
	case nestingMap:
		parts = nil
		for _, e := range objectOf(v) {
			parts = append(parts, e)
		}
	}
	for _, part := range parts {
		for name, a := range objectOf(part) {
			inner := f.inner[name]
			if !a.IsNull() && (!inner.computed || inner.nesting != nestingNone && inner.holdsConfigured(a)) {
				return true
			}
		}
	}
	return false
}

// planFaults is core's AssertPlanValid: a plan says what the configuration says, or repeats the prior value.
func (l coreLevel) planFaults(at string, prior, config, planned tftypes.Value) (faults []string) {
	was, conf, is := objectOf(prior), objectOf(config), objectOf(planned)
	for name, f := range l {
		c, v := conf[name], is[name]
		p, ok := was[name]
		if !ok {
			p = none(c)
		}
		path := at + "." + name
		if f.block {
			faults = append(faults, f.blockFaults(path, p, c, v)...)
			continue
		}
		faults = append(faults, f.attributeFaults(path, p, c, v)...)
	}
	return faults
}

func (f coreField) attributeFaults(at string, prior, config, planned tftypes.Value) []string {
	null := config.IsKnown() && config.IsNull()
	switch {
	case planned.Equal(config), f.computed && !f.optional, null && f.computed:
		return nil
	case planned.Equal(prior) && !(prior.IsKnown() && prior.IsNull()) && !null:
		return nil
	case null:
		return []string{fmt.Sprintf("%s: planned %s for an attribute that is not computed", at, planned)}
	case f.writeOnly && planned.IsKnown() && planned.IsNull():
		return nil
	case f.nesting == nestingNone:
		return []string{fmt.Sprintf("%s: planned %s is neither the configuration %s nor the prior value %s", at, planned, config, prior)}
	}
	return f.blockFaults(at, prior, config, planned)
}

// blockFaults checks what is nested. Like core it cannot match the elements of a set, and counts them.
func (f coreField) blockFaults(at string, prior, config, planned tftypes.Value) (faults []string) {
	if !config.IsKnown() {
		if planned.IsKnown() && f.nesting != nestingSet {
			faults = append(faults, at+": planned a known value for an unknown block")
		}
		return faults
	}
	if !planned.IsKnown() {
		return []string{at + ": planned unknown where the configuration is known"}
	}
	if planned.IsNull() != config.IsNull() {
		return []string{fmt.Sprintf("%s: planned null is %t, configured null is %t", at, planned.IsNull(), config.IsNull())}
	}
	if planned.IsNull() {
		return nil
	}
	switch f.nesting {
	case nestingSingle:
		return f.inner.planFaults(at, prior, config, planned)
	case nestingMap:
		was, conf, is := objectOf(prior), objectOf(config), objectOf(planned)
		if len(conf) != len(is) {
			return []string{at + ": the plan has other keys than the configuration"}
		}
		for key, v := range is {
			c, ok := conf[key]
			if !ok {
				return []string{at + ": the plan has the key " + key}
			}
			faults = append(faults, f.inner.planFaults(at+"."+key, was[key], c, v)...)
		}
		return faults
	}
	was, conf, is := elements(prior), elements(config), elements(planned)
	if len(conf) != len(is) {
		return []string{fmt.Sprintf("%s: %d elements planned, %d configured", at, len(is), len(conf))}
	}
	if f.nesting == nestingSet {
		return nil
	}
	for i := range is {
		var p tftypes.Value
		if i < len(was) {
			p = was[i]
		}
		if !conf[i].IsKnown() {
			continue
		}
		faults = append(faults, f.inner.planFaults(fmt.Sprintf("%s[%d]", at, i), p, conf[i], is[i])...)
	}
	return faults
}

// disagrees is core's AssertObjectCompatible: it returns where a later value breaks what an earlier one promised.
func disagrees(at string, promised, actual tftypes.Value) []string {
	if !promised.IsKnown() {
		return nil
	}
	if !actual.IsKnown() {
		return []string{at + ": was known, is unknown"}
	}
	if promised.IsNull() || actual.IsNull() {
		if promised.IsNull() != actual.IsNull() {
			return []string{fmt.Sprintf("%s: was %s, is %s", at, promised, actual)}
		}
		return nil
	}
	switch promised.Type().(type) {
	case tftypes.Object, tftypes.Map:
		was, is := objectOf(promised), objectOf(actual)
		var faults []string
		if len(was) != len(is) {
			faults = append(faults, at+": other keys")
		}
		for _, name := range sortedKeys(was) {
			if v, ok := is[name]; ok {
				faults = append(faults, disagrees(at+"."+name, was[name], v)...)
			}
		}
		return faults
	case tftypes.List:
		was, is := elements(promised), elements(actual)
		if len(was) != len(is) {
			return []string{fmt.Sprintf("%s: had %d elements, has %d", at, len(was), len(is))}
		}
		var faults []string
		for i := range was {
			faults = append(faults, disagrees(fmt.Sprintf("%s[%d]", at, i), was[i], is[i])...)
		}
		return faults
	case tftypes.Set:
		was, is := elements(promised), elements(actual)
		if len(was) != len(is) && promised.IsFullyKnown() {
			return []string{fmt.Sprintf("%s: had %d elements, has %d", at, len(was), len(is))}
		}
		for _, w := range was {
			if !anyAgrees(w, is) {
				return []string{fmt.Sprintf("%s: no element agrees with %s in %s", at, w, actual)}
			}
		}
		return nil
	}
	if !promised.Equal(actual) {
		return []string{fmt.Sprintf("%s: was %s, is %s", at, promised, actual)}
	}
	return nil
}

func anyAgrees(promised tftypes.Value, have []tftypes.Value) bool {
	for _, h := range have {
		if len(disagrees("", promised, h)) == 0 {
			return true
		}
	}
	return false
}

// stateFaults checks what may be in a state: nothing unknown, no write-only value, no null collection block.
func (l coreLevel) stateFaults(at string, v tftypes.Value) (faults []string) {
	if !v.IsFullyKnown() && at == "" {
		faults = append(faults, fmt.Sprintf("unknown values in state: %s", v))
	}
	is := objectOf(v)
	for name, f := range l {
		a, path := is[name], at+"."+name
		if f.writeOnly && !a.IsNull() {
			faults = append(faults, path+": a write-only value in state")
		}
		if f.block && f.nesting != nestingSingle && a.IsNull() {
			faults = append(faults, path+": a null collection block")
		}
		switch f.nesting {
		case nestingSingle:
			if !a.IsNull() {
				faults = append(faults, f.inner.stateFaults(path, a)...)
			}
		case nestingList, nestingSet:
			for _, e := range elements(a) {
				faults = append(faults, f.inner.stateFaults(path, e)...)
			}
		}
	}
	return faults
}

// jsonOf is a value as a state file holds it.
func jsonOf(t testing.TB, v tftypes.Value) any {
	t.Helper()
	if v.IsNull() {
		return nil
	}
	switch typ := v.Type().(type) {
	case tftypes.Object, tftypes.Map:
		out := map[string]any{}
		for name, e := range objectOf(v) {
			out[name] = jsonOf(t, e)
		}
		return out
	case tftypes.List, tftypes.Set:
		out := []any{}
		for _, e := range elements(v) {
			out = append(out, jsonOf(t, e))
		}
		return out
	default:
		switch {
		case typ.Is(tftypes.String):
			return text(v)
		case typ.Is(tftypes.Bool):
			return flag(v)
		case typ.Is(tftypes.Number):
			var n *big.Float
			if err := v.As(&n); err != nil {
				t.Fatal(err)
			}
			f, _ := n.Float64()
			return f
		}
	}
	t.Fatalf("no JSON for %s", v)
	return nil
}

// conf is a configuration: attribute and block names with Go values. Lists and sets are []any, maps and objects conf.
type conf = map[string]any

// notYet stands for a value that is known only after apply.
const notYet = unknownWord("known after apply")

type unknownWord string

// configured makes a raw value of a Go one. What an object leaves out is null, or an empty collection block.
func configured(t testing.TB, l coreLevel, typ tftypes.Type, v any) tftypes.Value {
	t.Helper()
	switch v := v.(type) {
	case unknownWord:
		return tftypes.NewValue(typ, tftypes.UnknownValue)
	case nil:
		return tftypes.NewValue(typ, nil)
	case conf:
		if m, ok := typ.(tftypes.Map); ok {
			out := object{}
			for key, e := range v {
				out[key] = configured(t, l, m.ElementType, e)
			}
			return out.value(typ)
		}
		o, ok := typ.(tftypes.Object)
		if !ok {
			t.Fatalf("%v is no %s", v, typ)
		}
		out := object{}
		for name, at := range o.AttributeTypes {
			if e, ok := v[name]; ok {
				out[name] = configured(t, l[name].inner, at, e)
			} else if l[name].block {
				out[name] = emptyBlock(at)
			} else {
				out[name] = tftypes.NewValue(at, nil)
			}
		}
		for name := range v {
			if _, ok := out[name]; !ok {
				t.Fatalf("the configuration says %q, which the schema does not have", name)
			}
		}
		return out.value(typ)
	case []any:
		var element tftypes.Type
		switch typ := typ.(type) {
		case tftypes.List:
			element = typ.ElementType
		case tftypes.Set:
			element = typ.ElementType
		default:
			t.Fatalf("%v is no %s", v, typ)
		}
		out := []tftypes.Value{}
		for _, e := range v {
			out = append(out, configured(t, l, element, e))
		}
		return tftypes.NewValue(typ, out)
	}
	return tftypes.NewValue(typ, v)
}
