package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file asks whether an object may be changed or deleted. markers.Judge decides; here stands what it is asked.

// believed is what a state entry may claim of its object. Where private state is empty the state's own words serve, but
// its address only beside a binding: after an import, which has none, it is hearsay that the refresh has put there.
func (r *managed) believed(e *expectation, state object) markers.Expectation {
	if e != nil {
		return e.marker()
	}
	m := markers.Expectation{
		Estate: r.walk.Estate.ValueString(), Slot: slotIn(state[attrSlot]),
	}
	m.Binding, m.Unwritten = strings.CutPrefix(text(state[attrBinding]), unwritten)
	if m.Binding != "" {
		m.Address = r.stateAddress(state)
	}
	return m
}

// judge asks markers about an object.
func (r *managed) judge(e markers.Expectation, planned markers.Address, tags map[string]string) (markers.Verdict, markers.Classification) {
	return markers.Judge(e, r.question(planned), tags)
}

// recreated tells whether the object is another one than the entry's, made under its name since. Its tags alone would not
// say so: it may have none, like one of ours that was stripped.
func (r *managed) recreated(e *expectation, l *live) bool {
	return r.tier == Named && e != nil && e.Created != 0 && !l.created.IsZero() && l.created.Unix() != e.Created
}

// guardedKey is the key whose parents are asked for: where the name is derived, only its own part is not known yet.
func (k *kind) guardedKey(want wanted) Key {
	if want.key == nil {
		if key, ok := k.generatedKey(want.whole, k.prefixOf(want.whole)); ok {
			return key
		}
	}
	return want.key
}

// guardParents refuses an operation on a Composed or Setting object whose parent is another estate's.
func (r *managed) guardParents(ctx context.Context, s *cloud.Session, key Key, about subject, doing string) diag.Diagnostic {
	if r.parents == nil || key == nil {
		return nil
	}
	parents, err := r.parents(ctx, s, key)
	if err != nil && !isGone(err) {
		return callFailed(about, doing+": reading what it belongs to", err)
	}
	for _, p := range parents {
		o := markers.Observe(p.Tags, p.FoldsCase)
		switch {
		case o.Status == markers.StatusUnmarked || contains(r.walk.estates(), o.Estate):
			continue
		case o.Estate == "":
			return parentForeign(about, p, fmt.Sprintf("its marker is malformed: %s", o.Problem))
		}
		return parentForeign(about, p, fmt.Sprintf("it belongs to the estate %q", o.Estate))
	}
	return nil
}
