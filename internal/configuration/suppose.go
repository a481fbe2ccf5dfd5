package configuration

import (
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// Supposed is what an evaluation takes for granted, so that what a configuration says can be judged before all of it is right.
type Supposed struct {
	// Path is the name of a variable that in every called module holds the module's own path, with a dot at its end, whatever
	// the call gives for it.
	Path string
	// Instances gives made-up ones to every block that has none, or of which only an apply can tell which it has.
	Instances bool
}

// supposedKey is a key that nobody has written anywhere.
const supposedKey = "supposed-instance"

// expansion adds the instances that are supposed.
func (s Supposed) expansion(x Expansion) Expansion {
	if !s.Instances || x.Unknown == nil && len(x.Instances) > 0 {
		return x
	}
	settled := x.Unknown == nil
	x.Unknown = nil
	switch x.shape {
	case list:
		x.Instances = []Repetition{counted(0)} // the one that a count of 0 or 1 may have
		if !settled {
			x.Instances = append(x.Instances, counted(1))
		}
	case keyed:
		x.Instances = []Repetition{{Index: markers.Index{Kind: markers.KeyIndex, Key: supposedKey}, element: cty.DynamicVal, foreach: true}}
	case single, optional:
		x.Instances = []Repetition{{}}
	}
	return x
}

func counted(n uint64) Repetition {
	return Repetition{Index: markers.Index{Kind: markers.CountIndex, Number: n}, counted: true}
}

// disagreement is the Extra of a diagnostic about a variable that is given no value, or a value that is given for no variable.
type disagreement struct{ variable string }

func about(variable string, d *hcl.Diagnostic) *hcl.Diagnostic {
	d.Extra = disagreement{variable}
	return d
}

// Disagreement tells which variable lacks a value, or which value a variable, where that is what the diagnostic says.
func Disagreement(d *hcl.Diagnostic) (variable string, ok bool) {
	x, ok := hcl.DiagnosticExtra[disagreement](d)
	return x.variable, ok
}

// Called are the instances of a module that a call of this instance makes.
func (i *Instance) Called(c *Call) []*Instance { return i.called(c).instances }

// Given evaluates what the caller of this instance gives for a variable, as Value does; nil where it gives nothing, and in the
// root.
func (i *Instance) Given(variable string) (value *cty.Value, ok bool) {
	if i.parent == nil || i.call.Args[variable] == nil {
		return nil, true
	}
	out, ok := i.parent.Value(i.call.Args[variable].Expr, i.rep)
	return &out, ok
}

// Value evaluates an expression of the instance's module that stands in a block with this repetition. False says that it has no
// value because something in it is wrong, which is not among the evaluation's diagnostics then.
func (i *Instance) Value(expr hcl.Expression, rep Repetition) (cty.Value, bool) {
	before := len(i.e.diags)
	value := i.eval(expr, rep)
	ok := !i.e.diags[before:].HasErrors()
	if !ok {
		i.e.diags = i.e.diags[:before]
	}
	return value, ok
}

// Uses tells whether an expression of the module refers to the variable.
func (m *Module) Uses(variable string) bool {
	found := false
	m.expressions(func(e hcl.Expression, _ place) {
		visitNodes(e, func(n hclsyntax.Node) {
			t, ok := n.(*hclsyntax.ScopeTraversalExpr)
			if !ok || len(t.Traversal) < 2 || t.Traversal.RootName() != "var" {
				return
			}
			step, ok := t.Traversal[1].(hcl.TraverseAttr)
			found = found || ok && step.Name == variable
		})
	})
	return found
}

// Walk calls visit for the module and all below it, parents first.
func (m *Module) Walk(visit func(*Module)) { m.walk(visit) }

// IsLocal tells whether the call names a folder beside its module, and nothing that init has to fetch.
func (c *Call) IsLocal() bool { return isLocal(c.Source) }

// IsOverride tells whether a configuration file changes what others declare.
func IsOverride(path string) bool {
	stem, ext := split(filepath.Base(path))
	return ext != "" && (stem == "override" || strings.HasSuffix(stem, "_override"))
}

// IsConfiguration tells whether a file is one that declares something.
func IsConfiguration(path string) bool {
	_, ext := split(filepath.Base(path))
	return ext != ""
}
