package engine

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

func jointWorld(t *testing.T) (*world, *core) {
	w := newWorld(t)
	c := newCore(t, w, Of(gadgetType(w)), Of(jointType(w)), Of(knobType(w)))
	c.set(atJ, conf{"gadget": "g", "name": "j", "policy": "P Q"})
	return w, c
}

// An object without a marker is ours only where it says the same; to overwrite another one somebody must ask by name.
func TestCreateTableOfComposedTypes(t *testing.T) {
	t.Parallel()
	const id = "g:j"
	heavy := func(w *world) {
		w.addJoint("g", "j", "p q")
		w.edit("joint", id, func(th *thing) {
			is := *modelOf[joint](th)
			is.Weight = types.Int64Value(5)
			th.model = &is
		})
	}
	for name, tt := range map[string]struct {
		says    conf
		mode    OnExisting
		found   func(*world)
		refused []string
		writes  int
		warned  []string
	}{
		"nothing":          {found: func(*world) {}, writes: 1},
		"another name":     {found: func(w *world) { w.addJoint("g", "jj", "p q") }, writes: 1},
		"equal in meaning": {found: func(w *world) { w.addJoint("g", "j", "pq") }, warned: []string{"Existing estate_joint will be adopted", "no marker says whose it is", id}},
		"different": {
			found:   func(w *world) { w.addJoint("g", "j", "other") },
			refused: []string{"Existing object differs", `policy is "other", the configuration says "P Q"`, `on_existing = "adopt"`, "import"},
		},
		"different, asked for on the resource": {
			says: conf{"on_existing": "adopt"}, found: func(w *world) { w.addJoint("g", "j", "other") }, writes: 1, warned: []string{"will be adopted"},
		},
		"different, asked for on the provider": {mode: Adopt, found: func(w *world) { w.addJoint("g", "j", "other") }, writes: 1, warned: []string{"will be adopted"}},
		"different, on_existing create":        {mode: Beside, found: func(w *world) { w.addJoint("g", "j", "other") }, refused: []string{"Existing object differs"}},
		"different in what cannot be changed, asked for": {
			says: conf{"on_existing": "adopt", "weight": 4}, found: heavy, refused: []string{"Existing object differs", "weight is 5, the configuration says 4"},
		},
		"equal, on_existing error":     {mode: Refuse, found: func(w *world) { w.addJoint("g", "j", "pq") }, refused: []string{"Object exists", id}},
		"different, on_existing error": {mode: Refuse, found: func(w *world) { w.addJoint("g", "j", "other") }, refused: []string{"Object exists", id}},
		"failed": {
			found: func(w *world) { w.addJoint("g", "j", "pq"); w.setState("joint", id, Failed, "no room") }, refused: []string{"Failed object", "no room"},
		},
		"another estate's parent": {found: func(w *world) { w.addGadget("g", map[string]string{"tofu-estate": "dev"}) }, refused: []string{"Parent of another estate", "gadget g", `"dev"`}},
		"another estate's parent, and equal": {
			found:   func(w *world) { w.addGadget("g", map[string]string{"tofu-estate": "dev"}); w.addJoint("g", "j", "pq") },
			refused: []string{"Parent of another estate", "gadget g", `"dev"`},
		},
		"a parent in two estates": {
			found: func(w *world) { w.addGadget("g", map[string]string{"tofu-estate": "dev", "Tofu-Estate": testEstate}) }, refused: []string{"Parent of another estate", "malformed"},
		},
		"an unmarked parent":    {found: func(w *world) { w.addGadget("g", nil) }, writes: 1},
		"our parent":            {found: func(w *world) { w.addGadget("g", marked("estate_gadget.g", aBinding)) }, writes: 1},
		"our parent, malformed": {found: func(w *world) { w.addGadget("g", marked("nonsense", "")) }, writes: 1},
		"a parent of previous days": {found: func(w *world) {
			w.addGadget("g", map[string]string{"tofu-estate": "old", "tofu-address": "estate_gadget.g"})
		}, writes: 1},
	} {
		t.Run(name, func(t *testing.T) {
			start := func() (*world, *core) {
				w, c := jointWorld(t)
				c.provider.OnExisting, c.provider.PreviousEstates = tt.mode, []string{"old"}
				for k, v := range tt.says {
					c.config[atJ][k] = v
				}
				return w, c
			}
			done := func(w *world, c *core, p *plan) {
				t.Helper()
				w.forget()
				r := c.apply(p)
				r.wantNone(t)
				if n := len(w.writes()); n != tt.writes {
					t.Fatalf("calls: %v", w.writes())
				}
				w.wantNever("joint.Delete")
				c.mustBeClean()
			}
			w, c := start()
			tt.found(w)
			p := c.plan()
			w.wantNoWrites()
			if tt.refused != nil {
				p.wantError(t, tt.refused...)
			} else {
				if p.wantNone(t); tt.warned != nil {
					p.wantWarning(t, tt.warned...)
				}
				done(w, c, p)
			}
			w, c = start()
			p = c.plan()
			tt.found(w)
			if tt.refused == nil {
				done(w, c, p)
				return
			}
			c.apply(p).wantError(t, tt.refused...)
			w.wantNoWrites()
			c.wantGone(atJ)

			// Between the last plan call and the create: the create looks itself.
			w, c = start()
			p = c.plan()
			calls := 0
			w.on("joint.Parents", func(call) error {
				if calls++; calls == 2 {
					tt.found(w)
				}
				return nil
			})
			c.apply(p).wantError(t, tt.refused...)
			w.wantNoWrites()
		})
	}
}

// No tag can fence an object without tags: a delete of what this run has created or adopted is left out.
func TestComposedDeleteIsSkippedAfterItsOwnCreate(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(*core){
		"-replace": func(c *core) { c.force[atJ] = true },
		"taint":    func(c *core) { c.taint(atJ) },
	} {
		t.Run(name, func(t *testing.T) {
			w, c := jointWorld(t)
			c.mustApply()
			c.cbd[atJ] = true
			ask(c)
			w.forget()
			c.apply(c.plan()).wantWarningOnly(t, "NOT destroyed: estate_joint (g:j)", "same key")
			w.wantNever("joint.Delete")
			w.wantIDs("joint", "g:j")
			c.force, c.cbd = map[string]bool{}, map[string]bool{}
			c.mustBeClean()

			// In default order the old one is deleted first, and there is nothing to skip.
			ask(c)
			w.forget()
			c.mustApply()
			if w.count("joint.Delete") != 1 || w.count("joint.Create") != 1 {
				t.Errorf("calls: %v", w.writes())
			}
			w.wantIDs("joint", "g:j")
		})
	}
}

// Parents guard what has no marker, in every operation that changes something.
func TestParentsGuard(t *testing.T) {
	t.Parallel()
	for _, address := range []string{atJ, atK} {
		t.Run(address, func(t *testing.T) {
			w, c := jointWorld(t)
			c.set(atG, conf{"name": "g"})
			c.set(atK, conf{"gadget": "g", "level": "high"})
			c.mustApply()
			if c.config[atJ]["policy"] = "new"; address == atK {
				c.config[atJ]["policy"], c.config[atK]["level"] = "P Q", "low"
			}
			change := c.plan()
			c.remove(address)
			deletion := c.plan()
			c.remove(atG)
			w.retag("gadget", "g", map[string]string{"tofu-estate": "dev", "tofu-address": atG})
			w.forget()
			c.set(atJ, conf{"gadget": "g", "name": "j", "policy": "new"})
			c.set(atK, conf{"gadget": "g", "level": "low"})
			for _, p := range []*plan{change, deletion} {
				for a := range p.changes {
					if a != address {
						delete(p.changes, a)
					}
				}
				c.apply(p).wantError(t, "Parent of another estate", "gadget g", `"dev"`)
			}
			w.deny("joint.Parents")
			w.deny("knob.Parents")
			c.apply(deletion).wantError(t, "AWS call failed", "AccessDenied")
			w.wantNoWrites()
			if !c.holds(address) {
				t.Error("it was dropped from the state")
			}
		})
	}
}

// A setting always exists: create puts, delete resets.
func TestSettingTier(t *testing.T) {
	t.Parallel()
	w, c := jointWorld(t)
	c.remove(atJ)
	w.addGadget("g", map[string]string{"tofu-estate": "dev"})
	c.set(atK, conf{"gadget": "g", "level": "high"})
	c.plan().wantError(t, "Parent of another estate", "gadget g")
	w.wantNoWrites()

	w.retag("gadget", "g", nil)
	p := c.plan()
	p.wantQuiet(t)
	w.retag("gadget", "g", map[string]string{"tofu-estate": "dev"})
	c.apply(p).wantError(t, "Parent of another estate", "gadget g")
	w.wantNoWrites()
	c.wantGone(atK)

	w.retag("gadget", "g", nil)
	for _, mode := range []OnExisting{"", Refuse, Beside, Adopt} {
		c.provider.OnExisting = mode
		w.forget()
		c.mustApply()
		if w.count("knob.Create") != 1 {
			t.Errorf("%q: calls %v", mode, w.writes())
		}
		c.mustBeClean()
		c.lose(atK)
	}
	c.mustApply()
	c.destroy().wantNone(t)
	if th := w.thing("knob", "g"); modelOf[knob](th).Level.ValueString() != "low" {
		t.Error("it was not reset")
	}
	w.wantIDs("gadget", "g")
}

// Derived names of objects without tags: parallel creates of one run take different ones, and find their own again.
func TestComposedGeneratedNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(hookType(w)))
	w.addGadget("g", nil)
	addresses := []string{"estate_hook.a", "estate_hook.b", "estate_hook.c"}
	for _, a := range addresses {
		c.set(a, conf{"gadget": "g", "sid_prefix": "s-", "action": a})
	}
	c.parallel = true
	p := c.plan()
	w.together("hook.Create", 3) // each has looked before the first name is taken
	c.apply(p).wantNone(t)
	w.calm()
	c.mustBeClean()
	ids := map[string]string{}
	for _, a := range addresses {
		ids[c.id(a)] = a
	}
	if len(ids) != 3 || len(w.ids("hook")) != 3 {
		t.Fatalf("names: %v", ids)
	}
	// The whole state is lost, and the instances come in every order.
	c.parallel = false
	for i := range addresses {
		w.forget()
		for _, a := range addresses {
			c.lose(a)
		}
		c.order = slices.Concat(addresses[i:], addresses[:i])
		c.mustApply()
		w.wantNoWrites()
		for id, a := range ids {
			if c.id(a) != id {
				t.Fatalf("order %v: %s is %s, and was %s", c.order, a, c.id(a), id)
			}
		}
	}
}
