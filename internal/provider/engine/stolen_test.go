package engine

import (
	"context"
	"iter"
	"maps"
	"slices"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file holds what changes hands between a look and the act that follows it.

const atZ = "estate_widget.z"

// A listing may be minutes old when its object is adopted.
func TestAdoptionReadsAgain(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*thing){
		"another estate's": func(th *thing) {
			th.tags = map[string]string{"tofu-estate": "dev", "tofu-address": atZ, "tofu-binding": otherBinding}
		},
		"another address's":  func(th *thing) { th.tags = marked(atZ, otherBinding) },
		"malformed":          func(th *thing) { th.tags = marked("nonsense", otherBinding) },
		"released":           func(th *thing) { th.tags = map[string]string{"Name": "x"} },
		"another account's":  func(th *thing) { th.owner = foreignAccountID },
		"on its way out":     func(th *thing) { th.state, th.reason = Gone, "terminated" },
		"failed":             func(th *thing) { th.state, th.reason = Failed, "no capacity" },
		"not shown any more": func(th *thing) { th.hidden = 1 << 30 },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(widgetType(w)))
			first, second := w.addWidget(1, marked(atA, aBinding)), w.addWidget(1, marked(atB, aBinding))
			c.set(atA, conf{"size": 1, "color": "red"})
			c.set(atB, conf{"size": 1, "color": "red"})
			c.order = []string{atA, atB}
			p := c.plan()
			// The plan call of the apply has to see the old world still, and the listing be made: the adoption of a is both.
			changed := map[string]string{}
			w.on("widget.Get", func(call call) error {
				if call.id == second && len(changed) == 0 {
					w.edit("widget", second, func(th *thing) { change(th); changed = maps.Clone(th.tags); changed["seen"] = "yes" })
				}
				return nil
			})
			w.forget()
			summary := "Adoption not finished"
			if name == "not shown any more" {
				summary = "Planned object gone"
			}
			c.apply(p).wantError(t, summary, atB, second)
			c.wantGone(atB)
			c.wantOwn(atA, "widget", first)
			if delete(changed, "seen"); !maps.Equal(w.thing("widget", second).tags, changed) || w.called("tags.Write", second) || w.called("widget.Color", second) {
				t.Errorf("it was touched: %v, %v", w.writes(), w.thing("widget", second).tags)
			}
			w.wantNever("widget.Create")
			w.wantNever("widget.Delete")
		})
	}
}

// Behind a release the listing still shows the old marker: the create of the same replacement does not take it back.
func TestReleasedObjectIsNotAdoptedFromAStaleListing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := widgetType(w)
	stale := map[string]map[string]string{}
	list := d.List
	d.List = func(ctx context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[Live[widget], error] {
		return func(yield func(Live[widget], error) bool) {
			for id, tags := range stale {
				l := liveOf[widget](w.thing("widget", id))
				if l.Tags = maps.Clone(tags); !yield(l, nil) {
					return
				}
			}
			for l, err := range list(ctx, s, f) {
				if !yield(l, err) {
					return
				}
			}
		}
	}
	c := newCore(t, w, Of(d))
	c.set(atA, conf{"size": 1, "tofu_on_destroy": "release"})
	c.mustApply()
	id := c.id(atA)
	c.force[atA] = true
	p := c.plan()
	stale[id] = w.thing("widget", id).tags
	w.forget()
	c.apply(p).wantNone(t)
	if got := w.writes(); !slices.Equal(got, []string{"tags.Write", "widget.Create"}) {
		t.Fatalf("calls: %v", got)
	}
	if len(w.ids("widget")) != 2 || c.id(atA) == id || len(w.thing("widget", id).tags) > 0 {
		t.Errorf("living: %v, in the state: %s, released: %v", w.ids("widget"), c.id(atA), w.thing("widget", id).tags)
	}
	c.wantOwn(atA, "widget", c.id(atA))
}

// AWS may refuse a delete for minutes: each further try asks again whose the object is.
func TestEachTryOfADeleteIsGuarded(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change           func(w *world, id string)
		errors, warnings []string
	}{
		"another estate's": {
			change: func(w *world, id string) {
				w.retag("widget", id, map[string]string{"tofu-estate": "dev", "tofu-address": atZ})
			},
			errors: []string{"Object of another estate", "was not deleted", `"dev"`},
		},
		"another address's": {change: func(w *world, id string) { w.retag("widget", id, marked(atZ, otherBinding)) }, errors: []string{"Object of another address", atZ}},
		"released":          {change: func(w *world, id string) { w.retag("widget", id, nil) }, errors: []string{"Marker missing", "was not deleted"}},
		"re-bound":          {change: func(w *world, id string) { w.retag("widget", id, marked(atA, otherBinding)) }, warnings: []string{"NOT destroyed", otherBinding}},
		"unreadable":        {change: func(w *world, _ string) { w.deny("widget.Get") }, errors: []string{"AWS call failed", "AccessDenied"}},
	} {
		t.Run(name, func(t *testing.T) {
			w, c, id := appliedWidget(t)
			c.remove(atA)
			p := c.plan()
			tries := 0
			w.on("widget.Delete", func(call) error {
				if tries++; tries == 1 {
					tt.change(w, id)
					return errBusy
				}
				return nil
			})
			r := c.apply(p)
			if w.wantIDs("widget", id); tries != 1 {
				t.Errorf("%d tries", tries)
			}
			if tt.warnings != nil {
				r.wantWarningOnly(t, tt.warnings...)
				c.wantGone(atA)
				return
			}
			if r.wantError(t, append(tt.errors, id)...); !c.holds(atA) {
				t.Error("it was dropped from the state")
			}
		})
	}
	t.Run("gone by itself", func(t *testing.T) {
		w, c, id := appliedWidget(t)
		c.remove(atA)
		p := c.plan()
		w.fail("widget.Delete", 1, errBusy)
		w.on("widget.Delete", func(call) error { t.Error("what is gone was deleted again"); return nil })
		w.on("widget.Get", func(call) error {
			if w.count("widget.Delete") > 0 {
				w.erase("widget", id)
			}
			return nil
		})
		c.apply(p).wantQuiet(t)
		c.wantGone(atA)
	})
	t.Run("another estate's parent", func(t *testing.T) {
		w := newWorld(t)
		d := jointType(w)
		d.Busy = isBusy
		c := newCore(t, w, Of(d))
		w.addGadget("g", nil)
		c.set(atJ, conf{"gadget": "g", "name": "j", "policy": "P"})
		c.mustApply()
		c.remove(atJ)
		p := c.plan()
		w.on("joint.Delete", func(call) error {
			w.retag("gadget", "g", map[string]string{"tofu-estate": "dev"})
			return nil
		})
		w.fail("joint.Delete", 1, errBusy)
		c.apply(p).wantError(t, "Parent of another estate", `"dev"`)
		w.wantIDs("joint", "g:j")
		if w.count("joint.Delete") != 1 || !c.holds(atJ) {
			t.Errorf("calls: %v", w.writes())
		}
	})
}
