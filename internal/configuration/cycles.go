package configuration

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// needs is what each part of a configuration refers to, by name, whatever its value comes to: the tools work the parts out in this
// order, so that parts which need each other are refused also where no value needs itself, or where there is no instance.
type needs map[string][]string

// cycles reports what needs itself.
func (e *Evaluation) cycles() {
	graph := needs{}
	graph.module(e.tree.Root, nil)
	for _, cycle := range graph.cycles() {
		e.cyclic = true
		e.report(failure("Cycle", "These need each other, so that none can be worked out: "+strings.Join(cycle, " -> ")+".", nil))
	}
}

// label is the path of the module as it stands before the names of its parts.
func (m *Module) label() string {
	var b strings.Builder
	for _, name := range m.Path {
		b.WriteString("module." + name + ".")
	}
	return b.String()
}

// instances is the part that tells what instances the module has.
func (m *Module) instances() string { return m.label() + "(expansion)" }

// module notes the parts of a module and of those below it. Parent is nil for the root.
func (g needs) module(m, parent *Module) {
	prefix := m.label()
	if parent != nil {
		call := parent.Calls[m.Path[len(m.Path)-1]]
		g.add(m.instances(), parent.instances())
		for _, expr := range []hcl.Expression{call.Count, call.ForEach, call.Enabled} {
			g.expression(m.instances(), parent, expr)
		}
		g.explicit(m.instances(), parent, call.DependsOn)
		for name, a := range call.Args {
			g.expression(prefix+"var."+name, parent, a.Expr)
		}
	}
	for name, v := range m.Variables {
		g.conditions(prefix+"var."+name, m, v.Validations)
	}
	for name, l := range m.Locals {
		g.expression(prefix+"local."+name, m, l.Expr)
	}
	for reference, r := range m.Resources {
		part := prefix + reference
		g.add(part, m.instances())
		for _, expr := range []hcl.Expression{r.Count, r.ForEach, r.Enabled} {
			g.expression(part, m, expr)
		}
		for _, a := range r.Args {
			g.expression(part, m, a.Expr)
		}
		for _, b := range r.Blocks {
			blockExpressions(b, place{}, func(_ place, exprs ...hcl.Expression) {
				for _, expr := range exprs {
					g.expression(part, m, expr)
				}
			})
		}
		g.conditions(part, m, r.Preconditions)
		g.conditions(part, m, r.Postconditions)
		g.explicit(part, m, r.DependsOn)
	}
	for name, o := range m.Outputs {
		part := prefix + "output." + name
		g.add(part, m.instances())
		g.expression(part, m, o.Expr)
		g.conditions(part, m, o.Preconditions)
		g.explicit(part, m, o.DependsOn)
	}
	for _, child := range m.Children {
		g.module(child, m)
	}
}

// add notes a need. That a part refers to itself is no cycle: it is refused elsewhere, or no matter.
func (g needs) add(part, need string) {
	if part != need {
		g[part] = append(g[part], need)
	}
}

func (g needs) conditions(part string, m *Module, list []Condition) {
	for _, c := range list {
		g.expression(part, m, c.Condition)
		g.expression(part, m, c.Message)
	}
}

func (g needs) expression(part string, m *Module, expr hcl.Expression) {
	if expr == nil {
		return
	}
	for _, t := range expr.Variables() {
		ref, d := m.resolve(t, place{each: true, count: true, self: true})
		if d != nil {
			continue // said elsewhere
		}
		switch ref.kind {
		case "var", "local":
			g.add(part, m.label()+ref.kind+"."+ref.name)
		case "resource":
			g.add(part, m.label()+ref.name)
		case "module":
			g.outputs(part, m, ref)
		}
	}
}

// outputs notes what a reference to a call needs: the output that it names, or all of them.
func (g needs) outputs(part string, m *Module, r ref) {
	child := m.Children[r.name]
	if child == nil {
		return
	}
	for _, step := range r.rest[:min(2, len(r.rest))] {
		if attr, ok := step.(hcl.TraverseAttr); ok && child.Outputs[attr.Name] != nil {
			g.add(part, child.label()+"output."+attr.Name)
			return
		}
	}
	for name := range child.Outputs {
		g.add(part, child.label()+"output."+name)
	}
}

// explicit notes a depends_on. For a module it means all that the module holds.
func (g needs) explicit(part string, m *Module, list []hcl.Traversal) {
	for _, t := range list {
		ref, d := m.resolve(t, place{each: true, count: true, self: true})
		switch {
		case d != nil:
		case ref.kind == "resource":
			g.add(part, m.label()+ref.name)
		case ref.kind == "module" && m.Children[ref.name] != nil:
			m.Children[ref.name].walk(func(child *Module) {
				g.add(part, child.instances())
				for name := range child.Variables {
					g.add(part, child.label()+"var."+name)
				}
				for reference := range child.Resources {
					g.add(part, child.label()+reference)
				}
				for name := range child.Outputs {
					g.add(part, child.label()+"output."+name)
				}
			})
		}
	}
}

// cycles returns a way around for each part that the search comes back to, the first part again at its end.
func (g needs) cycles() [][]string {
	const open, done = 1, 2
	state := map[string]int{}
	var way []string
	var out [][]string
	var visit func(string)
	visit = func(part string) {
		state[part] = open
		way = append(way, part)
		for _, need := range slices.Compact(slices.Sorted(slices.Values(g[part]))) {
			switch state[need] {
			case open:
				out = append(out, append(slices.Clone(way[slices.Index(way, need):]), need))
			case 0:
				visit(need)
			}
		}
		way = way[:len(way)-1]
		state[part] = done
	}
	for _, part := range slices.Sorted(maps.Keys(g)) {
		if state[part] == 0 {
			visit(part)
		}
	}
	return out
}
