package engine

import "testing"

// A named object is deleted and made again by somebody else: the state's entry speaks of one that is gone, whatever the
// tags of the new one are.
func TestNamedObjectMadeAgainByAnother(t *testing.T) {
	t.Parallel()
	for name, tags := range map[string]func(old map[string]string) map[string]string{
		"unmarked":             func(map[string]string) map[string]string { return map[string]string{"owner": "team-b"} },
		"with the same tags":   func(old map[string]string) map[string]string { return old },
		"with our address":     func(map[string]string) map[string]string { return marked(atG, "") },
		"with another address": func(map[string]string) map[string]string { return marked("estate_gadget.z", otherBinding) },
	} {
		for how, bring := range map[string]func(c *core){
			"created": func(c *core) { c.mustApply() },
			"adopted": func(c *core) { c.mustApply(); c.lose(atG); c.mustApply() },
			"changed": func(c *core) {
				c.mustApply()
				e := c.expectation(atG) // as a version left it that did not know when the object was made
				c.setPrivate(atG, `{"v":1,"estate":"prod","address":"`+atG+`","binding":"`+e.Binding+`","account":"`+testAccount+`"}`)
				c.config[atG]["purpose"] = "both"
				c.mustApply()
			},
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				w := newWorld(t)
				c := newCore(t, w, Of(gadgetType(w)))
				c.set(atG, conf{"name": "g", "purpose": "ours"})
				bring(c)
				c.mustBeClean()
				c.remove(atG)
				deletion := c.plan()
				c.set(atG, conf{"name": "g", "purpose": "new"})
				change := c.plan()
				old := w.thing("gadget", "g")
				w.erase("gadget", "g")
				w.addGadget("g", tags(old.tags))
				now := w.thing("gadget", "g")
				w.forget()

				c.apply(change).wantError(t, "Object replaced by another", atG, "tofu state rm '"+atG+"'")
				c.apply(deletion).wantError(t, "Object replaced by another", atG)
				c.plan().wantError(t, "Object replaced by another", atG)
				c.config[atG]["path"] = "/new/" // a replacement would delete it
				c.plan().wantError(t, "Object replaced by another", atG)
				w.wantNoWrites()
				if is := w.thing("gadget", "g"); is == nil || is.model != now.model || !c.holds(atG) {
					t.Errorf("it was touched: %+v", is)
				}
			})
		}
	}
}

// The object itself, stripped of its marker, is repaired: it is as old as the entry says.
func TestStrippedNamedObjectIsRepaired(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(gadgetType(w)))
	c.set(atG, conf{"name": "g"})
	c.mustApply()
	made := c.expectation(atG).Created
	if made == 0 || made != w.thing("gadget", "g").created.Unix() {
		t.Fatalf("the entry says that the object was made at %d", made)
	}
	w.retag("gadget", "g", map[string]string{"Name": "x"})
	c.plan().want(atG, updates)
	c.mustApply()
	c.wantOwn(atG, "gadget", "g")

	// Its own replacement in default order is another object, and the entry knows it.
	c.force[atG] = true
	c.mustApply()
	c.force = map[string]bool{}
	if now := c.expectation(atG).Created; now == made || now != w.thing("gadget", "g").created.Unix() {
		t.Errorf("the entry says that the object was made at %d", now)
	}
	c.config[atG]["purpose"] = "x"
	c.mustApply()
	c.mustBeClean()
	c.destroy().wantNone(t)
	w.wantIDs("gadget")
}

// An unmarked object was imported, and the configuration differs in what cannot be changed: the plan replaces it. It is
// the entry's own object that stands in the way, until it is destroyed.
func TestImportedUnmarkedObjectIsReplaced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(gadgetType(w)))
	w.addGadget("g", nil)
	old := w.thing("gadget", "g").created
	c.importID(atG, "g", nil).wantNone(t)
	c.set(atG, conf{"name": "g", "path": "/x/"})
	p := c.plan()
	p.wantNone(t)
	p.want(atG, replaces)
	c.apply(p).wantNone(t)
	if w.thing("gadget", "g").created.Equal(old) {
		t.Error("it is the old object")
	}
	c.wantOwn(atG, "gadget", "g")
	c.mustBeClean()

	// One that no entry holds stays in the way.
	w.addGadget("h", nil)
	c.set("estate_gadget.h", conf{"name": "h"})
	c.plan().wantError(t, "Unmarked object in the way", "estate_gadget.h")
}
