package engine

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// change is one Update.
type change struct {
	*managed
	resp                *resource.UpdateResponse
	plan, prior, config object
	own                 tftypes.Value
	e                   *expectation
	s                   *cloud.Session
	key                 Key
	about               subject
	marker              markers.Marker
	created             int64
}

// Update implements resource.Resource. It reads the object's tags immediately before it acts, and acts only where
// the object is provably this entry's.
func (r *managed) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	plan, prior := objectOf(req.Plan.Raw), objectOf(req.State.Raw)
	c := &change{managed: r, resp: resp, plan: plan, prior: prior, config: objectOf(req.Config.Raw), about: r.subject(plan, text(prior[attrID]))}
	if d := r.needSession(c.about); d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	r.walk.applies()
	ctx = logContext(ctx, c.about)
	var d diag.Diagnostic
	if c.e, d = r.expected(ctx, req.Private, c.about); d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	c.s = r.session(cmp.Or(r.regionIn(prior), r.regionIn(plan)))
	var ok bool
	if c.key, ok = r.keyIn(prior); !ok {
		resp.Diagnostics.Append(stateIncomplete(c.about))
		return
	}
	c.own = r.fillWriteOnly(req.Config.Raw, plan)
	due := r.dueOwn(ctx, c.own, r.ownPart(prior))
	if len(due) == 0 && !c.tagsDue() {
		c.save(ctx, r.ownPart(plan)) // words of the configuration alone
		return
	}
	l, d := c.guard(ctx)
	if d == nil {
		d = c.run(ctx, l, due)
	}
	if d != nil {
		resp.Diagnostics.Append(d)
	}
}

// dueOwn are the own paths in which plan and state differ in meaning, and that AWS is to be told.
func (k *kind) dueOwn(ctx context.Context, plan, prior tftypes.Value) []string {
	var out []string
	for _, path := range changes(ctx, k.ownType(), plan, prior, "") {
		if u, ok := k.updateOf(path); ok && u.apply != nil {
			out = append(out, path)
		}
	}
	return out
}

// tagsDue tells whether marker or tags are to be written.
func (c *change) tagsDue() bool {
	if !c.tagged() {
		return false
	}
	for _, name := range []string{attrEstate, attrSlot, attrBinding, attrTagsAll} {
		if !c.plan[name].Equal(c.prior[name]) {
			return true
		}
	}
	return c.stateAddress(c.plan) != c.stateAddress(c.prior)
}

// guard reads the object and refuses what is not this entry's.
func (c *change) guard(ctx context.Context) (*live, diag.Diagnostic) {
	l, err := c.get(ctx, c.s, c.key)
	switch {
	case isGone(err) || err == nil && (l.state == Gone || l.state == Scheduled):
		return nil, goneSincePlan(c.about)
	case err != nil:
		return nil, callFailed(c.about, "reading before the change (nothing was changed)", err)
	case foreign(l, c.s):
		return nil, foreignAccount(c.about, l.owner, c.s.Account)
	case !c.tagged():
		return l, c.guardParents(ctx, c.s, c.key, c.about, "changing")
	}
	a, unknown, err := c.resolve(c.plan)
	switch {
	case err != nil:
		return nil, badAttribute(c.about, err)
	case unknown != "":
		return nil, unknownAddress(c.about, unknown)
	}
	believed := c.believed(c.e, c.prior)
	verdict, class := c.judge(believed, a, l.tags)
	logVerdict(ctx, "update", class)
	if c.recreated(c.e, l) {
		return nil, recreated(c.about)
	}
	c.created = unixTime(l.created)
	if verdict.OnUpdate() == markers.Refuse {
		return nil, refusedUpdate(c.about, verdict, class, believed)
	}
	c.marker = markers.Marker{
		Estate: c.walk.Estate.ValueString(), Address: a, Binding: writtenBinding(c.prior[attrBinding]), Pending: class.Observed.Pending,
	}
	if c.marker.Binding == "" {
		c.marker.Binding = markers.NewBinding()
	}
	if a.Slotted() {
		if c.marker.Slot = slotIn(c.plan[attrSlot]); c.marker.Slot == nil {
			if c.marker.Slot = class.Observed.Slot; c.marker.Slot == nil {
				slot, err := c.walk.reserveSlot(ctx, c.kind, c.s, a)
				if err != nil {
					return nil, callFailed(c.about, "choosing a slot (nothing was changed)", err)
				}
				c.marker.Slot = &slot
			}
		}
	}
	return l, nil
}

// run writes marker and tags, then makes the changes. What is written is recorded at once, so that a later failure
// does not leave state and object with different bindings.
func (c *change) run(ctx context.Context, l *live, due []string) diag.Diagnostic {
	c.walk.wrote(c.objectID(c.s, c.key))
	limit := c.timeout(c.plan, "update")
	if len(due) > 0 {
		whole, err := c.completed(ctx, c.s, l)
		if err != nil {
			return callFailed(c.about, "reading before the change (nothing was changed)", err)
		}
		l = whole
		if moved := c.immutableDifferences(ctx, c.config, c.own, l.own); len(moved) > 0 {
			return changedSincePlan(c.about, moved)
		}
	}
	if c.tagged() {
		tags, err := c.writeTags(ctx, c.walk, c.s, c.key, c.marker, knownTags(c.plan[attrTagsAll]), knownTags(c.prior[attrTagsAll]), l.tags)
		if err != nil {
			return callFailed(c.about, "changing", err)
		}
		l = l.withTags(tags)
		if was := c.stateAddress(c.prior); was != c.stateAddress(c.plan) {
			c.walk.leaves(c.fullName(), was, c.idOf(c.key))
		}
		c.save(ctx, c.ownPart(c.prior))
	}
	if len(due) > 0 {
		done, err := c.apply(ctx, c.walk, c.s, c.key, c.own, l, c.dueNow(ctx, due, l), limit)
		if err != nil {
			return callFailed(c.about, "changing", err)
		}
		l = done
	}
	if !l.partial {
		c.walk.index(c.kind, c.s).put(l)
	} else {
		c.walk.index(c.kind, c.s).drop(c.key)
	}
	if c.marker.Pending != "" {
		if err := c.finishUp(ctx, c.walk, c.s, c.key, c.own); err != nil {
			return callFailed(c.about, "changing", err)
		}
	}
	own := c.ownPart(c.plan)
	if !own.IsFullyKnown() {
		whole, err := c.completed(ctx, c.s, l)
		if err != nil {
			return callFailed(c.about, "reading after the change", err)
		}
		own = c.completedOwn(ctx, own, whole.own)
	}
	c.save(ctx, own)
	return nil
}

// dueNow adds what has drifted since the refresh, so that the state's words come true.
func (c *change) dueNow(ctx context.Context, due []string, l *live) []string {
	return append(due, c.differences(ctx, c.own, l.own)...)
}

// save sets state, identity and private state.
func (c *change) save(ctx context.Context, own tftypes.Value) {
	next := object{}
	for name, v := range c.plan {
		next[name] = v
	}
	next.put(c.stored(own))
	if c.tagged() && c.marker.Estate != "" {
		next[attrEstate] = str(c.marker.Estate)
		next[attrBinding] = str(c.marker.Binding)
		next[attrSlot] = rawSlot(c.marker.Slot)
		e := c.expect(c.marker, c.s)
		e.Created = c.created
		e.Sole = c.e != nil && c.e.Sole && c.e.Binding == c.marker.Binding
		c.resp.Diagnostics.Append(writeExpectation(ctx, c.resp.Private, e)...)
	}
	c.resp.State.Raw = next.value(c.resp.State.Raw.Type())
	if c.resp.Identity != nil && (c.resp.Identity.Raw.IsNull() || identityEmpty(c.resp.Identity.Raw)) {
		c.setIdentity(c.resp.Identity, c.s.Region, c.key)
	}
}
