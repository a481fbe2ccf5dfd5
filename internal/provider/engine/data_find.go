package engine

import (
	"context"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file is the look-up of a data source: one living object of this account, or an error.

// find returns the object that is asked for, complete.
func (r *reader) find(ctx context.Context, s *cloud.Session, q inquiry) (*live, diag.Diagnostic) {
	if q.key != nil {
		return r.findKey(ctx, s, q.key)
	}
	about := r.about()
	found, err := r.look(ctx, s, q)
	switch {
	case err != nil:
		return nil, callFailed(about, "looking for the object", err)
	case len(found.fit) == 1:
		return found.fit[0], nil
	case len(found.fit) > 1:
		matches := make([]match, len(found.fit))
		for i, l := range found.fit {
			matches[i] = match{live: l}
		}
		return nil, severalFound(about, r.wording(q), r.managed().describe(r.regionOf(s), matches))
	case !q.address.IsZero():
		return nil, addressNotFound(about, r.estateOf(q)[0], r.place(s), q.address.String(), found.damaged)
	}
	return nil, nothingFound(about, r.wording(q), r.place(s))
}

// findKey reads the object with a key.
func (r *reader) findKey(ctx context.Context, s *cloud.Session, key Key) (*live, diag.Diagnostic) {
	about := r.about()
	about.id = r.idOf(key)
	l, err := r.readKey(ctx, s, key)
	switch {
	case isGone(err):
		return nil, keyNotFound(about, r.place(s), "")
	case err != nil:
		return nil, callFailed(about, "reading", err)
	case foreign(l, s):
		return nil, notThisAccounts(about, l.owner, s.Account)
	case r.isDead(l):
		return nil, keyNotFound(about, r.place(s), "It is on its way out: "+reasonOf(l)+".")
	}
	return l, nil
}

// readKey reads an object by key: through the index at plan, from AWS once the walk writes.
func (r *reader) readKey(ctx context.Context, s *cloud.Session, key Key) (*live, error) {
	ix := r.walk.index(r.kind, s)
	if !r.walk.hasMutated() && !r.walk.Estate.IsUnknown() {
		return ix.read(ctx, key)
	}
	l, err := r.fresh(ctx, s, key)
	if isGone(err) && r.walk.hasWritten(r.objectID(s, key)) {
		// What this walk has made is there, whichever of AWS's servers does not know it yet.
		if mine := ix.hit(key); mine != nil {
			return ix.completed(ctx, mine)
		}
	}
	return l, err
}

// answer is what a look-up brought: the objects that fit, complete where it is one, and the ids of those with a marker of
// the estate that cannot be read.
type answer struct {
	fit     []*live
	damaged []string
}

// look searches the index where the estate is the provider's, else through an outlook, and asks once more
// before anything but one match is taken for the truth.
func (r *reader) look(ctx context.Context, s *cloud.Session, q inquiry) (answer, error) {
	asked := time.Now()
	if len(q.filters) > 0 {
		return r.lookFiltered(ctx, s, q)
	}
	estates := r.estateOf(q)
	if r.isOurs(q) {
		ix := r.walk.index(r.kind, s)
		lives, err := ix.all(ctx)
		if err != nil {
			return answer{}, err
		}
		if found := r.sift(s, q, lives); len(found.fit) == 1 {
			return r.completing(found, func(l *live) (*live, error) {
				if r.walk.hasMutated() {
					return r.readKey(ctx, s, l.key)
				}
				return ix.completed(ctx, l)
			})
		}
	}
	var found answer
	for _, anew := range []bool{r.walk.hasMutated(), true} {
		lives, ix, err := r.walk.outlook(r.kind, s, estates).list(ctx, r.walk, r.kind, s, asked, anew)
		if err != nil {
			return answer{}, err
		}
		if found = r.sift(s, q, lives); len(found.fit) == 1 {
			return r.completing(found, func(l *live) (*live, error) { return ix.completed(ctx, l) })
		}
	}
	if ix := r.walk.index(r.kind, s); len(found.fit) == 0 {
		// What this walk has made is there, whether the listing shows it yet or not.
		if mine := r.sift(s, q, ix.written()); len(mine.fit) == 1 {
			return r.completing(mine, func(l *live) (*live, error) { return ix.completed(ctx, l) })
		}
	}
	return found, nil
}

// lookFiltered hands the filters to the service, whose answer is never kept.
func (r *reader) lookFiltered(ctx context.Context, s *cloud.Session, q inquiry) (answer, error) {
	var lives []*live
	for l, err := range r.search(ctx, s, q.filters) {
		if err != nil {
			return answer{}, err
		}
		if !r.walk.hasDeleted(r.objectID(s, l.key)) {
			lives = append(lives, l)
		}
	}
	found := r.sift(s, q, lives)
	if len(found.fit) != 1 {
		return found, nil
	}
	return r.completing(found, func(l *live) (*live, error) { return r.completed(ctx, s, l) })
}

// completing completes the one object that fits; none fits where it vanished meanwhile.
func (r *reader) completing(found answer, complete func(*live) (*live, error)) (answer, error) {
	l, err := complete(found.fit[0])
	switch {
	case isGone(err) || err == nil && r.isDead(l):
		return answer{damaged: found.damaged}, nil
	case err != nil:
		return answer{}, err
	}
	return answer{fit: []*live{l}}, nil
}

// sift keeps the living objects of this account that fit. The comparison is exact: filters of AWS are globs, and
// listings may bring too much.
func (r *reader) sift(s *cloud.Session, q inquiry, lives []*live) (found answer) {
	estates := r.estateOf(q)
	for _, l := range lives {
		if foreign(l, s) || r.isDead(l) {
			continue
		}
		if q.address.IsZero() {
			if (markers.Filter{Estates: estates}).Admits(l.tags, r.foldsCase()) && r.hasTags(l, q.tags) {
				found.fit = append(found.fit, l)
			}
			continue
		}
		question := markers.Question{Estates: estates, Address: q.address, Type: r.fullName(), FoldCase: r.foldsCase()}
		switch markers.Classify(l.tags, question).Kind {
		case markers.Ours:
			found.fit = append(found.fit, l)
		case markers.Malformed:
			found.damaged = append(found.damaged, r.idOf(l.key))
		}
	}
	return found
}

// hasTags tells whether an object has all tags that are asked for.
func (k *kind) hasTags(l *live, want map[string]string) bool {
	return !slices.ContainsFunc(sortedKeys(want), func(key string) bool {
		_, value, ok := k.lookUpTag(l.tags, key)
		return !ok || value != want[key]
	})
}

// isOurs tells whether the provider's own estate is asked for.
func (r *reader) isOurs(q inquiry) bool {
	return q.needsEstate || q.estate != "" && q.estate == r.walk.Estate.ValueString()
}

// estateOf are the estates whose objects are asked for; none stands for everybody's. Our own has its earlier names.
func (r *reader) estateOf(q inquiry) []string {
	switch {
	case r.isOurs(q):
		return r.walk.estates()
	case q.estate != "":
		return []string{q.estate}
	}
	return nil
}

// place is where a look-up looked, as messages say it.
func (r *reader) place(s *cloud.Session) string {
	if r.global {
		return "this account"
	}
	return s.Region
}
