package configuration

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration/functions"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// variable is the value of an input variable.
func (i *Instance) variable(v *Variable) cty.Value {
	return i.once("var."+v.Name, func() cty.Value {
		value, at := i.given(v)
		if i.parent != nil && v.Name == i.e.supposed.Path {
			value = cty.StringVal(ModulePath(i.Path))
		}
		if value == cty.NilVal || value.IsKnown() && value.IsNull() && !v.Nullable && v.hasDefault() {
			if !v.hasDefault() {
				return cty.UnknownVal(v.Type) // the call was refused when it was read
			}
			value = v.Default
		}
		if i.parent != nil && !v.Ephemeral && isEphemeral(value) {
			i.e.report(failure("Ephemeral value not allowed", fmt.Sprintf("The variable %q does not take an ephemeral value; it would with: ephemeral = true", v.Name), at))
			return cty.UnknownVal(v.Type)
		}
		plain, marks := value.UnmarkDeepWithPaths()
		converted, err := v.convert(plain)
		switch {
		case err != nil:
			i.e.report(failure("Invalid value for input variable", fmt.Sprintf("The value of %q does not fit the variable's type: %s.", v.Name, err), at))
			return cty.UnknownVal(v.Type)
		case converted.IsKnown() && converted.IsNull() && !v.Nullable:
			i.e.report(failure("Invalid value for input variable", fmt.Sprintf("The variable %q takes no null.", v.Name), at))
			return cty.UnknownVal(v.Type)
		}
		converted = remark(converted, marks)
		if v.Sensitive {
			converted = converted.Mark(functions.Sensitive)
		}
		if v.Ephemeral {
			converted = converted.Mark(functions.Ephemeral)
		}
		return converted
	})
}

// isEphemeral tells whether a value, or any part of it, is ephemeral.
func isEphemeral(value cty.Value) bool {
	_, marks := value.UnmarkDeep()
	_, ok := marks[functions.Ephemeral]
	return ok
}

// remark puts marks back on a converted value: where a path is gone, on the whole.
func remark(value cty.Value, marks []cty.PathValueMarks) cty.Value {
	var whole []cty.ValueMarks
	var inside []cty.PathValueMarks
	for _, m := range marks {
		if _, err := m.Path.Apply(value); err != nil || passesSet(value.Type(), m.Path) {
			whole = append(whole, m.Marks)
		} else {
			inside = append(inside, m)
		}
	}
	return value.MarkWithPaths(inside).WithMarks(whole...)
}

// passesSet tells whether a path leads through a set, whose elements carry no marks of their own.
func passesSet(typ cty.Type, path cty.Path) bool {
	for n := range path {
		if at, err := path[:n].Apply(cty.UnknownVal(typ)); err != nil || at.Type().IsSetType() {
			return true
		}
	}
	return false
}

// given is what the caller gives for a variable, cty.NilVal for nothing, and where.
func (i *Instance) given(v *Variable) (cty.Value, *hcl.Range) {
	if i.parent == nil {
		return i.e.rootValue(v)
	}
	a := i.call.Args[v.Name]
	if a == nil {
		return cty.NilVal, &i.call.Range
	}
	at := a.Expr.Range()
	return i.parent.eval(a.Expr, i.rep), &at
}

// local is the value of a local.
func (i *Instance) local(l *Local) cty.Value {
	return i.once("local."+l.Name, func() cty.Value { return i.eval(l.Expr, Repetition{}) })
}

// output is the value of an output.
func (i *Instance) output(o *Output) cty.Value {
	return i.once("output."+o.Name, func() cty.Value {
		value := i.eval(o.Expr, Repetition{})
		if o.Sensitive {
			value = value.Mark(functions.Sensitive)
		}
		if o.Ephemeral {
			value = value.Mark(functions.Ephemeral)
		}
		return value
	})
}

// calls are the instances of a called module.
type calls struct {
	expansion Expansion
	instances []*Instance
}

// called makes the instances of a called module, once.
func (i *Instance) called(c *Call) *calls {
	i.once("module."+c.Name+" (expansion)", func() cty.Value {
		out := &calls{expansion: i.expand(c.Repeat)}
		child := i.Module.Children[c.Name]
		for _, rep := range out.expansion.Instances {
			if child == nil {
				break // reported when the tree was read
			}
			path := append(slices.Clone(i.Path), markers.Step{Name: c.Name, Index: rep.Index})
			out.instances = append(out.instances, &Instance{Module: child, Path: path, e: i.e, parent: i, call: c, rep: rep, memo: map[string]*cell{}})
		}
		if i.calls == nil {
			i.calls = map[string]*calls{}
		}
		i.calls[c.Name] = out
		return cty.DynamicVal
	})
	if out := i.calls[c.Name]; out != nil {
		return out
	}
	// Its own expansion asked for it, which is a cycle and has been reported.
	return &calls{expansion: Expansion{Unknown: c.ForEach}}
}

// callValue is what a reference to a module call stands for: the outputs that are wanted, all of them for nil.
func (i *Instance) callValue(c *Call, wanted []string) cty.Value {
	child := i.Module.Children[c.Name]
	if child == nil {
		return cty.DynamicVal
	}
	if wanted == nil {
		wanted = slices.Sorted(maps.Keys(child.Outputs))
	}
	return i.once("module."+c.Name+" ("+strings.Join(wanted, ", ")+")", func() cty.Value {
		called := i.called(c)
		if len(child.Outputs) == 0 && called.expansion.shape != single {
			return cty.DynamicVal // to OpenTofu such a call has no instances, to Terraform it has
		}
		if called.expansion.Unknown != nil || len(called.instances) != len(called.expansion.Instances) {
			return cty.DynamicVal
		}
		n := 0
		return called.expansion.assemble(func(Repetition) cty.Value {
			instance := called.instances[n]
			n++
			outputs := map[string]cty.Value{}
			for _, name := range wanted {
				if o := child.Outputs[name]; o != nil {
					outputs[name] = instance.output(o)
				}
			}
			return cty.ObjectVal(outputs)
		})
	})
}

// Expand returns the instances of a resource in this instance of its module.
func (i *Instance) Expand(r *Resource) Expansion {
	if i.expansions == nil {
		i.expansions = map[*Resource]Expansion{}
	}
	i.once(r.Reference()+" (expansion)", func() cty.Value {
		i.expansions[r] = i.expand(r.Repeat)
		return cty.DynamicVal
	})
	x, ok := i.expansions[r]
	if !ok { // a cycle, which has been reported
		return Expansion{Unknown: r.ForEach, shape: keyed}
	}
	return x
}

// Argument is what one instance of a resource gives for an argument; false where it gives nothing.
func (i *Instance) Argument(r *Resource, rep Repetition, name string) (cty.Value, bool) {
	a := r.Args[name]
	if a == nil {
		return cty.NilVal, false
	}
	return i.once(r.Reference()+rep.Index.String()+"."+name, func() cty.Value { return i.eval(a.Expr, rep) }), true
}

// resourceValue is what a reference to a resource stands for: the attributes that are wanted, or all that the module ever asks
// for. What the configuration says of them is known, and all else is not.
func (i *Instance) resourceValue(r *Resource, wanted []string) cty.Value {
	if r.Mode != Managed {
		return i.Expand(r).assemble(func(Repetition) cty.Value { return cty.DynamicVal })
	}
	switch {
	case r.Type == builtinType:
		// All of it is known, and who counts its attributes gets their number.
		wanted = []string{"id", "input", "output", "triggers_replace"}
	case wanted == nil:
		wanted = slices.Sorted(maps.Keys(i.Module.asked))
	}
	return i.once(r.Reference()+" ("+strings.Join(wanted, ", ")+")", func() cty.Value {
		return i.Expand(r).assemble(func(rep Repetition) cty.Value {
			attrs := map[string]cty.Value{}
			for _, name := range wanted {
				attrs[name] = i.attribute(r, rep, name)
			}
			return cty.ObjectVal(attrs)
		})
	})
}

// builtinType is the one type that the tools bring themselves, builtin its arguments, whose values are what the configuration says.
const builtinType = "terraform_data"

var builtin = map[string]bool{"input": true, "triggers_replace": true}

// attribute is an attribute of a planned resource, as far as the configuration says it.
func (i *Instance) attribute(r *Resource, rep Repetition, name string) cty.Value {
	if r.Type == builtinType {
		return i.builtinAttribute(r, rep, name)
	}
	value, ok := i.Argument(r, rep, name)
	if !ok || value.IsKnown() && value.IsNull() {
		// A provider may compute what is not given.
		return cty.DynamicVal
	}
	return value
}

// builtinAttribute is an attribute of the type that the tools bring, as they plan a new one.
func (i *Instance) builtinAttribute(r *Resource, rep Repetition, name string) cty.Value {
	switch {
	case builtin[name]:
		if value, ok := i.Argument(r, rep, name); ok {
			return value
		}
		return cty.NullVal(cty.DynamicPseudoType)
	case name == "output":
		input, _ := i.builtinAttribute(r, rep, "input").UnmarkDeep()
		if input.IsKnown() && input.IsNull() {
			return input
		}
		return cty.UnknownVal(input.Type())
	}
	return cty.UnknownVal(cty.String).RefineNotNull()
}
