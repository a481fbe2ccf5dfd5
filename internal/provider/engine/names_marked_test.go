package engine

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

const atGroup = "estate_group.g"

func groupCore(t *testing.T, says conf) (*world, *core) {
	t.Helper()
	w := newWorld(t)
	c := newCore(t, w, Of(groupType(w)))
	c.set(atGroup, says)
	return w, c
}

func groupName(prefix string, n int) string {
	return generatedName(prefix, testAccount, testRegion, testEstate, atGroup, n)
}

// A name that is no part of the key is derived too, and costs no call.
func TestDerivedNameOfAMarkedObject(t *testing.T) {
	t.Parallel()
	for prefix, says := range map[string]conf{"terraform-": {}, "web-": {"name_prefix": "web-"}} {
		w, c := groupCore(t, says)
		p := c.plan()
		p.wantUnknown(atGroup, "name")
		c.apply(p).wantNone(t)
		if got := c.text(atGroup, "name"); got != groupName(prefix, 0) {
			t.Errorf("the name is %s", got)
		}
		if n := w.count("group.Natural"); n != 0 {
			t.Errorf("the holder of a name was asked for %d times", n)
		}
		c.mustBeClean()
		c.lose(atGroup)
		id := w.ids("group")[0]
		c.apply(c.plan()).wantWarningOnly(t, "will be adopted", id)
		w.wantIDs("group", id)
		c.mustBeClean()
	}
}

// A name that somebody else holds is passed over; one that is ours is not even tried.
func TestDerivedNameThatIsHeld(t *testing.T) {
	t.Parallel()
	w, c := groupCore(t, conf{"size": 1})
	w.add(thing{kind: "group", region: testRegion, model: &group{Name: types.StringValue(groupName("terraform-", 0))}})
	c.mustApply()
	if got := c.text(atGroup, "name"); got != groupName("terraform-", 1) {
		t.Errorf("the name is %s", got)
	}
	w.forget()
	c.cbd[atGroup] = true
	c.set(atGroup, conf{"size": 2})
	c.mustApply()
	if got := c.text(atGroup, "name"); got != groupName("terraform-", 2) {
		t.Errorf("the name is %s", got)
	}
	if w.called("group.Create", groupName("terraform-", 1)) {
		t.Error("the name of the object that is replaced was tried")
	}
	c.mustBeClean()
	if n := len(w.ids("group")); n != 2 {
		t.Errorf("%d groups are left", n)
	}
}

// When every name is held, the create says so and makes nothing.
func TestNoDerivedNameIsFree(t *testing.T) {
	t.Parallel()
	w, c := groupCore(t, conf{})
	for n := range namesTried {
		w.add(thing{kind: "group", region: testRegion, model: &group{Name: types.StringValue(groupName("terraform-", n))}})
	}
	c.apply(c.plan()).wantError(t, "AWS call failed", "no free name was found in 100 tries", "it exists")
	c.wantGone(atGroup)
	if n := len(w.ids("group")); n != namesTried {
		t.Errorf("%d groups are there", n)
	}
}

// An earlier run was killed after the create call, and the listing does not show the group yet. AWS says that the derived name
// is taken: by ours, which is adopted, or by one that does not show at all, which stops the create.
func TestDerivedNameOfAKilledRun(t *testing.T) {
	t.Parallel()
	for _, shows := range []bool{true, false} {
		w, c := groupCore(t, conf{"size": 1})
		c.killed[atGroup] = true
		c.apply(c.plan())
		c.killed = map[string]bool{}
		id := w.ids("group")[0]
		p := c.plan // each walk lists once
		w.edit("group", id, func(th *thing) { th.hidden = 1 })
		planned := p()
		if w.edit("group", id, func(th *thing) { th.hidden = 1 }); !shows {
			w.edit("group", id, func(th *thing) { th.hidden = 1 << 20 })
		}
		r := c.apply(planned)
		if w.wantIDs("group", id); shows {
			r.wantWarningOnly(t, "will be adopted", id)
			c.mustBeClean()
			continue
		}
		r.wantError(t, "AWS call failed", groupName("terraform-", 0)+" is taken, and shows nothing that holds it")
		c.wantGone(atGroup)
	}
}

// A name of the configuration that is held stops at the plan; one that was taken since stops the apply at once.
func TestGivenNameThatIsHeld(t *testing.T) {
	t.Parallel()
	w, c := groupCore(t, conf{"name": "web"})
	p := c.plan()
	id := w.add(thing{kind: "group", region: testRegion, model: &group{Name: types.StringValue("web")}})
	r := c.apply(p)
	r.wantError(t, id, "adopt_unmarked")
	c.wantGone(atGroup)
	c.plan().wantError(t, id, "adopt_unmarked")
	w.wantIDs("group", id)
}

// A fixed name that an object of ours holds, which cannot become what is wanted, stops the create at once: in a replacement
// that creates first, and in the plan already where the state is lost.
func TestFixedNameOfAPredecessor(t *testing.T) {
	t.Parallel()
	for name, arrange := range map[string]func(*core){
		"created first": func(c *core) { c.cbd[atGroup] = true },
		"state lost":    func(c *core) { c.lose(atGroup) },
		"beside":        func(c *core) { c.lose(atGroup); c.provider.OnExisting = Beside },
	} {
		t.Run(name, func(t *testing.T) {
			w, c := groupCore(t, conf{"name": "web", "size": 1})
			c.mustApply()
			id := c.id(atGroup)
			c.set(atGroup, conf{"name": "web", "size": 2})
			arrange(c)
			p := c.plan()
			r := &p.messages
			if len(p.errors()) == 0 {
				r = &c.apply(p).messages
			}
			if name == "created first" {
				r.wantError(t, "Existing object differs", id, "size is 1, the configuration says 2", "name prefix")
			} else {
				r.wantError(t, id, "name prefix")
				if len(p.errors()) == 0 {
					t.Error("the plan promises it")
				}
			}
			w.wantIDs("group", id)
		})
	}
	// In default order the old one makes room.
	w, c := groupCore(t, conf{"name": "web", "size": 1})
	c.mustApply()
	c.set(atGroup, conf{"name": "web", "size": 2})
	c.mustApply()
	w.wantIDs("group", c.id(atGroup))
}
