package engine

import (
	"context"
	"testing"
	"time"

	"github.com/aws/smithy-go"
)

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

// What passes for a change of the object passes for its tags too: in a create, an adoption, an update and a release.
func TestBusyTags(t *testing.T) {
	t.Parallel()
	w, c, _ := lateCore(t)
	c.config[atA]["tofu_on_destroy"] = "release"
	c.pace = 1e-3
	busy := func() { w.on("tags.Write", times(1, errBusy)) }
	busy()
	c.mustApply()
	id := c.id(atA)
	busy()
	c.config[atA]["tags"] = conf{"Name": "x", "Stage": "y"}
	c.mustApply()
	c.lose(atA)
	busy()
	c.apply(c.plan()).wantWarningOnly(t, "will be adopted")
	busy()
	c.destroy().wantNone(t)
	w.wantIDs("widget", id)
	if tags := w.thing("widget", id).tags; tags["tofu-estate"] != "" || tags["Stage"] != "y" {
		t.Errorf("it carries %v", tags)
	}
}

// What comes of a change that is not known everywhere yet passes in a create and in its updates, for a while and no longer.
func TestTooFresh(t *testing.T) {
	t.Parallel()
	errParent := &smithy.GenericAPIError{Code: "NoSuchParent", Message: "it does not exist"}
	start := func() (*world, *core) {
		w := newWorld(t)
		d := widgetType(w)
		d.TooFresh = func(err error) bool { return hasCode(err, "NoSuchParent") }
		c := newCore(t, w, Of(d))
		c.pace = 1e-3
		c.set(atA, conf{"size": 1, "late": true})
		return w, c
	}
	w, c := start()
	w.fail("widget.Create", 3, errParent)
	w.fail("widget.Late", 3, errParent)
	c.mustApply()
	if made, late := w.count("widget.Create"), w.count("widget.Late"); made != 4 || late != 4 {
		t.Errorf("%d calls to create and %d to change, want 4 and 4", made, late)
	}

	w, c = start()
	w.fail("widget.Create", -1, errParent)
	begun := time.Now()
	c.apply(c.plan()).wantError(t, "AWS call failed", "error while creating", "NoSuchParent: it does not exist")
	if took := time.Since(begun); w.count("widget.Create") < 5 || took > 20*time.Second {
		t.Errorf("%d calls in %s for a parent that does not exist", w.count("widget.Create"), took)
	}

	w, c = start()
	w.fail("widget.Create", -1, errBroken)
	c.apply(c.plan()).wantError(t, "AWS call failed", errBroken.Error())
	if n := w.count("widget.Create"); n != 1 {
		t.Errorf("another error was tried %d times", n)
	}
}

// lasting is a busy error that finds out its cause.
type lasting struct {
	error
	asked *int
}

func (l lasting) Unwrap() error { return l.error }

func (l lasting) Lasted(context.Context) error {
	*l.asked++
	return &smithy.GenericAPIError{Code: "DependencyViolation", Message: "net-1 holds it"}
}

// Who stands in the way is asked for once, when the time is up.
func TestLastingError(t *testing.T) {
	t.Parallel()
	w, c, _ := appliedWidget(t)
	asked := 0
	c.config[atA]["timeouts"] = conf{"delete": "500ms"}
	c.mustApply()
	c.pace = 1e-3
	w.fail("widget.Delete", -1, lasting{errBusy, &asked})
	c.destroy().wantError(t, "AWS call failed", "DependencyViolation: net-1 holds it")
	if asked != 1 || w.count("widget.Delete") < 3 {
		t.Errorf("asked %d times in %d tries", asked, w.count("widget.Delete"))
	}
	w.calm()
	c.config[atA]["timeouts"] = conf{"delete": "1m"}
	c.mustApply()
	w.fail("widget.Delete", 2, lasting{errBusy, &asked})
	c.destroy().wantNone(t)
	if asked != 1 {
		t.Error("asked although it passed")
	}
}

// The name of a deleted object is another account's by the time it is read again: it is gone all the same.
func TestDeletedNameOfAnotherAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(gadgetType(w)))
	c.set(atG, conf{"name": "g"})
	c.mustApply()
	w.then("gadget.Delete", func(call) error {
		w.add(thing{kind: "gadget", id: "g", model: &gadget{}, owner: OtherAccount})
		return nil
	})
	c.destroy().wantNone(t)
	if owner := w.thing("gadget", "g").owner; owner != OtherAccount {
		t.Errorf("the object of %q is left", owner)
	}
}
