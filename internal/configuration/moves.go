package configuration

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// Tool is the one of the two whose rules hold where they differ.
type Tool int

// The tools.
const (
	OpenTofu Tool = iota
	Terraform
)

// Moved is an object of the state that has another address in the configuration.
type Moved struct {
	Mode     Mode
	From, To markers.Address
	// Implied says that no moved block asks for it: count was added or removed.
	Implied bool
}

// Blocked is a move that did not happen, because something is at its end already.
type Blocked struct {
	From, To string
}

// statement is a moved block, or one that the tools imagine.
type statement struct {
	from, to *endpoint
	at       hcl.Range
	implied  bool
}

func (s *statement) String() string { return s.from.String() + " -> " + s.to.String() }

// newStatement brings both sides to what they have in common: whole resources or calls where both can be, and single instances
// otherwise.
func newStatement(from, to *endpoint, at hcl.Range) *statement {
	both := from.whole && to.whole
	from.whole, to.whole = both, both
	from.settle()
	to.settle()
	return &statement{from: from, to: to, at: at}
}

// statements are the moved blocks of the module and all below it, and what is wrong with their addresses.
func (m *Module) statements() ([]*statement, hcl.Diagnostics) {
	var out []*statement
	var diags hcl.Diagnostics
	m.walk(func(m *Module) {
		for _, move := range m.Moves {
			from, d := parseEndpoint(m.Path, move.From)
			if d != nil {
				diags = append(diags, d)
			}
			to, d := parseEndpoint(m.Path, move.To)
			if d != nil {
				diags = append(diags, d)
			}
			if from == nil || to == nil {
				continue
			}
			at := move.Range
			switch {
			case from.block.mode == Ephemeral || to.block.mode == Ephemeral:
				diags = append(diags, failure(`Invalid "moved" address`, "No state holds an ephemeral resource, so that there is none to move.", &at))
			case from.isModule() != to.isModule():
				diags = append(diags, failure(`Invalid "moved" addresses`, `Either both "from" and "to" are modules, or both are resources.`, &at))
			default:
				out = append(out, newStatement(from, to, at))
			}
		}
	})
	return out, diags
}

// after tells whether the other statement has to be carried out first.
func (s *statement) after(other *statement) bool {
	if s.from.continues(other.to) {
		return true
	}
	if !s.from.within(other.to) && !s.to.within(other.to) && !other.from.within(s.from) && !other.to.within(s.from) {
		return false
	}
	// A module that only changes its key is before and after what a block inside of it moves, since that block is there under either
	// key. The outer one waits for nothing then.
	return len(s.to.declared) >= len(other.to.declared) || !s.isNewKey()
}

// isNewKey tells whether the statement gives a module another key and no other name.
func (s *statement) isNewKey() bool {
	if !s.from.isModule() || s.from.whole || len(s.from.path) != len(s.to.path) {
		return false
	}
	for n := range s.from.path {
		if s.from.path[n].Name != s.to.path[n].Name {
			return false
		}
	}
	return true
}

// order puts the statements into the order in which they are carried out. Those that wait for each other are returned as cycles.
func order(statements []*statement) (ordered []*statement, cycles [][]*statement) {
	// Tarjan's components come out with what they wait for first.
	index := map[*statement]int{}
	low := map[*statement]int{}
	open := map[*statement]bool{}
	var stack []*statement
	var visit func(*statement)
	visit = func(s *statement) {
		index[s] = len(index) + 1
		low[s] = index[s]
		stack = append(stack, s)
		open[s] = true
		for _, other := range statements {
			if other == s || !s.after(other) {
				continue
			}
			if index[other] == 0 {
				visit(other)
				low[s] = min(low[s], low[other])
			} else if open[other] {
				low[s] = min(low[s], index[other])
			}
		}
		if low[s] != index[s] {
			return
		}
		n := slices.Index(stack, s)
		component := slices.Clone(stack[n:])
		stack = stack[:n]
		for _, c := range component {
			open[c] = false
		}
		if len(component) > 1 {
			cycles = append(cycles, component)
		}
		ordered = append(ordered, component...)
	}
	for _, s := range statements {
		if index[s] == 0 {
			visit(s)
		}
	}
	return ordered, cycles
}

// cycleDiagnostics report statements that wait for each other. They have no place of their own, as in the tools.
func cycleDiagnostics(cycles [][]*statement) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, cycle := range cycles {
		var lines []string
		for _, s := range cycle {
			lines = append(lines, fmt.Sprintf("\n  - %s: %s", s.at, s))
		}
		slices.Sort(lines)
		diags = append(diags, failure("Cyclic dependency in move statements",
			"Each of these moves continues another one of them, so that nothing ever arrives:"+strings.Join(lines, "")+
				"\nLet the last move of a chain end at an address that is still declared and that no other one starts from.", nil))
	}
	return diags
}

// held is what a state holds at one address.
type held struct {
	mode    Mode
	address markers.Address
	objects []StateObject
}

func (h *held) block() block { return block{h.mode, h.address.Type, h.address.Name} }

// holding is what one instance of a module holds.
type holding struct {
	path []markers.Step
	held map[string]*held
}

func (h *holding) has(b block) bool {
	for _, x := range h.held {
		if x.block() == b {
			return true
		}
	}
	return false
}

// ledger is a state while it is moved.
type ledger struct {
	modules map[string]*holding
	moved   map[string]Moved
	blocked map[string]Blocked
}

func newLedger(s *State) *ledger {
	l := &ledger{modules: map[string]*holding{}, moved: map[string]Moved{}, blocked: map[string]Blocked{}}
	for _, o := range s.Objects {
		l.put(o.Mode, o.Address, o)
	}
	return l
}

func (l *ledger) put(mode Mode, a markers.Address, objects ...StateObject) {
	path := ModulePath(a.Module)
	if l.modules[path] == nil {
		l.modules[path] = &holding{path: a.Module, held: map[string]*held{}}
	}
	key := addressText(mode, a)
	h := l.modules[path].held[key]
	if h == nil {
		h = &held{mode: mode, address: a}
		l.modules[path].held[key] = h
	}
	h.objects = append(h.objects, objects...)
}

// move gives what is held another address.
func (l *ledger) move(h *held, mode Mode, to markers.Address, implied bool) {
	oldKey := addressText(h.mode, h.address)
	from := l.modules[ModulePath(h.address.Module)]
	delete(from.held, oldKey)
	if len(from.held) == 0 {
		delete(l.modules, ModulePath(h.address.Module))
	}
	l.put(mode, to, h.objects...)
	origin := h.address
	if earlier, ok := l.moved[oldKey]; ok {
		delete(l.moved, oldKey)
		origin = earlier.From
	}
	l.moved[addressText(mode, to)] = Moved{Mode: mode, From: origin, To: to, Implied: implied}
}

// destination is where a module goes to.
func (s *statement) destination(path []markers.Step) ([]markers.Step, bool) {
	n := len(s.from.pattern)
	if len(path) < n || !s.from.selects(path[:n]) {
		return nil, false
	}
	to := slices.Concat(path[:len(s.from.declared)], s.to.path)
	if s.from.whole {
		to[len(to)-1].Index = path[n-1].Index
	}
	return append(to, path[n:]...), true
}

// apply carries out one statement. What is in the way of a move stays, and so does what was to be moved.
func (l *ledger) apply(s *statement) {
	for _, name := range slices.Sorted(maps.Keys(l.modules)) {
		module := l.modules[name]
		if s.from.isModule() {
			if to, ok := s.destination(module.path); ok {
				l.moveModule(s, module, to)
			}
		} else if s.from.selects(module.path) {
			l.moveResource(s, module)
		}
	}
}

func (l *ledger) moveModule(s *statement, module *holding, to []markers.Step) {
	if l.modules[ModulePath(to)] != nil {
		from := strings.TrimSuffix(ModulePath(module.path), ".")
		l.blocked[from] = Blocked{From: from, To: strings.TrimSuffix(ModulePath(to), ".")}
		return
	}
	for _, key := range slices.Sorted(maps.Keys(module.held)) {
		h := module.held[key]
		a := h.address
		a.Module = to
		l.move(h, h.mode, a, s.implied)
	}
}

func (l *ledger) moveResource(s *statement, module *holding) {
	to := markers.Address{
		Module: slices.Concat(module.path[:len(s.from.declared)], s.to.path),
		Type:   s.to.block.typ, Name: s.to.block.name, Index: s.to.index,
	}
	end := l.modules[ModulePath(to.Module)]
	if s.from.whole {
		if end != nil && end.has(s.to.block) {
			if module.has(s.from.block) {
				from := addressText(s.from.block.mode, markers.Address{Module: module.path, Type: s.from.block.typ, Name: s.from.block.name})
				l.blocked[from] = Blocked{From: from, To: addressText(s.to.block.mode, to)}
			}
			return
		}
		for _, key := range slices.Sorted(maps.Keys(module.held)) {
			if h := module.held[key]; h.block() == s.from.block {
				to.Index = h.address.Index
				l.move(h, s.to.block.mode, to, s.implied)
			}
		}
		return
	}
	from := addressText(s.from.block.mode, markers.Address{Module: module.path, Type: s.from.block.typ, Name: s.from.block.name, Index: s.from.index})
	h := module.held[from]
	if h == nil {
		return
	}
	wanted := addressText(s.to.block.mode, to)
	if end != nil && end.held[wanted] != nil {
		l.blocked[from] = Blocked{From: from, To: wanted}
		return
	}
	l.move(h, s.to.block.mode, to, s.implied)
}

// implied are the statements that the tools add where count has come or gone: the instance without a key is the one with the key 0.
// No moved block may name the thing, since its author may have meant another instance.
func (l *ledger) implied(root *Module, explicit []*statement, tool Tool) []*statement {
	var out []*statement
	root.walk(func(m *Module) {
		if tool == OpenTofu {
			for _, name := range slices.Sorted(maps.Keys(m.Calls)) {
				out = append(out, l.impliedCalls(m, m.Calls[name], explicit)...)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(l.modules)) {
			if holds := l.modules[name]; isInstanceOf(holds.path, m.Path) {
				out = append(out, impliedResources(m, holds, explicit)...)
			}
		}
	})
	return out
}

// isInstanceOf tells whether a path leads to an instance of the module.
func isInstanceOf(path []markers.Step, module []string) bool {
	return slices.EqualFunc(path, module, func(s markers.Step, name string) bool { return s.Name == name })
}

var (
	noKey   = markers.Index{}
	zeroKey = markers.Index{Kind: markers.CountIndex}
)

// wantedKey is the key of the instance that would be the only one, false for for_each, and the place that says so.
func (r Repeat) wantedKey(at hcl.Range) (markers.Index, hcl.Range, bool) {
	switch {
	case r.Count != nil:
		return zeroKey, r.Count.Range(), true
	case r.ForEach != nil:
		return noKey, at, false
	}
	return noKey, at, true
}

func (l *ledger) impliedCalls(m *Module, c *Call, explicit []*statement) []*statement {
	var out []*statement
	key, at, ok := c.wantedKey(c.Range)
	if !ok {
		return nil
	}
	called := append(slices.Clone(m.Path), c.Name)
	for _, name := range slices.Sorted(maps.Keys(l.modules)) {
		path := l.modules[name].path
		if !isInstanceOf(path, called) {
			continue
		}
		from := path[len(path)-1].Index
		if from != noKey && from != zeroKey || from == key {
			continue
		}
		if slices.ContainsFunc(explicit, func(s *statement) bool { return s.from.selects(path) || s.to.selects(path) }) {
			continue
		}
		to := slices.Clone(path)
		to[len(to)-1].Index = key
		s := newStatement(&endpoint{path: path}, &endpoint{path: to}, at)
		s.implied = true
		out = append(out, s)
	}
	return out
}

func impliedResources(m *Module, holds *holding, explicit []*statement) []*statement {
	var out []*statement
	for _, name := range slices.Sorted(maps.Keys(holds.held)) {
		h := holds.held[name]
		r := m.Resources[reference(h.mode, h.address.Type, h.address.Name)]
		if r == nil {
			continue
		}
		key, at, ok := r.wantedKey(r.Range)
		from := h.address.Index
		if !ok || from != noKey && from != zeroKey || from == key {
			continue
		}
		named := func(e *endpoint) bool { return e.block == h.block() && e.selects(holds.path) }
		if slices.ContainsFunc(explicit, func(s *statement) bool { return named(s.from) || named(s.to) }) {
			continue
		}
		s := newStatement(
			&endpoint{path: holds.path, block: h.block(), index: from},
			&endpoint{path: holds.path, block: h.block(), index: key}, at)
		s.implied = true
		out = append(out, s)
	}
	return out
}

// move moves all that the state holds as the configuration says, and returns the state after it.
func (t *Tree) move(s *State, tool Tool) (*ledger, []*statement, hcl.Diagnostics) {
	explicit, diags := t.Root.statements()
	l := newLedger(s)
	all := slices.Concat(explicit, l.implied(t.Root, explicit, tool))
	ordered, cycles := order(all)
	if diags.HasErrors() || len(cycles) > 0 {
		return l, all, diags // the validation tells of the cycles
	}
	for _, s := range ordered {
		l.apply(s)
	}
	return l, all, diags
}
