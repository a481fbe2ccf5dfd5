package configuration

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration/functions"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// Repetition is one instance of a block: its key, and what each and count stand for in it.
type Repetition struct {
	Index markers.Index
	// element is each.value.
	element cty.Value
	// unknown says that nobody knows yet which instances there are, and that this one stands for all.
	unknown bool
	foreach bool
	counted bool
}

// Each tells whether the block has for_each, Counted whether it has count.
func (r Repetition) Each() bool { return r.foreach }

// Counted tells whether the block has count.
func (r Repetition) Counted() bool { return r.counted }

// value is each.key, each.value or count.index.
func (r Repetition) value(root, name string) cty.Value {
	switch {
	case r.unknown && root == "count":
		return cty.UnknownVal(cty.Number)
	case r.unknown && name == "key":
		return cty.UnknownVal(cty.String)
	case r.unknown:
		return cty.DynamicVal
	case root == "count":
		return cty.NumberUIntVal(r.Index.Number)
	case name == "key":
		return cty.StringVal(r.Index.Key)
	}
	return r.element
}

// Expansion is what count, for_each or enabled come to.
type Expansion struct {
	// Instances are those that there are, in order.
	Instances []Repetition
	// Unknown is the expression that only an apply can settle; Instances then holds one that stands for all.
	Unknown hcl.Expression

	shape shape
}

// shape is what a reference to the whole is: one object, a list or a map.
type shape int

const (
	single shape = iota
	list
	keyed
	optional
)

// expand works the arguments out. An error is reported, and then there are no instances.
func (i *Instance) expand(r Repeat) Expansion { return i.e.supposed.expansion(i.settle(r)) }

func (i *Instance) settle(r Repeat) Expansion {
	switch {
	case r.Count != nil:
		return i.expandCount(r.Count)
	case r.ForEach != nil:
		return i.expandForEach(r.ForEach)
	case r.Enabled != nil:
		return i.expandEnabled(r.Enabled)
	}
	return Expansion{Instances: []Repetition{{}}}
}

func (i *Instance) refuse(expr hcl.Expression, argument, format string, args ...any) {
	at := expr.Range()
	i.e.report(failure("Invalid "+argument+" argument", fmt.Sprintf(format, args...), &at))
}

// settled takes the marks off a value that decides how many instances there are.
func (i *Instance) settled(expr hcl.Expression, argument string, value cty.Value) (cty.Value, bool) {
	plain, marks := value.Unmark()
	_, ephemeral := marks[functions.Ephemeral]
	_, sensitive := marks[functions.Sensitive]
	if ephemeral || sensitive && argument != "count" { // a number gives little away, and the tools take it
		i.refuse(expr, argument, "A sensitive or ephemeral value, or one that is made of it, cannot say which instances there are: it would be shown in their addresses.")
		return plain, false
	}
	if plain.IsKnown() && plain.IsNull() {
		i.refuse(expr, argument, "The value is null. Where there shall be no instance, give 0 or an empty map.")
		return plain, false
	}
	return plain, true
}

// mostInstances is more than any plan gets through, and no more than memory holds.
const mostInstances = 1_000_000

func (i *Instance) expandCount(expr hcl.Expression) Expansion {
	out := Expansion{shape: list}
	value, ok := i.settled(expr, "count", i.eval(expr, Repetition{}))
	if !ok {
		return out
	}
	number, err := convert.Convert(value, cty.Number)
	if err != nil {
		i.refuse(expr, "count", "The value is no number: %s.", err)
		return out
	}
	if !number.IsKnown() {
		out.Unknown = expr
		out.Instances = []Repetition{{unknown: true, counted: true}}
		return out
	}
	n, accuracy := number.AsBigFloat().Int64()
	switch {
	case accuracy != big.Exact:
		i.refuse(expr, "count", "The value has to be a whole number.")
		return out
	case n < 0:
		i.refuse(expr, "count", "The value has to be zero or more; it is %d.", n)
		return out
	case n > mostInstances:
		i.refuse(expr, "count", "The value is %d, and more than %d instances are not listed.", n, mostInstances)
		return out
	}
	for k := range n {
		out.Instances = append(out.Instances, Repetition{Index: markers.Index{Kind: markers.CountIndex, Number: uint64(k)}, counted: true}) //nolint:gosec // G115: not negative.
	}
	return out
}

func (i *Instance) expandForEach(expr hcl.Expression) Expansion {
	out := Expansion{shape: keyed}
	value, ok := i.settled(expr, "for_each", i.eval(expr, Repetition{}))
	if !ok {
		return out
	}
	typ := value.Type()
	switch {
	case typ == cty.DynamicPseudoType && !value.IsKnown():
	case !typ.IsMapType() && !typ.IsSetType() && !typ.IsObjectType():
		i.refuse(expr, "for_each", "The value has to be a map, or a set of strings; it is %s.", typ.FriendlyName())
		return out
	case typ.IsSetType() && value.IsKnown() && typ.ElementType() == cty.DynamicPseudoType && value.LengthInt() == 0:
		return out
	case typ.IsSetType() && typ.ElementType() != cty.String && typ.ElementType() != cty.DynamicPseudoType:
		i.refuse(expr, "for_each", "A set has to hold strings; this one holds %s.", typ.ElementType().FriendlyName())
		return out
	}
	if !value.IsKnown() || typ.IsSetType() && !value.IsWhollyKnown() {
		out.Unknown = expr
		out.Instances = []Repetition{{unknown: true, foreach: true}}
		return out
	}
	for it := value.ElementIterator(); it.Next(); {
		key, element := it.Element()
		if typ.IsSetType() {
			if element.IsNull() {
				i.refuse(expr, "for_each", "The set holds a null.")
				return Expansion{shape: keyed}
			}
			key = element
		}
		out.Instances = append(out.Instances, Repetition{Index: markers.Index{Kind: markers.KeyIndex, Key: key.AsString()}, element: element, foreach: true})
	}
	slices.SortFunc(out.Instances, func(a, b Repetition) int { return strings.Compare(a.Index.Key, b.Index.Key) })
	return out
}

func (i *Instance) expandEnabled(expr hcl.Expression) Expansion {
	out := Expansion{shape: optional}
	value, ok := i.settled(expr, "enabled", i.eval(expr, Repetition{}))
	if !ok {
		return out
	}
	enabled, err := convert.Convert(value, cty.Bool)
	switch {
	case err != nil:
		i.refuse(expr, "enabled", "The value is neither true nor false: %s.", err)
	case !enabled.IsKnown():
		out.Unknown = expr
		out.Instances = []Repetition{{unknown: true}}
	case enabled.True():
		out.Instances = []Repetition{{}}
	}
	return out
}

// assemble makes the value of a whole block of one value for each instance.
func (x Expansion) assemble(value func(Repetition) cty.Value) cty.Value {
	switch {
	case x.Unknown != nil:
		return cty.DynamicVal
	case x.shape == single:
		return value(x.Instances[0])
	case x.shape == optional:
		if len(x.Instances) == 0 {
			return cty.NullVal(cty.DynamicPseudoType)
		}
		return value(x.Instances[0])
	case x.shape == list:
		values := make([]cty.Value, len(x.Instances))
		for n, rep := range x.Instances {
			values[n] = value(rep)
		}
		return cty.TupleVal(values)
	}
	values := make(map[string]cty.Value, len(x.Instances))
	for _, rep := range x.Instances {
		values[rep.Index.Key] = value(rep)
	}
	return cty.ObjectVal(values)
}
