package engine

import (
	"slices"
	"testing"
)

// create_before_destroy with -replace or a taint makes core create beside and delete the old object. The create finds
// that very object; the fence is what keeps the delete off it.
func TestFenceKeepsAnAdoptedObjectAlive(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(*core){
		"-replace": func(c *core) { c.force[atA] = true },
		"taint":    func(c *core) { c.taint(atA) },
	} {
		t.Run(name, func(t *testing.T) {
			w, c, id := appliedWidget(t)
			was := w.tag("widget", id, "tofu-binding")
			c.cbd[atA] = true
			ask(c)
			p := c.plan()
			p.want(atA, replaces)
			p.wantUnknown(atA, "id", "arn")
			r := c.apply(p)
			r.wantWarningOnly(t, "Existing estate_widget will be adopted", id, "If a replacement of it was asked for", `on_existing = "create"`)
			r.wantWarning(t, "NOT destroyed: "+atA+" ("+id+")", was, "only dropped from the state")
			w.wantNever("widget.Delete")
			w.wantNever("widget.Create")
			w.wantIDs("widget", id)
			c.wantOwn(atA, "widget", id)
			if w.tag("widget", id, "tofu-binding") == was {
				t.Error("the binding is the old one")
			}
			if e := c.entries[atA]; len(e.deposed) > 0 {
				t.Error("the old object is still in the state")
			}
			c.force, c.cbd = map[string]bool{}, map[string]bool{}
			c.mustBeClean()
		})
	}
}

// TOFU_ON_EXISTING=create is how a replacement under create_before_destroy is forced.
func TestOnExistingCreateReplaces(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(*core){
		"-replace": func(c *core) { c.force[atA] = true },
		"taint":    func(c *core) { c.taint(atA) },
		"on the resource": func(c *core) {
			c.force[atA] = true
			c.config[atA]["on_existing"] = "create"
			c.provider.OnExisting = ""
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, c, id := appliedWidget(t)
			c.cbd[atA] = true
			c.provider.OnExisting = Beside
			ask(c)
			c.apply(c.plan()).wantWarningOnly(t, "Second estate_widget will be created", id, "unless this run replaces them")
			if got := w.writes(); !slices.Equal(got, []string{"widget.Create", "widget.Delete"}) || !w.called("widget.Delete", id) {
				t.Fatalf("calls: %v", got)
			}
			now := w.ids("widget")
			if len(now) != 1 || now[0] == id {
				t.Fatalf("living: %v", now)
			}
			c.wantOwn(atA, "widget", now[0])
		})
	}
}

// A generated name is in the way of its own replacement; the next one is free.
func TestOnExistingCreateTakesTheNextName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	c.set(atG, conf{"name_prefix": "g-"})
	c.mustApply()
	first := c.id(atG)
	c.cbd[atG], c.force[atG] = true, true
	c.provider.OnExisting = Beside
	c.mustApply()
	if now := w.ids("gadget"); len(now) != 1 || now[0] == first {
		t.Fatalf("living: %v", now)
	}
	c.wantOwn(atG, "gadget", w.ids("gadget")[0])
}

// An immutable change under create_before_destroy is no fence's business: the new object differs from the old one.
func TestImmutableChangeCreatesBesideAndDeletesTheOld(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	c.cbd[atA] = true
	c.config[atA]["size"] = 2
	p := c.plan()
	p.want(atA, replaces)
	p.wantQuiet(t)
	r := c.apply(p)
	r.wantNone(t)
	if has(r.warnings(), "adopted") || has(r.warnings(), "NOT destroyed") {
		t.Fatalf("warnings: %v", r.warnings())
	}
	if !w.called("widget.Delete", id) || len(w.ids("widget")) != 1 {
		t.Fatalf("living: %v", w.ids("widget"))
	}
	c.wantOwn(atA, "widget", w.ids("widget")[0])
}

// The Delete of a tainted object in default order arrives without private state, so that the state's own words serve.
func TestDeleteWithoutPrivateState(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		retag  func(tags map[string]string) map[string]string
		lives  bool
		errors []string
		warns  []string
	}{
		"our binding": {func(tags map[string]string) map[string]string { return tags }, false, nil, nil},
		"no binding on it": {
			func(tags map[string]string) map[string]string { return tagsWith(tags, "tofu-binding", "") }, false, nil, nil,
		},
		"another binding": {
			func(tags map[string]string) map[string]string { return tagsWith(tags, "tofu-binding", otherBinding) },
			true, nil, []string{"NOT destroyed", otherBinding},
		},
		"another address": {
			func(map[string]string) map[string]string { return marked("estate_widget.c", otherBinding) },
			true, []string{"Object of another address", "was not deleted", "estate_widget.c"}, nil,
		},
		"another estate": {
			func(tags map[string]string) map[string]string { return tagsWith(tags, "tofu-estate", "dev") },
			true, []string{"Object of another estate", "dev"}, nil,
		},
		"stripped": {
			func(map[string]string) map[string]string { return map[string]string{"Name": "x"} },
			true, []string{"Marker missing", "was not deleted", `tofu_on_destroy = "keep"`}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, c, id := appliedWidget(t)
			c.taint(atA)
			p := c.plan()
			w.retag("widget", id, tt.retag(w.thing("widget", id).tags))
			r := c.apply(p)
			if (w.thing("widget", id) != nil) != tt.lives {
				t.Fatalf("living: %v, %v", w.ids("widget"), r.list)
			}
			if tt.lives {
				w.wantNever("widget.Delete")
			}
			if tt.errors != nil {
				r.wantError(t, tt.errors...)
			} else {
				r.wantNone(t)
			}
			if tt.warns != nil {
				r.wantWarning(t, tt.warns...)
			}
		})
	}
}

// A refresh comes between: it must not take the binding of whoever adopted the object into the state, where the Delete of a
// tainted object would find it as its own.
func TestRefreshBeforeADeleteWithoutPrivateState(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	w.retag("widget", id, tagsWith(w.thing("widget", id).tags, "tofu-binding", otherBinding))
	c.refreshOnly()
	c.taint(atA)
	r := c.apply(c.plan())
	r.wantNone(t)
	r.wantWarning(t, "NOT destroyed", otherBinding)
	w.wantNever("widget.Delete")
	w.wantIDs("widget", id)
}

// The object has a newer binding than the state: the provider was killed between the tag write of an adoption and the
// state write, or an old state file was brought back.
func TestStateFromBeforeARebinding(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	old := c.snapshot()
	c.lose(atA)
	c.mustApply()
	c.restore(old)
	w.forget()

	p := c.plan()
	p.want(atA, noop)
	p.wantWarningOnly(t, "Object held by another state", id, "another state entry holds it now", "tofu state rm '"+atA+"'", "tofu apply -replace='"+atA+"'")

	c.config[atA]["label"] = "x"
	c.plan().wantError(t, "Object held by another state", id, "was not changed", "tofu state rm '"+atA+"'", "tofu apply -replace=")
	c.refresh = false
	p = c.plan()
	p.wantNone(t)
	before := c.snapshot()
	r := c.apply(p)
	r.wantError(t, "Object held by another state", id, "was not changed", "tofu state rm '"+atA+"'")
	if !c.current(atA).value.Equal(before[atA].current.value) {
		t.Error("the refused update changed the state")
	}
	w.wantNoWrites()

	c.refresh = true
	delete(c.config[atA], "label")
	r = c.destroy()
	r.wantWarningOnly(t, "NOT destroyed", id)
	w.wantNever("widget.Delete")
	c.wantGone(atA)
	w.wantIDs("widget", id)
}

// Both ways out that the message names work.
func TestWaysOutOfARebinding(t *testing.T) {
	t.Parallel()
	for name, out := range map[string]func(*core){
		"state rm": func(c *core) { c.lose(atA) },
		"-replace": func(c *core) { c.force[atA] = true },
		"-replace under create_before_destroy": func(c *core) {
			c.force[atA], c.cbd[atA] = true, true
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, c, id := appliedWidget(t)
			old := c.snapshot()
			c.lose(atA)
			c.mustApply()
			c.restore(old)
			w.forget()
			out(c)
			c.mustApply()
			w.wantNever("widget.Delete")
			w.wantNever("widget.Create")
			w.wantIDs("widget", id)
			c.wantOwn(atA, "widget", id)
			c.force, c.cbd = map[string]bool{}, map[string]bool{}
			c.mustBeClean()
		})
	}
}

// The provider dies between the tag write of an adoption and the state write; core restores the old entry.
func TestKilledAfterTheBindingWrite(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	c.force[atA], c.cbd[atA] = true, true
	c.killed[atA] = true
	old := c.snapshot()
	c.apply(c.plan())
	c.killed, c.force = map[string]bool{}, map[string]bool{}
	if c.text(atA, attrBinding) != text(attribute(t, old[atA].current.value, attrBinding)) || w.tag("widget", id, "tofu-binding") == c.text(atA, attrBinding) {
		t.Fatal("the crash did not happen")
	}
	c.plan().wantWarningOnly(t, "Object held by another state", id)
	c.force[atA] = true
	c.mustApply()
	w.wantIDs("widget", id)
	c.wantOwn(atA, "widget", id)
}

// What another instance of the same run does to an object after the listing is met by the guard, which reads fresh.
func TestGuardsReadPastTheIndex(t *testing.T) {
	t.Parallel()
	steal := func(w *world, id string) {
		w.then("widget.Create", func(call) error {
			w.edit("widget", id, func(th *thing) { th.tags = tagsWith(th.tags, "tofu-binding", otherBinding) })
			return nil
		})
	}
	t.Run("update", func(t *testing.T) {
		w, c, id := appliedWidget(t)
		c.set(atB, conf{"size": 1})
		c.config[atA]["label"] = "x"
		c.order = []string{atB, atA} // the create lists the type, then somebody re-binds a
		p := c.plan()
		steal(w, id)
		c.apply(p).wantError(t, "Object held by another state", id)
		w.wantNever("widget.Label")
	})
	t.Run("delete", func(t *testing.T) {
		w, c, id := appliedWidget(t)
		c.set(atB, conf{"size": 1})
		c.remove(atA)
		c.order = []string{atB, atA}
		p := c.plan()
		steal(w, id)
		c.apply(p).wantWarning(t, "NOT destroyed", id)
		w.wantNever("widget.Delete")
	})
}
