package engine

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// decision is what a create does with what was found.
type decision struct {
	// adopt is the object to take over; nil means create.
	adopt *match
	// tied carry the address too, but not the slot.
	tied []match
	// beside are predecessors that stay.
	beside []match
	// alike are unmarked objects that look like the wanted one, and are left alone.
	alike []match
	// restore says that the adopted object is to be taken out of scheduled deletion first.
	restore bool
}

// decide is the table of DESIGN.md, section 5, "Create": one row a case.
func (r *managed) decide(ctx context.Context, want wanted, f finding, about subject) (decision, diag.Diagnostic) {
	switch {
	case f.failed != nil && len(f.candidates) == 0 && (want.mode != Beside || r.tier != Marked):
		return decision{}, existsFailed(about, r.idOf(f.failed.key), f.failed.reason)
	case f.scheduled != nil:
		return r.decideScheduled(ctx, want, f, about)
	case f.blocking != nil && (want.mode != Beside || r.tier != Marked):
		return r.decideBlocking(ctx, want, f, about)
	case r.tier == Composed && len(f.candidates)+len(f.predecessors) > 0:
		return r.decideComposed(ctx, want, append(f.candidates, f.predecessors...)[0], about)
	case want.mode == Refuse && len(f.candidates)+len(f.predecessors) > 0:
		return decision{}, existsRefused(about, r.describe(r.regionIn(want.whole), append(f.candidates, f.predecessors...)))
	case want.mode == Beside && (r.tier == Marked || want.key == nil):
		return decision{beside: append(f.candidates, f.predecessors...)}, nil
	case want.mode == Beside && len(f.candidates)+len(f.predecessors) > 0:
		return decision{}, nameTaken(about, r.describe(r.regionIn(want.whole), append(f.candidates, f.predecessors...)))
	case len(f.candidates) > 1:
		return decision{}, collision(about, r.describe(r.regionIn(want.whole), f.candidates), r.heldOf(r.regionIn(want.whole), f.candidates))
	case len(f.candidates) == 1:
		return decision{adopt: &f.candidates[0], tied: f.tied, beside: f.predecessors}, nil
	case len(f.predecessors) > 0 && want.key != nil:
		return decision{}, nameDiffers(about, r.explain(ctx, want, f.predecessors))
	case len(f.alike) > 0:
		return r.decideAlike(ctx, want, f.alike, about)
	}
	return decision{beside: f.predecessors}, nil
}

// heldOf is the id of the one object that a state entry of this walk holds, which is then tainted; "" where it holds none.
func (r *managed) heldOf(region string, found []match) string {
	for _, m := range found {
		if r.heldInState(region, []match{m}) {
			return r.idOf(m.live.key)
		}
	}
	return ""
}

// decideBlocking handles an object that holds our name or range and is not ours.
func (r *managed) decideBlocking(ctx context.Context, want wanted, f finding, about subject) (decision, diag.Diagnostic) {
	id := r.idOf(f.blocking.key)
	if f.class.Kind != markers.Unmarked {
		return decision{}, inTheWay(about, id, f.class)
	}
	if !flag(want.whole[attrAdoptUnmarked]) {
		return decision{}, unmarkedInTheWay(about, id)
	}
	m := match{live: f.blocking, differs: r.immutableDifferences(ctx, want.config, want.own, f.blocking.own)}
	if len(m.differs) > 0 {
		return decision{}, nameDiffers(about, r.explain(ctx, want, []match{m}))
	}
	return decision{adopt: &m}, nil
}

// decideScheduled handles an object of ours that waits for its deletion and holds the name until then.
func (r *managed) decideScheduled(ctx context.Context, want wanted, f finding, about subject) (decision, diag.Diagnostic) {
	m := match{live: f.scheduled, differs: r.immutableDifferences(ctx, want.config, want.own, f.scheduled.own)}
	if r.restore == nil || !flag(want.whole[attrRestore]) || len(m.differs) > 0 {
		return decision{}, scheduledInTheWay(about, r.idOf(f.scheduled.key), f.scheduled.reason, r.restore != nil)
	}
	return decision{adopt: &m, restore: true}, nil
}

// decideComposed adopts what is equal by meaning; anything else only where it was asked for by name.
func (r *managed) decideComposed(ctx context.Context, want wanted, m match, about subject) (decision, diag.Diagnostic) {
	differs := r.differences(ctx, want.own, m.live.own)
	switch {
	case want.mode == Refuse:
		return decision{}, existsRefused(about, r.describe(r.regionIn(want.whole), []match{m}))
	case len(differs) == 0:
		return decision{adopt: &m}, nil
	case want.named && want.mode == Adopt && len(m.differs) == 0:
		return decision{adopt: &m}, nil
	}
	m.differs = differs
	return decision{}, composedDiffers(about, r.explain(ctx, want, []match{m}))
}

// describe lists objects for a message: id, region and creation time where AWS tells.
func (r *managed) describe(region string, found []match) []string {
	out := make([]string, 0, len(found))
	for _, m := range found {
		line := r.idOf(m.live.key)
		if region != "" {
			line += " in " + region
		}
		if !m.live.created.IsZero() {
			line += ", created " + m.live.created.UTC().Format("2006-01-02 15:04:05") + " UTC"
		}
		if at, ok := markers.BindingTime(markers.Observe(m.live.tags, r.foldsCase()).Binding); ok {
			line += ", bound " + at.UTC().Format("2006-01-02 15:04:05") + " UTC"
		}
		if m.cutOff {
			line += ", not tagged: a create of this address made it, which shows in its token, and was cut off"
		}
		out = append(out, line)
	}
	return out
}

// difference is one attribute in which an object is not what is wanted.
type difference struct{ id, attr, live, want string }

// explain lists the differences of objects, with both values.
func (r *managed) explain(ctx context.Context, want wanted, found []match) []difference {
	var out []difference
	for _, m := range found {
		planned := complete(ctx, r.ownType(), want.own, m.live.own)
		for _, path := range m.differs {
			out = append(out, difference{
				id: r.idOf(m.live.key), attr: path, live: r.show(m.live.own, path), want: r.show(planned, path),
			})
		}
	}
	return out
}
