package engine

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// adoptable is a world with an object that an adoption must change in several steps, on each of which it may fail.
func adoptable(t *testing.T) (*world, *core, string) {
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	id := w.addWidget(1, tagsWith(marked(atA, aBinding), "Owner", "somebody"))
	c.set(atA, conf{"size": 1, "color": "red", "label": "x", "late": true, "rule": "Allow All", "tags": conf{"Name": "a"}})
	return w, c, id
}

// An adoption that fails at any call leaves no state, so that nothing is tainted, and the next apply goes on. The calls
// are those that an adoption without faults makes.
func TestAdoptionFailingAtEachStep(t *testing.T) {
	t.Parallel()
	w, c, id := adoptable(t)
	p := c.plan()
	w.forget()
	c.apply(p).wantNone(t)
	steps := slices.Clone(w.journal)
	if len(steps) < 6 {
		t.Fatalf("an adoption makes the calls %v", steps)
	}
	for i, step := range steps {
		for name, fault := range map[string]error{"denied": denied(step.op), "broken": errBroken} {
			t.Run(step.op+" "+name, func(t *testing.T) {
				w, c, _ = adoptable(t)
				p := c.plan()
				n := 0
				w.on("*", func(call) error {
					if n++; n == i+1 {
						return fault
					}
					return nil
				})
				c.apply(p).wantError(t, atA)
				if n < i+1 {
					t.Fatal("the call was not made")
				}
				c.wantGone(atA)
				w.calm()
				w.wantNever("widget.Delete")
				c.plan().wantText(atA, "id", id)
				c.mustApply()
				w.wantNever("widget.Delete")
				w.wantNever("widget.Create")
				w.wantIDs("widget", id)
				c.wantOwn(atA, "widget", id)
				if w.tag("widget", id, "Owner") != "somebody" || w.tag("widget", id, "Name") != "a" {
					t.Errorf("tags: %v", w.thing("widget", id).tags)
				}
				c.mustBeClean()
			})
		}
	}
}

// What a failed adoption says: the object lives, is not in the state, and is found again.
func TestFailedAdoptionSays(t *testing.T) {
	t.Parallel()
	w, c, id := adoptable(t)
	w.on("tags.Write", times(-1, denied("CreateTags")))
	c.apply(c.plan()).wantError(t, "Adoption not finished", atA, id, "not in the state", "Missing permission: test:CreateTags", "found by its marker")
	if w.tag("widget", id, "tofu-binding") != aBinding {
		t.Error("the binding was written")
	}
	w.wantNever("widget.Color")
}

// A pending object is waited for; one that fails meanwhile or takes too long leaves no state.
func TestAdoptionWaits(t *testing.T) {
	t.Parallel()
	w, c, id := adoptable(t)
	w.edit("widget", id, func(th *thing) { th.pending = 1 << 30 })
	c.config[atA]["timeouts"] = conf{"create": "1ms"}
	c.apply(c.plan()).wantError(t, "Adoption not finished", id, "not done after 1ms", "on its way")
	c.wantGone(atA)
	w.edit("widget", id, func(th *thing) { th.pending = 4 })
	delete(c.config[atA], "timeouts")
	p := c.plan()
	w.then("tags.Write", func(call) error {
		w.edit("widget", id, func(th *thing) { th.state, th.reason, th.pending = Failed, "no capacity", 0 })
		return nil
	})
	c.apply(p).wantError(t, "Adoption not finished", "no capacity")
	c.wantGone(atA)
	w.calm()
	w.setState("widget", id, Ready, "")
	c.mustApply()
	w.wantIDs("widget", id)
	w.wantNever("widget.Delete")
	c.wantOwn(atA, "widget", id)
}

// The state holds a new object before anything else is asked of it.
func TestNothingGoesAfterTheCreate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	c.set(atA, conf{"size": 1})
	p := c.plan()
	made := false
	w.on("*", func(step call) error {
		if made {
			return denied(step.op)
		}
		made = step.op == "widget.Create"
		return nil
	})
	c.apply(p).wantError(t, "Create not finished", "AccessDenied", "tofu untaint '"+atA+"'")
	w.calm()
	id := c.id(atA)
	w.wantIDs("widget", id)
	if !c.current(atA).tainted || c.text(atA, attrBinding) != unwritten+w.tag("widget", id, "tofu-binding") {
		t.Fatalf("the state holds %s with the binding %q", id, c.text(atA, attrBinding))
	}
	c.untaint(atA)
	c.mustApply()
	w.wantIDs("widget", id)
	c.wantOwn(atA, "widget", id)
}

// A fresh create that fails later is in the state as tainted, with its id and binding; `untaint` and apply go on with it.
func TestFreshCreateFailingAtEachStep(t *testing.T) {
	t.Parallel()
	declare := func(t *testing.T) (*world, *core) {
		w := newWorld(t)
		c := newCore(t, w, Of(widgetType(w)))
		c.set(atA, conf{"size": 1, "late": true, "tags": conf{"Name": "a"}})
		return w, c
	}
	w, c := declare(t)
	p := c.plan()
	w.forget()
	c.apply(p).wantNone(t)
	steps := slices.Clone(w.journal)
	after := slices.IndexFunc(steps, func(s call) bool { return s.op == "widget.Create" }) + 1
	if after == 0 || len(steps)-after < 3 {
		t.Fatalf("a create makes the calls %v", steps)
	}
	for i, step := range steps {
		t.Run(step.op, func(t *testing.T) {
			w, c := declare(t)
			p := c.plan()
			n := 0
			w.on("*", func(call) error {
				if n++; n == i+1 {
					return denied(step.op)
				}
				return nil
			})
			r := c.apply(p)
			w.calm()
			if i < after {
				r.wantError(t, "AWS call failed", "AccessDenied", step.op)
				c.wantGone(atA)
				w.wantIDs("widget")
				return
			}
			id := c.id(atA)
			if step.op == "widget.Find" { // it is read by its id then
				r.wantNone(t)
				c.wantOwn(atA, "widget", id)
				return
			}
			r.wantError(t, "Create not finished", "AccessDenied", "tofu untaint '"+atA+"'")
			if !c.current(atA).tainted {
				t.Fatal("it is not tainted")
			}
			w.wantIDs("widget", id)
			// Before the object was read nothing says that the create call's tags are on it.
			if got := strings.TrimPrefix(c.text(atA, attrBinding), unwritten); got != w.tag("widget", id, "tofu-binding") {
				t.Fatalf("the state says the binding %s", got)
			}
			c.untaint(atA)
			c.mustApply()
			w.wantIDs("widget", id)
			w.wantNever("widget.Delete")
			c.wantOwn(atA, "widget", id)
			c.mustBeClean()
		})
	}
}

// AWS takes its time to show a new object; a create that AWS gives up is tainted, and replaced by the next apply.
func TestFreshCreateWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	c.set(atA, conf{"size": 1})
	w.then("widget.Create", func(call) error {
		w.edit("widget", w.ids("widget")[0], func(th *thing) { th.hidden, th.pending = 3, 3 })
		return nil
	})
	c.mustApply()
	w.calm()
	c.mustBeClean()

	w = newWorld(t)
	c = newCore(t, w, Of(widgetType(w)))
	c.set(atA, conf{"size": 1})
	w.then("widget.Create", func(call) error {
		w.setState("widget", w.ids("widget")[0], Failed, "no capacity")
		return nil
	})
	c.apply(c.plan()).wantError(t, "Create not finished", "no capacity")
	w.calm()
	first := c.id(atA)
	c.mustApply()
	if now := w.ids("widget"); len(now) != 1 || now[0] == first {
		t.Errorf("living: %v, the failed one was %s", now, first)
	}
	c.mustBeClean()
}

// An interrupt while a create waits leaves the object in the state.
func TestInterruptedCreate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	c.set(atA, conf{"size": 1, "timeouts": conf{"create": "2ms"}})
	w.then("widget.Create", func(call) error {
		w.edit("widget", w.ids("widget")[0], func(th *thing) { th.pending = 1 << 30 })
		return nil
	})
	start := time.Now()
	c.apply(c.plan()).wantError(t, "Create not finished", "not done after 2ms", "tofu untaint")
	if time.Since(start) > 5*time.Second {
		t.Error("the time limit does not hold")
	}
	id := c.id(atA)
	w.calm()
	w.edit("widget", id, func(th *thing) { th.pending = 0 })
	c.untaint(atA)
	c.mustApply()
	w.wantIDs("widget", id)
	c.mustBeClean()
}
