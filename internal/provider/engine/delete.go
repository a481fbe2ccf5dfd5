package engine

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// Delete implements resource.Resource. It reads the object's tags immediately before it acts. The Delete of a tainted
// object arrives without private state, so that the binding is asked of the state attribute too.
func (r *managed) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	prior := objectOf(req.State.Raw)
	about := r.subject(prior, "")
	if d := r.needSession(about); d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	r.walk.applies()
	ctx = logContext(ctx, about)
	e, d := r.expected(ctx, req.Private, about)
	if d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	key, ok := r.keyIn(prior)
	if !ok {
		resp.Diagnostics.Append(stateIncomplete(about))
		return
	}
	s := r.session(r.regionIn(prior))
	switch r.onDestroy(prior) {
	case onDestroyKeep:
		return
	case onDestroyRefuse:
		resp.Diagnostics.Append(destroyRefused(about))
		return
	}
	if !r.tagged() {
		if err := r.learnSpelling(ctx, s, key); err != nil {
			resp.Diagnostics.Append(callFailed(about, "reading before the deletion (nothing was deleted)", err))
			return
		}
		defer r.walk.turn(r.objectID(s, key))()
		if r.walk.hasWritten(r.objectID(s, key)) {
			resp.Diagnostics.Append(deleteSkipped(about))
			return
		}
	}
	l, err := r.get(ctx, s, key)
	switch {
	case isGone(err) || err == nil && (l.state == Gone || l.state == Scheduled):
		r.walk.index(r.kind, s).drop(key)
		return
	case err != nil:
		resp.Diagnostics.Append(callFailed(about, "reading before the deletion (nothing was deleted)", err))
		return
	case foreign(l, s):
		resp.Diagnostics.Append(foreignAccount(about, l.owner, s.Account))
		return
	}
	if r.recreated(e, l) {
		resp.Diagnostics.Append(recreated(about))
		return
	}
	believed := r.believed(e, prior)
	if d, goOn := r.guardDelete(ctx, s, key, l, believed, about); !goOn {
		resp.Diagnostics.Append(d)
		return
	}
	if !r.tagged() {
		whole, err := r.completed(ctx, s, l)
		if err != nil {
			resp.Diagnostics.Append(callFailed(about, "reading before the deletion (nothing was deleted)", err))
			return
		}
		r.walk.parts(r.objectID(s, key), whole)
	}
	if r.onDestroy(prior) == onDestroyRelease {
		resp.Diagnostics.Append(r.release(ctx, s, key, prior, l, about)...)
		return
	}
	resp.Diagnostics.Append(r.remove(ctx, s, key, prior, believed, about)...)
}

// learnSpelling reads an object whose key has several spellings, so that the type knows the one that all its entries share:
// a walk that begins with this deletion has not been told of it yet.
func (k *kind) learnSpelling(ctx context.Context, s *cloud.Session, key Key) error {
	if k.canonical == nil {
		return nil
	}
	_, err := k.get(ctx, s, key)
	return notGone(err)
}

// onDestroy is what the state says that a destroy does, "" or "delete" for a deletion. A Setting that keeps the object is
// stronger than these two, and gives way to what stops the destroy or takes the marker off.
func (k *kind) onDestroy(prior object) string {
	mode := text(prior[attrOnDestroy])
	if (mode == "" || mode == onDestroyDelete) && k.keeps != "" && flag(prior[k.keeps]) {
		return onDestroyKeep
	}
	return mode
}

// guardDelete asks whether the object may be deleted: an error, or a warning and the entry is dropped.
func (r *managed) guardDelete(ctx context.Context, s *cloud.Session, key Key, l *live, believed markers.Expectation, about subject) (diag.Diagnostic, bool) {
	if !r.tagged() {
		d := r.guardParents(ctx, s, key, about, "deleting")
		return d, d == nil
	}
	verdict, class := r.judge(believed, markers.Address{}, l.tags)
	logVerdict(ctx, "delete", class)
	switch action := verdict.OnDelete(); {
	case action == markers.Go:
		return nil, true
	case action == markers.Forget || believed.Binding == "" && r.walk.hasWritten(r.objectID(s, key)):
		// The second is the old entry of a replacement that was imported and never applied: its successor has just adopted.
		return notDestroyed(about, class, believed), false
	}
	return refusedDelete(about, verdict, class, believed), false
}

// release takes the marker off and leaves the object.
func (r *managed) release(ctx context.Context, s *cloud.Session, key Key, prior object, l *live, about subject) diag.Diagnostics {
	var remove []string
	for _, name := range sortedKeys(l.tags) {
		if markers.IsKey(name, r.foldsCase()) && name != markers.ReleasedKey {
			remove = append(remove, name)
		}
	}
	if r.showsTokens() {
		// First: without it an object whose marker is gone looks like one that was cut off before it had any.
		sign := markers.Tags{markers.ReleasedKey: r.walk.Estate.ValueString()}
		if err := r.tag(ctx, r.walk, s, key, sign, nil); err != nil {
			return diag.Diagnostics{callFailed(about, "marking it as released", err)}
		}
	}
	if len(remove) > 0 {
		if err := r.tag(ctx, r.walk, s, key, nil, remove); err != nil {
			return diag.Diagnostics{callFailed(about, "taking its marker off", err)}
		}
	}
	r.walk.removed(r.objectID(s, key)) // a stale listing must not bring it back
	r.walk.leaves(r.fullName(), r.stateAddress(prior), r.idOf(key))
	r.walk.index(r.kind, s).drop(key)
	return nil
}

// remove deletes the object and waits until it is gone. AWS may refuse for minutes, while something depends on it; each
// further try guards again, for the object may be another's by then.
func (r *managed) remove(ctx context.Context, s *cloud.Session, key Key, prior object, believed markers.Expectation, about subject) diag.Diagnostics {
	limit := r.timeout(prior, "delete")
	var refused diag.Diagnostic
	tries := 0
	err := r.untilAccepted(ctx, r.walk, limit, func() error {
		if tries++; tries > 1 {
			l, err := r.get(ctx, s, key)
			if err != nil {
				return err
			}
			if d, goOn := r.guardDelete(ctx, s, key, l, believed, about); !goOn {
				refused = d
				return nil
			}
		}
		return r.delete(ctx, s, key, r.ownPart(prior))
	})
	if refused != nil {
		return diag.Diagnostics{refused}
	}
	if err != nil && !isGone(err) {
		return diag.Diagnostics{callFailed(about, "deleting", err)}
	}
	r.walk.removed(r.objectID(s, key))
	r.walk.leaves(r.fullName(), r.stateAddress(prior), r.idOf(key))
	r.walk.index(r.kind, s).drop(key)
	if r.tier == Setting {
		return nil // reset, and there for good
	}
	if err := r.untilGone(ctx, r.walk, s, key, limit); err != nil {
		return diag.Diagnostics{callFailed(about, "waiting for its deletion", err)}
	}
	return nil
}
