package engine

import (
	"slices"
	"strings"
	"testing"
)

const atJ2 = "estate_joint.k"

// appliedJoint is a world with the instance estate_joint.j applied under a gadget of ours.
func appliedJoint(t *testing.T) (*world, *core) {
	t.Helper()
	w, c := jointWorld(t)
	w.addGadget("g", marked("estate_gadget.g", aBinding))
	c.mustApply()
	w.forget()
	return w, c
}

// eachOrder runs a test with both instances first, and with all reads before all plans or not.
func eachOrder(t *testing.T, test func(t *testing.T, arrange func(*core))) {
	t.Helper()
	for _, backwards := range []bool{false, true} {
		for _, readsFirst := range []bool{false, true} {
			name := strings.Join([]string{map[bool]string{false: "forwards", true: "backwards"}[backwards], map[bool]string{false: "one by one", true: "reads first"}[readsFirst]}, ", ")
			t.Run(name, func(t *testing.T) {
				test(t, func(c *core) { c.backwards, c.readsFirst = backwards, readsFirst })
			})
		}
	}
}

// The provider was killed between an adoption and the delete of the deposed twin: in a later process nothing fences
// the one object off from the left-over.
func TestDeposedTwinOfOneKey(t *testing.T) {
	t.Parallel()
	w, c := appliedJoint(t)
	e := c.entries[atJ]
	left := *e.current
	e.deposed = append(e.deposed, &left)
	c.plan().wantError(t, "One object in two entries", atJ, "g:j", "tofu state rm")
	c.refresh = false
	c.plan().wantError(t, "One object in two entries", atJ)
	w.wantNoWrites()
	w.wantIDs("joint", "g:j")

	// With the left-over dropped everything is as before.
	c.refresh, e.deposed = true, nil
	c.mustBeClean()
}

// Two entries hold one key, and one of them goes.
func TestOneKeyInTwoEntries(t *testing.T) {
	t.Parallel()
	eachOrder(t, func(t *testing.T, arrange func(*core)) {
		w, c := appliedJoint(t)
		arrange(c)
		c.importID(atJ2, "g:j", nil).wantNone(t)
		c.plan().wantError(t, "One object in two entries", "g:j")
		w.wantNoWrites()

		// Both go: then the object goes with them.
		c.remove(atJ)
		c.mustApply()
		w.wantIDs("joint")
		c.wantGone(atJ)
		c.wantGone(atJ2)
	})
}

// A new block says the key of an entry that stays.
func TestSecondBlockWithTheSameKey(t *testing.T) {
	t.Parallel()
	eachOrder(t, func(t *testing.T, arrange func(*core)) {
		w, c := appliedJoint(t)
		arrange(c)
		c.set(atJ2, conf{"gadget": "g", "name": "j", "policy": "P Q"})
		c.plan().wantError(t, "One object in two entries", "g:j")
		c.refresh = false
		c.plan().wantError(t, "One object in two entries", "g:j")
		w.wantNoWrites()
		c.wantGone(atJ2)
	})
}

// Two new blocks say one key: one gets it, the other is told.
func TestTwoNewBlocksWithOneKey(t *testing.T) {
	t.Parallel()
	w, c := jointWorld(t)
	c.set(atJ2, conf{"gadget": "g", "name": "j", "policy": "P Q"})
	c.apply(c.plan()).wantError(t, "Duplicate address", "g:j", "Nothing was created")
	w.wantIDs("joint", "g:j")
	if w.count("joint.Create") != 1 || c.holds(atJ) == c.holds(atJ2) {
		t.Errorf("calls: %v", w.writes())
	}

	// The same key in another region is another object.
	w = newWorld(t)
	d := jointType(w)
	d.Global = false
	c = newCore(t, w, Of(d))
	c.set(atJ, conf{"gadget": "g", "name": "j", "policy": "P Q"})
	c.set(atJ2, conf{"gadget": "g", "name": "j", "policy": "P Q", "region": otherPlace})
	c.mustApply()
	if !c.holds(atJ) || !c.holds(atJ2) {
		t.Error("one of them is not in the state")
	}
	c.mustBeClean()
}

// A rename without `moved` keeps the object, or makes it again.
func TestComposedRenameWithoutMoved(t *testing.T) {
	t.Parallel()
	eachOrder(t, func(t *testing.T, arrange func(*core)) {
		for _, reversed := range []bool{false, true} {
			w, c := appliedJoint(t)
			arrange(c)
			c.remove(atJ)
			c.set(atJ2, conf{"gadget": "g", "name": "j", "policy": "P Q"})
			p := c.plan()
			p.wantNone(t)
			r := c.apply(p, func(steps []*step) []*step {
				if reversed {
					slices.Reverse(steps)
				}
				return steps
			})
			if c.wantGone(atJ); len(r.errors()) > 0 {
				// What was to be adopted is deleted first: core stops, and the next apply creates.
				r.wantError(t, "Provider produced inconsistent final plan", atJ2)
				c.mustApply()
			}
			w.wantIDs("joint", "g:j")
			if c.id(atJ2) != "g:j" {
				t.Errorf("the state holds %s", c.id(atJ2))
			}
			c.mustBeClean()
		}
	})
}

// A derived name is not known at plan, but the parent that it belongs to is.
func TestParentOfADerivedName(t *testing.T) {
	t.Parallel()
	const atH = "estate_hook.h"
	dev := map[string]string{"tofu-estate": "dev", "tofu-address": "estate_gadget.g"}
	for name, says := range map[string]conf{
		"neither name nor prefix": {"gadget": "g", "action": "x"},
		"a prefix":                {"gadget": "g", "action": "x", "sid_prefix": "s-"},
		"a name":                  {"gadget": "g", "action": "x", "sid": "s"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(hookType(w)))
			c.set(atH, says)
			w.addGadget("g", dev)
			c.plan().wantError(t, "Parent of another estate", atH, "gadget g", `"dev"`)
			w.wantNoWrites()

			// The parent changes hands between the last plan call and the create.
			w.retag("gadget", "g", nil)
			p := c.plan()
			p.wantNone(t)
			calls := 0
			w.on("hook.Parents", func(call) error {
				if calls++; calls == 2 {
					w.retag("gadget", "g", dev)
				}
				return nil
			})
			c.apply(p).wantError(t, "Parent of another estate", atH, "gadget g", `"dev"`)
			w.wantNoWrites()
			c.wantGone(atH)
			w.wantIDs("hook")

			w.calm()
			w.retag("gadget", "g", nil)
			c.mustApply()
			c.mustBeClean()
		})
	}
}
