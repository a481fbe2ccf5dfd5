package acceptance

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// planFile is the saved plan of a workspace.
const planFile = "saved.tfplan"

// Actions that a plan takes on an instance.
const (
	Create  = "create"
	Update  = "update"
	Delete  = "delete"
	Replace = "replace"
	NoOp    = "no-op"
	Read    = "read"
	Forget  = "forget"
)

// Plan is a saved plan, as the CLI's own JSON shows it.
type Plan struct {
	// Result is what the plan command did.
	Result
	// Changes are the instances that the plan names, those without an action among them.
	Changes []Change
	// Drift are the instances that differ from the state outside of the plan's own changes.
	Drift []Change
	// Outputs are the outputs that change.
	Outputs []string
}

// Change is what a plan does to one instance.
type Change struct {
	// Address is the instance's address.
	Address string
	// Action is one of the constants of this package.
	Action string
	// Importing says that the instance is imported first.
	Importing bool
	// Deposed is the key of a deposed object, "" for the current one.
	Deposed string
	// Before and After are its values; a value that the plan does not know is left out of After.
	Before, After map[string]any
	// Unknown marks the values of After that are only known after apply.
	Unknown map[string]any
}

// Plan plans and saves the plan. A plan that fails has no changes.
func (w *Workspace) Plan(ctx context.Context, args ...string) Plan {
	p := Plan{Result: w.Run(ctx, append([]string{"plan", "-json", "-out=" + planFile}, args...)...)}
	if p.Err != nil {
		return p
	}
	shown := w.Run(ctx, "show", "-json", planFile)
	if shown.Err != nil {
		p.Err, p.Stderr = shown.Err, shown.Stderr
		return p
	}
	p.Err = p.read([]byte(shown.Stdout))
	return p
}

// ApplyPlan applies the saved plan.
func (w *Workspace) ApplyPlan(ctx context.Context) Result {
	return w.Run(ctx, "apply", "-json", planFile)
}

type jsonChange struct {
	Address string `json:"address"`
	Deposed string `json:"deposed"`
	Change  struct {
		Actions   []string        `json:"actions"`
		Before    map[string]any  `json:"before"`
		After     map[string]any  `json:"after"`
		Unknown   any             `json:"after_unknown"`
		Importing json.RawMessage `json:"importing"`
	} `json:"change"`
}

func (p *Plan) read(text []byte) error {
	var plan struct {
		Changes []jsonChange `json:"resource_changes"`
		Drift   []jsonChange `json:"resource_drift"`
		Outputs map[string]struct {
			Actions []string `json:"actions"`
		} `json:"output_changes"`
	}
	if err := json.Unmarshal(text, &plan); err != nil {
		return fmt.Errorf("reading the plan: %w", err)
	}
	for _, c := range plan.Changes {
		p.Changes = append(p.Changes, c.change())
	}
	for _, c := range plan.Drift {
		p.Drift = append(p.Drift, c.change())
	}
	for name, o := range plan.Outputs {
		if !slices.Equal(o.Actions, []string{NoOp}) {
			p.Outputs = append(p.Outputs, name)
		}
	}
	slices.Sort(p.Outputs)
	return nil
}

func (c jsonChange) change() Change {
	out := Change{
		Address: c.Address, Deposed: c.Deposed, Before: c.Change.Before, After: c.Change.After,
		Importing: len(c.Change.Importing) > 0 && string(c.Change.Importing) != "null",
	}
	// A value that is known as a whole is written as false, not as an object.
	if unknown, ok := c.Change.Unknown.(map[string]any); ok {
		out.Unknown = unknown
	}
	switch {
	case len(c.Change.Actions) > 1:
		out.Action = Replace
	case len(c.Change.Actions) == 1:
		out.Action = c.Change.Actions[0]
	}
	return out
}

// With returns the addresses that the plan takes this action on, sorted.
func (p Plan) With(action string) []string {
	var out []string
	for _, c := range p.Changes {
		if c.Action == action {
			out = append(out, c.Address)
		}
	}
	slices.Sort(out)
	return out
}

// Change returns what the plan does to an address; the zero Change where it does not name it.
func (p Plan) Change(address string) Change {
	for _, c := range p.Changes {
		if c.Address == address && c.Deposed == "" {
			return c
		}
	}
	return Change{}
}

// Empty says whether applying the plan would do nothing at all.
func (p Plan) Empty() bool { return p.Summary() == "" }

// Summary lists what the plan would do, one entry an instance or output, "" for nothing.
func (p Plan) Summary() string {
	var out []string
	for _, c := range p.Changes {
		if c.Action != NoOp && c.Action != Read {
			out = append(out, c.Action+" "+c.Address)
		}
		if c.Importing {
			out = append(out, "import "+c.Address)
		}
	}
	for _, o := range p.Outputs {
		out = append(out, "output "+o)
	}
	return strings.Join(out, ", ")
}

// Must fails t unless the plan was made.
func (p Plan) Must(t T) Plan {
	t.Helper()
	p.Result.Must(t)
	return p
}

// MustBeEmpty fails t unless the plan was made and does nothing.
func (p Plan) MustBeEmpty(t T) Plan {
	t.Helper()
	p.Must(t)
	if !p.Empty() {
		t.Fatalf("the plan should be empty: %s\n%s%s", p.Summary(), p.differences(), p.explain())
	}
	return p
}

// MustOnly fails t unless the plan takes exactly this one action, on exactly these addresses.
func (p Plan) MustOnly(t T, action string, addresses ...string) Plan {
	t.Helper()
	p.Must(t)
	slices.Sort(addresses)
	if got := p.With(action); !slices.Equal(got, addresses) {
		t.Fatalf("the plan should %s %q and does %q\n%s%s", action, addresses, p.Summary(), p.differences(), p.explain())
	}
	for _, c := range p.Changes {
		if c.Action != action && c.Action != NoOp && c.Action != Read {
			t.Fatalf("the plan should do nothing but %s, and does: %s\n%s%s", action, p.Summary(), p.differences(), p.explain())
		}
	}
	return p
}

// MustDestroyNothing fails t if the plan deletes or replaces anything.
func (p Plan) MustDestroyNothing(t T) Plan {
	t.Helper()
	p.Must(t)
	if gone := append(p.With(Delete), p.With(Replace)...); len(gone) > 0 {
		t.Fatalf("the plan destroys %q\n%s%s", gone, p.differences(), p.explain())
	}
	return p
}

// differences prints the attributes that the plan changes, for failures.
func (p Plan) differences() string {
	var out strings.Builder
	for _, c := range p.Changes {
		if c.Action != Update && c.Action != Replace {
			continue
		}
		for _, name := range attributesOf(c) {
			before, after := c.Before[name], c.After[name]
			if _, unknown := c.Unknown[name]; unknown {
				after = "(unknown)"
			}
			if a, b := fmt.Sprint(before), fmt.Sprint(after); a != b {
				fmt.Fprintf(&out, "  %s.%s: %s -> %s\n", c.Address, name, a, b)
			}
		}
	}
	return out.String()
}

func attributesOf(c Change) []string {
	var names []string
	for _, values := range []map[string]any{c.Before, c.After, c.Unknown} {
		for name := range values {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
