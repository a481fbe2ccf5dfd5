package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file holds everything that waits. Pauses start at a second and grow to ten.

const (
	firstPause = time.Second
	lastPause  = 10 * time.Second
)

// errNotYet says that a condition does not hold yet, with what was seen last.
type errNotYet struct{ seen string }

func (e errNotYet) Error() string { return e.seen }

// errTimeout says that a condition did not come to hold in time.
type errTimeout struct {
	limit time.Duration
	last  error
}

func (e errTimeout) Error() string { return fmt.Sprintf("not done after %s: %s", e.limit, e.last) }
func (e errTimeout) Unwrap() error { return e.last }

// until calls check until it returns nil or an error other than errNotYet, for limit at most.
func (w *Walk) until(ctx context.Context, limit time.Duration, check func() error) error {
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval, pause.RandomizationFactor = w.pause(firstPause), w.pause(lastPause), 0
	start := time.Now()
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := check()
		if err != nil && !isNotYet(err) {
			return struct{}{}, backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(pause), backoff.WithMaxElapsedTime(limit))
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("interrupted after %s: %w", time.Since(start).Round(time.Second), ctx.Err())
	case isNotYet(err):
		return errTimeout{limit, err}
	}
	return err
}

// isNotYet tells whether a condition may still come to hold; one whose own time is up does not.
func isNotYet(err error) bool {
	var notYet errNotYet
	var timeout errTimeout
	return errors.As(err, &notYet) && !errors.As(err, &timeout)
}

// pause scales a pause for tests.
func (w *Walk) pause(d time.Duration) time.Duration {
	if w.pace > 0 {
		return time.Duration(float64(d) * w.pace)
	}
	return d
}

// untilReady reads an object until it serves, and returns it complete. missing says that it may not show yet, because
// this walk has just made it.
func (k *kind) untilReady(ctx context.Context, w *Walk, s *cloud.Session, key Key, limit time.Duration, missing bool) (*live, error) {
	var found *live
	err := w.until(ctx, limit, func() error {
		l, err := k.get(ctx, s, key)
		switch {
		case isGone(err) && missing:
			return errNotYet{"AWS does not show it yet"}
		case err != nil:
			return err
		}
		found = l
		switch l.state {
		case Pending:
			return errNotYet{"still pending: " + reasonOf(l)}
		case Failed:
			return fmt.Errorf("AWS reports that it failed: %s", reasonOf(l))
		case Gone, Scheduled:
			return fmt.Errorf("AWS reports that it is being deleted: %s", reasonOf(l))
		}
		return nil
	})
	if err != nil {
		return found, err
	}
	return k.completed(ctx, s, found)
}

// untilGone reads an object until it no longer shows, or waits for a scheduled deletion.
func (k *kind) untilGone(ctx context.Context, w *Walk, s *cloud.Session, key Key, limit time.Duration) error {
	return w.until(ctx, limit, func() error {
		l, err := k.get(ctx, s, key)
		switch {
		case isGone(err):
			return nil
		case err != nil:
			return err
		case l.state == Gone || l.state == Scheduled || foreign(l, s):
			return nil // the guard has just read it as ours, so that another account has its name now
		case l.state == Failed:
			return fmt.Errorf("AWS reports that the deletion failed: %s", reasonOf(l))
		}
		return errNotYet{"it still exists"}
	})
}

// untilAccepted makes a call again while the type says that its error is a passing one: for as long as the operation may
// take, or for as long as AWS may take to know of a change everywhere. That the object is gone never passes.
func (k *kind) untilAccepted(ctx context.Context, w *Walk, limit time.Duration, call func() error) error {
	var last error
	known := time.Now().Add(w.pause(settlingLimit))
	err := w.until(ctx, limit, func() error {
		last = call()
		if last != nil && !isGone(last) && (k.isBusy(last) || k.isTooFresh(last) && time.Now().Before(known)) {
			return errNotYet{last.Error()}
		}
		return last
	})
	var timeout errTimeout
	if errors.As(err, &timeout) {
		return fmt.Errorf("not accepted within %s: %w", limit, lasted(ctx, last))
	}
	return err
}

func (k *kind) isBusy(err error) bool     { return k.busy != nil && k.busy(err) }
func (k *kind) isTooFresh(err error) bool { return k.tooFresh != nil && k.tooFresh(err) }

// Lasting is an error that Busy names and that may have a cause which AWS does not tell. The engine calls Lasted once, where
// the error has not passed in time, and reports what it returns: the error itself, with what stands in the way.
type Lasting interface {
	error
	Lasted(ctx context.Context) error
}

// lasted is what is reported of an error that did not pass.
func lasted(ctx context.Context, err error) error {
	var lasting Lasting
	if errors.As(err, &lasting) {
		return lasting.Lasted(ctx)
	}
	return err
}

func reasonOf(l *live) string {
	if l.reason == "" {
		return "AWS gives no reason"
	}
	return l.reason
}
