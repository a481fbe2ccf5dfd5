package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// fault is what strikes an apply.
type fault struct {
	name string
	// kills tells whether a process dies.
	kills bool
	// on gives what happens to the call; strike is done to the processes at that moment.
	on     faultproxy.Fault
	strike func(*striker) error
	// after says that strike waits until AWS has done the work.
	after bool
	// calls is how many calls are struck: those that follow, whichever they are, or with same all of the first one's name.
	calls int
	same  bool
}

// everyCall is more calls than a run makes.
const everyCall = 1 << 30

// faults are all of them.
var faults = []fault{
	{name: "provider killed before the call", kills: true, on: faultproxy.Hang(), strike: (*striker).killProvider, calls: 1},
	{name: "provider killed after the call", kills: true, strike: (*striker).killProvider, after: true, calls: 1},
	{name: "CLI killed before the call", kills: true, on: faultproxy.Hang(), strike: (*striker).killCLI, calls: 1},
	{name: "CLI killed after the call", kills: true, strike: (*striker).killCLI, after: true, calls: 1},
	{name: "interrupted", on: faultproxy.CutBefore(), strike: (*striker).interrupt, calls: 1},
	{name: "answer dropped", on: faultproxy.DropAnswer(), calls: 1},
	{name: "answers of a call dropped", on: faultproxy.DropAnswer(), calls: everyCall, same: true},
	{name: "throttled", on: faultproxy.Throttle(), calls: 3},
	{name: "denied", on: faultproxy.Deny(), calls: everyCall, same: true},
}

// blow is a fault that strikes the nth call of an apply, or its nth write.
type blow struct {
	fault
	nth    int
	writes bool
}

// String says what strikes where, for the log.
func (b *blow) String() string {
	if b.writes {
		return fmt.Sprintf("%s, write %d", b.name, b.nth+1)
	}
	return fmt.Sprintf("%s, call %d", b.name, b.nth+1)
}

// someBlow draws a fault for an apply of about so many writes and calls: at a write mostly, since there are more reads.
func someBlow(r *rand.Rand, writes, calls int) *blow {
	b := &blow{fault: faults[r.IntN(len(faults))], writes: r.IntN(4) > 0}
	if b.writes {
		b.nth = r.IntN(writes)
	} else {
		b.nth = r.IntN(calls)
	}
	return b
}

// striker is a blow at work on one apply.
type striker struct {
	*blow
	pid *atomic.Int64

	mu   sync.Mutex
	seen int
	// hit is the call that was struck, err what went wrong with that.
	hit string
	err error
}

// set adds the rule for the blow.
func (s *striker) set(p *faultproxy.Proxy) *faultproxy.Rule {
	on := s.on
	if s.after {
		on = faultproxy.Run(func(faultproxy.Call) { s.fail(s.strike(s)) })
	}
	return p.On(func(c faultproxy.Call) bool {
		if !s.struck(c) {
			return false
		}
		if s.strike != nil && !s.after {
			s.fail(s.strike(s))
		}
		return true
	}, on).Times(s.calls)
}

// struck tells whether a call is to be struck. What a provider asks STS when it starts comes before every apply.
func (s *striker) struck(c faultproxy.Call) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case c.Service == "sts":
		return false
	case s.hit != "":
		return s.calls > 1 && (!s.same || c.Name() == s.hit)
	case s.writes && !c.Write:
		return false
	}
	s.seen++
	if s.seen <= s.nth {
		return false
	}
	s.hit = c.Name()
	return true
}

// call is the call that was struck, "" where none was.
func (s *striker) call() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hit
}

func (s *striker) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = errors.Join(s.err, err)
}

func (s *striker) killProvider() error {
	_, err := acceptance.KillProviders(int(s.pid.Load()))
	return err
}

func (s *striker) killCLI() error { return acceptance.KillCLI(int(s.pid.Load())) }

func (s *striker) interrupt() error { return acceptance.Interrupt(int(s.pid.Load())) }
