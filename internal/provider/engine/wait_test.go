package engine

import "testing"

// A type that takes every error for a passing one does not wait for an object that is gone.
func TestGoneIsNeverBusy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := widgetType(w)
	d.Busy = func(error) bool { return true }
	c := newCore(t, w, Of(d))
	c.set(atA, conf{"size": 1})
	c.mustApply()
	c.set(atA, conf{"size": 1, "label": "x"})
	w.fail("widget.Label", -1, ErrNotFound)
	c.apply(c.plan()).wantError(t, "AWS call failed", ErrNotFound.Error())
	if n := w.count("widget.Label"); n != 1 {
		t.Errorf("%d calls were made", n)
	}
}
