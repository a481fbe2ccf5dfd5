package configuration

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// level is how much one block may move.
type level int

const (
	// eagerModules moves modules also where each object in them has to move again, within.
	eagerModules level = iota
	wholeModules
	wholeResources
	singleInstances
	// fromRoot writes all blocks into the root module.
	fromRoot
)

// traveller is an object of the state on its way.
type traveller struct {
	// at is where the blocks so far bring it, goal where it shall be; stays is set where it has no goal.
	at, goal markers.Address
	mode     Mode
	stays    bool
}

func (t *traveller) arrived() bool { return t.stays || t.at.String() == t.goal.String() }

// draft is a block to be, seen from the root.
type draft struct{ from, to *endpoint }

// packer turns many moves of single objects into few blocks.
type packer struct {
	*proposer
	travellers []*traveller
	drafts     []draft
}

// files are the blocks that bring each object to its partner, by the folder of the module that they belong to.
func (p *proposer) files(l level, implied bool) []ProposedFile {
	k := &packer{proposer: p}
	k.start(implied)
	if l <= wholeModules {
		for k.moveModule(l == eagerModules) {
		}
		k.joinCalls()
	}
	k.moveResources(l)
	return k.place(l == fromRoot)
}

// start collects the objects. With implied, the moves that the tools imply are written out too, as a block that names their resource
// keeps the tools from it.
func (k *packer) start(implied bool) {
	goals := map[string]markers.Address{}
	for _, x := range k.gone {
		if x.partner != nil {
			goals[x.address.String()] = x.partner.address
		}
	}
	for _, path := range slices.Sorted(maps.Keys(k.ledger.modules)) {
		module := k.ledger.modules[path]
		for _, key := range slices.Sorted(maps.Keys(module.held)) {
			h := module.held[key]
			t := &traveller{mode: h.mode, at: h.address, goal: h.address, stays: true}
			if goal, ok := goals[key]; ok && h.mode == Managed {
				t.goal, t.stays = goal, false
			}
			if m, ok := k.ledger.moved[key]; ok && implied && m.Implied && h.mode == Managed {
				t.at, t.stays = m.From, false
			}
			k.travellers = append(k.travellers, t)
		}
	}
}

// under tells whether a path leads to a module or below it.
func under(path, module []markers.Step) bool {
	return len(path) >= len(module) && slices.Equal(path[:len(module)], module)
}

// passage is one module that becomes another one.
type passage struct {
	from, to []markers.Step
	// exact counts the objects that it brings to their goals, and near those that it brings to the modules of their goals.
	exact, near int
}

// sites are the travellers by the module in which they are.
type sites map[string][]*traveller

// moveModule finds the module whose move brings most objects to their goals, and moves it.
func (k *packer) moveModule(eager bool) bool {
	at := sites{}
	for _, t := range k.travellers {
		path := ModulePath(t.at.Module)
		at[path] = append(at[path], t)
	}
	seen := map[string]bool{}
	var best *passage
	for _, t := range k.travellers {
		if t.arrived() {
			continue
		}
		pair := pathPair(t.at, t.goal)
		if seen[pair] {
			continue
		}
		seen[pair] = true
		for i := 1; i <= len(t.at.Module); i++ {
			for j := 1; j <= len(t.goal.Module); j++ {
				if x := k.passage(at, t.at.Module[:i], t.goal.Module[:j]); x != nil && (eager || x.exact > 0) && (best == nil || x.before(best)) {
					best = x
				}
			}
		}
	}
	if best == nil {
		return false
	}
	for _, t := range k.travellers {
		if under(t.at.Module, best.from) {
			t.at.Module = slices.Concat(best.to, t.at.Module[len(best.from):])
		}
	}
	k.drafts = append(k.drafts, draft{&endpoint{path: best.from}, &endpoint{path: best.to}})
	return true
}

// before puts what moves more first, then what is nearer to the root, then by name.
func (x *passage) before(other *passage) bool {
	return cmp.Or(
		cmp.Compare(other.exact, x.exact), cmp.Compare(other.near, x.near), cmp.Compare(len(x.from), len(other.from)),
		comparePaths(x.from, other.from), comparePaths(x.to, other.to),
	) < 0
}

// passage looks at a move of a module; nil where there can be none.
func (k *packer) passage(at sites, from, to []markers.Step) *passage {
	if slices.Equal(from, to) || under(to, from) || k.isDeclared(&endpoint{path: from}, &endpoint{path: to}) {
		return nil
	}
	x := &passage{from: from, to: to}
	for _, here := range at {
		path := here[0].at.Module
		if !under(path, from) {
			continue
		}
		moved := slices.Concat(to, path[len(from):])
		if at[ModulePath(moved)] != nil {
			return nil // something is there, which blocks the whole of it
		}
		for _, t := range here {
			switch {
			case t.stays:
			case !under(t.goal.Module, to):
				return nil
			case slices.Equal(moved, t.goal.Module):
				x.near++
				if t.at.Type == t.goal.Type && t.at.Name == t.goal.Name && t.at.Index == t.goal.Index {
					x.exact++
				}
			}
		}
	}
	if x.near == 0 {
		return nil
	}
	return x
}

// isDeclared tells whether what a block would move away is still declared.
func (k *packer) isDeclared(from, to *endpoint) bool {
	s := statementOf(from, to)
	_, ok := k.declared.things[s.from.key(nil)]
	return ok
}

func lastKey(e *endpoint) markers.Index {
	if e.isModule() {
		return e.path[len(e.path)-1].Index
	}
	return e.index
}

// joinCalls makes one block of those that move all instances of a call and keep their keys.
func (k *packer) joinCalls() {
	type call struct{ from, to string }
	groups := map[call][]int{}
	for n, d := range k.drafts {
		from, to := d.from.path[len(d.from.path)-1], d.to.path[len(d.to.path)-1]
		if from.Index == to.Index && from.Index != noKey {
			c := call{ModulePath(d.from.path[:len(d.from.path)-1]) + from.Name, ModulePath(d.to.path[:len(d.to.path)-1]) + to.Name}
			groups[c] = append(groups[c], n)
		}
	}
	drop := map[int]bool{}
	for _, members := range groups {
		first := k.drafts[members[0]]
		whole := draft{withoutKey(first.from), withoutKey(first.to)}
		if k.isDeclared(whole.from, whole.to) || k.remains(whole.from) {
			continue
		}
		k.drafts[members[0]] = whole
		for _, n := range members[1:] {
			drop[n] = true
		}
	}
	var kept []draft
	for n, d := range k.drafts {
		if !drop[n] {
			kept = append(kept, d)
		}
	}
	k.drafts = kept
}

func withoutKey(e *endpoint) *endpoint {
	out := *e
	out.path = slices.Clone(e.path)
	out.path[len(out.path)-1].Index = noKey
	return &out
}

// remains tells whether an instance of the call is still where it was.
func (k *packer) remains(call *endpoint) bool {
	n := len(call.path)
	return slices.ContainsFunc(k.travellers, func(t *traveller) bool {
		return len(t.at.Module) >= n && slices.Equal(t.at.Module[:n-1], call.path[:n-1]) && t.at.Module[n-1].Name == call.path[n-1].Name
	})
}

// moveResources drafts blocks for what has not arrived yet.
func (k *packer) moveResources(l level) {
	groups := map[string][]*traveller{}
	held := map[string]int{}
	for _, t := range k.travellers {
		held[addressText(t.mode, t.at.Block())]++
		if !t.arrived() {
			key := blockPair(t.at, t.goal)
			groups[key] = append(groups[key], t)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		members := groups[key]
		first := members[0]
		from, to := resourceEnd(first.at.Block()), resourceEnd(first.goal.Block())
		whole := l <= wholeResources && held[first.at.Block().String()] == len(members) && held[first.goal.Block().String()] == 0 && !k.isDeclared(from, to)
		for _, t := range members {
			whole = whole && t.at.Index == t.goal.Index
		}
		if whole {
			k.drafts = append(k.drafts, draft{from, to})
		}
		for _, t := range members {
			if !whole {
				k.moveInstance(t, held[t.goal.Block().String()] > 0 || held[t.at.Block().String()] > 1)
			}
			t.at = t.goal
		}
	}
}

// passing is the key of an instance that is there between two blocks only.
const passing = "moved"

// moveInstance drafts a block for one object. Without keys it would name both resources as a whole, which is refused where the first
// one is still declared, and blocked where the second one is held, though it be for other instances. A key on the way says that one
// instance is meant.
func (k *packer) moveInstance(t *traveller, shared bool) {
	from, to := resourceEnd(t.at), resourceEnd(t.goal)
	if k.isDeclared(from, to) || shared && t.at.Index == noKey && t.goal.Index == noKey {
		between := resourceEnd(t.goal)
		between.index = markers.Index{Kind: markers.KeyIndex, Key: passing}
		k.drafts = append(k.drafts, draft{from, between})
		from = between
	}
	k.drafts = append(k.drafts, draft{from, to})
}

func resourceEnd(a markers.Address) *endpoint {
	return &endpoint{path: a.Module, block: block{Managed, a.Type, a.Name}, index: a.Index}
}

// place gives each block to the module that it belongs to: the innermost one that holds both of its ends, if that is a folder of this
// configuration and the block is right in each instance of it.
func (k *packer) place(flat bool) []ProposedFile {
	type spot struct{ dir, from, to string }
	groups := map[spot][]placed{}
	var order []spot
	for _, d := range k.drafts {
		x := k.placed(d)
		s := spot{x.module.Dir, x.from.in(nil), x.to.in(nil)}
		if groups[s] == nil {
			order = append(order, s)
		}
		groups[s] = append(groups[s], x)
	}
	byDir := map[string]*ProposedFile{}
	put := func(m *Module, from, to string) {
		if byDir[m.Dir] == nil {
			byDir[m.Dir] = &ProposedFile{Dir: m.Dir, Modules: k.callsOf(m.Dir)}
		}
		byDir[m.Dir].Blocks = append(byDir[m.Dir].Blocks, ProposedMove{from, to})
	}
	for _, s := range order {
		members := groups[s]
		if members[0].depth > 0 && !flat && k.holdsEverywhere(members) {
			put(members[0].module, s.from, s.to)
			continue
		}
		for _, x := range members {
			put(k.after.tree.Root, x.draft.from.in(nil), x.draft.to.in(nil))
		}
	}
	var out []ProposedFile
	for _, dir := range slices.Sorted(maps.Keys(byDir)) {
		out = append(out, *byDir[dir])
	}
	slices.SortStableFunc(out, func(a, b ProposedFile) int { return cmp.Compare(min(len(a.Modules), 1), min(len(b.Modules), 1)) })
	return out
}

// placed is a draft as seen from a module.
type placed struct {
	draft
	module   *Module
	depth    int
	instance []markers.Step
	from, to *endpoint
}

func (k *packer) placed(d draft) placed {
	a, b := d.from.path, d.to.path
	if d.from.isModule() {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	depth := 0
	for depth < min(len(a), len(b)) && a[depth] == b[depth] {
		depth++
	}
	module := k.after.tree.Root
	out := placed{draft: d, module: module, from: d.from, to: d.to}
	for n := range depth {
		call := module.Calls[a[n].Name]
		child := module.Children[a[n].Name]
		if call == nil || child == nil || !isLocal(call.Source) {
			break
		}
		module = child
		from, to := *d.from, *d.to
		from.path, to.path = from.path[n+1:], to.path[n+1:]
		out.module, out.depth, out.instance, out.from, out.to = module, n+1, a[:n+1], &from, &to
	}
	return out
}

// holdsEverywhere tells whether the block that the members have in common moves nothing else in any instance of its module, and
// contradicts no other block there.
func (k *packer) holdsEverywhere(members []placed) bool {
	ours := map[string]bool{}
	for _, x := range members {
		ours[ModulePath(x.instance)] = true
	}
	first := members[0]
	s := statementOf(first.from, first.to)
	right := true
	k.after.tree.Root.walk(func(m *Module) {
		if m.Dir != first.module.Dir {
			return
		}
		for _, instance := range k.declared.modules[strings.Join(m.Path, ".")] {
			if !ours[ModulePath(instance)] && !k.isIdle(s, instance) {
				right = false
			}
		}
	})
	return right
}

// isIdle tells whether the block does nothing in the instance of its module, and is not refused there.
func (k *packer) isIdle(s *statement, instance []markers.Step) bool {
	if _, ok := k.declared.things[s.from.key(instance)]; ok {
		return false
	}
	for _, d := range k.drafts {
		other := statementOf(d.from, d.to)
		if other.from.key(nil) == s.from.key(instance) || other.to.key(nil) == s.to.key(instance) {
			return false
		}
	}
	end := *s.from
	end.path = slices.Concat(instance, end.path)
	end.settle()
	n := len(end.pattern)
	return !slices.ContainsFunc(k.travellers, func(t *traveller) bool {
		switch {
		case len(t.at.Module) < n || !end.selects(t.at.Module[:n]):
			return false
		case end.isModule():
			return true
		}
		return len(t.at.Module) == n && end.block == block{t.mode, t.at.Type, t.at.Name} && (end.whole || t.at.Index == end.index)
	})
}

// statementOf is the statement that two ends make once they are written.
func statementOf(from, to *endpoint) *statement {
	a, b := *from, *to
	a.whole, b.whole = lastKey(&a) == noKey, lastKey(&b) == noKey
	return newStatement(&a, &b, hcl.Range{})
}

// callsOf are the addresses without keys of the modules in a folder.
func (k *packer) callsOf(dir string) []string {
	var out []string
	k.after.tree.Root.walk(func(m *Module) {
		if m.Dir == dir && len(m.Path) > 0 {
			out = append(out, "module."+strings.Join(m.Path, ".module."))
		}
	})
	return out
}

// try plans with the blocks, as if they were written in the files.
func (p *proposer) try(files []ProposedFile) (*Plan, hcl.Diagnostics) {
	blocks := map[string][]*Move{}
	var diags hcl.Diagnostics
	for _, f := range files {
		parsed, more := hclsyntax.ParseConfig([]byte(f.Text()), filepath.Join(f.Dir, "moved.tf"), hcl.InitialPos)
		diags = append(diags, more...)
		r := &reader{m: newModule(f.Dir, nil)}
		if !more.HasErrors() {
			r.file(parsed.Body)
		}
		diags = append(diags, r.diags...)
		blocks[f.Dir] = r.m.Moves
	}
	if diags.HasErrors() {
		return nil, diags
	}
	p.after.tree.Root.walk(func(m *Module) { m.Moves = slices.Concat(m.Moves, blocks[m.Dir]) })
	defer p.after.tree.Root.walk(func(m *Module) { m.Moves = m.Moves[:len(m.Moves)-len(blocks[m.Dir])] })
	plan, diags := p.after.Plan(p.state, p.tool)
	if diags.HasErrors() {
		return nil, diags
	}
	// No object may come to be another one than its partner.
	origins := map[string]string{}
	for _, f := range p.fresh {
		origins[f.address.String()] = ""
		if f.partner != nil {
			origins[f.address.String()] = f.partner.instance.Address.String()
		}
	}
	for _, c := range plan.Changes {
		if origin, ok := origins[c.Address.String()]; ok && c.Action == Keep && c.Previous.String() != origin {
			return nil, hcl.Diagnostics{failure("Wrong move", fmt.Sprintf("%s would become %s.", c.Previous, c.Address), nil)}
		}
	}
	return plan, diags
}
