package engine

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// This file is how core plans.

// action is what a plan does with an instance.
type action string

const (
	noop     action = "no-op"
	creates  action = "create"
	updates  action = "update"
	replaces action = "replace"
	destroys action = "delete"
)

// plan is a plan: saved, so that it can be applied later or not at all.
type plan struct {
	messages
	c *core
	// entries is the refreshed state, changes what is to be done, by address; deposed what becomes of the left-overs.
	entries map[string]*entry
	changes map[string]*planned
	order   []string
	// refreshed are the instances whose state the refresh changed.
	refreshed map[string]bool
}

// planned is what a plan does with one instance.
type planned struct {
	action   action
	value    tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
	// replace are the attributes that force replacement.
	replace []string
	// deposed are the planned deletions of left-overs.
	deposed []*planned
}

// plan makes the walks of a plan: validate, then plan.
func (c *core) plan() *plan {
	c.t.Helper()
	p := &plan{c: c, entries: map[string]*entry{}, changes: map[string]*planned{}, refreshed: map[string]bool{}}
	if c.validate(p); len(p.errors()) > 0 {
		return p
	}
	s := c.start(true)
	p.order = c.addresses()
	for address, e := range c.entries {
		p.entries[address] = &entry{current: e.current, deposed: slices.Clone(e.deposed)}
	}
	ready := map[string]bool{}
	read := func(address string) {
		ok := s.read(p, address)
		c.mu.Lock()
		defer c.mu.Unlock()
		ready[address] = ok
	}
	if c.readsFirst {
		c.each(p.order, read)
	}
	c.each(p.order, func(address string) {
		if !c.readsFirst {
			read(address)
		}
		c.mu.Lock()
		ok := ready[address]
		c.mu.Unlock()
		if !ok {
			return
		}
		if ch := s.planInstance(p, address); ch != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			p.changes[address] = ch
		}
	})
	return p
}

// validate is the validate walk: unconfigured, once for each block.
func (c *core) validate(p *plan) {
	c.t.Helper()
	s := c.start(false)
	for _, address := range c.addresses() {
		if _, ok := c.config[address]; ok {
			s.validate(&p.messages, address)
		}
	}
}

func (s *session) validate(m *messages, address string) (failed bool) {
	s.c.t.Helper()
	resp, err := s.server.ValidateResourceConfig(s.c.t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: s.c.typeOf(address), Config: s.c.dynamic(s.configOf(address)),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	if err != nil {
		s.c.t.Fatal(err)
	}
	return m.take(address, resp.Diagnostics)
}

// entry returns the plan's state of an address.
func (p *plan) entry(address string) *entry {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	e, ok := p.entries[address]
	if !ok {
		e = &entry{}
		p.entries[address] = e
	}
	return e
}

// read upgrades and refreshes what the state holds of an instance, or imports it; false stops the instance.
func (s *session) read(p *plan, address string) bool {
	s.c.t.Helper()
	e := p.entry(address)
	if id, ok := s.c.imports[address]; ok && e.current == nil {
		e.current = s.importID(&p.messages, address, id, nil)
		return e.current != nil
	}
	for i, st := range e.deposed {
		now, ok := s.refresh(&p.messages, address, st)
		if !ok {
			return false
		}
		e.deposed[i] = now
	}
	e.deposed = slices.DeleteFunc(e.deposed, func(st *stored) bool { return st == nil })
	if e.current == nil {
		return true
	}
	now, ok := s.refresh(&p.messages, address, e.current)
	if !ok {
		return false
	}
	if now == nil || !now.value.Equal(e.current.value) {
		s.c.mu.Lock()
		p.refreshed[address] = true
		s.c.mu.Unlock()
	}
	e.current = now
	return true
}

// refresh upgrades one object and reads it, unless -refresh=false; nil is an object that is gone.
func (s *session) refresh(m *messages, address string, st *stored) (*stored, bool) {
	s.c.t.Helper()
	kind := s.c.typeOf(address)
	now := *st
	now.value, now.older = s.upgrade(kind, st), nil
	if !s.c.refresh {
		return &now, true
	}
	return s.readOne(m, address, &now)
}

func (s *session) readOne(m *messages, address string, st *stored) (*stored, bool) {
	s.c.t.Helper()
	kind := s.c.typeOf(address)
	resp, err := s.server.ReadResource(s.c.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: kind, CurrentState: s.c.dynamic(st.value), Private: st.private, CurrentIdentity: s.c.known(st.identity),
	})
	if err != nil {
		s.c.t.Fatal(err)
	}
	if m.take(address, resp.Diagnostics) {
		return nil, false
	}
	v := s.decode(kind, resp.NewState)
	if v.IsNull() {
		return nil, true
	}
	s.c.fault(address, "invalid result of Read", s.levels[kind].stateFaults("", v))
	s.wantIdentity(address, resp.NewIdentity)
	return &stored{value: v, private: resp.Private, identity: s.c.known(resp.NewIdentity), tainted: st.tainted}, true
}

// planInstance plans one instance and its left-overs.
func (s *session) planInstance(p *plan, address string) *planned {
	s.c.t.Helper()
	e := p.entry(address)
	out := &planned{action: noop, value: s.null(s.c.typeOf(address))}
	for _, st := range e.deposed {
		d, failed := s.planDestroy(&p.messages, address, st)
		if failed {
			return nil
		}
		out.deposed = append(out.deposed, d)
	}
	if _, declared := s.c.config[address]; !declared {
		if e.current == nil {
			return out
		}
		d, failed := s.planDestroy(&p.messages, address, e.current)
		if failed {
			return nil
		}
		d.deposed = out.deposed
		return d
	}
	if s.validate(&p.messages, address) {
		return nil
	}
	d, failed := s.planConfigured(&p.messages, address, e.current, s.c.force[address])
	if failed {
		return nil
	}
	d.deposed = out.deposed
	return d
}

// planConfigured plans an instance that the configuration has: core's plan, with the second call of a replacement.
func (s *session) planConfigured(m *messages, address string, current *stored, force bool) (*planned, bool) {
	s.c.t.Helper()
	kind := s.c.typeOf(address)
	prior := &stored{value: s.null(kind)}
	tainted := current != nil && current.tainted
	if current != nil && !tainted {
		prior = current
	}
	out, failed := s.planCall(m, address, prior.value, prior.private, prior.identity)
	if failed {
		return nil, true
	}
	switch {
	case tainted:
		out.action = replaces
		return out, false
	case prior.value.IsNull():
		out.action = creates
		return out, false
	case len(out.replace) == 0 && !force && out.value.Equal(prior.value):
		out.action = noop
		return out, false
	case len(out.replace) == 0 && !force:
		out.action = updates
		return out, false
	}
	// The second call looks like a create, but the private state of the first comes with it. Core drops its warnings.
	var second messages
	again, failed := s.planCall(&second, address, s.null(kind), out.private, nil)
	if failed {
		m.mu.Lock()
		m.list = append(m.list, second.errors()...)
		m.mu.Unlock()
		return nil, true
	}
	again.action, again.replace = replaces, out.replace
	return again, false
}

// planCall is one PlanResourceChange with core's checks.
func (s *session) planCall(m *messages, address string, prior tftypes.Value, private []byte, id *tfprotov6.ResourceIdentityData) (*planned, bool) {
	s.c.t.Helper()
	kind := s.c.typeOf(address)
	config := s.configOf(address)
	proposed := s.levels[kind].propose(prior, config)
	resp, err := s.server.PlanResourceChange(s.c.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: kind, PriorState: s.c.dynamic(prior), ProposedNewState: s.c.dynamic(proposed), Config: s.c.dynamic(config),
		PriorPrivate: private, PriorIdentity: s.c.known(id),
	})
	if err != nil {
		s.c.t.Fatal(err)
	}
	if m.take(address, resp.Diagnostics) {
		return nil, true
	}
	out := &planned{value: s.decode(kind, resp.PlannedState), private: resp.PlannedPrivate, identity: resp.PlannedIdentity}
	s.c.fault(address, "invalid plan", s.levels[kind].planFaults("", prior, config, out.value))
	for _, path := range resp.RequiresReplace {
		name, ok := path.Steps()[0].(tftypes.AttributeName)
		if !ok {
			s.c.t.Fatalf("%s: replacement of %s", address, path)
		}
		if p, ok := objectOf(prior)[string(name)]; ok && !p.Equal(objectOf(out.value)[string(name)]) {
			out.replace = append(out.replace, string(name))
		}
	}
	return out, false
}

// planDestroy plans the deletion of one object.
func (s *session) planDestroy(m *messages, address string, st *stored) (*planned, bool) {
	s.c.t.Helper()
	kind := s.c.typeOf(address)
	null := s.c.dynamic(s.null(kind))
	resp, err := s.server.PlanResourceChange(s.c.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: kind, PriorState: s.c.dynamic(st.value), ProposedNewState: null, Config: null,
		PriorPrivate: st.private, PriorIdentity: s.c.known(st.identity),
	})
	if err != nil {
		s.c.t.Fatal(err)
	}
	if m.take(address, resp.Diagnostics) {
		return nil, true
	}
	if v := s.decode(kind, resp.PlannedState); !v.IsNull() {
		s.c.t.Errorf("%s: a planned deletion is not null", address)
	}
	return &planned{action: destroys, value: s.null(kind), private: resp.PlannedPrivate, identity: resp.PlannedIdentity}, false
}

// want fails the test unless the plan does this with the instance.
func (p *plan) want(address string, a action) {
	p.c.t.Helper()
	ch := p.changes[address]
	if ch == nil {
		p.c.t.Fatalf("%s is not planned: %v", address, p.list)
	}
	if ch.action != a {
		p.c.t.Fatalf("%s: planned %s (replaced for %v), wanted %s\n%s", address, ch.action, ch.replace, a, p.diff(address))
	}
}

// diff shows where an instance's plan differs from its state.
func (p *plan) diff(address string) []string {
	e := p.entries[address]
	if e == nil || e.current == nil || p.changes[address] == nil {
		return nil
	}
	return differing(e.current, &stored{value: p.changes[address].value})
}

// attr is a planned attribute.
func (p *plan) attr(address, name string) tftypes.Value {
	p.c.t.Helper()
	ch := p.changes[address]
	if ch == nil {
		p.c.t.Fatalf("%s is not planned: %v", address, p.list)
	}
	return attribute(p.c.t, ch.value, name)
}

// attribute is a top-level attribute of a value.
func attribute(t testing.TB, v tftypes.Value, name string) tftypes.Value {
	t.Helper()
	a, ok := objectOf(v)[name]
	if !ok {
		t.Fatalf("there is no attribute %s in %s", name, v)
	}
	return a
}

// wantUnknown and wantText check planned attributes.
func (p *plan) wantUnknown(address string, names ...string) {
	p.c.t.Helper()
	for _, name := range names {
		if v := p.attr(address, name); v.IsKnown() {
			p.c.t.Errorf("%s: %s is planned as %s, wanted unknown", address, name, v)
		}
	}
}

func (p *plan) wantText(address, name, want string) {
	p.c.t.Helper()
	if v := p.attr(address, name); !v.Equal(tftypes.NewValue(tftypes.String, want)) {
		p.c.t.Errorf("%s: %s is planned as %s, wanted %q", address, name, v, want)
	}
}
