package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// A listing that tells no tags is no reason to miss an object: they come with the rest of it.
func TestListingWithoutTags(t *testing.T) {
	t.Parallel()
	const atH = "estate_gadget.h"
	w := newWorld(t)
	c := newCore(t, w, Of(taglessGadget(w)))
	w.addGadget("somebodys", map[string]string{"tofu-estate": "dev", "tofu-address": atH})
	c.set(atG, conf{"name_prefix": "p-"})
	c.mustApply()
	id := c.id(atG)
	c.rename(atG, atH) // the name is no longer the one that the address derives
	c.mustApply()
	c.mustBeClean()

	c.lose(atH)
	w.forget()
	p := c.plan()
	p.wantNone(t)
	p.wantText(atH, "id", id)
	c.apply(p).wantNone(t)
	w.wantNever("gadget.Create")
	w.wantIDs("gadget", id, "somebodys")
	c.wantOwn(atH, "gadget", id)

	c.lose(atH)
	c.importID(atH, atH, nil).wantNone(t)
	if c.id(atH) != id {
		t.Errorf("imported: %s", c.id(atH))
	}
	c.mustApply()
	c.mustBeClean()

	// Tags that cannot be read are no sign that nothing is there.
	c.lose(atH)
	w.forget()
	w.fail("gadget.Fill", -1, denied("Fill"))
	c.plan().wantError(t, "AWS call failed", "AccessDenied")
	c.importID(atH, atH, nil).wantError(t, "AWS call failed", "AccessDenied")
	w.wantNoWrites()
}

// Where the service shows the tags of one object a call, a look-up by marker asks for several at once, and for no more
// after an error.
func TestListingIsCompletedSeveralAtOnce(t *testing.T) {
	t.Parallel()
	const gadgets = 3 * completedAtOnce
	for _, fails := range []bool{false, true} {
		w := newWorld(t)
		d := taglessGadget(w)
		fill := d.Fill
		d.Fill = nil
		var under, most, calls atomic.Int32
		full := make(chan bool)
		d.FillOne = func(ctx context.Context, s *cloud.Session, l *Live[gadget]) error {
			calls.Add(1)
			n := under.Add(1)
			defer under.Add(-1)
			for was := most.Load(); n > was && !most.CompareAndSwap(was, n); was = most.Load() {
			}
			if n == completedAtOnce && most.Load() == n && calls.Load() == completedAtOnce {
				close(full)
			}
			select {
			case <-full:
			case <-time.After(10 * time.Second):
				return fmt.Errorf("%d objects are completed at once, want %d", n, completedAtOnce)
			}
			if fails {
				return denied("FillOne")
			}
			return fill(ctx, s, []*Live[gadget]{l})
		}
		for i := range gadgets {
			w.addGadget(fmt.Sprintf("g%02d", i), marked(atG, aBinding))
		}
		walk := bareWalk()
		lives, err := walk.index(kindOf(t, Of(d)), walk.Session).all(t.Context())
		if fails {
			if !cloud.IsDenied(err) || lives != nil || calls.Load() > completedAtOnce+1 {
				t.Errorf("got %d objects after %d calls, and %v", len(lives), calls.Load(), err)
			}
			continue
		}
		if err != nil || len(lives) != gadgets || most.Load() != completedAtOnce {
			t.Errorf("%d objects, %d at once, %v", len(lives), most.Load(), err)
		}
		for _, l := range lives {
			if l.tags["tofu-estate"] != testEstate {
				t.Errorf("%s has the tags %v", l.key, l.tags)
			}
		}
	}
}

// filling is an index of gadgets whose first Fill waits until it is told to go on, with that fill under way for gadget h;
// gadget g is not known yet.
func filling(t *testing.T) (w *world, ix *index, goOn func()) {
	t.Helper()
	w = newWorld(t)
	d := gadgetType(w)
	get := d.Get
	d.Get = func(ctx context.Context, s *cloud.Session, k Key) (Live[gadget], error) {
		l, err := get(ctx, s, k)
		l.Partial, l.Model = true, gadget{}
		return l, err
	}
	var mu sync.Mutex
	busy := map[*Live[gadget]]bool{}
	fill := d.Fill
	d.Fill = func(ctx context.Context, s *cloud.Session, lives []*Live[gadget]) error {
		mu.Lock()
		for _, l := range lives {
			if busy[l] {
				t.Errorf("%s is filled twice at once", l.Key)
			}
			busy[l] = true
		}
		mu.Unlock()
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			for _, l := range lives {
				delete(busy, l)
			}
		}()
		return fill(ctx, s, lives)
	}
	w.addGadget("g", marked(atG, aBinding))
	w.addGadget("h", marked("estate_gadget.h", aBinding))
	k, walk := kindOf(t, Of(d)), bareWalk()
	ix = walk.index(k, walk.Session)
	l, err := k.get(t.Context(), walk.Session, Key{"h"})
	if err != nil {
		t.Fatal(err)
	}
	ix.put(l) // as an import leaves it
	started, wait := make(chan bool), make(chan bool)
	var fills atomic.Int32
	w.on("gadget.Fill", func(call) error {
		if fills.Add(1) == 1 {
			close(started)
			<-wait
		}
		return nil
	})
	var done sync.WaitGroup
	done.Go(func() { wantWhole(t, ix, "h") })
	<-started
	t.Cleanup(done.Wait)
	return w, ix, func() { close(wait) }
}

// wantWhole fails the test unless a gadget is read complete.
func wantWhole(t *testing.T, ix *index, name string) {
	t.Helper()
	l, err := ix.read(context.Background(), Key{name})
	if err != nil || l.partial || text(objectOf(l.own)["uid"]) == "" || text(objectOf(l.own)["name"]) != name {
		t.Errorf("%s: %+v, %v", name, l, err)
	}
}

// An object that is listed while a fill is under way is not part of it, and is filled by the next one.
func TestListedDuringAFill(t *testing.T) {
	t.Parallel()
	w, ix, goOn := filling(t)
	if err := ix.load(t.Context()); err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	readers.Go(func() { wantWhole(t, ix, "g") })
	time.Sleep(20 * time.Millisecond) // the reader joins the fill that is under way
	goOn()
	readers.Wait()
	if n := w.count("gadget.Fill"); n != 2 {
		t.Errorf("%d fills", n)
	}
}

// The index is emptied while a fill is under way: who waits for it gets the object all the same.
func TestIndexIsForgottenDuringAFill(t *testing.T) {
	t.Parallel()
	_, ix, goOn := filling(t)
	old := ix.hit(Key{"h"})
	ix.forget()
	l, err := ix.completed(t.Context(), old) // one that the fill under way is at
	if err != nil || l.partial || text(objectOf(l.own)["uid"]) == "" {
		t.Errorf("%+v, %v", l, err)
	}
	goOn()
	wantWhole(t, ix, "h")

	// What an earlier listing showed is completed, though the index knows it no longer.
	lives, err := ix.all(t.Context())
	if err != nil || len(lives) != 2 {
		t.Fatalf("%v, %v", lives, err)
	}
	old = lives[0]
	ix.forget()
	l, err = ix.completed(t.Context(), old)
	if err != nil || l.partial || text(objectOf(l.own)["uid"]) == "" {
		t.Errorf("%+v, %v", l, err)
	}
}

// Reads, listings, writes and look-ups that start over, all at once: nobody ever sees half an object.
func TestIndexIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	for name, typed := range map[string]func(*world) ResourceType[gadget]{"tags in the listing": gadgetType, "tags by Fill": taglessGadget} {
		w := newWorld(t)
		const gadgets = 6
		for i := range gadgets {
			w.addGadget(fmt.Sprint("g", i), marked(fmt.Sprintf("estate_gadget.g[%d]", i), aBinding))
		}
		k, walk := kindOf(t, Of(typed(w))), bareWalk()
		ix := walk.index(k, walk.Session)
		var all sync.WaitGroup
		for i := range 4 * gadgets {
			name := fmt.Sprint("g", i%gadgets)
			all.Go(func() {
				for range 20 {
					wantWhole(t, ix, name)
				}
			})
		}
		all.Go(func() {
			for range 500 {
				ix.forget()
			}
		})
		all.Go(func() {
			for i := range 50 {
				l, err := k.fresh(context.Background(), walk.Session, Key{fmt.Sprint("g", i%gadgets)})
				if err != nil {
					t.Error(err)
					return
				}
				ix.put(l)
			}
		})
		for range 2 {
			all.Go(func() {
				for range 200 {
					lives, err := ix.all(context.Background())
					if err != nil {
						t.Errorf("%s: %v", name, err)
						return
					}
					if len(lives) != gadgets { // an emptied index would let a create make a second object
						t.Errorf("%s: %d of %d objects are listed", name, len(lives), gadgets)
						return
					}
					for _, l := range lives {
						if whole, err := ix.completed(context.Background(), l); err != nil || l.tags == nil || text(objectOf(whole.own)["uid"]) == "" {
							t.Errorf("%s: %+v, %v", name, whole, err)
							return
						}
					}
				}
			})
		}
		all.Wait()
	}
}
