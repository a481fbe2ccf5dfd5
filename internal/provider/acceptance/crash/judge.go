package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// judge says what is wrong with what a case has come to: where the goal is an object, AWS has that one alone, the state holds
// it, a plan is empty, and a destroy leaves nothing.
func (r *recovery) judge(ctx context.Context, goal target) error {
	r.instance.attempts = 1
	if goal.config != nil {
		if err := r.judgeLive(ctx, goal); err != nil {
			return err
		}
		if err := r.instance.run(ctx, target{}); err != nil {
			return fmt.Errorf("destroying: %w", err)
		}
	}
	if r.instance.current != nil || len(r.instance.deposed) > 0 {
		return errors.New("the state is not empty after the destroy")
	}
	left, err := r.site.added(ctx, r.sub, r.before)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return fmt.Errorf("left after the destroy: %v", left)
	}
	return nil
}

// judgeLive is the part of judge while the object is there.
func (r *recovery) judgeLive(ctx context.Context, goal target) error {
	p, err := r.instance.plan(ctx, goal)
	if err != nil {
		return fmt.Errorf("planning once more: %w", err)
	}
	added, err := r.site.added(ctx, r.sub, r.before)
	if err != nil {
		return err
	}
	if len(added) > 1 && r.lost {
		if added, err = r.removeOthers(ctx, added); err != nil {
			return err
		}
	}
	switch {
	case len(added) != 1:
		return fmt.Errorf("%d live objects for one address: %v; the state holds %q", len(added), added, r.instance.id())
	case added[0].ID != r.instance.id():
		return fmt.Errorf("the state holds %q, and live is %s", r.instance.id(), added[0])
	case len(r.instance.deposed) > 0:
		return errors.New("the state holds a deposed object")
	case p.action != nothing:
		return fmt.Errorf("the next plan is not empty: %s", p.action)
	case p.refreshed:
		return errors.New("the next plan refreshes the state")
	}
	return r.judgeMarker(added[0], goal)
}

// judgeMarker compares the marker with the state and the configuration.
func (r *recovery) judgeMarker(o acceptance.Object, goal target) error {
	if !r.sub.tagged() {
		return nil
	}
	want := map[string]string{
		acceptance.TagEstate: r.site.estate, acceptance.TagAddress: fmt.Sprint(goal.config["tofu_address"]),
		acceptance.TagBinding: text(r.instance.current.value, "tofu_binding"),
	}
	for key, v := range want {
		if o.Tags[key] != v || v == "" {
			return fmt.Errorf("%s is to carry %s = %q", o, key, v)
		}
	}
	return nil
}

// removeOthers takes the estate's tag off the objects that warnings have named beside the state's, as a user does who has read
// them, and counts them no more.
func (r *recovery) removeOthers(ctx context.Context, added []acceptance.Object) ([]acceptance.Object, error) {
	kind, err := acceptance.KindOf(r.sub.typ)
	if err != nil {
		return nil, err
	}
	var kept []acceptance.Object
	for _, o := range added {
		if o.ID == r.instance.id() || kind.Untag == nil || !r.instance.named(o.ID) {
			kept = append(kept, o)
			continue
		}
		if err := kind.Untag(ctx, r.site.AWS, o.ID, acceptance.TagEstate); err != nil {
			return nil, err
		}
		r.before[o.ID] = o
		r.ways = append(r.ways, "leftover let go")
	}
	return kept, nil
}
