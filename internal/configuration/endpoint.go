package configuration

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// endpoint is what one side of a move names, as seen from the module that declares it.
type endpoint struct {
	// declared are the calls that lead to that module. The move holds in each of its instances.
	declared []string
	// path leads on from there: to the module that holds the resource, or that is itself named.
	path []markers.Step
	// block is the resource; the zero value where a module is named.
	block block
	index markers.Index
	// whole says that all instances of the resource or the call are named, which keep their keys.
	whole bool

	pattern []want
}

// block is a resource within its module.
type block struct {
	mode      Mode
	typ, name string
}

// want is what a step of a path has to be.
type want struct {
	name  string
	index markers.Index
	any   bool
}

func (w want) fits(s markers.Step) bool { return w.name == s.Name && (w.any || w.index == s.Index) }

// isModule tells whether the endpoint names a module and no resource.
func (e *endpoint) isModule() bool { return e.block == block{} }

// settle prepares the pattern, once all else is known.
func (e *endpoint) settle() {
	e.pattern = nil
	for _, name := range e.declared {
		e.pattern = append(e.pattern, want{name: name, any: true})
	}
	for _, s := range e.path {
		e.pattern = append(e.pattern, want{name: s.Name, index: s.Index})
	}
	if e.isModule() && e.whole {
		e.pattern[len(e.pattern)-1].any = true
	}
}

// String shows the endpoint in messages: as it is written, behind the module that declares it.
func (e *endpoint) String() string {
	var b strings.Builder
	for _, name := range e.declared {
		b.WriteString("module." + name + ".")
	}
	b.WriteString(e.in(nil))
	return b.String()
}

// in is the text of what the endpoint names in one instance of the declaring module.
func (e *endpoint) in(instance []markers.Step) string {
	path := append(slices.Clone(instance), e.path...)
	if e.isModule() {
		return strings.TrimSuffix(ModulePath(path), ".")
	}
	return addressText(e.block.mode, markers.Address{Module: path, Type: e.block.typ, Name: e.block.name, Index: e.index})
}

// key tells what is named from all else, also a call from its one instance without a key.
func (e *endpoint) key(instance []markers.Step) string {
	if e.whole {
		return "all " + e.in(instance)
	}
	return e.in(instance)
}

// selects tells whether the path is that of the module, or of the module that holds the resource.
func (e *endpoint) selects(path []markers.Step) bool {
	if len(path) != len(e.pattern) {
		return false
	}
	for n, w := range e.pattern {
		if !w.fits(path[n]) {
			return false
		}
	}
	return true
}

// meets tells whether something can be within both: a, the shorter one, leads towards b or is it.
func meets(a, b []want) bool {
	if len(a) > len(b) {
		return false
	}
	for n := range a {
		if a[n].name != b[n].name || !a[n].any && !b[n].any && a[n].index != b[n].index {
			return false
		}
	}
	return true
}

// continues tells whether the endpoint can name the very thing that the other one names.
func (e *endpoint) continues(other *endpoint) bool {
	if len(e.pattern) != len(other.pattern) || !meets(other.pattern, e.pattern) || e.isModule() != other.isModule() {
		return false
	}
	return e.isModule() || e.block == other.block && e.index == other.index && e.whole == other.whole
}

// within tells whether the endpoint names something inside of what the other one names.
func (e *endpoint) within(other *endpoint) bool {
	if !meets(other.pattern, e.pattern) {
		return false
	}
	switch {
	case other.isModule() && !e.isModule():
		return true
	case other.isModule():
		// An instance is inside its call.
		return len(e.pattern) > len(other.pattern) || other.whole && !e.whole
	}
	return len(e.pattern) == len(other.pattern) && other.whole && !e.isModule() && !e.whole && e.block == other.block
}

// nameOf is the name of a step that is one.
func nameOf(step hcl.Traverser) (string, bool) {
	switch s := step.(type) {
	case hcl.TraverseRoot:
		return s.Name, true
	case hcl.TraverseAttr:
		return s.Name, true
	}
	return "", false
}

// keyOf reads the index that a step is.
func keyOf(step hcl.TraverseIndex) (markers.Index, bool) {
	switch key := step.Key; key.Type() {
	case cty.String:
		return markers.Index{Kind: markers.KeyIndex, Key: key.AsString()}, true
	case cty.Number:
		if n, accuracy := key.AsBigFloat().Uint64(); accuracy == 0 && key.AsBigFloat().Sign() >= 0 {
			return markers.Index{Kind: markers.CountIndex, Number: n}, true
		}
	}
	return markers.Index{}, false
}

// modulePrefix reads the modules at the start of an address, and returns what follows them.
func modulePrefix(t hcl.Traversal) ([]markers.Step, hcl.Traversal, *hcl.Diagnostic) {
	var path []markers.Step
	for len(t) > 0 {
		keyword, ok := nameOf(t[0])
		if !ok {
			at := t[0].SourceRange()
			return nil, nil, failure("Invalid address operator", "A dot and a name have to follow the key of a module.", &at)
		}
		if keyword != "module" {
			break
		}
		if len(t) < 2 {
			at := t[0].SourceRange()
			return nil, nil, failure("Invalid address operator", `The name of a module has to follow "module.".`, &at)
		}
		name, ok := nameOf(t[1])
		if !ok {
			at := t[1].SourceRange()
			return nil, nil, failure("Invalid address operator", `The name of a module has to follow "module.".`, &at)
		}
		step := markers.Step{Name: name}
		t = t[2:]
		if len(t) > 0 {
			if index, ok := t[0].(hcl.TraverseIndex); ok {
				if step.Index, ok = keyOf(index); !ok {
					at := index.SourceRange()
					return nil, nil, failure("Invalid address operator", "The key of a module is a text, or a whole number that is not negative.", &at)
				}
				t = t[1:]
			}
		}
		path = append(path, step)
	}
	return path, t, nil
}

// resourceSuffix reads the resource that an address names behind its modules, and returns what follows it.
func resourceSuffix(t hcl.Traversal) (block, hcl.Traversal, *hcl.Diagnostic) {
	var out block
	at := t.SourceRange()
	switch name, _ := nameOf(t[0]); name {
	case string(Data), string(Ephemeral):
		out.mode = Mode(name)
		t = t[1:]
	}
	if len(t) < 2 {
		if len(t) > 0 {
			at = t.SourceRange()
		}
		return out, nil, failure("Invalid address", "A resource is named by its type and its name, with a dot between them.", &at)
	}
	var ok bool
	if out.typ, ok = nameOf(t[0]); !ok {
		at := t[0].SourceRange()
		return out, nil, failure("Invalid address", "The type of a resource has to stand here.", &at)
	}
	if out.name, ok = nameOf(t[1]); !ok {
		at := t[1].SourceRange()
		return out, nil, failure("Invalid address", "The name of a resource has to stand here.", &at)
	}
	return out, t[2:], nil
}

// parseEndpoint reads a side of a moved block.
func parseEndpoint(declared []string, t hcl.Traversal) (*endpoint, *hcl.Diagnostic) {
	path, rest, d := modulePrefix(t)
	if d != nil {
		return nil, d
	}
	e := &endpoint{declared: declared, path: path}
	if len(rest) == 0 {
		e.whole = path[len(path)-1].Index.Kind == markers.NoIndex
		return e, nil
	}
	if e.block, rest, d = resourceSuffix(rest); d != nil {
		return nil, d
	}
	switch len(rest) {
	case 0:
		e.whole = true
		return e, nil
	case 1:
		at := rest[0].SourceRange()
		index, ok := rest[0].(hcl.TraverseIndex)
		if !ok {
			return nil, failure("Invalid address", "Behind a resource's name only the key of an instance may follow, in brackets.", &at)
		}
		if e.index, ok = keyOf(index); !ok {
			return nil, failure("Invalid address", "The key of an instance is a text, or a whole number that is not negative.", &at)
		}
		return e, nil
	}
	at := rest[1].SourceRange()
	return nil, failure("Invalid address", "The address goes on behind the resource; an attribute cannot be moved.", &at)
}

// parseRemoval reads the address of a removed block: a module or a resource, both without keys.
func parseRemoval(declared []string, t hcl.Traversal) (*endpoint, *hcl.Diagnostic) {
	path, rest, d := modulePrefix(t)
	if d != nil {
		return nil, d
	}
	for _, step := range t[:len(t)-len(rest)] {
		if index, ok := step.(hcl.TraverseIndex); ok {
			at := index.SourceRange()
			return nil, failure("Module instance address with keys is not allowed", "A removed block names a whole module, without the key of one instance.", &at)
		}
	}
	e := &endpoint{declared: declared, path: path, whole: true}
	if len(rest) == 0 {
		return e, nil
	}
	if e.block, rest, d = resourceSuffix(rest); d != nil {
		return nil, d
	}
	whole := t.SourceRange()
	switch {
	case len(rest) == 1:
		at := rest[0].SourceRange()
		return nil, failure("Resource instance address with keys is not allowed", "A removed block names a whole resource, without the key of one instance.", &at)
	case len(rest) > 1:
		at := rest[1].SourceRange()
		return nil, failure("Invalid address", "The address goes on behind the resource.", &at)
	case e.block.mode == Data:
		return nil, failure("Data source address is not allowed", "A data source is not destroyed, so that there is nothing to say about it: remove its block.", &whole)
	case e.block.mode == Ephemeral:
		return nil, failure("Ephemeral resource address is not allowed", "No state holds an ephemeral resource: remove its block.", &whole)
	}
	return e, nil
}
