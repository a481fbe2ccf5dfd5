package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// site is an account in which the cases of one type run one after the other, each with an estate of its own. A case that fails
// may leave something behind, so that the site is not used again.
type site struct {
	*acceptance.Sandbox
	// proxy is where the faults strike: the sandbox's own, or one in front of it.
	proxy   *faultproxy.Proxy
	schemas *schemas
	// vars are what the type's setup has made, such as the id of a VPC.
	vars   map[string]string
	estate string
	// processes are all provider processes by access key, those that were killed included.
	processes sync.Map
}

// keys and estates number the access keys and the estates of this program.
var keys, estates atomic.Int64

// newSite opens an account and makes there what the type's objects belong to.
func newSite(ctx context.Context, h *acceptance.Harness, all *schemas, sub *subject) (*site, error) {
	sandbox, err := h.NewSandbox()
	if err != nil {
		return nil, err
	}
	s := &site{Sandbox: sandbox, proxy: sandbox.Proxy, schemas: all, vars: map[string]string{"account": sandbox.Account}}
	s.Proxy.AsAWS()
	if sub.mend != nil {
		sub.mend(ctx, s.Sandbox)
		if s.proxy, err = faultproxy.Start(s.Proxy.URL()); err != nil {
			sandbox.Close()
			return nil, err
		}
	}
	s.proxy.On(s.isDead, faultproxy.CutBefore())
	if sub.setup != nil {
		if err := sub.setup(ctx, s.AWS, s.vars); err != nil {
			s.close()
			return nil, fmt.Errorf("%s: setting up: %w", sub.typ, err)
		}
	}
	return s, nil
}

// close ends the site's proxies.
func (s *site) close() {
	if s.proxy != s.Proxy {
		s.proxy.Close()
	}
	s.Close()
}

func (s *site) nextKey() string { return fmt.Sprintf("AKIA%016d", keys.Add(1)) }

// open begins a case: an estate that nobody has used.
func (s *site) open() {
	s.estate = fmt.Sprintf("crash-%d", estates.Add(1))
	s.vars["case"] = s.estate
}

// forget lets go of the servers of a case that is over. Their keys stay known, as those of the dead.
func (s *site) forget() {
	gone := make(chan struct{})
	close(gone)
	s.processes.Range(func(key, value any) bool {
		if p, ok := value.(*process); ok && p.server != nil {
			p.kill()
			s.processes.Store(key, &process{key: p.key, killed: gone})
		}
		return true
	})
}

// processOf is the process that made a call.
func (s *site) processOf(c faultproxy.Call) (*process, bool) {
	v, ok := s.processes.Load(c.AccessKey)
	if !ok {
		return nil, false
	}
	p, ok := v.(*process)
	return p, ok
}

// isDead matches calls of processes that were killed.
func (s *site) isDead(c faultproxy.Call) bool {
	p, ok := s.processOf(c)
	return ok && p.isKilled()
}

// instance is a new instance of the subject's type, without a state.
func (s *site) instance(sub *subject) *instance {
	return &instance{site: s, typ: sub.typ, kind: s.schemas.types[sub.typ], attempts: 1}
}

// counts says whether a call belongs to an operation. What a provider asks STS when it starts comes before every operation.
func counts(c faultproxy.Call) bool { return c.Service != "sts" }

// live are the objects of the subject's type in the account, by id.
func (s *site) live(ctx context.Context, sub *subject) (map[string]acceptance.Object, error) {
	out := map[string]acceptance.Object{}
	if sub.live != nil {
		ids, err := sub.live(ctx, s.AWS, s.vars)
		for _, id := range ids {
			out[id] = acceptance.Object{Type: sub.typ, ID: id}
		}
		return out, err
	}
	kind, err := acceptance.KindOf(sub.typ)
	if err != nil {
		return nil, err
	}
	objects, err := kind.List(ctx, s.AWS)
	for _, o := range objects {
		out[o.ID] = o
	}
	return out, err
}

// added are the objects that are live and were not before.
func (s *site) added(ctx context.Context, sub *subject, before map[string]acceptance.Object) ([]acceptance.Object, error) {
	now, err := s.live(ctx, sub)
	var out []acceptance.Object
	for id, o := range now {
		if _, was := before[id]; !was {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b acceptance.Object) int { return slices.Compare([]string{a.ID}, []string{b.ID}) })
	return out, err
}
