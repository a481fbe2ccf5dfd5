package configuration

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration/functions"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// Options are what an evaluation needs beside the files.
type Options struct {
	// Values are those of the root's variables.
	Values Values
	// Functions are what expressions may call, by the names they write.
	Functions map[string]function.Function
	// Workspace is the name of the workspace; "default" where it is empty.
	Workspace string
	// Supposed is what is taken for granted beside them.
	Supposed Supposed
}

// Evaluation is a tree with values: what each expression comes to in each instance of its module. It is worked out when it is
// asked for, and once. It is not safe for concurrent use.
type Evaluation struct {
	tree *Tree
	root *Instance
	// base holds the functions, and nothing else.
	base      *hcl.EvalContext
	workspace string
	values    Values
	supposed  Supposed

	diags hcl.Diagnostics
	said  map[string]bool
	// stack holds what is being worked out, outermost first.
	stack []string
	// cyclic says that the references alone make cycles, which have been reported.
	cyclic bool
	uses   map[hcl.Expression][]hcl.Traversal
}

// Evaluate prepares the evaluation of a tree that Load has read without errors.
func Evaluate(t *Tree, o Options) *Evaluation {
	e := &Evaluation{
		tree: t, workspace: o.Workspace, values: o.Values, supposed: o.Supposed,
		base: &hcl.EvalContext{Functions: map[string]function.Function{}},
		said: map[string]bool{}, uses: map[hcl.Expression][]hcl.Traversal{},
	}
	if e.workspace == "" {
		e.workspace = "default"
	}
	for name, at := range t.functionCalls() {
		if f, ok := o.Functions[name]; ok {
			e.base.Functions[name] = f
			continue
		}
		e.base.Functions[name] = functions.Unsettled(name)
		if !strings.Contains(name, "::") {
			e.report(failure("Call to unknown function", fmt.Sprintf("The language has no function %q.", name), &at))
			continue
		}
		e.report(&hcl.Diagnostic{
			Severity: hcl.DiagWarning, Summary: "Function is not computed",
			Detail:  fmt.Sprintf("The value of %s() is not known here, and neither is what is made of it.", name),
			Subject: &at,
		})
	}
	e.root = &Instance{Module: t.Root, e: e, memo: map[string]*cell{}}
	return e
}

// Root is the root module's one instance.
func (e *Evaluation) Root() *Instance { return e.root }

// Diagnostics are what has been found so far, each once, however many instances it holds for.
func (e *Evaluation) Diagnostics() hcl.Diagnostics { return slices.Clone(e.diags) }

func (e *Evaluation) report(diags ...*hcl.Diagnostic) {
	for _, d := range diags {
		key := d.Summary
		if d.Subject != nil {
			key += d.Subject.String()
		} else {
			key += d.Detail
		}
		if !e.said[key] {
			e.said[key] = true
			e.diags = append(e.diags, d)
		}
	}
}

// Instance is one instance of a module: its variables have values.
type Instance struct {
	Module *Module
	// Path is the module part of the addresses of all that it holds.
	Path []markers.Step

	e          *Evaluation
	parent     *Instance
	call       *Call
	rep        Repetition
	memo       map[string]*cell
	calls      map[string]*calls
	expansions map[*Resource]Expansion
}

// cell is a value that is worked out once.
type cell struct {
	value cty.Value
	busy  bool
}

// once works a value out the first time, and notices when it needs itself.
func (i *Instance) once(name string, compute func() cty.Value) cty.Value {
	if c, ok := i.memo[name]; ok {
		if c.busy {
			i.e.cycle(i.label(name))
			return cty.DynamicVal
		}
		return c.value
	}
	c := &cell{busy: true}
	i.memo[name] = c
	i.e.stack = append(i.e.stack, i.label(name))
	c.value = compute()
	i.e.stack = i.e.stack[:len(i.e.stack)-1]
	c.busy = false
	return c.value
}

// label is a name with the path of the module, as the tools write it.
func (i *Instance) label(name string) string { return ModulePath(i.Path) + name }

// ModulePath is the text of a module path, with a dot at its end, and "" for the root.
func ModulePath(path []markers.Step) string {
	var b strings.Builder
	for _, s := range path {
		b.WriteString("module." + s.Name + s.Index.String() + ".")
	}
	return b.String()
}

// cycle reports that what is being worked out needs itself.
func (e *Evaluation) cycle(name string) {
	if e.cyclic {
		return
	}
	from := slices.Index(e.stack, name)
	e.report(failure("Cycle", "These need each other, so that none can be worked out: "+strings.Join(append(slices.Clone(e.stack[max(from, 0):]), name), " -> ")+".", nil))
}

// eval evaluates an expression of this module, in a block with this repetition. What is wrong is reported, and then the value is
// unknown.
func (i *Instance) eval(expr hcl.Expression, rep Repetition) cty.Value {
	traversals, ok := i.e.uses[expr]
	if !ok {
		traversals = expr.Variables()
		i.e.uses[expr] = traversals
	}
	ctx, ok := i.scope(traversals, rep)
	if !ok {
		return cty.DynamicVal
	}
	value, diags := expr.Value(ctx)
	i.e.report(diags...)
	if diags.HasErrors() {
		return cty.DynamicVal
	}
	return value
}

// dir is path.module: the folder of the module as seen from the root's.
func (i *Instance) dir() string { return filepath.ToSlash(i.Module.from) }
