package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// ModifyPlan implements resource.ResourceWithModifyPlan. It is the one place where anything is planned, for all types;
// no type has plan modifiers of its own. It writes nothing.
func (r *managed) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.walk == nil {
		return
	}
	if d := r.refuseRegion(req.Config.Raw, req.Plan.Raw); d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	switch {
	case req.Plan.Raw.IsNull():
		r.planDestroy(req, resp)
	case req.State.Raw.IsNull():
		r.planCreate(ctx, req, resp)
	default:
		r.planUpdate(ctx, req, resp)
	}
}

// refuseRegion refuses a region that there is not: an endpoint that answers for whatever region would show an empty one.
func (r *managed) refuseRegion(config, plan tftypes.Value) diag.Diagnostic {
	if r.global || plan.IsNull() || r.walk.Session == nil {
		return nil
	}
	region := objectOf(config)[attrRegion]
	var bad *cloud.ConfigError
	if region.IsKnown() && !region.IsNull() && errors.As(r.walk.Session.CheckRegion(attrRegion, text(region)), &bad) {
		return unknownRegion(r.subject(objectOf(plan), ""), bad)
	}
	return nil
}

// planDestroy records that the plan gives up an object.
func (r *managed) planDestroy(req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	prior := objectOf(req.State.Raw)
	about := r.subject(prior, "")
	if text(prior[attrOnDestroy]) == onDestroyRefuse {
		resp.Diagnostics.Append(destroyRefused(about))
		return
	}
	r.planHandOver(prior, about, &resp.Diagnostics)
}

// planHandOver refuses a plan in which another instance's create would adopt the object that this one gives up.
func (r *managed) planHandOver(prior object, about subject, diags *diag.Diagnostics) {
	if r.walk.Session == nil {
		return
	}
	if key, ok := r.keyIn(prior); ok {
		id := r.objectID(r.session(r.regionIn(prior)), key)
		if !r.tagged() {
			// An adoption in the same plan is a rename, which is safe in either order: see Delete.
			if r.walk.gives(id, about.address); r.walk.isKept(id) {
				diags.Append(keyHeldTwice(about))
			}
			return
		}
		if taker, conflict := r.walk.gives(id, about.address); conflict {
			diags.Append(changesHands(about, about.address, taker))
		}
	}
}

// planCreate plans an instance that has no prior state.
func (r *managed) planCreate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	plan, config := objectOf(req.Plan.Raw), objectOf(req.Config.Raw)
	about := r.subject(plan, "")
	want := wanted{whole: plan, config: config}
	want.mode, want.named = r.onExisting(plan)
	if !r.global && config[attrRegion].IsNull() && r.walk.Session != nil {
		plan[attrRegion] = str(r.walk.Session.Region)
	}
	if r.tagged() {
		a, d := r.planAddress(plan, about)
		if d != nil {
			resp.Diagnostics.Append(d)
			return
		}
		want.address = a
		plan[attrEstate] = r.plannedEstate()
		plan[attrTagsAll] = planTagsAll(plan[attrTags], r.walk.DefaultTags)
		plan[attrBinding] = unknown(plan[attrBinding])
		plan[attrSlot] = rawSlot(nil)
		if a.Slotted() {
			plan[attrSlot] = unknown(plan[attrSlot])
		}
		if d := r.planTagCount(a, plan, about); d != nil {
			resp.Diagnostics.Append(d)
			return
		}
	}
	defer func() { resp.Plan.Raw = plan.value(req.Plan.Raw.Type()) }()

	e, err := readExpectation(ctx, req.Private)
	switch {
	case err != nil:
		resp.Diagnostics.Append(stateUnreadable(about, err))
		return
	case e != nil: // the second call of a replacement: core passes the prior instance's private state
		resp.Diagnostics.Append(r.planReplacement(plan, about)...)
		return
	case r.walk.Session == nil || r.walk.Estate.IsUnknown():
		resp.Diagnostics.Append(createsUnchecked(about, "the provider's "+orElse(joinWords(r.walk.Unknown), "configuration")))
		return
	case !r.global && !plan[attrRegion].IsKnown():
		resp.Diagnostics.Append(createsUnchecked(about, attrRegion))
		return
	}
	want.own = r.ownPart(plan)
	want.settled = r.ownPart(config).IsFullyKnown()
	if r.tier != Marked {
		key, known := r.keyIn(plan)
		if want.key = key; !known && !r.generates(config) {
			return // the key comes at apply
		}
	}
	r.planExisting(ctx, config, plan, want, about, resp)
}

// generates tells whether the name is derived: the configuration gives none.
func (r *managed) generates(config object) bool {
	p, ok := r.generatedPart()
	return ok && config[p.Attr].IsKnown() && config[p.Attr].IsNull() && config[p.Prefix].IsKnown()
}

// planExisting looks up what exists and plans accordingly.
func (r *managed) planExisting(ctx context.Context, config, plan object, want wanted, about subject, resp *resource.ModifyPlanResponse) {
	s := r.session(r.regionIn(plan))
	if d := r.guardParents(ctx, s, r.guardedKey(want), about, "planning"); d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	if !r.tagged() && want.key != nil && r.walk.hasMutated() {
		defer r.walk.turn(r.objectID(s, want.key))() // its deletion for another entry may be under way
	}
	f, err := r.find(ctx, s, want)
	if err != nil {
		resp.Diagnostics.Append(callFailed(about, "looking for an existing object", err))
		return
	}
	d, problem := r.decide(ctx, want, f, about)
	if problem != nil {
		// An object that this very plan replaces or has tainted stands in its own way until it is destroyed.
		if r.ownPredecessor(s.Region, f) {
			return
		}
		resp.Diagnostics.Append(problem)
		return
	}
	if d.adopt == nil {
		r.planAgain(ctx, s, config, plan, want, f)
		if len(d.beside) > 0 && want.mode == Beside && !r.heldInState(s.Region, d.beside) {
			resp.Diagnostics.Append(makesSecond(about, r.describe(r.regionIn(plan), d.beside)))
		}
		if fixed, err := r.holdNatural(ctx, s, want, d.beside); err != nil {
			resp.Diagnostics.Append(callFailed(about, "asking who holds its name or range", err))
			return
		} else if fixed && !r.heldInState(s.Region, d.beside) {
			resp.Diagnostics.Append(nameDiffers(about, r.explain(ctx, want, d.beside)))
			return
		}
		if len(d.beside) > 0 && want.mode != Beside && !r.heldInState(s.Region, d.beside) {
			resp.Diagnostics.Append(predecessor(about, r.explain(ctx, want, d.beside), r.walk.surelyPlans()))
		}
		if len(d.alike) > 0 {
			resp.Diagnostics.Append(looksAlike(about, r.idsOf(d.alike), r.describe(r.regionIn(plan), d.alike)))
		}
		return
	}
	id := r.objectID(s, d.adopt.live.key)
	about.id = id.id
	if other := r.walk.takenFor(id, about.address); other != "" {
		resp.Diagnostics.Append(alikeTwice(about, other))
		return
	}
	giver, conflict := r.walk.takes(id, about.address)
	switch {
	case r.tagged() && conflict:
		resp.Diagnostics.Append(changesHands(about, giver, about.address))
		return
	case !r.tagged() && r.walk.isKept(id):
		resp.Diagnostics.Append(keyHeldTwice(about))
		return
	}
	if r.walk.holds(id) {
		resp.Diagnostics.Append(adoptsOwn(about))
		return
	}
	if r.undecided(config, plan) {
		resp.Diagnostics.Append(adoptsOrCreates(about))
		return
	}
	if d := r.planCarried(want.address, plan, nil, d.adopt.live.tags, about); d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	resp.Diagnostics.Append(r.adoption(about, want, d))
	r.planAdoption(ctx, config, plan, want, d.adopt.live)
}

// planAgain plans an object without tags that this apply has deleted for another entry, whose block was renamed: what was planned
// was its adoption, with the values that it had, and core takes no others now. Create makes it again with them.
func (r *managed) planAgain(ctx context.Context, s *cloud.Session, config, plan object, want wanted, f finding) {
	if r.tagged() {
		return
	}
	var l *live
	if want.key != nil {
		if l = r.walk.partedFrom(r.objectID(s, want.key)); l != nil {
			l = r.spelled(l, want.key)
		}
	} else if f.key != nil { // a derived name
		l = r.walk.partedLike(r.fullName(), func(l *live) bool {
			return r.derivedSibling(l.key, f.key, r.prefixOf(want.whole)) && len(r.differences(ctx, want.own, l.own)) == 0
		})
	}
	if l != nil && len(r.differences(ctx, want.own, l.own)) == 0 {
		r.planAdoption(ctx, config, plan, want, l)
	}
}

// holdNatural tells whether one of our own objects holds the unique name or range that the plan gives: no other can be made
// beside it.
func (r *managed) holdNatural(ctx context.Context, s *cloud.Session, want wanted, ours []match) (bool, error) {
	if len(ours) == 0 || r.natural == nil || !want.settled || r.derivesName(want.config) {
		return false, nil
	}
	key, err := r.natural(ctx, s, want.own)
	if isGone(err) || err == nil && key == nil {
		return false, nil
	}
	return slices.ContainsFunc(ours, func(m match) bool { return err == nil && m.live.key.String() == key.String() }), err
}

// ownPredecessor tells whether everything that was found is held by a state entry of this walk, as the object of a tainted
// or replaced instance under a fixed name is.
func (r *managed) ownPredecessor(region string, f finding) bool {
	found := slices.Concat(f.candidates, f.predecessors)
	if f.failed != nil {
		found = append(found, match{live: f.failed})
	}
	if f.blocking != nil && f.class.Kind == markers.Unmarked {
		found = append(found, match{live: f.blocking})
	} else if f.blocking != nil {
		return false
	}
	return len(found) > 0 && r.heldInState(region, found)
}

func (r *managed) heldInState(region string, found []match) bool {
	for _, m := range found {
		if !r.walk.holds(r.objectID(r.session(region), m.live.key)) {
			return false
		}
	}
	return true
}

// undecided tells whether an immutable attribute that the configuration gives is still unknown, so that candidate and
// predecessor cannot be told apart yet.
func (r *managed) undecided(config, plan object) bool {
	for _, p := range r.paths() {
		if strings.Contains(p.path, ".") || !p.configurable {
			continue
		}
		_, mutable := r.updateOf(p.path)
		if !mutable && said(config[p.path]) && !plan[p.path].IsFullyKnown() && !config[p.path].IsFullyKnown() {
			return true
		}
	}
	return false
}

// planAdoption plans the values of the object that will be adopted. Were they left unknown, every child in state would see
// its parent's id as unknown and be replaced. What the configuration says stays in its words: there is no prior value
// whose words core would take.
func (r *managed) planAdoption(ctx context.Context, config, plan object, want wanted, l *live) {
	due := r.dueOnAdoption(ctx, want.own, l.own)
	planned := objectOf(want.own)
	for _, name := range r.settings {
		planned[name] = withoutUnknown(planned[name])
	}
	whole := planned.value(want.own.Type())
	own := objectOf(overlay(r.ownType(), whole, settle(ctx, r.ownType(), r.ownPart(config), whole, l.own, true)))
	for name := range r.recomputed(due) {
		if v := plan[name]; v.Type() != nil && !v.IsKnown() {
			own[name] = v
		}
	}
	for name, v := range own {
		plan[name] = v
	}
	plan[attrID] = str(r.idOf(l.key))
	if slot := markers.Observe(l.tags, r.foldsCase()).Slot; r.tagged() && want.address.Slotted() && slot != nil {
		plan[attrSlot] = rawSlot(slot)
	}
}

// recomputed are the computed attributes that the updates of the due paths may change.
func (k *kind) recomputed(due []string) map[string]bool {
	out := map[string]bool{}
	for _, u := range k.updates {
		if u.concerns(due) {
			for _, name := range u.recomputes {
				out[name] = true
			}
		}
	}
	return out
}

// planAddress resolves the address of a planned instance.
func (r *managed) planAddress(plan object, about subject) (markers.Address, diag.Diagnostic) {
	a, unknown, err := r.resolve(plan)
	switch {
	case err != nil:
		return a, badAttribute(about, err)
	case unknown != "":
		return a, unknownAddress(about, unknown)
	}
	return a, nil
}

// plannedEstate is the provider's estate, unknown while the provider's configuration is.
func (r *managed) plannedEstate() tftypes.Value {
	if r.walk.Estate.IsUnknown() {
		return tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	}
	return str(r.walk.Estate.ValueString())
}

// planTagCount refuses early what AWS would refuse: more tags than an object may carry.
func (r *managed) planTagCount(a markers.Address, plan object, about subject) diag.Diagnostic {
	if r.walk.Estate.IsUnknown() || !plan[attrTagsAll].IsKnown() {
		return nil
	}
	m := markers.Marker{Estate: r.walk.Estate.ValueString(), Address: a, Binding: markers.NewBinding()}
	if a.Slotted() {
		m.Slot = new(uint32)
	}
	tags, err := m.Tags()
	if err != nil {
		return badAttribute(about, &attributeError{attrAddress, err})
	}
	user := len(objectOf(plan[attrTagsAll]))
	if n, limit := user+len(tags), r.tags.Limit(); n > limit {
		return tooManyTags(about, n, len(tags), limit)
	}
	return nil
}

// planCarried refuses early what AWS would refuse for the tags that others have put on an existing object. prior are the
// state's tags, live those of the object.
func (r *managed) planCarried(a markers.Address, plan object, prior, live map[string]string, about subject) diag.Diagnostic {
	if !r.tagged() || r.walk.Estate.IsUnknown() || !plan[attrTagsAll].IsKnown() {
		return nil
	}
	seen := markers.Observe(live, r.foldsCase())
	m := markers.Marker{
		Estate: r.walk.Estate.ValueString(), Address: a, Binding: orElse(seen.Binding, markers.NewBinding()), Pending: seen.Pending,
	}
	if a.Slotted() {
		m.Slot = new(uint32)
	}
	set, remove := m.Diff(live, r.foldsCase())
	if set == nil {
		set = markers.Tags{}
	}
	wanted := map[string]string{}
	for key, v := range objectOf(plan[attrTagsAll]) { // a value that is not known yet takes a tag too
		wanted[key] = ""
		if v.IsKnown() {
			wanted[key] = text(v)
		}
	}
	more, surplus := r.tagWrites(wanted, prior, live)
	maps.Copy(set, more)
	if n, limit := r.tagCount(live, set, append(remove, surplus...)), r.tags.Limit(); n > limit {
		return callFailed(about, "planning", errTags{n: n, limit: limit})
	}
	return nil
}
