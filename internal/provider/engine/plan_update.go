package engine

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// planUpdate plans an instance that has a prior state: kept values, replacement, and what the guard would refuse.
func (r *managed) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	plan, prior, config := objectOf(req.Plan.Raw), objectOf(req.State.Raw), objectOf(req.Config.Raw)
	about := r.subject(plan, text(prior[attrID]))
	e, d := r.expected(ctx, req.Private, about)
	if d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	var a markers.Address
	if r.tagged() {
		var d diag.Diagnostic
		if a, d = r.planAddress(plan, about); d != nil {
			resp.Diagnostics.Append(d)
			return
		}
	}
	plan[attrID] = prior[attrID]
	replace := r.planOwn(ctx, config, plan, prior)
	if d := r.planRegion(config, plan, prior, about, &replace); d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	if r.tagged() {
		r.planMarker(a, plan, prior, e)
		if d := r.planTagCount(a, plan, about); d != nil {
			resp.Diagnostics.Append(d)
			return
		}
	}
	resp.Plan.Raw = plan.value(req.Plan.Raw.Type())
	for _, name := range replace {
		resp.RequiresReplace = append(resp.RequiresReplace, path.Root(name))
	}
	if len(replace) > 0 {
		resp.Diagnostics.Append(r.planReplacement(prior, about)...)
	}
	if key, ok := r.keyIn(prior); ok && !r.tagged() && r.walk.Session != nil && len(replace) == 0 {
		if r.walk.keeps(r.objectID(r.session(r.regionIn(prior)), key)) {
			resp.Diagnostics.Append(keyHeldTwice(about))
		}
	}
	if r.tagged() && r.walk.Session != nil && !r.walk.Estate.IsUnknown() {
		changed := !resp.Plan.Raw.Equal(req.State.Raw)
		r.planGuard(a, prior, e, about, changed, len(replace) > 0, resp)
	}
}

// planOwn settles the own attributes and returns the top-level names that force replacement.
func (r *managed) planOwn(ctx context.Context, config, plan, prior object) []string {
	was := r.ownPart(prior)
	own := settle(ctx, r.ownType(), r.ownPart(config), r.ownPart(plan), was, true)
	due := changes(ctx, r.ownType(), own, was, "")
	var replace []string
	for _, path := range due {
		_, mutable := r.updateOf(path)
		// What an import cannot read is taken on the configuration's word: replacing the object for it would destroy it.
		hearsay := r.isSetting(path) && r.tagged() && prior[attrBinding].IsNull()
		if !mutable && !hearsay {
			replace = append(replace, rootOf(path))
		}
	}
	if r.replaces != nil && own.IsFullyKnown() {
		if more, err := r.replaces(was, own); err == nil {
			for _, path := range more {
				replace = append(replace, rootOf(path))
			}
		}
	}
	out := objectOf(own)
	for name := range r.recomputed(due) {
		if config[name].IsNull() {
			out[name] = unknown(out[name])
		}
	}
	for name, v := range out {
		plan[name] = v
	}
	slices.Sort(replace)
	return slices.Compact(replace)
}

func rootOf(path string) string {
	root, _, _ := strings.Cut(path, ".")
	return root
}

// planRegion serves an object in its own region. A region that the configuration gives is replaced as v6 does; a
// provider default that has changed is an error, for it would replace a whole estate.
func (r *managed) planRegion(config, plan, prior object, about subject, replace *[]string) diag.Diagnostic {
	if r.global {
		return nil
	}
	if config[attrRegion].IsNull() {
		plan[attrRegion] = prior[attrRegion]
		was := text(prior[attrRegion])
		if was == "" && r.walk.Session != nil { // moved in, and not refreshed
			plan[attrRegion] = str(r.walk.Session.Region)
		}
		if r.walk.Session != nil && was != "" && was != r.walk.Session.Region {
			return otherRegion(about, was, r.walk.Session.Region)
		}
		return nil
	}
	// A state that was moved in may not say where its object is: where the provider then read it.
	if !prior[attrRegion].IsNull() && !plan[attrRegion].Equal(prior[attrRegion]) {
		*replace = append(*replace, attrRegion)
	}
	return nil
}

// planMarker plans the marker: observed values stay unless a write is due.
func (r *managed) planMarker(a markers.Address, plan, prior object, e *expectation) {
	plan[attrEstate] = r.plannedEstate()
	plan[attrTagsAll] = planTagsAll(plan[attrTags], r.walk.DefaultTags)
	plan[attrBinding] = prior[attrBinding]
	if writtenBinding(prior[attrBinding]) == "" || expectsOther(e, a) {
		plan[attrBinding] = unknown(plan[attrBinding])
	}
	switch {
	case !a.Slotted():
		plan[attrSlot] = rawSlot(nil)
	case e != nil && e.Slot != nil:
		plan[attrSlot] = rawSlot(e.Slot)
	case prior[attrSlot].IsNull():
		plan[attrSlot] = unknown(plan[attrSlot])
	default:
		plan[attrSlot] = prior[attrSlot]
	}
}

// expectsOther tells whether private state expects another address than the planned one: a rename was cut off after its tag
// write, and a refresh has hidden that since. An update makes good for it.
func expectsOther(e *expectation, planned markers.Address) bool {
	if e == nil || e.Address == "" {
		return false
	}
	was, err := markers.Parse(e.Address)
	return err == nil && !markers.SameAddress(was, planned)
}

// planReplacement refuses replacements that would leave two holders or a taken name.
func (r *managed) planReplacement(prior object, about subject) diag.Diagnostics {
	mode := r.onDestroy(prior)
	switch {
	case mode == onDestroyRefuse:
		return diag.Diagnostics{destroyRefused(about)}
	case mode == onDestroyKeep, mode == onDestroyRelease && r.tier != Marked:
		if text(prior[attrOnDestroy]) != mode {
			return diag.Diagnostics{replacesKept(about, r.keeps, "true", "false")}
		}
		return diag.Diagnostics{replacesKept(about, attrOnDestroy, strconv.Quote(mode), strconv.Quote(onDestroyDelete))}
	}
	return nil
}

// planGuard says at plan what Update or Delete would refuse, from what Read saw in this walk. Without a Read the guard
// meets it at apply.
func (r *managed) planGuard(a markers.Address, prior object, e *expectation, about subject, changed, replaced bool, resp *resource.ModifyPlanResponse) {
	key, ok := r.keyIn(prior)
	if !ok {
		return
	}
	s := r.session(r.regionIn(prior))
	id := r.objectID(s, key)
	seen, ok := r.walk.observation(id)
	if ok {
		believed := r.believed(e, prior)
		verdict, class := r.judge(believed, a, seen.tags)
		switch {
		case seen.recreated:
			resp.Diagnostics.Append(recreated(about))
		case verdict == markers.OthersEstate:
			resp.Diagnostics.Append(refusedUpdate(about, verdict, class, believed))
		case replaced && verdict.OnDelete() == markers.Refuse:
			resp.Diagnostics.Append(refusedDelete(about, verdict, class, believed))
		case changed && !replaced && verdict.OnUpdate() == markers.Refuse:
			resp.Diagnostics.Append(refusedUpdate(about, verdict, class, believed))
		case changed && !replaced:
			if d := r.planCarried(a, objectOf(resp.Plan.Raw), knownTags(prior[attrTagsAll]), seen.tags, about); d != nil {
				resp.Diagnostics.Append(d)
			}
		}
	}
	before := r.stateAddress(prior)
	if e != nil && e.Address != "" {
		before = e.Address
	}
	if was, err := markers.Parse(before); err == nil && !markers.SameAddress(was, a) {
		r.planHandOver(prior, subject{kind: about.kind, address: before, id: about.id}, &resp.Diagnostics)
	}
	if taker := r.walk.takenBy(id); taker != "" && taker != a.String() && !resp.Diagnostics.HasError() {
		// Planned before this entry was met: the create of an instance whose token the untagged object carries.
		resp.Diagnostics.Append(changesHands(about, about.address, taker))
	}
	r.planSecondHolder(a, id, about, resp)
}

// planSecondHolder reports another live object with our address: taken, if no state entry of this walk holds it and this
// instance is about to move there; else a warning.
func (r *managed) planSecondHolder(a markers.Address, id objectID, about subject, resp *resource.ModifyPlanResponse) {
	s := r.session(id.region)
	ix := r.walk.index(r.kind, s)
	for _, l := range ix.concerned(ix.known(), r.question(a)) {
		other := r.objectID(s, l.key)
		if other == id || r.isDead(l) || foreign(l, s) {
			continue
		}
		if markers.Classify(l.tags, r.question(a)).Kind != markers.Ours {
			continue
		}
		seen, ok := r.walk.observation(id)
		moving := ok && markers.Classify(seen.tags, r.question(a)).Kind == markers.OtherAddress
		if moving && !r.walk.holds(other) {
			resp.Diagnostics.Append(addressHeld(about, other.id))
			return
		}
		if !moving {
			resp.Diagnostics.Append(secondHolder(about, other.id))
			return
		}
	}
}
