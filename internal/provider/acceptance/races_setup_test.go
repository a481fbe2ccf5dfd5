package acceptance

import (
	"slices"
	"sync"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// This file brings two runs in one account into an order. Each has a state and a proxy of its own; what holds a call back
// waits for calls of the other run, and never for time.

// beside makes a workspace in the same account with a proxy of its own, and writes its configuration.
func beside(t *testing.T, w *Workspace, estate, configuration string) *Workspace {
	t.Helper()
	s, err := w.Beside()
	must(t, err)
	t.Cleanup(s.Close)
	other := s.NewWorkspace(w.CLI, t.TempDir())
	other.Env = slices.Clone(w.Env)
	start(t, other, estate, configuration)
	return other
}

// hold keeps a run's calls back until a channel is closed. The channel that it returns is closed when the first of them comes.
func hold(w *Workspace, m faultproxy.Match, until <-chan struct{}) <-chan struct{} {
	came := make(chan struct{})
	var first sync.Once
	w.Proxy.On(func(c faultproxy.Call) bool {
		if m(c) {
			first.Do(func() { close(came) })
			return true
		}
		return false
	}, faultproxy.HoldUntil(until))
	return came
}

// ended is closed when the first matching call of a run has its outcome.
func ended(w *Workspace, m faultproxy.Match) <-chan struct{} {
	done := make(chan struct{})
	var first sync.Once
	w.Proxy.Watch(func(c faultproxy.Call) {
		if m(c) {
			first.Do(func() { close(done) })
		}
	})
	return done
}

// all is closed when every one of the channels is.
func all(channels ...<-chan struct{}) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		for _, c := range channels {
			<-c
		}
		close(done)
	}()
	return done
}

// applying begins an apply; the function that it returns waits for its end.
func applying(t *testing.T, w *Workspace) func() Result {
	t.Helper()
	var r Result
	done := make(chan struct{})
	go func() {
		defer close(done)
		r = w.Apply(t.Context())
	}()
	t.Cleanup(func() { <-done })
	return func() Result { <-done; return r }
}

// meet waits until a run has come to a point, and fails the test if it ends before.
func meet(t *testing.T, w *Workspace, point <-chan struct{}, end func() Result) {
	t.Helper()
	over := make(chan Result, 1)
	go func() { over <- end() }()
	select {
	case <-point:
	case r := <-over:
		t.Fatalf("%s ended before it came to the point where the runs meet\n%s\n%s", r.Command, r.explain(), faultproxy.Format(w.Proxy.Journal()))
	}
}

// open holds nothing back.
var open = func() <-chan struct{} { c := make(chan struct{}); close(c); return c }()
