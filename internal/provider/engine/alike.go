package engine

import (
	"context"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file is about objects whose marker was taken off and whose state is lost too: nothing says any more whose they are, and a
// create would make another one beside. What looks like the wanted object is named in the plan, and taken over on request.

// seeksAlike tells whether look-alikes are looked for: in every plan, and at apply where one is to be adopted. A create that makes
// a second object on purpose needs no warning.
func (r *managed) seeksAlike(want wanted) bool {
	if len(r.alike) == 0 || want.mode == Beside || want.acting && !flag(want.whole[attrAdoptUnmarked]) {
		return false
	}
	own := objectOf(want.own)
	return !slices.ContainsFunc(r.alike, func(name string) bool { return !own[name].IsFullyKnown() || own[name].IsNull() })
}

// findAlike lists the living unmarked objects of this account that equal the wanted one in what tells objects of the type apart.
// What a state entry of this walk holds is that entry's, and what was released is nobody's by intent.
func (r *managed) findAlike(ctx context.Context, s *cloud.Session, want wanted) ([]match, error) {
	lives, ix, err := r.walk.outlook(r.kind, s, nil).list(ctx, r.walk, r.kind, s, time.Now(), want.acting)
	if err != nil {
		return nil, err
	}
	var out []match
	for _, l := range lives {
		_, released := l.tags[markers.ReleasedKey]
		if foreign(l, s) || r.isDead(l) || l.madeByAWS || released || r.walk.holds(r.objectID(s, l.key)) ||
			markers.Observe(l.tags, r.foldsCase()).Status != markers.StatusUnmarked || !r.equalIn(ctx, r.alike, want, l) {
			continue
		}
		whole, err := ix.completed(ctx, l)
		if isGone(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, match{live: whole, differs: r.immutableDifferences(ctx, want.config, want.own, whole.own)})
	}
	return out, nil
}

// equalIn tells whether an object is what is wanted in these attributes, by meaning.
func (r *managed) equalIn(ctx context.Context, names []string, want wanted, l *live) bool {
	differ := changes(ctx, r.ownType(), want.own, l.own, "")
	return !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(differ, name) })
}

// decideAlike leaves look-alikes alone, unless the configuration asks for the one.
func (r *managed) decideAlike(ctx context.Context, want wanted, alike []match, about subject) (decision, diag.Diagnostic) {
	switch {
	case !flag(want.whole[attrAdoptUnmarked]):
		return decision{alike: alike}, nil
	case len(alike) > 1:
		return decision{}, severalAlike(about, r.describe(r.regionIn(want.whole), alike))
	case len(alike[0].differs) > 0:
		return decision{}, alikeDiffers(about, r.explain(ctx, want, alike))
	}
	return decision{adopt: &alike[0]}, nil
}

// idsOf are the ids of objects.
func (k *kind) idsOf(found []match) []string {
	out := make([]string, len(found))
	for i, m := range found {
		out[i] = k.idOf(m.live.key)
	}
	return out
}
