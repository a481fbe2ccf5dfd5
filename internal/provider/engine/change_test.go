package engine

import (
	"errors"
	"slices"
	"testing"
)

// A deletion that AWS refuses for a while is tried again; one that fails keeps the entry.
func TestDeleteWaitsAndFails(t *testing.T) {
	t.Parallel()
	w, c, _ := appliedWidget(t)
	w.fail("widget.Delete", 3, errBusy)
	c.destroy().wantNone(t)
	if w.count("widget.Delete") != 4 {
		t.Errorf("calls: %v", w.writes())
	}
	w, c, id := appliedWidget(t)
	w.deny("widget.Delete")
	c.destroy().wantError(t, "AWS call failed", "error while deleting", id, "AccessDenied")
	if !c.holds(atA) {
		t.Error("it was dropped")
	}
	w.calm()
	c.config[atA]["timeouts"] = conf{"delete": "1ms"}
	c.mustApply()
	w.on("widget.Delete", times(-1, errBusy))
	c.destroy().wantError(t, "AWS call failed", "error while deleting", "DependencyViolation")
	w.calm()
	w.drop("widget.Delete", 1, errors.New("the answer was lost"))
	c.destroy().wantError(t, "the answer was lost")
	c.destroy().wantNone(t)
	w.wantIDs("widget")
}

// An update that fails in the middle keeps what is known, and the binding of the state is the object's.
func TestUpdateFailingAtEachStep(t *testing.T) {
	t.Parallel()
	says := conf{"size": 1, "color": "red", "label": "x", "late": true, "tags": conf{"Name": "a"}}
	w, c, _ := appliedWidget(t)
	c.set(atA, says)
	p := c.plan()
	w.forget()
	c.apply(p).wantNone(t)
	steps := slices.Clone(w.journal)
	if len(steps) < 6 {
		t.Fatalf("an update makes the calls %v", steps)
	}
	for i, step := range steps {
		for _, imported := range []bool{false, true} {
			t.Run(step.op, func(t *testing.T) {
				w, c, id := appliedWidget(t)
				if imported {
					c.lose(atA)
					c.importID(atA, id, nil).wantNone(t)
				}
				before := w.tag("widget", id, "tofu-binding")
				c.set(atA, says)
				p := c.plan()
				n := 0
				w.on("*", func(call) error {
					if n++; n == i+1 {
						return denied(step.op)
					}
					return nil
				})
				c.apply(p).wantError(t, atA, "AccessDenied")
				w.calm()
				if c.current(atA).tainted || c.id(atA) != id {
					t.Fatal("the entry is tainted or another one")
				}
				// An entry that was imported has a binding as soon as the object has it: a destroy would let go of the object else.
				if b, now := c.text(atA, attrBinding), w.tag("widget", id, "tofu-binding"); b != now && (b != "" || now != before) {
					t.Errorf("the binding in the state is %q, the object's %q", b, now)
				}
				c.mustApply()
				c.wantOwn(atA, "widget", id)
				w.wantIDs("widget", id)
				c.mustBeClean()
			})
		}
	}
}
