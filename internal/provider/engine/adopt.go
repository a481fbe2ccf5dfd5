package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
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
		c.resp.Diagnostics.Append(c.adoption(c.about, c.want, d))
	}
	l, err := c.takeOver(ctx, d)
	if err != nil {
		c.resp.State.Raw = none(c.resp.State.Raw)
		c.resp.Diagnostics.Append(adoptionFailed(c.about, err))
		return
	}
	c.walk.wrote(c.objectID(c.s, l.key))
	c.walk.index(c.kind, c.s).put(l)
	c.created, c.marked, c.sole = unixTime(l.created), true, c.alive <= 1
	c.record(ctx, l.key, c.finalOwn(ctx, l))
}

// adoption is the warning of a decision to adopt.
func (r *managed) adoption(about subject, want wanted, d decision) diag.Diagnostic {
	region := r.regionIn(want.whole)
	return adopts(about, r.kind, r.describe(region, []match{*d.adopt})[0], r.tier != Marked && want.key != nil,
		r.describe(region, d.tied), r.dependantsOf(d.adopt.live), r.describe(region, d.beside))
}

// takeOver makes the calls of an adoption.
func (c *creation) takeOver(ctx context.Context, d decision) (*live, error) {
	before, err := c.stillThere(ctx, d.adopt.live)
	if err != nil {
		return nil, err
	}
	l := before
	if d.restore {
		if err := c.restore(ctx, c.s, l.key); err != nil {
			return nil, fmt.Errorf("restoring: %w", err)
		}
	}
	if c.tagged() {
		if l, err = c.bind(ctx, l, d.adopt.cutOff); err != nil {
			if cloud.IsAnswerLost(err) { // it may have been written
				c.giveBack(ctx, before)
			}
			return nil, err
		}
	}
	done, err := c.bring(ctx, l, d.restore)
	if err != nil {
		c.giveBack(ctx, before)
		return nil, err
	}
	return done, nil
}

// stillThere reads the tags of a listed object again: the listing may be minutes old, and the object another's by now. A
// Named or Composed object was read a moment ago.
func (c *creation) stillThere(ctx context.Context, found *live) (*live, error) {
	if c.tier != Marked {
		return found, nil
	}
	now, err := c.get(ctx, c.s, found.key)
	if err != nil {
		return nil, fmt.Errorf("reading it before the adoption: %w", err)
	}
	was, is := markers.Classify(found.tags, c.question(c.want.address)), markers.Classify(now.tags, c.question(c.want.address))
	if foreign(now, c.s) || c.isDead(now) || now.state == Failed || was.Kind != is.Kind {
		return nil, fmt.Errorf("it has changed since it was looked for, and was not touched: %s", orElse(is.Why, reasonOf(now)))
	}
	current := found.withTags(now.tags)
	current.state, current.reason = now.state, now.reason
	return current, nil
}

// bind writes a fresh binding, the whole marker and the planned tags.
func (c *creation) bind(ctx context.Context, l *live, cutOff bool) (*live, error) {
	if err := c.reserve(ctx, l); err != nil {
		return nil, fmt.Errorf("choosing a slot: %w", err)
	}
	// The sign of unfinished steps stays until they ran; a finished object gets none.
	if c.marker.Pending = ""; c.finish != nil && cutOff || markers.Observe(l.tags, c.foldsCase()).Pending != "" {
		c.marker.Pending = pendingCreate
	}
	tags, err := c.writeTags(ctx, c.walk, c.s, l.key, c.marker, knownTags(c.plan[attrTagsAll]), nil, l.tags)
	if err != nil {
		return nil, err
	}
	return l.withTags(tags), nil
}

// bring waits for an adopted object and brings it to what is planned.
func (c *creation) bring(ctx context.Context, l *live, restored bool) (*live, error) {
	limit := c.timeout(c.plan, "create")
	if l.state == Pending || restored {
		ready, err := c.untilReady(ctx, c.walk, c.s, l.key, limit, false)
		if err != nil {
			return nil, err
		}
		l = ready
	}
	l, err := c.apply(ctx, c.walk, c.s, l.key, c.want.own, l, c.dueOnAdoption(ctx, c.want.own, l.own), limit)
	if err != nil {
		return nil, err
	}
	if c.marker.Pending != "" {
		return l, c.finishUp(ctx, c.walk, c.s, l.key, c.want.own)
	}
	return l, nil
}

// giveBack writes the old binding again after an adoption that failed: under create_before_destroy the old entry stays in
// state with it, and must not find itself fenced off.
func (c *creation) giveBack(ctx context.Context, before *live) {
	old := markers.Observe(before.tags, c.foldsCase()).Binding
	if !c.tagged() || old == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	if err := c.tag(ctx, c.walk, c.s, before.key, markers.Tags{markers.BindingKey: old}, nil); err != nil {
		c.resp.Diagnostics.Append(bindingKept(c.about, old, err))
	}
}

// dueOnAdoption are the paths that an adoption brings to the plan: what differs, and what AWS never shows and the
// configuration gives, which may differ.
func (k *kind) dueOnAdoption(ctx context.Context, plan, live tftypes.Value) []string {
	due := k.differences(ctx, plan, live)
	for _, name := range sortedKeys(objectOf(plan)) {
		if u, ok := k.updateOf(name); ok && u.apply != nil && k.isSetting(name) && !objectOf(plan)[name].IsNull() {
			due = append(due, name)
		}
	}
	return due
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
func (k *kind) writeTags(
	ctx context.Context, w *Walk, s *cloud.Session, key Key, m markers.Marker, wanted, prior, now map[string]string,
) (map[string]string, error) {
	set, remove := m.Diff(now, k.foldsCase())
	if set == nil {
		set = markers.Tags{}
	}
	more, surplus := k.tagWrites(wanted, prior, now)
	maps.Copy(set, more)
	remove = append(remove, surplus...)
	if len(set)+len(remove) == 0 {
		return now, nil
	}
	if n := k.tagCount(now, set, remove); n > k.tags.Limit() {
		return nil, errTags{n: n, limit: k.tags.Limit()}
	}
	if err := k.tag(ctx, w, s, key, set, remove); err != nil {
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

// tagLimit is how long a tag write is tried again. It is short: what was read of the object before it grows old.
const tagLimit = time.Minute

// tag writes tags, again while the type says that the service's refusal passes.
func (k *kind) tag(ctx context.Context, w *Walk, s *cloud.Session, key Key, set markers.Tags, remove []string) error {
	return k.untilAccepted(ctx, w, tagLimit, func() error { return k.tags.Write(ctx, s, key, set, remove) })
}

// errTags says that an object would carry more tags than AWS takes.
type errTags struct{ n, limit int }

func (e errTags) Error() string {
	return fmt.Sprintf("it would carry %d tags, and AWS takes %d", e.n, e.limit)
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
