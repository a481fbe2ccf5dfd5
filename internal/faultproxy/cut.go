package faultproxy

import (
	"context"
	"fmt"
)

// errSevered ends a call of a client that was cut off by Cut.
var errSevered = fmt.Errorf("%w: the client is dead", errCut)

// CutBefore keeps the call from AWS and cuts the client's connection. The client cannot tell it from DropAnswer.
func CutBefore() Fault {
	return Fault{name: "cut", before: func(context.Context, Call) (*answer, error) { return nil, errCut }}
}

// KillBefore is Cut at the moment when the call comes: neither it nor anything that the client sends later reaches AWS.
func KillBefore() Fault {
	return Fault{name: "kill before", around: func(x exchange) (*answer, error) {
		x.proxy.Cut()
		return nil, errCut
	}}
}

// KillAfter lets AWS do the work and is Cut then: the client gets no answer, and nothing that it sends later reaches
// AWS.
func KillAfter() Fault {
	return Fault{name: "kill after", around: func(x exchange) (*answer, error) {
		a, err := x.forward()
		x.proxy.Cut()
		return a, err
	}}
}

// Cut stands for the death of the client. Until Restore, no call reaches AWS and no answer reaches the client: each
// connection is cut. What AWS is at work on is not called back, as no death would; Cut returns when AWS has answered
// it, so that a test then finds AWS at rest. Rules do not act on the calls of a dead client. The journal has these calls,
// with the fault "dead".
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead = true
	for p.dead && p.onTheWay > 0 {
		p.settled.Wait()
	}
}

// Restore lets calls pass again, for the next client. Calls that came before Restore stay cut off, such as one
// that a Delay held.
func (p *Proxy) Restore() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead {
		p.dead = false
		p.deaths++
		p.settled.Broadcast()
	}
}

// severed says that the client that made the call is dead by now.
func (p *Proxy) severed(c Call) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dead || p.deaths != c.deaths
}

// setOut counts a call as being on its way to AWS, unless its client is dead.
func (p *Proxy) setOut(c Call) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead || p.deaths != c.deaths {
		return false
	}
	p.onTheWay++
	return true
}

func (p *Proxy) arrive() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.onTheWay--
	p.settled.Broadcast()
}
