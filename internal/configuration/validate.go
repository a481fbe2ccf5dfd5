package configuration

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration/functions"
)

// Validate works everything out that the tree holds, and finds what the tools' validate and plan of an empty state would refuse:
// references to what is not declared, values that do not fit, conditions that do not hold. What it finds is among the
// evaluation's diagnostics.
func (e *Evaluation) Validate() {
	e.tree.Root.walk(e.checkReferences)
	e.tree.Root.walk(e.checkArguments)
	e.cycles()
	e.root.validate()
}

// checkReferences resolves every reference of a module, also in blocks that have no instance.
func (e *Evaluation) checkReferences(m *Module) {
	m.expressions(func(expr hcl.Expression, in place) {
		for _, t := range expr.Variables() {
			if _, d := m.resolve(t, in); d != nil {
				e.report(d)
			}
		}
	})
	dependsOn := func(list []hcl.Traversal) {
		for _, t := range list {
			ref, d := m.resolve(t, place{})
			if d == nil && ref.kind == "resource" {
				rest := ref.rest
				if len(rest) > 0 {
					if _, ok := rest[0].(hcl.TraverseIndex); ok {
						rest = rest[1:]
					}
				}
				if len(rest) > 0 {
					at := rest.SourceRange()
					d = failure("Invalid depends_on reference", "An entry of depends_on names a whole resource or module, and none of its attributes.", &at)
				}
			}
			if d != nil {
				e.report(d)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Calls)) {
		dependsOn(m.Calls[name].DependsOn)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Resources)) {
		dependsOn(m.Resources[name].DependsOn)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Outputs)) {
		dependsOn(m.Outputs[name].DependsOn)
	}
}

// checkArguments holds the one type whose schema is known to it.
func (e *Evaluation) checkArguments(m *Module) {
	for _, name := range slices.Sorted(maps.Keys(m.Resources)) {
		r := m.Resources[name]
		if r.Mode != Managed || r.Type != builtinType {
			continue
		}
		for _, arg := range slices.Sorted(maps.Keys(r.Args)) {
			at := r.Args[arg].NameRange
			switch {
			case arg == "id" || arg == "output":
				e.report(failure("Value for unconfigurable attribute", fmt.Sprintf("%s computes %q.", r.Type, arg), &at))
			case !builtin[arg]:
				e.report(failure("Unsupported argument", fmt.Sprintf("%s has no argument %q.", r.Type, arg), &at))
			}
		}
		for _, b := range r.Blocks {
			at := b.DefRange()
			e.report(failure("Unsupported block type", fmt.Sprintf("%s has no blocks %q.", r.Type, b.Type), &at))
		}
	}
}

// validate works out all that the instance of a module holds, and those below it.
func (i *Instance) validate() {
	for _, name := range slices.Sorted(maps.Keys(i.Module.Variables)) {
		v := i.Module.Variables[name]
		value := i.variable(v)
		_, at := i.given(v)
		for _, c := range v.Validations {
			if value.IsKnown() { // nothing can be said of what is not, and the tools skip it too
				i.hold(c, Repetition{}, "Invalid value for variable", at)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(i.Module.Locals)) {
		i.local(i.Module.Locals[name])
	}
	for _, reference := range slices.Sorted(maps.Keys(i.Module.Resources)) {
		i.validateResource(i.Module.Resources[reference])
	}
	for _, name := range slices.Sorted(maps.Keys(i.Module.Calls)) {
		for _, instance := range i.called(i.Module.Calls[name]).instances {
			instance.validate()
		}
	}
	for _, name := range slices.Sorted(maps.Keys(i.Module.Outputs)) {
		i.validateOutput(i.Module.Outputs[name])
	}
}

func (i *Instance) validateResource(r *Resource) {
	for _, rep := range i.Expand(r).Instances {
		for _, name := range slices.Sorted(maps.Keys(r.Args)) {
			i.refuseSelf(r, rep, r.Args[name].Expr)
			value, _ := i.Argument(r, rep, name)
			if r.Type == builtinType && r.Mode == Managed && isEphemeral(value) { // of other types, some arguments take it
				at := r.Args[name].Expr.Range()
				i.e.report(failure("Ephemeral value not allowed", fmt.Sprintf("The argument %q is kept in the state, where no ephemeral value may be.", name), &at))
			}
		}
		for _, c := range r.Preconditions {
			i.hold(c, rep, "Resource precondition failed", nil)
		}
	}
}

// refuseSelf reports references of an instance to itself, or to the whole that it is one of.
func (i *Instance) refuseSelf(r *Resource, rep Repetition, expr hcl.Expression) {
	for _, t := range expr.Variables() {
		ref, d := i.Module.resolve(t, place{each: true, count: true, self: true})
		if d != nil || ref.kind != "resource" || ref.name != r.Reference() {
			continue
		}
		if len(ref.rest) > 0 {
			if index, ok := ref.rest[0].(hcl.TraverseIndex); ok {
				if key, ok := keyOf(index); ok && key != rep.Index {
					continue
				}
			}
		}
		at := t.SourceRange()
		i.e.report(failure("Self-referential block", fmt.Sprintf("%s%s cannot refer to itself.", r.Reference(), rep.Index), &at))
	}
}

func (i *Instance) validateOutput(o *Output) {
	value := i.output(o)
	for _, c := range o.Preconditions {
		i.hold(c, Repetition{}, "Module output value precondition failed", nil)
	}
	if isEphemeral(value) && !o.Ephemeral {
		at := o.Expr.Range()
		i.e.report(failure("Ephemeral value not allowed", fmt.Sprintf("The output %q is made of ephemeral values. In a module that is called, it says so with: ephemeral = true", o.Name), &at))
		return
	}
	if i.parent != nil {
		return
	}
	_, marks := value.UnmarkDeep()
	if _, ok := marks[functions.Sensitive]; ok && !o.Sensitive {
		at := o.Range
		i.e.report(failure("Output refers to sensitive values", fmt.Sprintf("The output %q is made of sensitive values. Say so with: sensitive = true", o.Name), &at))
	}
	if o.Ephemeral {
		at := o.Range
		i.e.report(failure("Ephemeral output of the root module", fmt.Sprintf("The output %q is ephemeral, and an output of the root module is kept in the state.", o.Name), &at))
	}
}

// hold evaluates a condition, and reports the author's message where it does not hold. At is where, unless that is nil: then it
// is the condition.
func (i *Instance) hold(c Condition, rep Repetition, summary string, at *hcl.Range) {
	if c.Condition == nil || c.Message == nil {
		return // reported when it was read
	}
	if at == nil {
		r := c.Condition.Range()
		at = &r
	}
	plain, _ := i.eval(c.Condition, rep).Unmark()
	result, err := convert.Convert(plain, cty.Bool)
	switch {
	case err != nil || result.IsKnown() && result.IsNull():
		where := c.Condition.Range()
		i.e.report(failure("Invalid condition result", "A condition has to be true or false.", &where))
	case !result.IsKnown() || result.True():
	default:
		i.e.report(failure(summary, i.message(c, rep), at))
	}
}

// message is the author's own, as far as it can be shown.
func (i *Instance) message(c Condition, rep Repetition) string {
	value := i.eval(c.Message, rep)
	plain, marks := value.UnmarkDeep()
	text, err := convert.Convert(plain, cty.String)
	switch {
	case len(marks) > 0:
		return "The message of the condition is made of sensitive values, and is not shown."
	case err != nil || !text.IsKnown() || text.IsNull():
		return "The condition does not hold, and its message cannot be worked out."
	}
	return text.AsString()
}
