package engine

import (
	"context"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file lists the objects of one parent at a time, for types that AWS shows so (the records of a hosted zone).

// parentReads counts what was asked of one parent's objects.
type parentReads struct {
	reads  int
	listed bool
}

// findUnder returns an object from the listing of its parent, which is made once more than a few of its objects were asked
// for; nil where that does not settle it.
func (ix *index) findUnder(ctx context.Context, key Key) (*live, error) {
	if ix.kind.listUnder == nil || !ix.worthListingUnder(key) {
		return nil, nil
	}
	parent := ix.parentOf(key)
	_, err, _ := ix.flight.Do("under "+parent, func() (any, error) { return nil, ix.loadUnder(ctx, key) })
	if err != nil && !cloud.IsDenied(err) && !isGone(err) {
		return nil, err
	}
	return ix.hit(key), nil
}

// parentOf is the first part of a key.
func (ix *index) parentOf(key Key) string { return ix.kind.canonicalKey(ix.s, key)[0] }

func (ix *index) worthListingUnder(key Key) bool {
	parent := ix.parentOf(key)
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.under == nil {
		ix.under = map[string]*parentReads{}
	}
	if ix.under[parent] == nil {
		ix.under[parent] = &parentReads{}
	}
	ix.under[parent].reads++
	return ix.under[parent].reads > readsBeforeListing
}

// loadUnder lists a parent's objects once; a failed listing is not kept.
func (ix *index) loadUnder(ctx context.Context, key Key) error {
	parent := ix.parentOf(key)
	ix.mu.Lock()
	done := ix.under[parent].listed
	ix.mu.Unlock()
	if done {
		return nil
	}
	var found []*live
	for l, err := range ix.kind.listUnder(ctx, ix.s, key) {
		if err != nil {
			return err
		}
		found = append(found, l)
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.keep(found)
	ix.under[parent].listed = true
	return nil
}

// keep adds listed objects. What this walk wrote or read meanwhile is newer than the listing. The lock is held.
func (ix *index) keep(found []*live) {
	for _, l := range found {
		id := ix.id(l.key)
		if _, newer := ix.byKey[id]; !newer && !ix.walk.hasDeleted(ix.kind.objectID(ix.s, l.key)) {
			ix.byKey[id] = l
		}
	}
}
