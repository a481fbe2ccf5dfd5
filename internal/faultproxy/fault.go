package faultproxy

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Fault is what happens to a call that a rule selects.
type Fault struct {
	name string
	// before runs instead of the call upstream if it returns an answer; an error cuts the connection.
	before func(context.Context, Call) (*answer, error)
	// request and response replace the uncompressed bodies.
	request, response func([]byte) []byte
	// around makes the call upstream, if at all, and may answer something else.
	around func(exchange) (*answer, error)
	// after runs when the answer is known and in the journal; an error cuts the connection.
	after func(Call) error
}

// exchange is a call on its way through a fault.
type exchange struct {
	proxy *Proxy
	call  Call
	// forward makes the call.
	forward func() (*answer, error)
	// blame adds a remark to the call's fault in the journal.
	blame func(string)
}

// answered returns the call as it ended with a.
func (x exchange) answered(a *answer) Call {
	c := x.call
	c.Status, c.ResponseBody = a.status, a.plain()
	return c
}

// DropAnswer lets AWS do the work and cuts the client's connection instead of passing the answer on.
func DropAnswer() Fault {
	return Fault{name: "drop", after: func(Call) error { return errCut }}
}

// Run lets AWS do the work, calls f with the answered call, and then cuts the client's connection. It is the place
// to kill the client: AWS has acted, and the client cannot know it.
func Run(f func(Call)) Fault {
	return Fault{name: "run", after: func(c Call) error { f(c); return errCut }}
}

// Answer keeps the call from AWS and answers with an error in the shape of the call's own service.
func Answer(status int, code, message string) Fault {
	return instead(fmt.Sprintf("answer %d %s", status, code), func(Call) (int, string, string) {
		return status, code, message
	})
}

// WithHeader returns a fault that sends a header too, with the answer that it gives in AWS's place. It panics on a fault that
// gives none, which would let a test pass in silence.
func (f Fault) WithHeader(name, value string) Fault {
	before := f.before
	if before == nil {
		panic("faultproxy: " + f.name + " gives no answer that a header could go with")
	}
	f.before = func(ctx context.Context, c Call) (*answer, error) {
		a, err := before(ctx, c)
		if a != nil {
			a.header.Set(name, value)
		}
		return a, err
	}
	return f
}

// Deny keeps the call from AWS and answers as the service does when IAM policies forbid it: status 403 with
// UnauthorizedOperation (EC2) or AccessDenied (other XML services); AccessDeniedException of status 403 for REST
// JSON and CBOR and of status 400 for JSON 1.x, as on AWS.
func Deny() Fault { return instead("deny", denial) }

// ExpireToken keeps the call from AWS and answers as the service does when the session token has expired:
// RequestExpired (EC2), ExpiredToken (other XML services) or ExpiredTokenException (JSON, CBOR).
func ExpireToken() Fault { return instead("expire", expiry) }

// Hang keeps the call from AWS and answers nothing until the client gives up or the proxy is closed; then the
// connection is cut.
func Hang() Fault {
	return Fault{name: "hang", before: func(ctx context.Context, _ Call) (*answer, error) {
		<-ctx.Done()
		return nil, errCut
	}}
}

// Delay holds the call back for d, and then makes it. It is not made if the client has given up by then.
func Delay(d time.Duration) Fault {
	return Fault{name: "delay", before: func(ctx context.Context, _ Call) (*answer, error) {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return nil, nil
		case <-ctx.Done():
			return nil, errCut
		}
	}}
}

// HoldUntil holds the call back until done is closed, and then makes it: two clients of one AWS are so brought into an
// order. It is not made if the client has given up by then, or the proxy is closed.
func HoldUntil(done <-chan struct{}) Fault {
	return Fault{name: "hold", before: func(ctx context.Context, _ Call) (*answer, error) {
		select {
		case <-done:
			return nil, nil
		case <-ctx.Done():
			return nil, errCut
		}
	}}
}

// Edit passes the body of the answer, uncompressed and whatever its status, through f. Checksums of the old body are
// removed from the headers.
func Edit(f func(body []byte) []byte) Fault { return Fault{name: "edit", response: f} }

// EditRequest passes the body of the request, uncompressed, through f on its way to AWS. The journal keeps what the
// client sent.
func EditRequest(f func(body []byte) []byte) Fault { return Fault{name: "edit request", request: f} }

func instead(name string, failure func(Call) (status int, code, message string)) Fault {
	return Fault{name: name, before: func(_ context.Context, c Call) (*answer, error) {
		return failed(c, failure)
	}}
}

// Rule applies a fault to the calls that its match selects. Its methods are safe for concurrent use.
type Rule struct {
	proxy *Proxy
	match Match
	fault Fault

	// Guarded by proxy.mu.
	after, times, seen, hits int
	limited, removed         bool
}

// On adds a rule. Of several rules the one that was added first and is neither used up nor still waiting for its
// turn acts, alone. A rule is at work from the moment On returns: call Times and After before the client starts.
func (p *Proxy) On(m Match, f Fault) *Rule {
	r := &Rule{proxy: p, match: m, fault: f}
	p.add(r)
	return r
}

func (p *Proxy) add(r *Rule) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rules = append(p.rules, r)
}

// ClearRules removes all rules and shows what HideNewest and Pending still hold back. Calls that a fault already holds
// are not released.
func (p *Proxy) ClearRules() {
	p.views.clear()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.rules {
		r.removed = true
	}
	p.rules = nil
}

// Times limits the rule to n calls and returns it.
func (r *Rule) Times(n int) *Rule {
	r.proxy.mu.Lock()
	defer r.proxy.mu.Unlock()
	r.times, r.limited = n, true
	return r
}

// After lets the first n matching calls that no earlier rule takes pass unharmed, and returns the rule.
func (r *Rule) After(n int) *Rule {
	r.proxy.mu.Lock()
	defer r.proxy.mu.Unlock()
	r.after = n
	return r
}

// Remove takes the rule out; Hits stays readable.
func (r *Rule) Remove() {
	p := r.proxy
	p.mu.Lock()
	defer p.mu.Unlock()
	r.removed = true
	p.rules = slices.DeleteFunc(p.rules, func(other *Rule) bool { return other == r })
}

// Hits returns how many calls the fault was applied to, those included that it still holds.
func (r *Rule) Hits() int {
	r.proxy.mu.Lock()
	defer r.proxy.mu.Unlock()
	return r.hits
}

// pick returns the rule that acts on c, or nil. Matches run outside the lock, as they are the user's code.
func (p *Proxy) pick(c Call) *Rule {
	p.mu.Lock()
	rules := slices.Clone(p.rules)
	p.mu.Unlock()
	for _, r := range rules {
		if r.match(c) && r.take() {
			return r
		}
	}
	return nil
}

func (r *Rule) take() bool {
	r.proxy.mu.Lock()
	defer r.proxy.mu.Unlock()
	r.seen++
	if r.removed || r.seen <= r.after || r.limited && r.hits >= r.times {
		return false
	}
	r.hits++
	return true
}
