package configuration

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration/functions"
)

// scope makes the values that the traversals of one expression need, and no others. It is false where one of them refers to
// something that is not there, which has been reported.
func (i *Instance) scope(traversals []hcl.Traversal, rep Repetition) (*hcl.EvalContext, bool) {
	if len(traversals) == 0 {
		return i.e.base, true
	}
	roots := map[string]map[string]cty.Value{}
	put := func(root, name string, value cty.Value) {
		if roots[root] == nil {
			roots[root] = map[string]cty.Value{}
		}
		roots[root][name] = value
	}
	resources := map[string]map[string]map[string]cty.Value{}
	wanted := i.wanted(traversals)
	for _, t := range traversals {
		ref, d := i.Module.resolve(t, place{each: rep.Each(), count: rep.Counted(), self: true})
		if d != nil {
			i.e.report(d)
			return nil, false
		}
		switch ref.kind {
		case "var":
			put("var", ref.name, i.variable(i.Module.Variables[ref.name]))
		case "local":
			put("local", ref.name, i.local(i.Module.Locals[ref.name]))
		case "module":
			put("module", ref.name, i.callValue(i.Module.Calls[ref.name], wanted["module."+ref.name]))
		case "each", "count":
			put(ref.kind, ref.name, rep.value(ref.kind, ref.name))
		case "path":
			put("path", ref.name, i.pathValue(ref.name))
		case "terraform", "tofu":
			put(ref.kind, ref.name, i.settingValue(ref.name))
		case "self":
			put("self", "", cty.DynamicVal)
		case "resource":
			r := i.Module.Resources[ref.name]
			mode := string(r.Mode)
			if resources[mode] == nil {
				resources[mode] = map[string]map[string]cty.Value{}
			}
			if resources[mode][r.Type] == nil {
				resources[mode][r.Type] = map[string]cty.Value{}
			}
			resources[mode][r.Type][r.Name] = i.resourceValue(r, wanted[ref.name])
		}
	}
	vars := map[string]cty.Value{}
	for root, values := range roots {
		vars[root] = cty.ObjectVal(values)
	}
	if _, ok := roots["self"]; ok {
		vars["self"] = cty.DynamicVal
	}
	for mode, types := range resources {
		byType := map[string]cty.Value{}
		for typ, values := range types {
			byType[typ] = cty.ObjectVal(values)
		}
		if Mode(mode) == Managed {
			maps.Copy(vars, byType)
			// The long form of a reference.
			vars["resource"] = cty.ObjectVal(byType)
		} else {
			vars[mode] = cty.ObjectVal(byType)
		}
	}
	ctx := i.e.base.NewChild()
	ctx.Variables = vars
	return ctx, true
}

// wanted are the outputs or attributes that traversals ask of each module call and resource; nil where one asks for the whole.
func (i *Instance) wanted(traversals []hcl.Traversal) map[string][]string {
	out := map[string][]string{}
	all := map[string]bool{}
	for _, t := range traversals {
		ref, d := i.Module.resolve(t, place{each: true, count: true, self: true})
		if d != nil || ref.kind != "module" && ref.kind != "resource" {
			continue
		}
		name := ref.name
		if ref.kind == "module" {
			name = "module." + name
		}
		rest := ref.rest
		if len(rest) > 0 {
			if _, ok := rest[0].(hcl.TraverseIndex); ok {
				rest = rest[1:]
			}
		}
		attr := ""
		if len(rest) > 0 {
			switch step := rest[0].(type) {
			case hcl.TraverseAttr:
				attr = step.Name
			case hcl.TraverseIndex:
				if step.Key.Type() == cty.String {
					attr = step.Key.AsString()
				}
			}
		}
		if attr == "" {
			all[name] = true
		}
		if attr != "" && !slices.Contains(out[name], attr) {
			out[name] = append(out[name], attr)
		}
	}
	for name := range all {
		delete(out, name)
	}
	return out
}

// ref is what a traversal refers to.
type ref struct {
	// kind is its root, "resource" for all resources; name what is declared, for resources its reference.
	kind, name string
	// rest is what is asked of it.
	rest hcl.Traversal
}

// resolve tells what a traversal of the module refers to, or why it cannot.
func (m *Module) resolve(t hcl.Traversal, in place) (ref, *hcl.Diagnostic) {
	root := t.RootName()
	at := t.SourceRange()
	step := func(n int) string {
		if n < len(t) {
			if s, ok := t[n].(hcl.TraverseAttr); ok {
				return s.Name
			}
		}
		return ""
	}
	undeclared := func(what, name string) (ref, *hcl.Diagnostic) {
		return ref{}, failure("Reference to undeclared "+what, fmt.Sprintf("The module declares no %s %q.", what, name), &at)
	}
	invalid := func(format string, args ...any) (ref, *hcl.Diagnostic) {
		return ref{}, failure("Invalid reference", fmt.Sprintf(format, args...), &at)
	}
	switch root {
	case "self":
		if !in.self {
			return invalid(`"self" stands for the resource in its own postconditions, connections and provisioners alone.`)
		}
		return ref{kind: "self"}, nil
	case "var", "local", "module", "each", "count", "path", "terraform", "tofu", "data", "ephemeral", "resource":
		if step(1) == "" {
			return invalid("%q needs the name of what it refers to, after a dot.", root)
		}
	}
	name := step(1)
	plain := ref{kind: root, name: name, rest: t[min(2, len(t)):]}
	switch root {
	case "var":
		if m.Variables[name] == nil {
			return undeclared("input variable", name)
		}
		return plain, nil
	case "local":
		if m.Locals[name] == nil {
			return undeclared("local value", name)
		}
		return plain, nil
	case "module":
		return m.resolveCall(plain, at)
	case "each":
		if !in.each {
			return ref{}, failure(`Reference to "each" in context without for_each`, `"each" stands for an element of for_each, in the block that has it.`, &at)
		}
		if name != "key" && name != "value" {
			return ref{}, failure(`Invalid "each" attribute`, `"each" has the attributes "key" and "value".`, &at)
		}
		return plain, nil
	case "count":
		if !in.count {
			return ref{}, failure(`Reference to "count" in non-counted context`, `"count" is there in a block with the argument count.`, &at)
		}
		if name != "index" {
			return ref{}, failure(`Invalid "count" attribute`, `"count" has the attribute "index".`, &at)
		}
		return plain, nil
	case "path":
		if name != "module" && name != "root" && name != "cwd" {
			return ref{}, failure(`Invalid "path" attribute`, `"path" has the attributes "module", "root" and "cwd".`, &at)
		}
		return plain, nil
	case "terraform", "tofu":
		if name != "workspace" && name != "applying" {
			return ref{}, failure("Invalid \""+root+"\" attribute", fmt.Sprintf("%q has no attribute %q.", root, name), &at)
		}
		return plain, nil
	}
	if slices.Contains(in.iterators, root) {
		return ref{kind: "self"}, nil
	}
	mode, first := Managed, 0
	switch root {
	case "data", "ephemeral":
		mode, first = Mode(root), 1
	case "resource":
		first = 1
	}
	typ, name := step(first), step(first+1)
	if first == 0 {
		typ = root
	}
	if name == "" {
		return invalid("A reference to a resource names its type and its name, with a dot between them.")
	}
	reference := reference(mode, typ, name)
	r := m.Resources[reference]
	if r == nil {
		return undeclared("resource", reference)
	}
	rest := t[min(first+2, len(t)):]
	if len(rest) > 0 && (r.Count != nil || r.ForEach != nil) {
		if _, ok := rest[0].(hcl.TraverseAttr); ok {
			return ref{}, failure("Missing resource instance key", fmt.Sprintf("%s has several instances: say which one, as in %s[each.key].", reference, reference), &at)
		}
	}
	if name, ok := attributeOf(r, rest); ok && mode == Managed && r.Type == builtinType && !builtin[name] && name != "id" && name != "output" {
		return ref{}, failure("Unsupported attribute", fmt.Sprintf("%s has no attribute %q.", r.Type, name), &at)
	}
	return ref{kind: "resource", name: reference, rest: rest}, nil
}

// attributeOf is the attribute of an instance that the rest of a traversal names, behind the key that the block's repetition asks for.
func attributeOf(r *Resource, rest hcl.Traversal) (string, bool) {
	if r.Count != nil || r.ForEach != nil {
		if len(rest) == 0 {
			return "", false
		}
		if _, ok := rest[0].(hcl.TraverseIndex); !ok {
			return "", false
		}
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return "", false
	}
	name, ok := rest[0].(hcl.TraverseAttr)
	return name.Name, ok
}

// resolveCall looks at the output too, where the traversal names one.
func (m *Module) resolveCall(plain ref, at hcl.Range) (ref, *hcl.Diagnostic) {
	c, child := m.Calls[plain.name], m.Children[plain.name]
	if c == nil {
		return ref{}, failure("Reference to undeclared module", fmt.Sprintf("The module calls no module %q.", plain.name), &at)
	}
	if child == nil || len(plain.rest) == 0 {
		return plain, nil
	}
	rest := plain.rest
	if _, ok := rest[0].(hcl.TraverseIndex); ok && len(rest) > 1 && (c.Count != nil || c.ForEach != nil) {
		rest = rest[1:]
	}
	if attr, ok := rest[0].(hcl.TraverseAttr); ok && child.Outputs[attr.Name] == nil && (c.Count == nil && c.ForEach == nil || len(rest) < len(plain.rest)) {
		return ref{}, failure("Unsupported attribute", fmt.Sprintf("The module %q has no output %q.", plain.name, attr.Name), &at)
	}
	return plain, nil
}

func (i *Instance) pathValue(name string) cty.Value {
	switch name {
	case "module":
		return cty.StringVal(i.dir())
	case "root":
		return cty.StringVal(".")
	}
	abs, err := filepath.Abs(i.e.tree.Root.Dir)
	if err != nil {
		return cty.UnknownVal(cty.String)
	}
	return cty.StringVal(filepath.ToSlash(abs))
}

func (i *Instance) settingValue(name string) cty.Value {
	if name == "workspace" {
		return cty.StringVal(i.e.workspace)
	}
	return cty.UnknownVal(cty.Bool).Mark(functions.Ephemeral)
}
