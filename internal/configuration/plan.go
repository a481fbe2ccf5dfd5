package configuration

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// Action is what a plan does at an address.
type Action string

// The actions. What a provider would change in an object that stays is not known here.
const (
	Create  Action = "create"
	Destroy Action = "delete"
	// Forget takes an object out of the state and leaves it be.
	Forget Action = "forget"
	// Replace is for a tainted object.
	Replace Action = "replace"
	// Adopt is for an object that an import block brings into the state.
	Adopt Action = "import"
	// Keep is for an object that only has another address.
	Keep Action = "no-op"
)

// Change is one line of a plan.
type Change struct {
	Action  Action
	Address markers.Address
	// Previous is the address in the state, where that is another one.
	Previous markers.Address
	// Implied says that no moved block asked for the move.
	Implied bool
	// Deposed is the key of the object, where it is not the current one.
	Deposed string
}

// String is the line of the change: a sign, the address, and where the object was before.
func (c Change) String() string {
	signs := map[Action]string{Create: "+", Destroy: "-", Forget: ".", Replace: "-/+", Keep: "->", Adopt: "<="}
	line := signs[c.Action] + " " + c.Address.String()
	var notes []string
	if c.Deposed != "" {
		notes = append(notes, "deposed "+c.Deposed)
	}
	if !c.Previous.IsZero() {
		notes = append(notes, "was "+c.Previous.String())
	}
	if c.Implied {
		notes = append(notes, "implied")
	}
	if len(notes) > 0 {
		line += " (" + strings.Join(notes, ", ") + ")"
	}
	return line
}

// Plan is what a configuration would do to a state, as far as addresses tell.
type Plan struct {
	// Changes are in the order of a state list.
	Changes []Change
	Blocked []Blocked
	// Undecided are the blocks of which only an apply can tell the instances.
	Undecided []Undecided
}

// Undecided is a block of which nothing is concluded.
type Undecided struct {
	Unsettled
	// Held are the addresses of the state that may be its.
	Held []markers.Address
}

// Counts are the sums of a plan. A replaced object counts as one to add and one to destroy.
type Counts struct {
	Add     int `json:"add"`
	Destroy int `json:"destroy"`
	Move    int `json:"move"`
	Forget  int `json:"forget"`
	Import  int `json:"import"`
}

// Counts sums the plan up. A move is counted where the object stays.
func (p *Plan) Counts() Counts {
	var c Counts
	for _, x := range p.Changes {
		switch x.Action {
		case Create:
			c.Add++
		case Destroy:
			c.Destroy++
		case Forget:
			c.Forget++
		case Adopt:
			c.Import++
		case Replace:
			c.Add++
			c.Destroy++
		}
		if !x.Previous.IsZero() && (x.Action == Keep || x.Action == Replace) {
			c.Move++
		}
	}
	return c
}

// String is the line that ends a plan.
func (c Counts) String() string {
	line := fmt.Sprintf("Plan: %d to add, %d to destroy, %d to move", c.Add, c.Destroy, c.Move)
	if c.Forget > 0 {
		line += fmt.Sprintf(", %d to forget", c.Forget)
	}
	if c.Import > 0 {
		line += fmt.Sprintf(", %d to import", c.Import)
	}
	return line + "."
}

// Plan compares the configuration with a state. With errors among the diagnostics there is no plan.
func (e *Evaluation) Plan(s *State, tool Tool) (*Plan, hcl.Diagnostics) {
	l, statements, diags := e.tree.move(s, tool)
	removals, more := e.tree.Root.removals()
	diags = append(diags, more...)
	d := e.declare()
	if !diags.HasErrors() {
		diags = append(diags, checkStatements(statements, d)...)
	}
	diags = append(diags, foreignMoves(l)...)
	if diags.HasErrors() {
		return nil, diags
	}
	p := &planner{ledger: l, declared: d, removals: removals, imports: e.imports(), tool: tool, plan: &Plan{}}
	p.run()
	return p.plan, append(diags, p.diags...)
}

// foreignMoves are those to another type that the provider of the new one does not carry out. This is known of the tools' own
// provider and of this one; any other decides for itself when the plan is made.
func foreignMoves(l *ledger) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, key := range slices.Sorted(maps.Keys(l.moved)) {
		m := l.moved[key]
		if m.From.Type == m.To.Type || m.Mode != Managed {
			continue
		}
		ours := strings.HasPrefix(m.To.Type, "estate_") && !strings.HasPrefix(m.From.Type, "estate_") && !strings.HasPrefix(m.From.Type, "aws_")
		if ours || m.To.Type == "terraform_data" && m.From.Type != "null_resource" {
			diags = append(diags, failure("Move resource type mismatch", fmt.Sprintf("%s cannot become %s: the provider of %s takes over no object of type %s.", m.From, m.To, m.To.Type, m.From.Type), nil))
		}
	}
	return diags
}

type planner struct {
	*ledger
	*declared
	removals []forgetting
	imports  map[string]bool
	tool     Tool
	plan     *Plan
	diags    hcl.Diagnostics
}

func (p *planner) run() {
	held := map[*unsettledBlock][]markers.Address{}
	current := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(p.ledger.modules)) {
		module := p.ledger.modules[path]
		for _, key := range slices.Sorted(maps.Keys(module.held)) {
			h := module.held[key]
			if h.mode != Managed {
				continue
			}
			if u := p.undecided(h); u != nil {
				held[u] = append(held[u], h.address)
				continue
			}
			for _, o := range h.objects {
				current[key] = current[key] || o.Deposed == ""
				p.object(key, h, o)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.instances)) {
		if r := p.instances[key]; r.Mode == Managed && !current[key] {
			if p.imports[key] {
				p.plan.Changes = append(p.plan.Changes, Change{Action: Adopt, Address: r.Address})
				continue
			}
			// What was moved there has only deposed objects, if anything.
			p.plan.Changes = append(p.plan.Changes, Change{Action: Create, Address: r.Address, Previous: p.moved[key].From, Implied: p.moved[key].Implied})
		}
	}
	slices.SortStableFunc(p.plan.Changes, func(a, b Change) int {
		return cmp.Or(compare(ResourceInstance{Address: a.Address}, ResourceInstance{Address: b.Address}), strings.Compare(a.Deposed, b.Deposed))
	})
	for _, key := range slices.Sorted(maps.Keys(p.blocked)) {
		p.plan.Blocked = append(p.plan.Blocked, p.blocked[key])
	}
	for n := range p.unsettled {
		u := &p.unsettled[n]
		if u.call != "" || u.block.mode == Managed {
			p.plan.Undecided = append(p.plan.Undecided, Undecided{Unsettled: u.Unsettled, Held: held[u]})
		}
	}
}

// undecided is the block whose instance the address may be.
func (p *planner) undecided(h *held) *unsettledBlock {
	for n := range p.unsettled {
		if p.unsettled[n].covers(h.mode, h.address) {
			return &p.unsettled[n]
		}
	}
	return nil
}

// object decides about one object of the state.
func (p *planner) object(key string, h *held, o StateObject) {
	c := Change{Action: Keep, Address: h.address, Deposed: o.Deposed}
	if m, ok := p.moved[key]; ok {
		c.Previous, c.Implied = m.From, m.Implied
	}
	_, declared := p.instances[key]
	switch {
	case declared && o.Deposed == "" && o.Tainted:
		c.Action = Replace
		if r := p.resources[addressText(h.mode, h.address.Block())]; r.Kept {
			p.plan.Changes = append(p.plan.Changes, Change{Action: Create, Address: h.address})
			c.Action = Forget
		}
	case declared && o.Deposed == "":
		if c.Previous.IsZero() {
			return
		}
	case p.forgotten(h, o):
		c.Action = Forget
	default:
		c.Action = Destroy
	}
	p.plan.Changes = append(p.plan.Changes, c)
}

// forgotten tells whether an object that has to go is only taken out of the state.
func (p *planner) forgotten(h *held, o StateObject) bool {
	r := p.resources[addressText(h.mode, h.address.Block())]
	forget := o.Kept || r != nil && r.Kept
	for _, removal := range p.removals {
		if removal.covers(h.address) {
			forget = !removal.Destroy && (removal.DestroySet || p.tool == OpenTofu)
		}
	}
	return forget
}
