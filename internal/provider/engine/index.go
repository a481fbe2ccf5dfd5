package engine

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// index holds the objects of one type in one region that carry our estate's marker: one listing for all reads and
// look-ups of a walk, kept current with the walk's own writes. Guards never ask it.
type index struct {
	kind *kind
	walk *Walk
	s    *cloud.Session
	// filter is what is listed: our estate, except for data sources that look elsewhere.
	filter markers.Filter

	flight singleflight.Group
	mu     sync.Mutex
	listed bool
	reads  int
	byKey  map[string]*live
	// filled are the listed objects that Fill has completed; what was listed or read anew is another one.
	filled map[*live]bool
	// seen is what the tags of listed objects say.
	seen map[*live]markers.Observed
	// under are the parents whose objects were asked for, where AWS lists parent by parent.
	under map[string]*parentReads
}

type indexKey struct{ kind, region string }

// readsBeforeListing is how many objects of a type that only lists as a whole (ListsAll) are read one by one before a
// listing is the cheaper way.
const readsBeforeListing = 8

// index returns the walk's index of a type and region.
func (w *Walk) index(k *kind, s *cloud.Session) *index {
	key := indexKey{k.name, k.regionOf(s)}
	w.mu.Lock()
	defer w.mu.Unlock()
	ix, ok := w.indexes[key]
	if !ok {
		ix = newIndex(w, k, s, markers.Filter{Estates: w.estates()})
		w.indexes[key] = ix
	}
	return ix
}

// newIndex makes an empty index of what a filter asks for.
func newIndex(w *Walk, k *kind, s *cloud.Session, f markers.Filter) *index {
	return &index{kind: k, walk: w, s: s, filter: f, byKey: map[string]*live{}, filled: map[*live]bool{}, seen: map[*live]markers.Observed{}}
}

// find returns an object by key: from the listing where it shows the object, else by Get, which also settles what
// the listing did not show. A denied listing falls back to Get: the key is known.
func (ix *index) find(ctx context.Context, key Key) (*live, error) {
	if l := ix.hit(key); l != nil {
		return ix.completed(ctx, l)
	}
	if ix.worthListing() {
		if err := ix.load(ctx); err != nil && !cloud.IsDenied(err) {
			return nil, err
		}
		if l := ix.hit(key); l != nil {
			return ix.completed(ctx, l)
		}
	}
	l, err := ix.findUnder(ctx, key)
	if l != nil || err != nil {
		return l, err
	}
	l, err = ix.kind.get(ctx, ix.s, key)
	if err != nil {
		return nil, err
	}
	if l, err = ix.kind.completed(ctx, ix.s, l); err != nil {
		return nil, err
	}
	ix.put(l)
	return l, nil
}

func (ix *index) worthListing() bool {
	if ix.kind.list == nil {
		return false
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.reads++
	return !ix.kind.listsAll || ix.listed || ix.reads > readsBeforeListing
}

func (ix *index) hit(key Key) *live {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return ix.byKey[ix.id(key)]
}

// completedAtOnce is how many listed objects are completed at a time, where the service shows the tags of one a call.
const completedAtOnce = 8

// all returns the listed objects in the order of their keys, with their tags.
func (ix *index) all(ctx context.Context) ([]*live, error) {
	var out []*live
	// Another create may forget the listing as soon as it is there. An emptied index must never look like an empty account.
	for listed := false; !listed; {
		if err := ix.load(ctx); err != nil {
			return nil, err
		}
		out, listed = ix.snapshot()
	}
	// Without a context of its own: a completion that is shared with a read must not end with this look-up's error.
	var g errgroup.Group
	var failed atomic.Bool
	g.SetLimit(completedAtOnce)
	for i, l := range out {
		if l.tags != nil || !ix.kind.tagged() || failed.Load() {
			continue
		}
		g.Go(func() error {
			whole, err := ix.completed(ctx, l) // the first that lacks them fills all, where there is a Fill
			switch {
			case isGone(err):
				return nil
			case err != nil:
				failed.Store(true)
				return err
			}
			out[i] = whole
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

// concerned leaves out the objects that are plainly not the one asked for. Every instance searches the whole listing, so
// that the tags of each object are read once.
func (ix *index) concerned(lives []*live, q markers.Question) []*live {
	concern, fold := q.Concern(), ix.kind.foldsCase()
	ix.mu.Lock()
	defer ix.mu.Unlock()
	var out []*live
	for _, l := range lives {
		o, ok := ix.seen[l]
		if !ok {
			if o = markers.Observe(l.tags, fold); l.tags != nil {
				ix.seen[l] = o
			}
		}
		if concern(o) {
			out = append(out, l)
		}
	}
	return out
}

// known returns what is listed already; nothing where no listing was made.
func (ix *index) known() []*live {
	out, _ := ix.snapshot()
	return out
}

// written returns the objects that this walk has made or changed, as it left them.
func (ix *index) written() []*live {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	var out []*live
	for _, key := range sortedKeys(ix.byKey) {
		if l := ix.byKey[key]; ix.walk.hasWritten(ix.kind.objectID(ix.s, l.key)) {
			out = append(out, l)
		}
	}
	return out
}

// snapshot returns the listed objects in the order of their keys; listed is false where no listing was made.
func (ix *index) snapshot() (out []*live, listed bool) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if !ix.listed {
		return nil, false
	}
	for _, key := range sortedKeys(ix.byKey) {
		out = append(out, ix.byKey[key])
	}
	return out, true
}

// load lists the type once; a failed listing is not kept.
func (ix *index) load(ctx context.Context) error {
	_, err, _ := ix.flight.Do("list", func() (any, error) {
		ix.mu.Lock()
		done := ix.listed
		ix.mu.Unlock()
		if done {
			return nil, nil
		}
		var found []*live
		for l, err := range ix.kind.list(ctx, ix.s, ix.filter) {
			if err != nil {
				return nil, err
			}
			found = append(found, l)
		}
		ix.mu.Lock()
		defer ix.mu.Unlock()
		ix.keep(found)
		ix.listed = true
		return nil, nil
	})
	return err
}

// completed fills a listed object. That something is gone may be said of another object of its batch, or of one that the
// listing still shows: whether it is this one, Get says.
func (ix *index) completed(ctx context.Context, l *live) (*live, error) {
	whole, err := ix.filledUp(ctx, l)
	if isGone(err) {
		return ix.kind.fresh(ctx, ix.s, l.key)
	}
	return whole, err
}

// filledUp fills a listed object. The first that is asked for fills all, in the service's batches.
func (ix *index) filledUp(ctx context.Context, l *live) (*live, error) {
	if !l.partial {
		return l, nil
	}
	if ix.kind.fill != nil {
		// A fill under way may have begun before this object was listed, so that a second one is asked for.
		for tries := 0; !ix.isFilled(l); tries++ {
			if tries == 2 || ix.hit(l.key) != l {
				// The index was emptied meanwhile. A fill may still be at this very object, so that it is read anew.
				return ix.kind.fresh(ctx, ix.s, l.key)
			}
			if _, err, _ := ix.flight.Do("fill", func() (any, error) { return nil, ix.fillAll(ctx) }); err != nil {
				return nil, err
			}
		}
	}
	done, err, _ := ix.flight.Do("one "+l.key.String(), func() (any, error) {
		if now := ix.hit(l.key); now != nil && !now.partial {
			return now, nil
		}
		whole, err := ix.kind.fillLast(ctx, ix.s, l)
		if err == nil {
			ix.put(whole)
		}
		return whole, err
	})
	if err != nil {
		return nil, err
	}
	whole, _ := done.(*live)
	return whole, nil
}

// fillAll fills every listed object that is not filled yet.
func (ix *index) fillAll(ctx context.Context) error {
	ix.mu.Lock()
	var todo []*live
	for _, key := range sortedKeys(ix.byKey) {
		if l := ix.byKey[key]; l.partial && !ix.filled[l] {
			todo = append(todo, l)
		}
	}
	ix.mu.Unlock()
	if len(todo) == 0 {
		return nil
	}
	if err := ix.kind.fill(ctx, ix.s, todo); err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for _, l := range todo {
		ix.filled[l] = true
	}
	return nil
}

func (ix *index) isFilled(l *live) bool {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return ix.filled[l]
}

// put records an object as the walk has just seen or left it.
func (ix *index) put(l *live) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.byKey[ix.id(l.key)] = l
}

// forget makes the next look-up list again.
func (ix *index) forget() {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.listed = false
	clear(ix.byKey)
	clear(ix.filled)
	clear(ix.seen)
	clear(ix.under)
}

// drop forgets an object that the walk deleted or released.
func (ix *index) drop(key Key) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	delete(ix.byKey, ix.id(key))
}

// fresh reads an object now, past every index, with its model complete.
func (k *kind) fresh(ctx context.Context, s *cloud.Session, key Key) (*live, error) {
	l, err := k.get(ctx, s, key)
	if err != nil {
		return nil, err
	}
	return k.completed(ctx, s, l)
}

// completed fills one object that was read by itself.
func (k *kind) completed(ctx context.Context, s *cloud.Session, l *live) (*live, error) {
	if !l.partial {
		return l, nil
	}
	if k.fill != nil {
		if err := k.fill(ctx, s, []*live{l}); err != nil {
			return nil, err
		}
	}
	return k.fillLast(ctx, s, l)
}

// fillLast runs FillOne and returns the completed object.
func (k *kind) fillLast(ctx context.Context, s *cloud.Session, l *live) (*live, error) {
	if k.fillOne != nil {
		if err := k.fillOne(ctx, s, l); err != nil {
			return nil, err
		}
	}
	whole, err := l.again()
	if err != nil {
		return nil, err
	}
	whole.partial = false
	return whole, nil
}

// objectID names an object of the type.
func (k *kind) objectID(s *cloud.Session, key Key) objectID {
	return objectID{kind: k.fullName(), region: k.regionOf(s), id: k.idOf(k.canonicalKey(s, key))}
}

// regionOf is the session's region, "" for global types.
func (k *kind) regionOf(s *cloud.Session) string {
	if k.global {
		return ""
	}
	return s.Region
}

// isGone tells whether err is the service's own word that the object does not exist.
func isGone(err error) bool { return errors.Is(err, ErrNotFound) }

// isDead tells whether an object no longer counts: on its way out, or failed where AWS clears it away itself.
func (k *kind) isDead(l *live) bool {
	return l.state == Gone || l.state == Scheduled || l.state == Failed && k.clearsFailed
}

// foreign tells whether an object belongs to another account.
func foreign(l *live, s *cloud.Session) bool {
	return l.owner == OtherAccount || l.owner != "" && s.Account != "" && l.owner != s.Account
}

// contains is slices.Contains with a name that reads well in conditions about estates.
func contains(list []string, s string) bool { return slices.Contains(list, s) }
