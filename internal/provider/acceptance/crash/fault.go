package main

import (
	"strings"
	"sync/atomic"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// fault is what befalls one call of an operation.
type fault struct {
	name string
	// done says that AWS does the work of the call.
	done bool
	// attempts is how often the SDK makes a call while the fault is at work: 1 lets every failure reach the engine.
	attempts int64
	// runs is how many further runs may meet the fault again.
	runs int
	// writesOnly leaves reads out: for them the fault is the same as another one.
	writesOnly bool
	// slow says that a case takes seconds, of the SDK's pauses; waits that the engine may look for what the call has made.
	slow, waits bool
	// strike makes the rule for the call with the number at; c is the call as it was learned.
	strike func(s *site, at int, c faultproxy.Call) *faultproxy.Rule
}

// allAttempts is the provider's own default.
const allAttempts = 25

// throttles is how often a throttled call is refused.
const throttles = 5

// faults are all faults of the matrix. A read changes nothing, so that it makes no difference to what is left whether a
// provider was killed before or after one.
var faults = []fault{
	{name: "killed before", attempts: 1, strike: killBefore},
	{name: "killed after", done: true, attempts: 1, writesOnly: true, strike: killAfter},
	{name: "answer dropped", done: true, attempts: 1, strike: drop},
	{name: "answer dropped, repeated", done: true, attempts: allAttempts, writesOnly: true, slow: true, strike: drop},
	{name: "denied", attempts: 1, strike: deny},
	{name: "throttled", attempts: 1, runs: throttles, strike: throttle},
	{name: "throttled, repeated", attempts: allAttempts, writesOnly: true, slow: true, strike: throttle},
	{name: "timed out", attempts: 1, waits: true, strike: timeOut},
}

// numbered counts the calls of an operation from 0, and asks hit about each.
func numbered(hit func(n int, c faultproxy.Call) bool) faultproxy.Match {
	var seen atomic.Int64
	return func(c faultproxy.Call) bool {
		return counts(c) && hit(int(seen.Add(1)-1), c)
	}
}

func only(at int) faultproxy.Match {
	return numbered(func(n int, _ faultproxy.Call) bool { return n == at })
}

// killBefore kills the provider when it makes the call, which does not reach AWS.
func killBefore(s *site, at int, _ faultproxy.Call) *faultproxy.Rule {
	return s.proxy.On(numbered(func(n int, c faultproxy.Call) bool {
		p, ok := s.processOf(c)
		if n != at || !ok {
			return false
		}
		p.kill()
		return true
	}), faultproxy.CutBefore())
}

// killAfter kills the provider when AWS has done the work, before the answer comes.
func killAfter(s *site, at int, _ faultproxy.Call) *faultproxy.Rule {
	return s.proxy.On(only(at), faultproxy.Run(func(c faultproxy.Call) {
		if p, ok := s.processOf(c); ok {
			p.kill()
		}
	}))
}

func drop(s *site, at int, _ faultproxy.Call) *faultproxy.Rule {
	return s.proxy.On(only(at), faultproxy.DropAnswer())
}

// deny takes the permission away: the call is refused, and all later ones of its name.
func deny(s *site, at int, learned faultproxy.Call) *faultproxy.Rule {
	return s.proxy.On(numbered(func(n int, c faultproxy.Call) bool {
		return n >= at && c.Name() == learned.Name()
	}), faultproxy.Deny())
}

// throttle refuses the call and the next ones, whichever they are.
func throttle(s *site, at int, _ faultproxy.Call) *faultproxy.Rule {
	return s.proxy.On(numbered(func(n int, _ faultproxy.Call) bool { return n >= at }), faultproxy.Throttle()).Times(throttles)
}

// patience is how long a provider waits for the call that is not answered, until the operation is interrupted.
const patience = 50 * time.Millisecond

// timeOut answers nothing until the operation's time is up.
func timeOut(s *site, at int, _ faultproxy.Call) *faultproxy.Rule {
	return s.proxy.On(numbered(func(n int, c faultproxy.Call) bool {
		p, ok := s.processOf(c)
		if n != at || !ok {
			return false
		}
		time.AfterFunc(patience, p.interrupt)
		return true
	}), faultproxy.Hang())
}

// short is a call's name without its service.
func short(c faultproxy.Call) string {
	_, action, _ := strings.Cut(c.Name(), ":")
	return action
}
