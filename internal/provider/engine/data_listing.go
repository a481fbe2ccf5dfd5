package engine

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file is how data sources list objects that the walk's own index does not hold: those of other estates, and all of
// an account.
//
// How old an answer may be: a plan changes nothing, so that one listing serves all data sources of a plan walk. Anything
// but exactly one match is asked for once more before it is an error, since somebody may have made the object meanwhile.
// A walk that has begun to write applies, and a data source that is read then waited for some change, perhaps for one
// that another type or another provider made: every read sees AWS as it is after that read began.

// outlook is the newest listing of one type in one region for one set of estates, shared by the data sources of a walk.
type outlook struct {
	filter markers.Filter

	// mu is held while the listing is under way, so that those who wait for it can share it.
	mu    sync.Mutex
	begun time.Time
	ix    *index
	err   error
	lives []*live
}

type outlookKey struct{ kind, region, estates string }

// outlook returns the walk's outlook on a type and region; no estates stand for every object, marked or not. What a
// service lists as a whole is listed once for all of them.
func (w *Walk) outlook(k *kind, s *cloud.Session, estates []string) *outlook {
	if k.listsAll {
		estates = nil
	}
	key := outlookKey{k.name, k.regionOf(s), strings.Join(estates, " ")}
	w.mu.Lock()
	defer w.mu.Unlock()
	o, ok := w.outlooks[key]
	if !ok {
		o = &outlook{filter: markers.Filter{Estates: estates}}
		w.outlooks[key] = o
	}
	return o
}

// list returns the listed objects and the index that completes them. anew asks for a listing that began after asked;
// a failed one is shared by those who were waiting, and not kept.
func (o *outlook) list(
	ctx context.Context, w *Walk, k *kind, s *cloud.Session, asked time.Time, anew bool,
) ([]*live, *index, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if older := o.begun.Before(asked); o.ix == nil || older && (anew || o.err != nil) {
		if anew {
			s.Forget()
		}
		o.begun = time.Now()
		o.ix = newIndex(w, k, s, o.filter)
		o.lives, o.err = o.ix.all(ctx)
	}
	return o.lives, o.ix, o.err
}
