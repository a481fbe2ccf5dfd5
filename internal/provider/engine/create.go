package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// creation is one Create.
type creation struct {
	*managed
	resp  *resource.CreateResponse
	plan  object
	want  wanted
	s     *cloud.Session
	about subject
	// marker is what the object is to carry, allTags that and the planned tags, marked that it carries them, created when
	// it came to be.
	marker  markers.Marker
	allTags markers.Tags
	marked  bool
	created int64
	// alive is how many living objects of the address the look-up found, seen are the ids of all, and twins are objects that
	// have appeared since; sole says that no other was alive.
	alive int
	seen  []string
	twins []*live
	sole  bool
}

// Create implements resource.Resource. Prior state is empty, and nothing says why: a fresh create, a retry after a
// crash and half of a replacement look alike. So it looks first, and adopts what is ours.
func (r *managed) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	plan := objectOf(req.Plan.Raw)
	c := &creation{managed: r, resp: resp, plan: plan, about: r.subject(plan, "")}
	resp.State.Raw = none(req.Plan.Raw)
	if d := r.needSession(c.about); d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	r.walk.applies()
	ctx = logContext(ctx, c.about)
	if d := c.prepare(objectOf(req.Config.Raw), r.fillWriteOnly(req.Config.Raw, plan)); d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	c.run(ctx)
}

// prepare resolves address, region and key, and claims the address.
func (c *creation) prepare(config object, own tftypes.Value) diag.Diagnostic {
	c.s = c.session(c.regionIn(c.plan))
	c.want = wanted{whole: c.plan, own: own, config: config, acting: true, settled: true}
	c.want.mode, c.want.named = c.onExisting(c.plan)
	if c.tagged() {
		a, unknown, err := c.resolve(c.plan)
		switch {
		case err != nil:
			return badAttribute(c.about, err)
		case unknown != "":
			return unknownAddress(c.about, unknown)
		}
		c.want.address = a
		c.marker = markers.Marker{Estate: c.walk.Estate.ValueString(), Address: a, Binding: markers.NewBinding()}
		if c.finish != nil {
			c.marker.Pending = pendingCreate
		}
	}
	if c.tier != Marked {
		c.want.key, _ = c.keyIn(c.plan)
	}
	claimed := c.want.address.String()
	if !c.tagged() && c.want.key != nil {
		claimed = c.idOf(c.canonicalKey(c.s, c.want.key))
		if !c.global {
			claimed += " in " + c.s.Region
		}
	}
	if claimed == "" {
		return nil // a derived key, which find keeps apart
	}
	if err := c.walk.claim(c.fullName(), claimed, c.s.Region); err != nil {
		return addressTaken(c.about, err)
	}
	return nil
}

// pendingCreate is the value of tofu-pending until Finish ran.
const pendingCreate = "create"

// run looks, judges, and adopts or creates.
func (c *creation) run(ctx context.Context) {
	if c.tier == Composed || c.tier == Setting {
		if d := c.guardParents(ctx, c.s, c.guardedKey(c.want), c.about, "creating"); d != nil {
			c.resp.Diagnostics.Append(d)
			return
		}
	}
	if !c.tagged() && c.want.key != nil {
		defer c.walk.turn(c.objectID(c.s, c.want.key))()
	}
	f, err := c.find(ctx, c.s, c.want)
	if err != nil {
		c.resp.Diagnostics.Append(callFailed(c.about, "looking for an existing object (nothing was created)", err))
		return
	}
	d, problem := c.judgeFound(ctx, f)
	if d.adopt != nil && !c.tagged() && c.want.key == nil {
		defer c.walk.turn(c.objectID(c.s, d.adopt.live.key))()
		if c.walk.hasDeleted(c.objectID(c.s, d.adopt.live.key)) {
			d = decision{} // the entry that held it was faster; the name is free, and stays the one
		}
	}
	if problem == nil {
		problem = c.checkPlanned(d)
	}
	if problem != nil {
		c.resp.Diagnostics.Append(problem)
		return
	}
	logDecision(ctx, f, d)
	if d.adopt != nil {
		c.adopt(ctx, d)
		return
	}
	c.make(ctx, f, 0)
}

// checkPlanned refuses to act on another object than the plan showed. An object without tags that this walk has deleted, for
// the entry that held it before, is made again: it is known by its key, and all its values are planned.
func (c *creation) checkPlanned(d decision) diag.Diagnostic {
	planned := text(c.plan[attrID])
	switch {
	case planned == "" || d.adopt != nil && c.idOf(d.adopt.live.key) == planned:
		return nil
	case !c.tagged() && c.want.key != nil && d.adopt == nil && c.walk.hasDeleted(c.objectID(c.s, c.want.key)):
		return nil
	}
	return plannedGone(c.about, planned)
}

// own records the new object in state, then brings it to what is planned.
func (c *creation) own(ctx context.Context, key Key) {
	c.about.id = c.idOf(key)
	id := c.objectID(c.s, key)
	c.walk.wrote(id)
	c.record(ctx, key, withoutUnknown(c.want.own))
	var l *live
	// For a minute or two after a create, AWS may deny that the object exists: that is "not yet".
	err := c.walk.until(ctx, c.walk.pause(settlingLimit), func() (err error) {
		if l, err = c.complete(ctx, key); isGone(err) {
			return errNotYet{"AWS shows it and denies it in turn"}
		}
		return err
	})
	var taken errTaken
	var gives errGivesWay
	switch {
	case errors.As(err, &taken):
		c.resp.State.Raw = none(c.resp.State.Raw)
		c.resp.Diagnostics.Append(createdOthers(c.about, taken.why))
		return
	case errors.As(err, &gives):
		other := c.describe(c.regionIn(c.plan), []match{{live: gives.to}})[0]
		c.resp.Diagnostics.Append(losesAddress(c.about, other, c.idOf(gives.to.key)))
		return
	case err != nil:
		c.resp.Diagnostics.Append(createUnfinished(c.about, err))
		return
	}
	c.meetTwins()
	c.walk.index(c.kind, c.s).put(l)
	c.created = unixTime(l.created)
	c.record(ctx, key, c.finalOwn(ctx, l))
}

// settlingLimit is how long a new object may be denied by some calls while others show it.
const settlingLimit = 2 * time.Minute

// complete waits for the new object, verifies its marker, runs the updates that the create call could not carry, and
// finishes.
func (c *creation) complete(ctx context.Context, key Key) (*live, error) {
	if err := c.tagNew(ctx, key); err != nil {
		return nil, err
	}
	limit := c.timeout(c.plan, "create")
	l, err := c.readBack(ctx, key)
	if err != nil {
		return nil, err
	}
	if c.tagged() {
		if err := c.ownAnswer(l); err != nil {
			return nil, err
		}
		set, _ := c.marker.Diff(l.tags, c.foldsCase())
		more, _ := c.tagWrites(knownTags(c.plan[attrTagsAll]), nil, l.tags)
		maps.Copy(set, more)
		if len(set) > 0 { // a service that drops tags on create
			if err := c.tag(ctx, c.walk, c.s, key, set, nil); err != nil {
				return nil, fmt.Errorf("tagging: %w", err)
			}
		}
		c.marks(ctx, key)
	}
	if twin := c.olderTwin(); twin != nil {
		return nil, errGivesWay{twin}
	}
	l, err = c.converge(ctx, c.walk, c.s, key, c.want.own, l, limit)
	if err != nil {
		return nil, err
	}
	return l, c.finishUp(ctx, c.walk, c.s, key, c.want.own)
}

// tagNew writes the tags of a new object that the create call could not carry, before anything is waited for.
func (c *creation) tagNew(ctx context.Context, key Key) error {
	if c.marked || !c.tagsAfterCreate {
		return nil
	}
	l, err := c.get(ctx, c.s, key)
	if err != nil {
		return err
	}
	if err := c.ownAnswer(l); err != nil {
		return err
	}
	if err := c.tag(ctx, c.walk, c.s, key, c.allTags, nil); err != nil {
		return fmt.Errorf("tagging: %w", err)
	}
	c.marks(ctx, key)
	return nil
}

// marks records that the marker is on the object. Until it was seen there, or written, the state says so: some services drop
// tags that a create call carries, and the entry of an object that was never marked can then be destroyed.
func (c *creation) marks(ctx context.Context, key Key) {
	if !c.marked {
		c.marked = true
		c.record(ctx, key, withoutUnknown(c.want.own))
	}
}

// errTaken says that a create call answered with an object that existed already and is not ours.
type errTaken struct{ why string }

func (e errTaken) Error() string { return "it existed already: " + e.why }

// ownAnswer refuses an object that carries another marker than this very call's: some services answer a create of an
// existing name, or a repeated token, with the object that is there. An unmarked one may have lost the tags of the call.
func (c *creation) ownAnswer(l *live) error {
	class := markers.Classify(l.tags, c.question(c.want.address))
	switch o := class.Observed; {
	case foreign(l, c.s):
		return errTaken{foreignClass(l).Why}
	case o.Status == markers.StatusUnmarked || o.Binding == c.marker.Binding:
		return nil
	case class.Kind == markers.Ours:
		return errTaken{fmt.Sprintf("another run has made it (its tofu-binding is %s)", orElse(o.Binding, "missing"))}
	}
	return errTaken{class.Why}
}

// finishUp runs the steps that no attribute shows, and takes the sign of them away.
func (k *kind) finishUp(ctx context.Context, w *Walk, s *cloud.Session, key Key, plan tftypes.Value) error {
	if k.finish == nil {
		return nil
	}
	if err := k.finish(ctx, s, key, withoutUnknown(plan)); err != nil {
		return fmt.Errorf("finishing: %w", err)
	}
	if !k.tagged() {
		return nil
	}
	return k.tag(ctx, w, s, key, nil, []string{markers.PendingKey})
}

// finalOwn is the state's own part: what is planned, completed from the object; settings that nobody gave are null.
func (c *creation) finalOwn(ctx context.Context, l *live) tftypes.Value {
	return c.completedOwn(ctx, c.ownPart(c.plan), l.own)
}

// completedOwn completes a plan from an object. Settings come from the plan alone.
func (k *kind) completedOwn(ctx context.Context, plan, live tftypes.Value) tftypes.Value {
	known := objectOf(plan)
	for _, name := range k.settings {
		known[name] = withoutUnknown(known[name])
	}
	return complete(ctx, k.ownType(), known.value(plan.Type()), live)
}

// record sets state, identity and private state.
func (c *creation) record(ctx context.Context, key Key, own tftypes.Value) {
	binding := c.marker.Binding
	if c.tagged() && !c.marked {
		binding = unwritten + binding
	}
	whole := object{}
	for name, v := range c.plan {
		whole[name] = withoutUnknown(v)
	}
	whole.put(c.stored(own))
	whole[attrID] = str(c.idOf(key))
	if !c.global {
		whole[attrRegion] = str(c.s.Region)
	}
	if c.tagged() {
		whole[attrEstate] = str(c.marker.Estate)
		whole[attrBinding] = str(binding)
		whole[attrSlot] = rawSlot(c.marker.Slot)
	}
	c.resp.State.Raw = whole.value(c.resp.State.Raw.Type())
	c.setIdentity(c.resp.Identity, c.s.Region, key)
	e := c.expect(c.marker, c.s)
	e.Created, e.Unwritten, e.Sole = c.created, c.tagged() && !c.marked, c.sole
	c.resp.Diagnostics.Append(writeExpectation(ctx, c.resp.Private, e)...)
}

func unixTime(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// expect is what this operation leaves behind.
func (r *managed) expect(m markers.Marker, s *cloud.Session) expectation {
	e := expectation{Account: s.Account, Estate: m.Estate, Slot: m.Slot, Binding: m.Binding}
	if r.tagged() {
		e.Address = m.Address.String()
	}
	if !r.global {
		e.Region = s.Region
	}
	return e
}

// stored takes write-only values out of what goes into state.
func (k *kind) stored(own tftypes.Value) tftypes.Value {
	o := objectOf(own)
	for name := range o {
		if k.isWriteOnly(name) {
			o[name] = none(o[name])
		}
	}
	return o.value(own.Type())
}

// fillWriteOnly returns the planned own attributes with write-only values taken from the configuration, since the
// framework plans null for them.
func (r *managed) fillWriteOnly(config tftypes.Value, plan object) tftypes.Value {
	o := objectOf(r.ownPart(plan))
	conf := objectOf(config)
	for name := range o {
		if v, ok := conf[name]; ok && r.isWriteOnly(name) {
			o[name] = v
		}
	}
	return o.value(r.ownType().TerraformType(context.Background()))
}
