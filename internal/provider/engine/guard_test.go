package engine

import (
	"bytes"
	"maps"
	"slices"
	"testing"
)

// guardCore is a core with a state as the row wants it, and the object as it is before the disturbance.
func guardCore(t *testing.T, tt guardCase) (*world, *core, string) {
	t.Helper()
	w, c, id := appliedWidget(t)
	if tt.imported {
		if tt.disturb != nil {
			tt.disturb(w, id)
		}
		c.lose(atA)
		c.importID(atA, id, nil).wantNone(t)
		if e := c.expectation(atA); e != nil || !c.attr(atA, attrBinding).IsNull() {
			t.Fatalf("an import believes something: %+v", e)
		}
	}
	w.forget()
	return w, c, id
}

func (tt guardCase) disturbLater(w *world, id string) {
	if tt.disturb != nil && !tt.imported {
		tt.disturb(w, id)
	}
}

// unchanged returns a check that an object is still what it is now.
func unchanged(w *world, id string) func(t *testing.T) {
	was := w.thing("widget", id)
	return func(t *testing.T) {
		t.Helper()
		w.wantNoWrites()
		if is := w.thing("widget", id); was != nil && (is == nil || !maps.Equal(is.tags, was.tags) || is.model != was.model) {
			t.Fatalf("the object was touched: %+v, was %+v", is, was)
		}
	}
}

// Every row of the table, through the protocol: a refused operation changes neither the object nor the state.
func TestGuardTable(t *testing.T) {
	t.Parallel()
	for _, tt := range guardCases() {
		t.Run(tt.name, func(t *testing.T) {
			t.Run("read", tt.testRead)
			t.Run("plan", tt.testPlan)
			t.Run("update", tt.testUpdate)
			t.Run("delete", tt.testDelete)
			t.Run("import", tt.testImport)
		})
	}
}

func (tt guardCase) testRead(t *testing.T) {
	w, c, id := guardCore(t, tt)
	tt.disturbLater(w, id)
	same := unchanged(w, id)
	was := *c.current(atA)
	r := c.refreshOnly()
	same(t)
	if tt.readErr != nil {
		r.wantError(t, append(tt.readErr, atA)...)
		if is := c.current(atA); !is.value.Equal(was.value) || !bytes.Equal(is.private, was.private) {
			t.Error("the state was changed")
		}
		return
	}
	r.wantNone(t)
	if tt.removed {
		if c.entries[atA].current != nil {
			t.Error("it is still in the state")
		}
		return
	}
	if tt.readWarn != nil {
		r.wantWarning(t, tt.readWarn...)
	} else {
		r.wantQuiet(t)
	}
	// Read shows what it sees, and believes none of it.
	if got := c.text(atA, attrEstate); got != tt.readEstate {
		t.Errorf("tofu_estate is %q, wanted %q", got, tt.readEstate)
	}
	if got := c.text(atA, attrAddress); got != tt.readAddress {
		t.Errorf("tofu_address is %q, wanted %q", got, tt.readAddress)
	}
	if is := c.current(atA); !bytes.Equal(is.private, was.private) || !c.attr(atA, attrBinding).Equal(objectOf(was.value)[attrBinding]) {
		t.Error("the refresh changed what is believed")
	}
}

// What Update would refuse, a plan refuses first.
func (tt guardCase) testPlan(t *testing.T) {
	w, c, id := guardCore(t, tt)
	tt.disturbLater(w, id)
	same := unchanged(w, id)
	c.config[atA]["label"] = "x"
	p := c.plan()
	same(t)
	switch {
	case tt.planErr != nil:
		p.wantError(t, append(tt.planErr, atA)...)
	case tt.readErr != nil:
		p.wantError(t, tt.readErr...)
	case tt.removed:
		p.wantNone(t)
		p.want(atA, creates)
	default:
		p.wantNone(t)
		p.want(atA, updates)
		c.apply(p).wantNone(t)
		c.wantOwn(atA, "widget", id)
		c.mustBeClean()
	}
}

func (tt guardCase) testUpdate(t *testing.T) {
	w, c, id := guardCore(t, tt)
	if tt.imported && tt.planErr != nil {
		return // the plan refuses, and nothing can be changed after the import
	}
	before := ""
	if th := w.thing("widget", id); th != nil {
		before = th.tags["tofu-binding"]
	}
	c.config[atA]["label"] = "x"
	p := c.plan()
	p.want(atA, updates)
	tt.disturbLater(w, id)
	same := unchanged(w, id)
	was := *c.current(atA)
	r := c.apply(p)
	if tt.updateErr != nil {
		r.wantError(t, append(tt.updateErr, atA)...)
		same(t)
		if is := c.current(atA); !is.value.Equal(was.value) || !bytes.Equal(is.private, was.private) {
			t.Error("the state was changed")
		}
		return
	}
	r.wantNone(t)
	c.wantOwn(atA, "widget", id)
	if w.tag("widget", id, "tofu-estate") != testEstate || w.tag("widget", id, "tofu-address") != atA {
		t.Errorf("the marker was not written: %v", w.thing("widget", id).tags)
	}
	if now := w.tag("widget", id, "tofu-binding"); (now != before) != tt.fresh {
		t.Errorf("the binding was %q and is %q", before, now)
	}
	if !w.called("widget.Label", id) {
		t.Error("the change was not made")
	}
	c.mustBeClean()
}

func (tt guardCase) testDelete(t *testing.T) {
	if tt.noDelete {
		return
	}
	w, c, id := guardCore(t, tt)
	c.remove(atA)
	p := c.plan()
	p.want(atA, destroys)
	tt.disturbLater(w, id)
	same := unchanged(w, id)
	r := c.apply(p)
	switch {
	case tt.deleteErr != nil:
		r.wantError(t, append(tt.deleteErr, atA, id)...)
		same(t)
		if !c.holds(atA) {
			t.Error("it was dropped from the state")
		}
	case tt.deleteWarn != nil:
		r.wantWarningOnly(t, append(tt.deleteWarn, atA, id)...)
		same(t)
		c.wantGone(atA)
	default:
		r.wantQuiet(t)
		c.wantGone(atA)
		if slices.Contains(w.ids("widget"), id) {
			t.Error("it was not deleted")
		}
	}
}

func (tt guardCase) testImport(t *testing.T) {
	if tt.noImport {
		return
	}
	w, c, id := appliedWidget(t)
	w.forget()
	if tt.disturb != nil {
		tt.disturb(w, id)
	}
	c.lose(atA)
	same := unchanged(w, id)
	r := c.importID(atA, id, nil)
	same(t)
	if tt.importErr != nil {
		r.wantError(t, append(tt.importErr, id)...)
		c.wantGone(atA)
		return
	}
	r.wantNone(t)
	if e := c.expectation(atA); e != nil || !c.attr(atA, attrBinding).IsNull() {
		t.Errorf("an import believes something: %+v", e)
	}
}

// A swap of two markers by hand is not laundered by a refresh: what is believed stays in private state.
func TestRefreshDoesNotLaunderASwap(t *testing.T) {
	t.Parallel()
	w, c, a := appliedWidget(t)
	c.set(atB, conf{"size": 1})
	c.mustApply()
	b := c.id(atB)
	tagsA, tagsB := w.thing("widget", a).tags, w.thing("widget", b).tags
	w.retag("widget", a, tagsB)
	w.retag("widget", b, tagsA)
	c.refreshOnly().wantNone(t)
	w.forget()
	c.refresh = false
	r := c.destroy()
	r.wantError(t, "Object of another address", atA, a)
	r.wantError(t, "Object of another address", atB, b)
	w.wantNoWrites()
	w.wantIDs("widget", a, b)
}

// A state that a newer version wrote is not guessed at, in any operation.
func TestNewerPrivateState(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	c.remove(atA)
	deletion := c.plan()
	c.set(atA, conf{"size": 1, "label": "x"})
	change := c.plan()
	newer := `{"v":2,"estate":"prod","address":"estate_widget.a"}`
	c.setPrivate(atA, newer)
	same := unchanged(w, id)
	c.refreshOnly().wantError(t, "Unreadable state", "newer version", atA)
	c.refresh = false
	c.plan().wantError(t, "Unreadable state", "newer version", atA)
	private := c.current(atA).private
	for _, p := range []*plan{change, deletion} {
		p.entries[atA].current.private, p.changes[atA].private = private, private
		c.apply(p).wantError(t, "Unreadable state", "newer version", atA)
	}
	same(t)
	c.setPrivate(atA, `{"v":1,"estate":"prod","address":"estate_widget.a","binding":"`+w.tag("widget", id, "tofu-binding")+`","account":"`+testAccount+`","region":"`+testRegion+`","more":{"than":"we know"}}`)
	c.refresh = true
	c.mustApply()
	if !w.called("widget.Label", id) {
		t.Error("an unknown field of our own version was not ignored")
	}
	c.setPrivate(atA, `{"v":"one"}`)
	c.refreshOnly().wantError(t, "Unreadable state", atA)
}
