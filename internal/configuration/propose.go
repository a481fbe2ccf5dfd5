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

// Proposal is the moved blocks that turn a refactoring into moves.
type Proposal struct {
	// Files are the folders of modules whose blocks are proposed, the root first.
	Files []ProposedFile
	// Before is the plan without the blocks, and After the one with them.
	Before, After *Plan
	// Left is what the plan still adds and destroys, and why nothing was proposed for it.
	Left []Left
}

// ProposedFile holds blocks that belong to one module.
type ProposedFile struct {
	// Dir is the module's folder.
	Dir string
	// Modules are the calls of the module, as addresses without keys; empty for the root.
	Modules []string
	Blocks  []ProposedMove
}

// ProposedMove is a moved block.
type ProposedMove struct{ From, To string }

// String is the block as it is written.
func (m ProposedMove) String() string {
	return fmt.Sprintf("moved {\n  from = %s\n  to   = %s\n}\n", m.From, m.To)
}

// Text is what to paste into a file of the module.
func (f ProposedFile) Text() string {
	var blocks []string
	for _, b := range f.Blocks {
		blocks = append(blocks, b.String())
	}
	return strings.Join(blocks, "\n")
}

// Left is a line of a plan that no proposal does away with.
type Left struct {
	Change
	Reason string
}

// party is one object that a plan destroys or adds.
type party struct {
	// address is where the object is after the moves that the configuration has already, or will be.
	address markers.Address
	// instance is how it is configured; nil where the configuration before does not declare it.
	instance *ResourceInstance
	likeness likeness
	partner  *party
}

// proposer finds out which destroyed objects are the added ones.
type proposer struct {
	before, after *Evaluation
	state         *State
	tool          Tool
	base          *Plan
	// ledger is the state after the moves that the configuration has already.
	ledger   *ledger
	declared *declared

	gone, fresh []*party
	was, is     map[string]string
}

// Propose compares the configuration before and after a refactoring over a state. Objects are taken for the same only where type and
// arguments are equal, and where there is no doubt which is which.
func Propose(before, after *Evaluation, s *State, tool Tool) (*Proposal, hcl.Diagnostics) {
	base, diags := after.Plan(s, tool)
	if diags.HasErrors() {
		return nil, diags
	}
	p := &proposer{before: before, after: after, state: s, tool: tool, base: base, declared: after.declare()}
	p.ledger, _, _ = after.tree.move(s, tool)
	p.parties()
	p.pair()
	best, more := p.best()
	if best == nil {
		return nil, append(diags, more...)
	}
	best.Before = base
	for _, c := range best.After.Changes {
		if c.Deposed == "" && (c.Action == Create || c.Action == Destroy) {
			best.Left = append(best.Left, Left{c, p.reason(c)})
		}
	}
	return best, diags
}

// StateOf is the state that an apply of the configuration would leave.
func (e *Evaluation) StateOf() *State {
	s := &State{}
	for _, r := range e.List().Instances {
		if r.Mode != Ephemeral {
			s.Objects = append(s.Objects, StateObject{Mode: r.Mode, Address: r.Address, Kept: r.Resource.Kept})
		}
	}
	return s
}

// parties collects what is destroyed and added, and names what stays.
func (p *proposer) parties() {
	old := p.before.declare()
	p.was, p.is = map[string]string{}, map[string]string{}
	find := func(in *declared, a markers.Address) *ResourceInstance {
		if r, ok := in.instances[a.String()]; ok {
			return &r
		}
		return nil
	}
	for _, c := range p.base.Changes {
		switch {
		case c.Deposed != "":
		case c.Action == Destroy:
			origin := c.Previous
			if origin.IsZero() {
				origin = c.Address
			}
			p.gone = append(p.gone, &party{address: c.Address, instance: find(old, origin)})
		case c.Action == Create:
			p.fresh = append(p.fresh, &party{address: c.Address, instance: find(p.declared, c.Address)})
		}
	}
	for _, h := range p.managed() {
		if _, ok := p.declared.instances[h.address.String()]; ok {
			origin := h.address
			if m, ok := p.ledger.moved[h.address.String()]; ok {
				origin = m.From
			}
			p.same(origin, h.address)
		}
	}
}

// managed are the managed objects of the ledger, in order.
func (p *proposer) managed() []*held {
	var out []*held
	for _, path := range slices.Sorted(maps.Keys(p.ledger.modules)) {
		module := p.ledger.modules[path]
		for _, key := range slices.Sorted(maps.Keys(module.held)) {
			if h := module.held[key]; h.mode == Managed {
				out = append(out, h)
			}
		}
	}
	return out
}

// same notes that two addresses are those of one object.
func (p *proposer) same(old, current markers.Address) {
	name := current.String()
	p.was[old.String()], p.is[name] = name, name
	// A reference to a whole resource leads to what all of its instances have become.
	if current.Index != noKey {
		p.is[wholeOf(current)] = current.Block().String()
	}
	if old.Index == noKey {
		return
	}
	whole := current.Block().String()
	if earlier, ok := p.was[wholeOf(old)]; ok && earlier != whole {
		whole = ""
	}
	p.was[wholeOf(old)] = whole
}

// wholeOf is the key of a whole resource among identities.
func wholeOf(a markers.Address) string { return "all " + a.Block().String() }

// pair finds the partners: first those of which all is known, and then with what these tell of the others.
func (p *proposer) pair() {
	for {
		p.portray()
		if p.match(false) {
			continue
		}
		if !p.match(true) {
			break
		}
	}
	// What was paired while a reference was still open has to hold now that it is not.
	p.portray()
	for _, g := range p.gone {
		if f := g.partner; f != nil && g.likeness.text() != f.likeness.text() {
			g.partner, f.partner = nil, nil
		}
	}
}

func (p *proposer) portray() {
	for _, side := range []struct {
		parties  []*party
		identity map[string]string
	}{{p.gone, p.was}, {p.fresh, p.is}} {
		for _, x := range side.parties {
			if x.instance != nil {
				x.likeness = portray(*x.instance, side.identity)
			}
		}
	}
}

// group are the parties on both sides that are alike.
type group struct{ gone, fresh []*party }

// groups sorts those without a partner by type and likeness.
func (p *proposer) groups(vague bool) []*group {
	byText := map[string]*group{}
	of := func(x *party) *group {
		if x.partner != nil || x.instance == nil || x.likeness.vague && !vague {
			return nil
		}
		key := x.address.Type + "\n" + x.likeness.text()
		if byText[key] == nil {
			byText[key] = &group{}
		}
		return byText[key]
	}
	for _, x := range p.gone {
		if g := of(x); g != nil {
			g.gone = append(g.gone, x)
		}
	}
	for _, x := range p.fresh {
		if g := of(x); g != nil {
			g.fresh = append(g.fresh, x)
		}
	}
	var out []*group
	for _, key := range slices.Sorted(maps.Keys(byText)) {
		out = append(out, byText[key])
	}
	return out
}

// match makes partners of those that are alike, if each is the other's only or clearly nearest choice. It tells whether it made any.
func (p *proposer) match(vague bool) bool {
	paths, blocks := map[string]int{}, map[string]int{}
	for _, x := range p.gone {
		if x.partner != nil {
			paths[pathPair(x.address, x.partner.address)]++
			blocks[blockPair(x.address, x.partner.address)]++
		}
	}
	found := false
	for _, g := range p.groups(vague) {
		score := func(a, b *party) int {
			n := kinship(a.address, b.address)
			if paths[pathPair(a.address, b.address)] > 0 {
				n += 16
			}
			if blocks[blockPair(a.address, b.address)] > 0 && a.address.Index == b.address.Index {
				n += 16
			}
			return n
		}
		nearest := map[*party]*party{}
		for _, x := range g.gone {
			nearest[x] = choose(x, g.fresh, score)
		}
		for _, x := range g.fresh {
			nearest[x] = choose(x, g.gone, func(a, b *party) int { return score(b, a) })
		}
		for _, x := range g.gone {
			if y := nearest[x]; y != nil && nearest[y] == x {
				x.partner, y.partner = y, x
				found = true
			}
		}
	}
	for _, x := range p.gone {
		if x.partner != nil {
			origin := x.instance.Address
			p.same(origin, x.partner.address)
		}
	}
	return found
}

// choose is the one that is nearer than all others; nil where there is none.
func choose(x *party, from []*party, score func(a, b *party) int) *party {
	var best *party
	top, second := -1, -1
	for _, y := range from {
		switch n := score(x, y); {
		case n > top:
			best, top, second = y, n, top
		case n > second:
			second = n
		}
	}
	if top == second {
		return nil
	}
	return best
}

func pathPair(a, b markers.Address) string { return ModulePath(a.Module) + " " + ModulePath(b.Module) }

func blockPair(a, b markers.Address) string { return a.Block().String() + " " + b.Block().String() }

// kinship counts what two addresses have in common: their names, keys, and the modules next to the resource and next to the root.
func kinship(a, b markers.Address) int {
	n := 0
	if a.Name == b.Name {
		n += 8
	}
	if a.Index == b.Index && a.Index != noKey {
		n += 8
	}
	for k := 0; k < min(len(a.Module), len(b.Module)) && a.Module[k] == b.Module[k]; k++ {
		n += 2
	}
	for k := 1; k <= min(len(a.Module), len(b.Module)); k++ {
		x, y := a.Module[len(a.Module)-k], b.Module[len(b.Module)-k]
		if x.Name == y.Name {
			n++
		}
		if x.Index == y.Index && x.Index != noKey {
			n += 4
		}
	}
	return n
}

// reason says why an object has no partner.
func (p *proposer) reason(c Change) string {
	side, others, verb := p.gone, p.fresh, "added"
	if c.Action == Create {
		side, others, verb = p.fresh, p.gone, "destroyed"
	}
	n := slices.IndexFunc(side, func(x *party) bool { return x.address.String() == c.Address.String() })
	if n < 0 {
		return "it is new in this plan"
	}
	x := side[n]
	if x.instance == nil {
		return "the configuration before does not declare it, so that its arguments are not known"
	}
	if x.partner != nil {
		return "it is like " + x.partner.address.String() + ", but no moved block can lead from one to the other"
	}
	var same, near []*party
	least := 0
	for _, y := range others {
		if y.address.Type != x.address.Type || y.instance == nil || y.partner != nil {
			continue
		}
		d := len(x.likeness.differences(y.likeness))
		if d == 0 {
			same = append(same, y)
		}
		if len(near) == 0 || d < least {
			near, least = []*party{y}, d
		}
	}
	if len(same) > 0 {
		return fmt.Sprintf("ambiguous: its arguments are those of %s alike", enumerate(same, verb))
	}
	if len(near) > 0 {
		y := near[0]
		return fmt.Sprintf("no %s object has its arguments; of those without a partner %s is nearest, which differs in %s", verb, y.address, strings.Join(x.likeness.differences(y.likeness), ", "))
	}
	return fmt.Sprintf("nothing of its type is %s that has no partner already", verb)
}

// most is how many addresses a reason names.
const most = 4

func enumerate(parties []*party, verb string) string {
	if len(parties) == 1 {
		return parties[0].address.String() + ", which is like others too"
	}
	var names []string
	for _, x := range parties[:min(most, len(parties))] {
		names = append(names, x.address.String())
	}
	text := strings.Join(names, ", ")
	if n := len(parties) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return "the " + verb + " " + text
}

// best is the proposal with the fewest blocks that does all that can be done: with whole modules, or else with whole resources, or
// else with single instances.
func (p *proposer) best() (*Proposal, hcl.Diagnostics) {
	var best *Proposal
	var diags hcl.Diagnostics
	for _, implied := range []bool{false, true} {
		for _, l := range []level{wholeModules, eagerModules, wholeResources, singleInstances, fromRoot} {
			if best != nil && l >= wholeResources && best.rest() <= p.alone() {
				return best, nil
			}
			files := p.files(l, implied)
			plan, more := p.try(files)
			if more.HasErrors() {
				diags = append(diags, more...)
				continue
			}
			if x := (&Proposal{Files: files, After: plan}); best == nil || x.better(best) {
				best = x
			}
		}
	}
	return best, diags
}

// rest is how many objects are still added and destroyed.
func (x *Proposal) rest() int {
	c := x.After.Counts()
	return c.Add + c.Destroy
}

func (x *Proposal) blocks() int {
	n := 0
	for _, f := range x.Files {
		n += len(f.Blocks)
	}
	return n
}

func (x *Proposal) better(other *Proposal) bool {
	return cmp.Or(cmp.Compare(x.rest(), other.rest()), cmp.Compare(x.blocks(), other.blocks())) < 0
}

// alone is how many changes no block can do away with: objects without a partner, deposed and tainted ones.
func (p *proposer) alone() int {
	c := p.base.Counts()
	n := c.Add + c.Destroy
	for _, x := range p.gone {
		if x.partner != nil {
			n -= 2
		}
	}
	return n
}
