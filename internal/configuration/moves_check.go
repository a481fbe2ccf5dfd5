package configuration

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// CheckMoves says what is wrong with the moved and removed blocks of the configuration, whatever the state holds.
func (e *Evaluation) CheckMoves() hcl.Diagnostics {
	statements, diags := e.tree.Root.statements()
	_, more := e.tree.Root.removals()
	diags = append(diags, more...)
	if !diags.HasErrors() {
		diags = append(diags, checkStatements(statements, e.declare())...)
	}
	return diags
}

// end is an address that a statement has named, and what it says of it.
type end struct {
	other string
	at    hcl.Range
}

// checkStatements holds the statements against what is declared and against each other.
func checkStatements(statements []*statement, d *declared) hcl.Diagnostics {
	var diags hcl.Diagnostics
	said := map[string]bool{}
	// A block may be wrong in each instance of its module; that is said once.
	report := func(summary, detail string, at hcl.Range) {
		if key := summary + at.String(); !said[key] {
			said[key] = true
			diags = append(diags, failure(summary, detail, &at))
		}
	}
	from, to := map[string]end{}, map[string]end{}
	for _, s := range statements {
		for _, instance := range d.modules[strings.Join(s.from.declared, ".")] {
			source, target := s.from.key(instance), s.to.key(instance)
			if source == target {
				report("Redundant move statement", fmt.Sprintf("This moves %s to itself.", s.from.in(instance)), s.at)
				continue
			}
			if at, ok := d.things[source]; ok {
				report("Moved object still exists", fmt.Sprintf("This moves %s away, which is still declared at %s. Declare it as %s, or remove this block.",
					s.from.in(instance), at, s.to.in(instance)), s.at)
			}
			if earlier, ok := from[source]; !ok {
				from[source] = end{target, s.at}
			} else if earlier.other != target {
				report("Ambiguous move statements", fmt.Sprintf("The block at %s moves %s to another place, and it can go to one only.", earlier.at, s.from.in(instance)), s.at)
			}
			if earlier, ok := to[target]; !ok {
				to[target] = end{source, s.at}
			} else if earlier.other != source {
				report("Ambiguous move statements", fmt.Sprintf("The block at %s moves something else to %s, which can hold one only.", earlier.at, s.to.in(instance)), s.at)
			}
		}
	}
	if !diags.HasErrors() {
		_, cycles := order(statements)
		diags = cycleDiagnostics(cycles)
	}
	return diags
}

// forgetting is a removed block.
type forgetting struct {
	from *endpoint
	*Removal
}

// covers tells whether the block is about the address.
func (f forgetting) covers(a markers.Address) bool {
	names := slices.Clone(f.from.declared)
	for _, s := range f.from.path {
		names = append(names, s.Name)
	}
	if len(a.Module) < len(names) || !isInstanceOf(a.Module[:len(names)], names) {
		return false
	}
	return f.from.isModule() || len(a.Module) == len(names) && f.from.block == block{Managed, a.Type, a.Name}
}

// removals are the removed blocks of the module and all below it. What they name may no longer be declared.
func (m *Module) removals() ([]forgetting, hcl.Diagnostics) {
	var out []forgetting
	var diags hcl.Diagnostics
	root := m
	m.walk(func(m *Module) {
		for _, removal := range m.Removals {
			from, d := parseRemoval(m.Path, removal.From)
			if d != nil {
				diags = append(diags, d)
				continue
			}
			at := removal.Range
			target := root.descendant(from)
			switch {
			case target == nil:
			case from.isModule():
				diags = append(diags, failure("Removed module block still exists", fmt.Sprintf("The module %s is still called. Remove its block, or this one.", from), &at))
			case target.Resources[reference(from.block.mode, from.block.typ, from.block.name)] != nil:
				diags = append(diags, failure("Removed resource block still exists", fmt.Sprintf("The resource %s is still declared. Remove its block, or this one.", from), &at))
			}
			out = append(out, forgetting{from, removal})
		}
	})
	return out, diags
}

// descendant is the module to which an endpoint leads; nil where there is none.
func (m *Module) descendant(e *endpoint) *Module {
	for _, name := range e.declared {
		if m = m.Children[name]; m == nil {
			return nil
		}
	}
	for _, s := range e.path {
		if m = m.Children[s.Name]; m == nil {
			return nil
		}
	}
	return m
}
