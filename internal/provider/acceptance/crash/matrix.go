package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// matrix runs cases against one emulator.
type matrix struct {
	harness *acceptance.Harness
	schemas *schemas
	// workers is how many cases run at once; slow ones, which mostly sleep, run beside them.
	workers int

	mu sync.Mutex
	// free are sites that no case uses at the moment, by type.
	free map[string][]*site
}

// sleepers is how many slow cases run beside each other one.
const sleepers = 4

// outcome is what came of a case.
type outcome struct {
	trial
	// skipped is the reason why it was not run.
	skipped string
	ways    []string
	err     error
	took    time.Duration
}

func newMatrix(ctx context.Context, h *acceptance.Harness, workers int) (*matrix, error) {
	all, err := askSchemas(ctx, provider.Server("crash")())
	return &matrix{harness: h, schemas: all, workers: workers, free: map[string][]*site{}}, err
}

// close ends all sites.
func (m *matrix) close() {
	for _, sites := range m.free {
		for _, s := range sites {
			s.close()
		}
	}
}

// borrow gives a site of the type, a new one where none is free.
func (m *matrix) borrow(ctx context.Context, sub *subject) (*site, error) {
	m.mu.Lock()
	if sites := m.free[sub.typ]; len(sites) > 0 {
		s := sites[len(sites)-1]
		m.free[sub.typ] = sites[:len(sites)-1]
		m.mu.Unlock()
		return s, nil
	}
	m.mu.Unlock()
	return newSite(ctx, m.harness, m.schemas, sub)
}

// giveBack takes a site back, unless something may be left in it.
func (m *matrix) giveBack(s *site, sub *subject, clean bool) {
	if !clean {
		s.close()
		return
	}
	s.proxy.Reset()
	s.Proxy.Reset()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.free[sub.typ] = append(m.free[sub.typ], s)
}

// plans learns the calls of all types of which a case is asked for, and returns those cases.
func (m *matrix) plans(ctx context.Context, o options) ([]trial, error) {
	learned := make([][]trial, len(subjects))
	var group errgroup.Group
	group.SetLimit(m.workers)
	for n, sub := range subjects {
		if !o.types.MatchString(sub.typ) {
			continue
		}
		group.Go(func() (err error) {
			learned[n], err = m.plan(ctx, sub, o.operations(n, sub))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var out []trial
	for _, all := range learned {
		out = append(out, o.choose(all)...)
	}
	return out, nil
}

// plan learns the calls of operations of the subject, and returns all cases: each call, each fault, with the state and without.
func (m *matrix) plan(ctx context.Context, sub *subject, ops []operation) ([]trial, error) {
	var out []trial
	for _, op := range ops {
		s, err := m.borrow(ctx, sub)
		if err != nil {
			return nil, err
		}
		calls, err := trial{sub: sub, op: op}.learn(ctx, s)
		m.giveBack(s, sub, err == nil)
		if err != nil {
			return nil, fmt.Errorf("%s, %s without a fault: %w", sub.typ, op, err)
		}
		out = append(out, cases(sub, op, calls)...)
	}
	return out, nil
}

// cases are those of one operation.
func cases(sub *subject, op operation, calls []faultproxy.Call) []trial {
	parting := partingCall(op, calls)
	named := map[string]int{}
	var out []trial
	for at, c := range calls {
		for _, f := range faults {
			if f.writesOnly && !c.Write {
				continue
			}
			for _, lost := range []bool{false, true} {
				out = append(out, trial{sub: sub, op: op, at: at, call: c, fault: f, lost: lost, parting: parting, nth: named[c.Name()]})
			}
		}
		named[c.Name()]++
	}
	return out
}

// partingCall is the number of the call by which the old object of a replacement goes, or the object gets its new address:
// the last write where the new object comes first, else the first.
func partingCall(op operation, calls []faultproxy.Call) int {
	parting := -1
	for at, c := range calls {
		if c.Write && (parting < 0 || op == replaceBeside) {
			parting = at
		}
	}
	return parting
}

// run runs the cases and hands each outcome to done, one at a time.
func (m *matrix) run(ctx context.Context, all []trial, done func(outcome)) {
	results := make(chan outcome)
	fast, slow := make(chan trial), make(chan trial)
	var workers sync.WaitGroup
	work := func(from chan trial) {
		for t := range from {
			results <- m.one(ctx, t)
		}
	}
	for range m.workers {
		workers.Go(func() { work(fast) })
		for range sleepers {
			workers.Go(func() { work(slow) })
		}
	}
	go func() {
		var feeders sync.WaitGroup
		feed := func(to chan trial, slowOnes bool) {
			defer close(to)
			for _, t := range all {
				if t.slow() == slowOnes {
					to <- t
				}
			}
		}
		feeders.Go(func() { feed(fast, false) })
		feeders.Go(func() { feed(slow, true) })
		feeders.Wait()
		workers.Wait()
		close(results)
	}()
	for o := range results {
		done(o)
	}
}

// one runs one case, in a site that no other uses meanwhile.
func (m *matrix) one(ctx context.Context, t trial) outcome {
	o := outcome{trial: t, skipped: skipReason(t)}
	if o.skipped != "" {
		return o
	}
	s, err := m.borrow(ctx, t.sub)
	if err != nil {
		o.err = err
		return o
	}
	start := time.Now()
	o.ways, o.err = t.run(ctx, s)
	o.took = time.Since(start)
	m.giveBack(s, t.sub, o.err == nil && len(o.ways) == 0)
	return o
}
