package markers

// Target is what a user names to select instances: a module and all below it, a block, or one instance.
type Target struct {
	module    []Step
	typ, name string // empty: everything in the module and below
	index     Index
}

// ParseTarget reads a target, which is an address that may end in a module and may leave indexes out.
// Without a module path, a resource is in the root module only.
func ParseTarget(text string) (Target, error) {
	p := parser{rest: text}
	module, err := p.path()
	if err != nil {
		return Target{}, err
	}
	if p.rest == "" {
		return Target{module: module}, nil
	}
	a := Address{Module: module}
	if err := p.resource(&a); err != nil {
		return Target{}, err
	}
	return Target{module: module, typ: a.Type, name: a.Name, index: a.Index}, nil
}

// Covers reports whether the instance is among those that the target names. A number and its decimal string
// are one index here, since tags do not tell them apart; aws_T and estate_T are one type.
func (t Target) Covers(a Address) bool {
	if len(a.Module) < len(t.module) {
		return false
	}
	for i, step := range t.module {
		if step.Name != a.Module[i].Name || !covers(step.Index, a.Module[i].Index) {
			return false
		}
	}
	if t.typ == "" {
		return true
	}
	return len(a.Module) == len(t.module) && sameType(t.typ, a.Type) && t.name == a.Name && covers(t.index, a.Index)
}

// covers reports whether an index in a target admits an instance's.
func covers(want, got Index) bool {
	return want.Kind == NoIndex || got.Kind != NoIndex && want.text() == got.text()
}
