package engine

import (
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// This file is how core applies, imports, moves and destroys.

// run is what an apply, import or destroy said.
type run struct{ messages }

// step is one thing that an apply does; a replacement has two.
type step struct {
	address string
	action  action
	// again is what was planned, old the object to delete.
	again *planned
	old   *stored
	part  string // "delete", "create", "update", "deposed"
}

// apply applies a plan: first the refreshed state takes effect, then each change. arrange, where given, puts the steps
// into another order than that of the instances.
func (c *core) apply(p *plan, arrange ...func([]*step) []*step) *run {
	c.t.Helper()
	p.wantNone(c.t)
	c.entries = map[string]*entry{} // the plan's own stay, so that it can be applied again
	for address, e := range p.entries {
		c.entries[address] = &entry{current: e.current, deposed: slices.Clone(e.deposed)}
	}
	c.imports = map[string]string{}
	s := c.start(true)
	r := &run{}
	byAddress := map[string][]*step{}
	var all []*step
	for _, address := range p.order {
		steps := c.steps(p, address)
		byAddress[address] = steps
		all = append(all, steps...)
	}
	failed := map[string]bool{}
	do := func(st *step) {
		c.mu.Lock()
		stop := failed[st.address]
		c.mu.Unlock()
		if stop {
			return
		}
		if !s.do(r, st) {
			c.mu.Lock()
			failed[st.address] = true
			c.mu.Unlock()
		}
	}
	if c.parallel {
		c.each(p.order, func(address string) {
			for _, st := range byAddress[address] {
				do(st)
			}
		})
	} else {
		for _, f := range arrange {
			all = f(all)
		}
		for _, st := range all {
			do(st)
		}
	}
	for address, e := range c.entries {
		if e.current == nil && len(e.deposed) == 0 {
			delete(c.entries, address)
		}
	}
	return r
}

// steps are what becomes of one planned instance.
func (c *core) steps(p *plan, address string) []*step {
	ch, e := p.changes[address], p.entries[address]
	if ch == nil {
		return nil
	}
	var out []*step
	add := func(part string, old *stored) {
		out = append(out, &step{address: address, action: ch.action, again: ch, old: old, part: part})
	}
	switch {
	case ch.action == creates:
		add("create", nil)
	case ch.action == updates:
		add("update", nil)
	case ch.action == destroys:
		add("delete", e.current)
	case ch.action == replaces && c.cbd[address]:
		add("create", nil)
		add("deposed", e.current)
	case ch.action == replaces:
		add("delete", e.current)
		add("create", nil)
	}
	for _, st := range e.deposed {
		add("deposed", st)
	}
	return out
}

// entry returns the state of an address.
func (c *core) entry(address string) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[address]
	if !ok {
		e = &entry{}
		c.entries[address] = e
	}
	return e
}

func (s *session) do(r *run, st *step) bool {
	e := s.c.entry(st.address)
	switch st.part {
	case "create":
		cbd := s.c.cbd[st.address] && e.current != nil
		var old *stored
		if cbd {
			old = e.current
			e.deposed, e.current = append(e.deposed, old), nil
		}
		ok := s.applyConfigured(r, st, e, nil)
		if !ok && cbd && e.current == nil {
			e.deposed = slices.DeleteFunc(e.deposed, func(d *stored) bool { return d == old })
			e.current = old
		}
		return ok
	case "update":
		return s.applyConfigured(r, st, e, e.current)
	case "delete":
		// The private state is the plan's: empty for a tainted object, which was planned without prior.
		s.upgrade(s.c.typeOf(st.address), e.current)
		left, ok := s.remove(r, st.address, e.current, st.again.private)
		e.current = left
		return ok
	}
	s.upgrade(s.c.typeOf(st.address), st.old)
	d, failed := s.planDestroy(&r.messages, st.address, st.old)
	if failed {
		return false
	}
	left, ok := s.remove(r, st.address, st.old, d.private)
	if left == nil {
		e.deposed = slices.DeleteFunc(e.deposed, func(d *stored) bool { return d == st.old })
	}
	return ok
}

// applyConfigured plans an instance again with what is known now, compares with the plan, and applies it.
func (s *session) applyConfigured(r *run, st *step, e *entry, current *stored) bool {
	s.c.t.Helper()
	c, kind := s.c, s.c.typeOf(st.address)
	prior := &stored{value: s.null(kind)}
	if current != nil {
		prior = &stored{value: s.upgrade(kind, current), private: current.private, identity: current.identity}
	}
	if s.validate(&r.messages, st.address) {
		return false
	}
	again, failed := s.planCall(&r.messages, st.address, prior.value, prior.private, prior.identity)
	if failed {
		return false
	}
	if faults := disagrees("", st.again.value, again.value); len(faults) > 0 {
		// "Provider produced inconsistent final plan": an error that the user sees, and sometimes ought to.
		r.take(st.address, []*tfprotov6.Diagnostic{{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: "Provider produced inconsistent final plan", Detail: faults[0],
		}})
		return false
	}
	if len(again.replace) > 0 && st.again.action == updates {
		c.t.Errorf("%s: an update became a replacement for %v", st.address, again.replace)
		return false
	}
	if !s.configOf(st.address).IsFullyKnown() {
		c.t.Fatalf("%s: the configuration is not known at apply; set it before", st.address)
	}
	resp, err := s.server.ApplyResourceChange(c.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: kind, PriorState: c.dynamic(prior.value), PlannedState: c.dynamic(again.value),
		Config: c.dynamic(s.configOf(st.address)), PlannedPrivate: again.private, PlannedIdentity: c.known(again.identity),
	})
	if err != nil {
		c.t.Fatal(err)
	}
	if c.killed[st.address] {
		return false
	}
	failed = r.take(st.address, resp.Diagnostics)
	v := s.decode(kind, resp.NewState)
	switch {
	case v.IsNull() && failed:
		return false // what was in the state before stays
	case v.IsNull():
		c.t.Errorf("%s: the provider returned nothing and no error", st.address)
		return false
	}
	c.fault(st.address, "invalid result of an apply", s.levels[kind].stateFaults("", v))
	if !failed {
		c.fault(st.address, "inconsistent result after apply", disagrees("", again.value, v))
	}
	s.wantIdentity(st.address, resp.NewIdentity)
	e.current = &stored{value: v, private: resp.Private, identity: c.known(resp.NewIdentity), tainted: failed && current == nil}
	return !failed
}

// remove deletes an object; what is left in the state is returned.
func (s *session) remove(r *run, address string, st *stored, private []byte) (*stored, bool) {
	s.c.t.Helper()
	kind := s.c.typeOf(address)
	null := s.c.dynamic(s.null(kind))
	resp, err := s.server.ApplyResourceChange(s.c.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: kind, PriorState: s.c.dynamic(st.value), PlannedState: null, Config: null,
		PlannedPrivate: private, PlannedIdentity: s.c.known(st.identity),
	})
	if err != nil {
		s.c.t.Fatal(err)
	}
	if s.c.killed[address] {
		return st, false
	}
	if r.take(address, resp.Diagnostics) {
		return st, false
	}
	if v := s.decode(kind, resp.NewState); !v.IsNull() {
		s.c.t.Errorf("%s: there is a value after the deletion", address)
	}
	return nil, true
}

// mustApply plans and applies, and fails the test at an error.
func (c *core) mustApply() *run {
	c.t.Helper()
	r := c.apply(c.plan())
	r.wantNone(c.t)
	return r
}

// mustBeClean fails the test unless a refresh changes nothing and a plan does nothing, without an error.
func (c *core) mustBeClean() {
	c.t.Helper()
	p := c.plan()
	p.wantNone(c.t)
	for _, address := range p.order {
		if p.refreshed[address] {
			c.t.Errorf("%s: the refresh changed the state: %v", address, differing(c.entries[address].current, p.entries[address].current))
		}
		p.want(address, noop)
	}
}

// refreshOnly reads everything and keeps what was read.
func (c *core) refreshOnly() *run {
	c.t.Helper()
	r, s := &run{}, c.start(true)
	for _, address := range c.addresses() {
		if e := c.entries[address]; e != nil && e.current != nil {
			if now, ok := s.refresh(&r.messages, address, e.current); ok {
				e.current = now
			}
		}
	}
	return r
}

// destroy makes the walks of a destroy: a normal plan unless -refresh=false, a walk that plans the deletions, and one
// that deletes. Instances are deleted in reverse order.
func (c *core) destroy() *run {
	c.t.Helper()
	r := &run{}
	if c.refresh {
		p := c.plan()
		if r.list = p.list; len(p.errors()) > 0 {
			return r
		}
		c.entries = p.entries
	}
	s := c.start(true)
	deletions := map[string]*planned{}
	order := c.addresses()
	slices.Reverse(order)
	for _, address := range order {
		e := c.entries[address]
		if e == nil || e.current == nil {
			continue
		}
		e.current.value = s.upgrade(c.typeOf(address), e.current)
		d, failed := s.planDestroy(&r.messages, address, e.current)
		if failed {
			return r
		}
		deletions[address] = d
	}
	s = c.start(true)
	for _, address := range order {
		if d := deletions[address]; d != nil {
			e := c.entries[address]
			s.upgrade(c.typeOf(address), e.current)
			e.current, _ = s.remove(r, address, e.current, d.private)
			if e.current == nil && len(e.deposed) == 0 {
				delete(c.entries, address)
			}
		}
	}
	return r
}

// importID imports into the state, as the import command does: by id, or by identity where id is "".
func (c *core) importID(address, id string, identity conf) *run {
	c.t.Helper()
	r := &run{}
	if st := c.start(true).importID(&r.messages, address, id, identity); st != nil {
		c.entries[address] = &entry{current: st}
	}
	return r
}

func (s *session) importID(m *messages, address, id string, identity conf) *stored {
	s.c.t.Helper()
	kind := s.c.typeOf(address)
	req := &tfprotov6.ImportResourceStateRequest{TypeName: kind, ID: id}
	if id == "" {
		v := configured(s.c.t, nil, s.identityType(kind), identity)
		req.Identity = &tfprotov6.ResourceIdentityData{IdentityData: s.c.dynamic(v)}
	}
	resp, err := s.server.ImportResourceState(s.c.t.Context(), req)
	if err != nil {
		s.c.t.Fatal(err)
	}
	if m.take(address, resp.Diagnostics) {
		return nil
	}
	if len(resp.ImportedResources) != 1 {
		s.c.t.Fatalf("%s: %d objects were imported", address, len(resp.ImportedResources))
	}
	got := resp.ImportedResources[0]
	s.c.fault(address, "invalid import", s.levels[kind].stateFaults("", s.decode(kind, got.State)))
	s.wantIdentity(address, got.Identity)
	st, ok := s.readOne(m, address, &stored{value: s.decode(kind, got.State), private: got.Private, identity: s.c.known(got.Identity)})
	if ok && st == nil {
		m.take(address, []*tfprotov6.Diagnostic{{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: "Cannot import non-existent remote object", Detail: id,
		}})
	}
	return st
}

// moveIn moves an instance in from another provider's type, whose state is given as Go values.
func (c *core) moveIn(address, sourceProvider, sourceType string, state map[string]any) *run {
	c.t.Helper()
	r, s, kind := &run{}, c.start(false), c.typeOf(address)
	raw, err := json.Marshal(state)
	if err != nil {
		c.t.Fatal(err)
	}
	resp, err := s.server.MoveResourceState(c.t.Context(), &tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: sourceProvider, SourceTypeName: sourceType, SourceState: &tfprotov6.RawState{JSON: raw}, TargetTypeName: kind,
	})
	if err != nil {
		c.t.Fatal(err)
	}
	if !r.take(address, resp.Diagnostics) {
		c.entries[address] = &entry{current: &stored{value: s.decode(kind, resp.TargetState), private: resp.TargetPrivate}}
	}
	return r
}
