package engine

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
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

// A rename without `moved` keeps the object, or makes it again at once: no apply ends without it.
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
			if len(r.errors()) > 0 {
				t.Errorf("%v", r.errors())
			}
			c.wantGone(atJ)
			w.wantIDs("joint", "g:j")
			if c.id(atJ2) != "g:j" {
				t.Errorf("the state holds %s", c.id(atJ2))
			}
			c.mustBeClean()
		}
	})
}

// The delete of the old entry is under way when the create looks, which would find the object and take it for adopted. It waits
// for the end of the delete, and makes it again.
func TestComposedRenameAtOnce(t *testing.T) {
	t.Parallel()
	for range 5 {
		w, c := appliedJoint(t)
		c.remove(atJ)
		c.set(atJ2, conf{"gadget": "g", "name": "j", "policy": "P Q"})
		p := c.plan()
		c.parallel = true
		w.on("joint.Delete", func(call) error {
			time.Sleep(50 * time.Millisecond)
			return nil
		})
		if r := c.apply(p); len(r.errors()) > 0 {
			t.Errorf("%v", r.errors())
		}
		w.wantIDs("joint", "g:j")
		c.mustBeClean()
	}
}

// The delete of the old entry is through, and the walk does not know it yet, when core plans the create once more.
func TestComposedRenameWhileDeleting(t *testing.T) {
	t.Parallel()
	w, c := appliedJoint(t)
	c.remove(atJ)
	c.set(atJ2, conf{"gadget": "g", "name": "j", "policy": "P Q"})
	c.order = []string{atJ2, atJ}
	p := c.plan()
	p.wantNone(t)
	c.parallel = true
	got, gone := make(chan struct{}), make(chan struct{})
	var once sync.Once
	w.on("joint.Parents", func(call) error { <-got; return nil })
	w.on("joint.Get", func(call) error {
		first := false
		if once.Do(func() { first = true; close(got) }); !first {
			<-gone
		}
		return nil
	})
	w.then("joint.Delete", func(call) error {
		close(gone)
		time.Sleep(50 * time.Millisecond)
		return nil
	})
	if r := c.apply(p); len(r.errors()) > 0 {
		t.Errorf("%v", r.errors())
	}
	w.wantIDs("joint", "g:j")
}

// A derived name is found by its content while the object lives, and made again under the same name when it has just gone.
func TestDerivedRenameWithoutMoved(t *testing.T) {
	t.Parallel()
	const atX, atY = "estate_hook.x", "estate_hook.y"
	for _, deleteFirst := range []bool{false, true} {
		w := newWorld(t)
		c := newCore(t, w, Of(hookType(w)))
		w.addGadget("g", nil)
		says := conf{"gadget": "g", "sid_prefix": "s-", "action": "x"}
		c.set(atX, says)
		c.mustApply()
		id := c.id(atX)
		c.remove(atX)
		c.set(atY, says)
		c.order = []string{atY, atX} // the create is planned before the old entry is met
		r := c.apply(c.plan(), func(steps []*step) []*step {
			if deleteFirst {
				slices.Reverse(steps)
			}
			return steps
		})
		if len(r.errors()) > 0 || c.id(atY) != id || len(w.ids("hook")) != 1 {
			t.Errorf("delete first: %v: errors %v, the state holds %s, want %s", deleteFirst, r.errors(), c.id(atY), id)
		}
		c.mustBeClean()
	}
}

// learning is a joint whose spellings the session learns with the first read, as those of records with the name of their
// zone: a process that begins with a deletion does not know them yet.
func learning(w *world) ResourceType[joint] {
	d := folding(w)
	type lesson struct{ learnt atomic.Bool }
	kept := func(s *cloud.Session) *lesson { return cloud.Kept(s, func() *lesson { return &lesson{} }) }
	canonical, get := d.Canonical, d.Get
	d.Canonical = func(s *cloud.Session, k Key) Key {
		if !kept(s).learnt.Load() {
			return k
		}
		return canonical(s, k)
	}
	d.Get = func(ctx context.Context, s *cloud.Session, k Key) (Live[joint], error) {
		l, err := get(ctx, s, k)
		kept(s).learnt.Store(true)
		return l, err
	}
	return d
}

// Create and delete of one object take turns although the delete, which comes first in its process, knows another spelling.
func TestRenameOfALearntSpelling(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(gadgetType(w)), Of(learning(w)))
	w.addGadget("g", nil)
	says := conf{"gadget": "g", "name": "Jay", "policy": "p"}
	c.set(atJ, says)
	c.mustApply()
	c.remove(atJ)
	c.set(atJ2, says)
	p := c.plan()
	p.wantNone(t)
	c.parallel = true
	c.region(testRegion) // a process of its own
	got := make(chan struct{})
	var once sync.Once
	w.on("joint.Parents", func(call) error { <-got; return nil }) // the delete reads first
	w.on("joint.Get", func(call) error { once.Do(func() { close(got) }); return nil })
	w.on("joint.Delete", func(call) error {
		time.Sleep(50 * time.Millisecond)
		return nil
	})
	if r := c.apply(p); len(r.errors()) > 0 {
		t.Errorf("%v", r.errors())
	}
	if c.holds(atJ2) && len(w.ids("joint")) != 1 {
		t.Errorf("the state holds an object, and there are %v", w.ids("joint"))
	}
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
