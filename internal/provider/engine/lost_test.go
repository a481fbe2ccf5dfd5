package engine

import (
	"context"
	"fmt"
	"testing"
)

// This file holds what AWS takes back or does not tell right after a create call.

// errLost is the error of a call whose answer did not come; such a call may have been carried out.
var errLost = fmt.Errorf("creating: %w", context.DeadlineExceeded)

// For a minute or two after a create some calls deny that the object exists while others show it: that is waited out, and
// taints nothing.
func TestNewObjectFlickers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		op    string
		times int
		typed func(w *world) Type
	}{
		"an update":                  {"widget.Late", 2, func(w *world) Type { return Of(widgetType(w)) }},
		"a read after it was shown":  {"widget.Get", 1, func(w *world) Type { return Of(widgetType(w)) }},
		"tags of a careless service": {"tags.Write", 2, func(w *world) Type { return Of(untaggedWidget(w)) }},
		"reading what is left out":   {"widget.FillOne", 2, func(w *world) Type { return Of(partialWidget(w)) }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, tt.typed(w))
			c.pace = 1e-2
			c.set(atA, conf{"size": 1, "late": true})
			p := c.plan()
			denied := 0
			w.on(tt.op, func(call) error {
				// Read by its marker it shows, and then by its id it does not; the update is through by then.
				if denied < tt.times {
					denied++
					return ErrNotFound
				}
				return nil
			})
			c.apply(p).wantNone(t)
			if denied != tt.times || c.current(atA).tainted {
				t.Errorf("denied %d times, tainted %t", denied, c.current(atA).tainted)
			}
			w.wantIDs("widget", c.id(atA))
			c.wantOwn(atA, "widget", c.id(atA))
			if w.count("widget.Create") != 1 {
				t.Errorf("calls: %v", w.writes())
			}
			w.calm()
			c.mustBeClean()
		})
	}
	t.Run("the last steps", func(t *testing.T) {
		w, c := finishers(t)
		c.pace = 1e-2
		p := c.plan()
		w.fail("finisher.Finish", 2, ErrNotFound)
		c.apply(p).wantNone(t)
		w.wantIDs("finisher", c.id(atF))
		if w.tag("finisher", c.id(atF), "tofu-pending") != "" {
			t.Error("it is not finished")
		}
		c.mustBeClean()
	})
	t.Run("for good", func(t *testing.T) {
		w := newWorld(t)
		c := newCore(t, w, Of(widgetType(w)))
		c.pace = 3e-4
		c.set(atA, conf{"size": 1, "late": true})
		p := c.plan()
		w.fail("widget.Late", -1, ErrNotFound)
		c.apply(p).wantError(t, "Create not finished", "denies it", "tofu untaint")
		if w.count("widget.Late") < 2 || !c.current(atA).tainted {
			t.Errorf("calls: %v", w.writes())
		}
	})
}

// The answer of a create call is lost that takes no token: it is not made again. The object is known by the binding of that
// very call, now or at the next apply.
func TestLostAnswerWithoutAToken(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T) (*world, *core, *plan) {
		w := newWorld(t)
		c := newCore(t, w, Of(widgetType(w)))
		c.pace = 1e-2
		c.set(atA, conf{"size": 1, "late": true})
		// What carries our address and another binding is not of this call.
		w.addWidget(2, marked(atA, otherBinding))
		p := c.plan()
		w.forget()
		w.drop("widget.Create", 1, errLost)
		return w, c, p
	}
	t.Run("it shows", func(t *testing.T) {
		w, c, p := start(t)
		c.apply(p).wantNone(t)
		id := w.ids("widget")[1]
		c.wantOwn(atA, "widget", id)
		if w.count("widget.Create") != 1 || !w.called("widget.Late", id) || c.current(atA).tainted {
			t.Errorf("calls: %v", w.writes())
		}
		w.calm()
		p = c.plan()
		p.wantNone(t)
		p.want(atA, noop)
	})
	t.Run("it shows late", func(t *testing.T) {
		w, c, p := start(t)
		w.calm()
		w.then("widget.Create", func(call) error {
			w.edit("widget", w.ids("widget")[1], func(th *thing) { th.hidden = 2 })
			return errLost
		})
		c.apply(p).wantNone(t)
		c.wantOwn(atA, "widget", w.ids("widget")[1])
		if w.count("widget.Create") != 1 {
			t.Errorf("calls: %v", w.writes())
		}
	})
	t.Run("it does not show", func(t *testing.T) {
		w, c, p := start(t)
		c.pace = 0
		w.calm()
		w.then("widget.Create", func(call) error {
			w.edit("widget", w.ids("widget")[1], func(th *thing) { th.hidden = 1 << 30 })
			return errLost
		})
		c.apply(p).wantError(t, "Answer lost", atA, "not tried again", "tofu apply")
		c.wantGone(atA)
		if w.count("widget.Create") != 1 {
			t.Fatalf("calls: %v", w.writes())
		}
		w.calm()
		id := w.ids("widget")[1]
		w.edit("widget", id, func(th *thing) { th.hidden = 0 })
		c.plan().wantText(atA, "id", id)
		c.mustApply()
		c.wantOwn(atA, "widget", id)
		if w.count("widget.Create") != 1 {
			t.Errorf("calls: %v", w.writes())
		}
	})
	t.Run("nothing was made", func(t *testing.T) {
		w, c, p := start(t)
		c.pace = 0
		w.calm()
		w.fail("widget.Create", 1, errLost)
		c.apply(p).wantError(t, "Answer lost", atA)
		c.wantGone(atA)
		if w.count("widget.Create") != 1 || len(w.ids("widget")) != 1 {
			t.Fatalf("calls: %v", w.writes())
		}
		c.mustApply()
		c.wantOwn(atA, "widget", w.ids("widget")[1])
	})
	t.Run("the listing is denied", func(t *testing.T) {
		w, c, p := start(t)
		lists := 0
		w.on("widget.List", func(call) error {
			if lists++; lists > 1 {
				return denied("ListWidgets")
			}
			return nil
		})
		c.apply(p).wantError(t, "Answer lost", atA)
		c.wantGone(atA)
		w.calm()
		c.mustApply()
		c.wantOwn(atA, "widget", w.ids("widget")[1])
		if w.count("widget.Create") != 1 {
			t.Errorf("calls: %v", w.writes())
		}
	})
	t.Run("with a token", func(t *testing.T) {
		w := newWorld(t)
		d := widgetType(w)
		d.TakesToken = true
		c := newCore(t, w, Of(d))
		c.set(atA, conf{"size": 1})
		p := c.plan()
		w.drop("widget.Create", 1, errLost)
		c.apply(p).wantError(t, "AWS call failed", "error while creating")
		c.wantGone(atA)
		id := w.ids("widget")[0]
		c.mustApply()
		c.wantOwn(atA, "widget", id)
	})
}

// A limit of nothing is nobody's wish, and would be no limit at all.
func TestZeroTimeout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	k := kindOf(t, Of(widgetType(w)))
	c := newCore(t, w, Of(widgetType(w)))
	for given, want := range map[string]string{"0s": "1m0s", "-5m": "1m0s", "3m": "3m0s"} {
		c.set(atA, conf{"size": 1, "timeouts": conf{"create": given}})
		s := c.start(true)
		if got := k.timeout(objectOf(s.configOf(atA)), "create").String(); got != want {
			t.Errorf("%s: %s, wanted %s", given, got, want)
		}
	}
	c.set(atA, conf{"size": 1, "timeouts": conf{"create": "0s"}})
	w.then("widget.Create", func(call) error {
		w.edit("widget", w.ids("widget")[0], func(th *thing) { th.pending = 3 })
		return nil
	})
	c.mustApply()
	c.wantOwn(atA, "widget", c.id(atA))
}
