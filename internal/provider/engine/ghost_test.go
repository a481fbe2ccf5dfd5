package engine

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// One object is gone between the listing and the question about all that were listed, which fails as a whole. Only that
// object is gone: the others stay in the state.
func TestOneOfABatchIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(gadgetType(w)))
	for i := range readsBeforeListing + 2 {
		c.set(fmt.Sprintf("estate_gadget.g%d", i), conf{"name": fmt.Sprint("g", i)})
	}
	c.mustApply()
	w.forget()
	erased := false
	w.on("gadget.Fill", func(call) error {
		if !erased {
			erased = true
			w.erase("gadget", "g3")
		}
		return nil
	})
	p := c.plan()
	p.wantNone(t)
	for i := range readsBeforeListing + 2 {
		want := noop
		if i == 3 {
			want = creates
		}
		p.want(fmt.Sprintf("estate_gadget.g%d", i), want)
	}
	if !erased {
		t.Error("nothing was filled: the case is broken")
	}
}

// A listing still shows an object that is gone, which shows when it is completed: it is no candidate, and no reason to stop.
func TestGhostIsNoCandidate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := widgetType(w)
	list, get := d.List, d.Get
	var ghost *Live[widget]
	d.List = func(ctx context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[Live[widget], error] {
		return func(yield func(Live[widget], error) bool) {
			if ghost != nil && !yield(*ghost, nil) {
				return
			}
			list(ctx, s, f)(yield)
		}
	}
	d.FillOne = func(ctx context.Context, s *cloud.Session, l *Live[widget]) error {
		_, err := get(ctx, s, l.Key)
		return err
	}
	c := newCore(t, w, Of(d))
	c.set(atA, conf{"size": 1})
	c.mustApply()
	old := c.id(atA)
	ghost = &Live[widget]{}
	*ghost = liveOf[widget](w.thing("widget", old))
	ghost.Partial = true
	w.erase("widget", old)
	c.lose(atA)
	w.forget()
	p := c.plan()
	p.wantQuiet(t)
	p.want(atA, creates)
	c.apply(p).wantQuiet(t)
	if now := c.id(atA); now == old || w.count("widget.Create") != 1 {
		t.Errorf("the state holds %s after %v", now, w.writes())
	}
}
