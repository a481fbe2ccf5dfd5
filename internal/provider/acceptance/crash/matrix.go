package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// matrix runs cases, those of each type against an emulator of their own.
type matrix struct {
	harness *acceptance.Harness
	schemas *schemas
	// workers is how many cases run at once; slow ones, which mostly sleep, run beside them.
	workers int

	mu sync.Mutex
	// free are sites that no case uses at the moment, by type.
	free map[string][]*site
	// emulators are those of types whose cases are not all run yet.
	emulators map[string]*acceptance.Harness
	// left counts the cases of each type that are still to be run.
	left map[string]int
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
	return &matrix{harness: h, schemas: all, workers: workers, free: map[string][]*site{}, emulators: map[string]*acceptance.Harness{}}, err
}

// close ends all sites and emulators.
func (m *matrix) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var err error
	for _, sub := range subjects {
		err = errors.Join(err, m.end(sub.typ))
	}
	return err
}

// end closes the sites of a type and stops its emulator.
func (m *matrix) end(typ string) error {
	for _, s := range m.free[typ] {
		s.close()
	}
	delete(m.free, typ)
	h := m.emulators[typ]
	if h == nil {
		return nil
	}
	delete(m.emulators, typ)
	return h.StopEmulator()
}

// settle counts a case as run; after the last one of a type nothing is kept of it.
func (m *matrix) settle(typ string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left[typ]--; m.left[typ] > 0 {
		return nil
	}
	return m.end(typ)
}

// emulator is that of a type.
func (m *matrix) emulator(ctx context.Context, typ string) (*acceptance.Harness, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.emulators[typ] == nil {
		h, err := m.harness.Beside(ctx)
		if err != nil {
			return nil, err
		}
		m.emulators[typ] = h
	}
	return m.emulators[typ], nil
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
	h, err := m.emulator(ctx, sub.typ)
	if err != nil {
		return nil, err
	}
	return newSite(ctx, h, m.schemas, sub)
}

// giveBack takes a site back, unless something may be left in it.
func (m *matrix) giveBack(s *site, sub *subject, clean bool) {
	if !clean {
		s.close()
		return
	}
	s.proxy.Reset()
	s.Proxy.Reset()
	s.forget()
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
	m.left = map[string]int{}
	for _, t := range all {
		m.left[t.sub.typ]++
	}
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
		if err := m.settle(o.sub.typ); err != nil {
			o.err = errors.Join(o.err, err)
		}
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
