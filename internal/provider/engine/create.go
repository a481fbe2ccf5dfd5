package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
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
	// marker is what the object is to carry, created when it came to be.
	marker  markers.Marker
	created int64
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
		claimed = c.idOf(c.want.key)
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
	f, err := c.find(ctx, c.s, c.want)
	if err != nil {
		c.resp.Diagnostics.Append(callFailed(c.about, "looking for an existing object (nothing was created)", err))
		return
	}
	d, problem := c.decide(ctx, c.want, f, c.about)
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

// checkPlanned refuses to act on another object than the plan showed.
func (c *creation) checkPlanned(d decision) diag.Diagnostic {
	planned := text(c.plan[attrID])
	if planned == "" || d.adopt != nil && c.idOf(d.adopt.live.key) == planned {
		return nil
	}
	return plannedGone(c.about, planned)
}

// reserve gives a count member its slot: the one that the adopted object has, else a new one.
func (c *creation) reserve(ctx context.Context, adopted *live) error {
	if !c.want.address.Slotted() {
		return nil
	}
	if adopted != nil {
		if slot := markers.Observe(adopted.tags, c.foldsCase()).Slot; slot != nil {
			c.marker.Slot = slot
			return nil
		}
	}
	slot, err := c.walk.reserveSlot(ctx, c.kind, c.s, c.want.address)
	if err != nil {
		return err
	}
	c.marker.Slot = &slot
	return nil
}

// make creates the object. All markers are in the create call; state is set before any other call, so that a failure
// leaves a tainted entry and no orphan.
func (c *creation) make(ctx context.Context, f finding, attempt int) {
	tags := markers.Tags{}
	if c.tagged() {
		if err := c.reserve(ctx, nil); err != nil {
			c.resp.Diagnostics.Append(callFailed(c.about, "choosing a slot (nothing was created)", err))
			return
		}
		marker, err := c.marker.Tags()
		if err != nil {
			c.resp.Diagnostics.Append(badAttribute(c.about, &attributeError{attrAddress, err}))
			return
		}
		maps.Copy(tags, knownTags(c.plan[attrTagsAll]))
		maps.Copy(tags, marker)
		if n, limit := len(tags), c.tags.Limit(); n > limit {
			c.resp.Diagnostics.Append(tooManyTags(c.about, n, len(marker), limit))
			return
		}
	}
	if part, ok := c.generatedPart(); ok && c.want.key == nil {
		name := str(f.key[slices.Index(c.identity, part)])
		own := objectOf(c.want.own)
		c.plan[part.Attr], own[part.Attr] = name, name
		c.want.own = own.value(c.want.own.Type())
	}
	address := c.want.address.String()
	holders := slices.Concat(f.holders, c.walk.formerly(c.fullName(), address))
	key, err := c.call(ctx, tags, token(c.kind, c.s.Account, c.s.Region, c.marker.Estate, address, holders, attempt))
	switch {
	case err == nil:
		c.own(ctx, key)
	case c.exists != nil && c.exists(err):
		c.settleExisting(ctx, f, attempt, err)
	case c.repeatable():
		c.resp.Diagnostics.Append(callFailed(c.about, "creating", err))
	case cloud.IsAnswerLost(err):
		c.settleLost(ctx, err)
	default:
		c.resp.Diagnostics.Append(callFailed(c.about, "creating", err))
	}
}

// call makes the create call.
func (c *creation) call(ctx context.Context, tags markers.Tags, token Token) (key Key, err error) {
	if !c.repeatable() {
		ctx = cloud.Unrepeated(ctx)
	}
	err = c.untilAccepted(ctx, c.walk, c.timeout(c.plan, "create"), func() (err error) {
		key, err = c.create(ctx, c.s, c.want.own, tags, token)
		return err
	})
	return key, err
}

// repeatable tells whether a second create call makes no second object: a name or a token admits one.
func (c *creation) repeatable() bool { return c.tier != Marked || c.takesToken }

// lostLimit is how long the object of a create call whose answer was lost is looked for.
const lostLimit = 30 * time.Second

// settleLost looks for the object of a create call whose answer was lost. It carries the binding of that very call. Where it
// does not show, nothing is created again: the next apply finds it by its marker, or finds that there is none.
func (c *creation) settleLost(ctx context.Context, cause error) {
	var key Key
	look := context.WithoutCancel(ctx) // an interrupt is what lost the answer, perhaps
	err := c.walk.until(look, c.walk.pause(lostLimit), func() error {
		ix := c.walk.index(c.kind, c.s)
		ix.forget()
		lives, err := ix.all(look)
		if err != nil {
			return err
		}
		for _, l := range lives {
			if markers.Observe(l.tags, c.foldsCase()).Binding == c.marker.Binding {
				key = l.key
				return nil
			}
		}
		return errNotYet{"no object of this call shows"}
	})
	if err != nil {
		c.resp.Diagnostics.Append(answerLost(c.about, cause))
		return
	}
	c.own(ctx, key)
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
	switch {
	case errors.As(err, &taken):
		c.resp.State.Raw = none(c.resp.State.Raw)
		c.resp.Diagnostics.Append(createdOthers(c.about, taken.why))
		return
	case err != nil:
		c.resp.Diagnostics.Append(createUnfinished(c.about, err))
		return
	}
	c.walk.index(c.kind, c.s).put(l)
	c.created = unixTime(l.created)
	c.record(ctx, key, c.finalOwn(ctx, l))
}

// settlingLimit is how long a new object may be denied by some calls while others show it.
const settlingLimit = 2 * time.Minute

// complete waits for the new object, verifies its marker, runs the updates that the create call could not carry, and
// finishes.
func (c *creation) complete(ctx context.Context, key Key) (*live, error) {
	limit := c.timeout(c.plan, "create")
	l, err := c.untilReady(ctx, c.walk, c.s, key, limit, true)
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
			if err := c.tags.Write(ctx, c.s, key, set, nil); err != nil {
				return nil, fmt.Errorf("tagging: %w", err)
			}
		}
	}
	l, err = c.converge(ctx, c.walk, c.s, key, c.want.own, l, limit)
	if err != nil {
		return nil, err
	}
	return l, c.finishUp(ctx, c.s, key, c.want.own)
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
func (k *kind) finishUp(ctx context.Context, s *cloud.Session, key Key, plan tftypes.Value) error {
	if k.finish == nil {
		return nil
	}
	if err := k.finish(ctx, s, key, withoutUnknown(plan)); err != nil {
		return fmt.Errorf("finishing: %w", err)
	}
	if !k.tagged() {
		return nil
	}
	return k.tags.Write(ctx, s, key, nil, []string{markers.PendingKey})
}

// settleExisting decides what "it exists already" means: our own call whose answer was lost, another process's work, or
// somebody else's object.
func (c *creation) settleExisting(ctx context.Context, f finding, attempt int, cause error) {
	limit := c.timeout(c.plan, "create")
	if c.tier != Marked {
		l, err := c.fresh(ctx, c.s, f.key)
		if err != nil {
			c.resp.Diagnostics.Append(callFailed(c.about, "reading the object that AWS says exists", errors.Join(err, cause)))
			return
		}
		if c.tagged() && markers.Observe(l.tags, c.foldsCase()).Binding == c.marker.Binding {
			c.own(ctx, l.key)
			return
		}
		again := finding{key: f.key}
		if err := c.fileNamed(ctx, c.s, c.want, l, &again); err != nil {
			c.resp.Diagnostics.Append(callFailed(c.about, "reading the object that AWS says exists", err))
			return
		}
		named := c.want
		named.key = f.key
		d, problem := c.decide(ctx, named, again, c.about)
		if problem != nil {
			c.resp.Diagnostics.Append(problem)
			return
		}
		if d.adopt == nil {
			c.resp.Diagnostics.Append(callFailed(c.about, "creating", cause))
			return
		}
		c.adopt(ctx, d)
		return
	}
	// The token belongs to an earlier attempt: its object shows in the listing sooner or later.
	var again finding
	err := c.walk.until(ctx, limit, func() error {
		c.walk.index(c.kind, c.s).forget()
		var err error
		if again, err = c.find(ctx, c.s, c.want); err != nil {
			return err
		}
		if len(again.candidates) == 0 && len(again.holders) <= len(f.holders) {
			return errNotYet{"no object of an earlier attempt shows"}
		}
		return nil
	})
	if err != nil {
		c.resp.Diagnostics.Append(callFailed(c.about, "finding the object of an earlier attempt", errors.Join(err, cause)))
		return
	}
	d, problem := c.decide(ctx, c.want, again, c.about)
	switch {
	case problem != nil:
		c.resp.Diagnostics.Append(problem)
	case d.adopt != nil:
		c.adopt(ctx, d)
	case attempt < tokensTried:
		c.make(ctx, again, attempt+1)
	default:
		c.resp.Diagnostics.Append(callFailed(c.about, "creating", cause))
	}
}

// tokensTried bounds the client tokens of one create.
const tokensTried = 5

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
		whole[attrBinding] = str(c.marker.Binding)
		whole[attrSlot] = rawSlot(c.marker.Slot)
	}
	c.resp.State.Raw = whole.value(c.resp.State.Raw.Type())
	c.setIdentity(c.resp.Identity, c.s.Region, key)
	e := c.expect(c.marker, c.s)
	e.Created = c.created
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
