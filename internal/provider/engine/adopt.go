package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// adopt takes an existing object over: a fresh binding, the updates whose values differ, then state. A failed step
// leaves no state: state would be saved as tainted, and the next apply would destroy the recovered object. The
// marker is the record, and the next apply adopts again.
func (c *creation) adopt(ctx context.Context, d decision) {
	l := d.adopt.live
	c.about.id = c.idOf(l.key)
	if text(c.plan[attrID]) == "" { // the plan did not say so
		c.resp.Diagnostics.Append(adopts(c.about, c.kind, c.describe(c.regionOf(c.s), []match{*d.adopt})[0], c.dependantsOf(l), c.describe(c.regionOf(c.s), d.beside)))
	}
	l, err := c.takeOver(ctx, d)
	if err != nil {
		c.resp.State.Raw = none(c.resp.State.Raw)
		c.resp.Diagnostics.Append(adoptionFailed(c.about, err))
		return
	}
	c.walk.wrote(c.objectID(c.s, l.key))
	c.walk.index(c.kind, c.s).put(l)
	c.record(ctx, l.key, c.finalOwn(ctx, l))
}

// takeOver makes the calls of an adoption.
func (c *creation) takeOver(ctx context.Context, d decision) (*live, error) {
	l, limit := d.adopt.live, c.timeout(c.plan, "create")
	key := l.key
	if d.restore {
		if err := c.restore(ctx, c.s, key); err != nil {
			return nil, fmt.Errorf("restoring: %w", err)
		}
	}
	pending := markers.Observe(l.tags, c.foldsCase()).Pending != ""
	if c.tagged() {
		if err := c.reserve(ctx, l); err != nil {
			return nil, fmt.Errorf("choosing a slot: %w", err)
		}
		// The sign of unfinished steps stays until they ran; a finished object gets none.
		if c.marker.Pending = ""; pending {
			c.marker.Pending = pendingCreate
		}
		tags, err := c.writeTags(ctx, c.s, key, c.marker, knownTags(c.plan[attrTagsAll]), nil, l.tags, false)
		if err != nil {
			return nil, err
		}
		l = l.withTags(tags)
	}
	if l.state == Pending || d.restore {
		ready, err := c.untilReady(ctx, c.walk, c.s, key, limit, false)
		if err != nil {
			return nil, err
		}
		l = ready
	}
	l, err := c.converge(ctx, c.walk, c.s, key, c.want.own, l, limit)
	if err != nil {
		return nil, err
	}
	if pending {
		if err := c.finishUp(ctx, key); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// dependantsOf lists what hangs on an object without being declared.
func (k *kind) dependantsOf(l *live) []string {
	if k.dependants == nil {
		return nil
	}
	return k.dependants(l)
}

// withTags returns the object with other tags.
func (l *live) withTags(tags map[string]string) *live {
	other := *l
	other.tags = tags
	return &other
}

// writeTags brings an object's tags to a marker and the planned user tags in one call of the Tagger, and returns the
// tags then on the object. Nothing to change is no call.
func (k *kind) writeTags(ctx context.Context, s *cloud.Session, key Key, m markers.Marker, wanted, prior, now map[string]string, markerOnly bool) (map[string]string, error) {
	set, remove := m.Diff(now, k.foldsCase())
	if set == nil {
		set = markers.Tags{}
	}
	if !markerOnly {
		more, surplus := k.tagWrites(wanted, prior, now)
		maps.Copy(set, more)
		remove = append(remove, surplus...)
	}
	if len(set)+len(remove) == 0 {
		return now, nil
	}
	if n := tagCount(now, set, remove); n > k.tags.Limit() {
		return nil, fmt.Errorf("it would carry %d tags, and AWS takes %d: remove tags from it or from the configuration", n, k.tags.Limit())
	}
	if err := k.tags.Write(ctx, s, key, set, remove); err != nil {
		return nil, fmt.Errorf("writing its tags: %w", err)
	}
	after := maps.Clone(now)
	if after == nil {
		after = map[string]string{}
	}
	for _, key := range remove {
		delete(after, key)
	}
	for key, v := range set {
		if actual, _, ok := k.lookUpTag(after, key); ok {
			delete(after, actual)
		}
		after[key] = v
	}
	return after, nil
}

// converge runs the updates whose values differ from what is planned, and returns the object as it is then.
func (k *kind) converge(ctx context.Context, w *Walk, s *cloud.Session, key Key, plan tftypes.Value, l *live, limit time.Duration) (*live, error) {
	return k.apply(ctx, w, s, key, plan, l, k.differences(ctx, plan, l.own), limit)
}

// apply runs each Update that one of the due paths concerns, in the descriptor's order, and reads the object again.
func (k *kind) apply(ctx context.Context, w *Walk, s *cloud.Session, key Key, plan tftypes.Value, l *live, due []string, limit time.Duration) (*live, error) {
	if len(due) == 0 {
		return l, nil
	}
	planned := foreseen(ctx, k.ownType(), plan, l.own)
	for _, u := range k.updates {
		if u.apply == nil || !u.concerns(due) {
			continue
		}
		err := k.untilAccepted(ctx, w, limit, func() error { return u.apply(ctx, s, key, l.own, planned) })
		if err != nil {
			return nil, fmt.Errorf("changing %s: %w", joinWords(u.attrs), err)
		}
		if u.settle {
			if _, err := k.untilReady(ctx, w, s, key, limit, false); err != nil {
				return nil, err
			}
		}
	}
	return k.untilReady(ctx, w, s, key, limit, false)
}

// concerns tells whether one of the paths belongs to the update.
func (u update) concerns(paths []string) bool {
	return slices.ContainsFunc(paths, func(path string) bool {
		return slices.ContainsFunc(u.attrs, func(a string) bool { return a == path || isBelow(path, a) || isBelow(a, path) })
	})
}
