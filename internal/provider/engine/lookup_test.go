package engine

import (
	"slices"
	"testing"
)

// Not found is the service's own word. Whatever else a look-up meets, nothing is created.
func TestNothingIsCreatedWhereALookUpFails(t *testing.T) {
	t.Parallel()
	for name, fault := range breakages() {
		t.Run("marked, "+name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(widgetType(w)))
			c.set(atA, conf{"size": 1})
			p := c.plan()
			w.on("widget.List", times(-1, fault))
			c.plan().wantError(t, "AWS call failed", "looking for an existing object")
			c.apply(p).wantError(t, "AWS call failed", "looking for an existing object")
			w.wantNoWrites()
		})
		t.Run("named, "+name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(gadgetType(w)))
			c.set(atG, conf{"name": "g"})
			p := c.plan()
			w.on("gadget.Get", times(-1, fault))
			c.plan().wantError(t, "AWS call failed", "looking for an existing object")
			c.apply(p).wantError(t, "AWS call failed", "looking for an existing object")
			w.wantNoWrites()
		})
		t.Run("named, only the create's own look, "+name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(gadgetType(w)))
			c.set(atG, conf{"name": "g"})
			p := c.plan()
			n := 0
			w.on("gadget.Get", func(call) error {
				if n++; n == 2 {
					return fault
				}
				return nil
			})
			c.apply(p).wantError(t, "AWS call failed", "nothing was created")
			w.wantNoWrites()
		})
		t.Run("generated, "+name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(gadgetType(w)))
			c.set(atG, conf{"name_prefix": "g-"})
			p := c.plan()
			w.on("gadget.List", times(-1, fault)) // the first name is free, but only the listing settles it
			c.apply(p).wantError(t, "AWS call failed", "looking for an existing object")
			w.wantNoWrites()
		})
		t.Run("composed, "+name, func(t *testing.T) {
			w, c := jointWorld(t)
			p := c.plan()
			w.on("joint.Get", times(-1, fault))
			c.plan().wantError(t, "AWS call failed", "looking for an existing object")
			c.apply(p).wantError(t, "AWS call failed", "looking for an existing object")
			w.wantNoWrites()
		})
		t.Run("natural, "+name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(uniqueWidget(w)))
			c.set(atA, conf{"size": 1, "label": "x"})
			p := c.plan()
			w.on("widget.Natural", times(-1, fault))
			c.apply(p).wantError(t, "AWS call failed")
			w.wantNoWrites()
		})
		t.Run("a broken page, "+name, func(t *testing.T) {
			w := newWorld(t)
			var broken error
			c := newCore(t, w, Of(pagedWidget(w, &broken)))
			c.set(atA, conf{"size": 1})
			p := c.plan()
			w.addWidget(1, marked(atB, aBinding))
			w.addWidget(1, marked(atA, aBinding))
			broken = fault
			c.apply(p).wantError(t, "AWS call failed", "looking for an existing object")
			w.wantNoWrites()
			broken = nil
			c.mustApply()
			c.wantOwn(atA, "widget", "widget-2")
			w.wantNever("widget.Create")
		})
	}
}

// A refresh that cannot read leaves the state byte for byte.
func TestReadFailureLeavesTheState(t *testing.T) {
	t.Parallel()
	for name, fault := range breakages() {
		t.Run(name, func(t *testing.T) {
			w, c, id := appliedWidget(t)
			was := *c.current(atA)
			w.on("widget.List", times(-1, fault))
			if name == "denied" {
				// A denied listing falls back to reading by the key, which is known.
				c.mustBeClean()
				if !w.called("widget.Get", id) {
					t.Error("it was not read by its key")
				}
				w.on("widget.Get", times(-1, fault))
			}
			c.refreshOnly().wantError(t, "AWS call failed", atA, "the state is unchanged")
			if is := c.current(atA); !is.value.Equal(was.value) || !slices.Equal(is.private, was.private) {
				t.Error("the state was changed")
			}
			w.calm()
			w.on("widget.Get", times(-1, fault))
			w.edit("widget", id, func(th *thing) { th.hidden = 1 }) // the listing lags
			c.refreshOnly().wantError(t, "AWS call failed", "the state is unchanged")
			if !c.holds(atA) {
				t.Error("it was dropped")
			}
		})
	}
}

// An object that the listing does not show yet is not gone: the service's own Get settles it.
func TestMissInTheListingIsSettledByGet(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	w.edit("widget", id, func(th *thing) { th.hidden = 1 })
	c.mustBeClean()
	if !w.called("widget.Get", id) {
		t.Error("it was not asked for")
	}
}
