package engine

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

func member(i int) string { return fmt.Sprintf("estate_widget.pool[%d]", i) }

// slotsOf are the slots of the living widgets by address tag.
func (w *world) slotsOf() map[string]string {
	out := map[string]string{}
	for _, id := range w.ids("widget") {
		out[w.tag("widget", id, "tofu-address")] += w.tag("widget", id, "tofu-slot")
	}
	return out
}

func (w *world) wantSlots(want map[string]string) {
	w.t.Helper()
	if got := w.slotsOf(); !maps.Equal(got, want) {
		w.t.Fatalf("slots: %v, wanted %v", got, want)
	}
}

func pool(t *testing.T, indexes ...int) (*world, *core) {
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	for _, i := range indexes {
		c.set(member(i), conf{"size": 1})
	}
	return w, c
}

// In whatever order members are created, also at once, each slot is given once and the order of slots is that of indexes
// where the create that comes first leaves room.
func TestSlotsInEveryOrder(t *testing.T) {
	t.Parallel()
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		w, c := pool(t, order...)
		c.order = nil
		for _, i := range order {
			c.order = append(c.order, member(i))
		}
		c.mustApply()
		w.wantSlots(map[string]string{"estate_widget.pool:0": "0", "estate_widget.pool:1": "1", "estate_widget.pool:2": "2"})
		c.mustBeClean()
	}
	w, c := pool(t, 0, 1, 2, 3, 4, 5, 6, 7)
	c.parallel = true
	c.mustApply()
	for i := range 8 {
		if got := w.slotsOf()[fmt.Sprintf("estate_widget.pool:%d", i)]; got != fmt.Sprint(i) {
			t.Errorf("slot of %d is %s", i, got)
		}
	}
	c.mustBeClean()
}

// A hole in the middle keeps every object where it is: a new member never binds another one's object by rank.
func TestHoleInTheMiddle(t *testing.T) {
	t.Parallel()
	w, c := pool(t, 0, 1, 2)
	c.mustApply()
	first, last := c.id(member(0)), c.id(member(2))
	w.erase("widget", c.id(member(1)))
	c.mustApply()
	if c.id(member(0)) != first || c.id(member(2)) != last {
		t.Fatal("a neighbour was re-bound")
	}
	w.wantSlots(map[string]string{"estate_widget.pool:0": "0", "estate_widget.pool:1": "1", "estate_widget.pool:2": "2"})
	c.mustBeClean()

	// With the state gone too: each finds its own by its exact address, and the middle one is made.
	w.erase("widget", c.id(member(1)))
	for i := range 3 {
		c.lose(member(i))
	}
	c.order = []string{member(1), member(0), member(2)}
	c.mustApply()
	if c.id(member(0)) != first || c.id(member(2)) != last || len(w.ids("widget")) != 3 {
		t.Fatal("an object was bound by rank")
	}
}

// A slot that is out of order with its index gives way to the next free one; none is held twice.
func TestSlotsOutOfOrder(t *testing.T) {
	t.Parallel()
	w, c := pool(t, 0, 1)
	w.addWidget(1, tagsWith(marked(member(2), aBinding), "tofu-slot", "0"))
	c.mustApply()
	w.wantSlots(map[string]string{"estate_widget.pool:0": "1", "estate_widget.pool:1": "2", "estate_widget.pool:2": "0"})

	// Objects of other blocks, estates, accounts and the dead hold no slot of this one.
	w, c = pool(t, 0)
	slot := func(tags map[string]string) map[string]string { return tagsWith(tags, "tofu-slot", "0") }
	w.addWidget(1, slot(marked("estate_widget.other[0]", aBinding)))
	w.addWidget(1, slot(marked("module.m[0].estate_widget.pool[1]", aBinding)))
	w.addWidget(1, slot(map[string]string{"tofu-estate": "dev", "tofu-address": "estate_widget.pool:1", "over-deliver": "1"}))
	w.setState("widget", w.addWidget(1, slot(marked(member(1), aBinding))), Gone, "")
	w.edit("widget", w.addWidget(1, slot(marked(member(1), aBinding))), func(th *thing) { th.owner = foreignAccountID })
	c.mustApply()
	if got := w.tag("widget", c.id(member(0)), "tofu-slot"); got != "0" {
		t.Errorf("the slot is %s", got)
	}
}

// Two creates that look before either object is there: the slot of the one is reserved before the other chooses.
func TestSlotsAreReserved(t *testing.T) {
	t.Parallel()
	w, c := pool(t, 0, 1)
	w.addWidget(1, tagsWith(marked(member(2), aBinding), "tofu-slot", "0")) // out of order: both need a new number
	c.parallel = true
	p := c.plan()
	w.together("widget.Create", 2)
	c.apply(p).wantNone(t)
	slots := w.slotsOf()
	if a, b := slots["estate_widget.pool:0"], slots["estate_widget.pool:1"]; a == b || a+b != "12" && a+b != "21" {
		t.Errorf("slots: %v", slots)
	}
}

// Under create_before_destroy predecessor and successor live side by side, with different slots.
func TestSuccessorGetsANewSlot(t *testing.T) {
	t.Parallel()
	w, c := pool(t, 0, 1)
	c.mustApply()
	c.cbd[member(0)] = true
	c.config[member(0)]["size"] = 2
	w.on("widget.Delete", func(call) error {
		if got := w.slotsOf()["estate_widget.pool:0"]; got != "02" {
			t.Errorf("predecessor and successor have the slots %s", got)
		}
		return nil
	})
	p := c.plan()
	p.want(member(0), replaces)
	p.wantUnknown(member(0), "tofu_slot")
	c.apply(p).wantNone(t)
	if w.count("widget.Delete") != 1 {
		t.Fatal("nothing was deleted")
	}
	w.wantSlots(map[string]string{"estate_widget.pool:0": "2", "estate_widget.pool:1": "1"})
	c.mustBeClean()
}

// count to for_each and back: the slot goes and comes with the address, in one tag write and no other call.
func TestCountToForEach(t *testing.T) {
	t.Parallel()
	w, c := pool(t, 0)
	c.mustApply()
	id := c.id(member(0))
	for _, step := range []struct{ to, tag, slot string }{
		{`estate_widget.pool["x"]`, "estate_widget.pool:x", ""},
		{"estate_widget.pool", "estate_widget.pool", ""},
		{"estate_widget.pool[3]", "estate_widget.pool:3", "3"},
		{"estate_widget.other[3]", "estate_widget.other:3", "3"},
		{"module.m[1].estate_widget.one", "module.m:1.estate_widget.one", ""},
	} {
		from := slices.Collect(maps.Keys(c.config))[0]
		c.rename(from, step.to)
		w.forget()
		c.mustApply()
		if got := w.writes(); !slices.Equal(got, []string{"tags.Write"}) {
			t.Fatalf("%s: calls %v", step.to, got)
		}
		if w.tag("widget", id, "tofu-address") != step.tag || w.tag("widget", id, "tofu-slot") != step.slot {
			t.Fatalf("%s: tags %v", step.to, w.thing("widget", id).tags)
		}
		if null := c.attr(step.to, attrSlot).IsNull(); null != (step.slot == "") {
			t.Errorf("%s: tofu_slot is %s", step.to, c.attr(step.to, attrSlot))
		}
		c.mustBeClean()
	}
}

// A set without slots, as another tool leaves it, is completed member by member: slot = index.
func TestSetWithoutSlotsIsCompleted(t *testing.T) {
	t.Parallel()
	for _, order := range [][]string{{member(0), member(1), member(2)}, {member(2), member(0), member(1)}} {
		w, c := pool(t, 0, 1, 2)
		c.order = order
		for i := range 3 {
			w.addWidget(1, marked(member(i), ""))
		}
		c.mustApply()
		w.wantNever("widget.Create")
		w.wantSlots(map[string]string{"estate_widget.pool:0": "0", "estate_widget.pool:1": "1", "estate_widget.pool:2": "2"})
		c.mustBeClean()
	}
}

// A slot tag that is none is shown, and counts as missing until the next change writes one.
func TestBadSlot(t *testing.T) {
	t.Parallel()
	w, c := pool(t, 0, 1)
	c.mustApply()
	id := c.id(member(1))
	w.retag("widget", id, tagsWith(w.thing("widget", id).tags, "tofu-slot", "one"))
	p := c.plan()
	p.wantWarningOnly(t, "Bad slot", member(1), id, `"one"`)
	p.want(member(1), updates)
	c.apply(p).wantNone(t)
	if got := w.tag("widget", id, "tofu-slot"); got != "1" {
		t.Errorf("the slot is %q", got)
	}
	c.mustBeClean()

	w.retag("widget", id, tagsWith(w.thing("widget", id).tags, "tofu-slot", "one"))
	c.lose(member(1))
	c.mustApply()
	if got := w.tag("widget", id, "tofu-slot"); got != "1" || c.id(member(1)) != id {
		t.Errorf("after an adoption: the slot is %q", got)
	}
	c.mustBeClean()
}

// Two objects carry one member's address: the slot says which is the one.
func TestSlotBreaksATie(t *testing.T) {
	t.Parallel()
	w, c := pool(t, 1)
	w.addWidget(1, tagsWith(marked(member(1), aBinding), "tofu-slot", "5"))
	right := w.addWidget(1, tagsWith(marked(member(1), aBinding), "tofu-slot", "1"))
	c.mustApply()
	c.wantOwn(member(1), "widget", right)
	w.wantNever("widget.Create")

	w, c = pool(t, 1)
	a := w.addWidget(1, tagsWith(marked(member(1), aBinding), "tofu-slot", "1"))
	b := w.addWidget(1, tagsWith(marked(member(1), aBinding), "tofu-slot", "1"))
	c.plan().wantError(t, "Two objects with one address", a, b)
}

// State wins over any order of slots.
func TestStateWinsOverSlots(t *testing.T) {
	t.Parallel()
	w, c := pool(t, 0, 1)
	c.mustApply()
	a, b := c.id(member(0)), c.id(member(1))
	w.edit("widget", a, func(th *thing) { th.tags = tagsWith(th.tags, "tofu-slot", "1") })
	w.edit("widget", b, func(th *thing) { th.tags = tagsWith(th.tags, "tofu-slot", "0") })
	w.forget()
	c.mustApply()
	w.wantSlots(map[string]string{"estate_widget.pool:0": "0", "estate_widget.pool:1": "1"})
	c.wantOwn(member(0), "widget", a)
	c.wantOwn(member(1), "widget", b)
	c.mustBeClean()
}
