package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file removes what acceptance tests left in a test account. No resource uses it: a provider deletes what a state
// holds, and a sweep deletes whatever carries the name of a test estate.

// SweepPrefix begins the names of the estates that Sweep may empty, and of no others.
const SweepPrefix = "testacc-"

const (
	// sweepTries is how often a sweep goes on although nothing could be deleted, while AWS says that it is a matter of time.
	sweepTries = 12
	// sweepPause is the pause before such a try.
	sweepPause = 10 * time.Second
)

// Sweeping says what Sweep removes.
type Sweeping struct {
	// Prefix begins the names of the estates: SweepPrefix or something longer.
	Prefix string
	// Age is how old a binding must at least be. An object whose binding does not tell is old enough.
	Age time.Duration
	// DryRun only reports what would be removed.
	DryRun bool
	// Report is told of each object that was found, and again when it is gone.
	Report func(o Swept, gone bool)

	pace float64
}

// Swept is an object of a test estate.
type Swept struct {
	// Type is the resource type, ID what its id attribute would hold. Region is "" for global types.
	Type, ID, Region string
	// Estate and Address are what its marker says; Address is "" where it is malformed.
	Estate, Address string
}

// String names the object as messages do.
func (o Swept) String() string {
	where := ""
	if o.Region != "" {
		where = " in " + o.Region
	}
	return fmt.Sprintf("%s %s%s (%s of %s)", o.Type, o.ID, where, orElse(o.Address, "no address"), o.Estate)
}

// left is a found object that is not deleted yet.
type left struct {
	Swept
	kind *kind
	key  Key
}

// Sweep removes all objects of the types, in the session's region, whose marker names an estate of the prefix. It knows no
// order: AWS refuses an object on which another hangs, so that each round deletes what it can, and the last is the one in
// which nothing could be. Types without tags go with what they belong to. Each object is read again before it is deleted.
// The error holds every failure.
func Sweep(ctx context.Context, s *cloud.Session, types []Type, o Sweeping) error {
	if !strings.HasPrefix(o.Prefix, SweepPrefix) {
		return fmt.Errorf("the prefix %q does not begin with %q: a sweep would reach estates that are no tests", o.Prefix, SweepPrefix)
	}
	w := NewWalk(Configuration{Session: s})
	w.pace = o.pace
	found, problems := o.find(ctx, s, types)
	if o.DryRun {
		return problems
	}
	for tries := 0; len(found) > 0; {
		again, passing, err := o.round(ctx, w, s, found)
		switch {
		case len(again) < len(found):
			tries = 0
		case !passing || tries == sweepTries:
			return errors.Join(problems, err)
		default:
			tries++
			if err := sleep(ctx, w.pause(sweepPause)); err != nil {
				return errors.Join(problems, err)
			}
		}
		found = again
	}
	return problems
}

// find lists the types. One that cannot be listed does not keep the others from being swept.
func (o Sweeping) find(ctx context.Context, s *cloud.Session, types []Type) ([]left, error) {
	var out []left
	var problems error
	for _, t := range types {
		k, ok := t.(*kind)
		if !ok || !k.tagged() {
			continue
		}
		for l, err := range k.list(ctx, s, markers.Filter{}) {
			if err == nil && l.tags == nil {
				l, err = k.get(ctx, s, l.key)
			}
			if err != nil {
				if err = notGone(err); err != nil {
					problems = errors.Join(problems, fmt.Errorf("listing %s: %w", k.fullName(), err))
				}
				continue // a listing stops at its error by itself
			}
			if found, admitted := o.admit(k, s, l); admitted {
				o.report(found, false)
				out = append(out, left{Swept: found, kind: k, key: l.key})
			}
		}
	}
	return out, problems
}

// admit tells whether an object is to be removed.
func (o Sweeping) admit(k *kind, s *cloud.Session, l *live) (Swept, bool) {
	seen := markers.Observe(l.tags, k.foldsCase())
	found := Swept{Type: k.fullName(), ID: k.idOf(l.key), Region: k.regionOf(s), Estate: seen.Estate, Address: seen.Address.String()}
	if foreign(l, s) || l.state == Gone || l.state == Scheduled || !strings.HasPrefix(seen.Estate, o.Prefix) {
		return found, false
	}
	bound, known := markers.BindingTime(seen.Binding)
	return found, !known || time.Since(bound) >= o.Age
}

func (o Sweeping) report(found Swept, gone bool) {
	if o.Report != nil {
		o.Report(found, gone)
	}
}

// round tries to delete each object once. passing says that one of the refusals is a matter of time.
func (o Sweeping) round(ctx context.Context, w *Walk, s *cloud.Session, found []left) (
	again []left, passing bool, problems error,
) {
	for _, f := range found {
		gone, err := o.remove(ctx, w, s, f)
		if gone {
			o.report(f.Swept, true)
		}
		if err == nil {
			continue
		}
		again = append(again, f)
		passing = passing || f.kind.busy != nil && f.kind.busy(err)
		problems = errors.Join(problems, fmt.Errorf("deleting %s: %w", f.Swept, err))
	}
	return again, passing, problems
}

// remove deletes one object, if it still is a test's, with every setting that forces its deletion on.
func (o Sweeping) remove(ctx context.Context, w *Walk, s *cloud.Session, f left) (gone bool, err error) {
	l, err := f.kind.fresh(ctx, s, f.key)
	if err != nil {
		return isGone(err), notGone(err)
	}
	if _, admitted := o.admit(f.kind, s, l); !admitted {
		return false, nil
	}
	if err := notGone(f.kind.delete(ctx, s, f.key, f.kind.forced(l.own))); err != nil {
		return false, err
	}
	w.forgetMemos()
	err = f.kind.untilGone(ctx, w, s, f.key, f.kind.timeout(nil, "delete"))
	return err == nil, err
}

// notGone is err, nil where it says that the object does not exist.
func notGone(err error) error {
	if isGone(err) {
		return nil
	}
	return err
}

// forced is a model with its settings force_destroy, force_detach_policies and their like on.
func (k *kind) forced(own tftypes.Value) tftypes.Value {
	whole := objectOf(own)
	for _, name := range k.settings {
		if v, ok := whole[name]; ok && strings.HasPrefix(name, "force") && v.Type().Is(tftypes.Bool) {
			whole[name] = tftypes.NewValue(tftypes.Bool, true)
		}
	}
	return whole.value(own.Type())
}

// sleep waits, or returns why it was interrupted.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
