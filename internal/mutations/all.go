package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// judgeAll checks the tests on the code as it is, then tries each mutation and tells what became of it.
func (w workshop) judgeAll(ctx context.Context, mutations []mutation, workers int, tell func(mutation, outcome)) ([]outcome, error) {
	pass, err := w.check(ctx, mutations)
	if err != nil {
		return nil, err
	}
	outcomes := make([]outcome, len(mutations))
	err = w.each(ctx, mutations, workers, func(ctx context.Context, n int, m mutation) (err error) {
		if outcomes[n], err = w.try(ctx, fmt.Sprintf("mutation-%d", n), m, pass); err == nil {
			tell(m, outcomes[n])
		}
		return err
	})
	return outcomes, err
}

// explore prints which tests of its package fail by each mutation.
func (w workshop) explore(ctx context.Context, out io.Writer, mutations []mutation, workers int) error {
	var mu sync.Mutex
	return w.each(ctx, mutations, workers, func(ctx context.Context, n int, m mutation) error {
		r, o, err := w.mutated(ctx, fmt.Sprintf("mutation-%d", n), m, ".")
		if err != nil {
			return err
		}
		found := fmt.Sprintf("broke off: %t, fail: %s", r.broke, strings.Join(slices.Sorted(maps.Keys(r.failed)), ", "))
		if o.verdict != "" {
			found = fmt.Sprintf("%s: %s", o.verdict, o.why)
		}
		mu.Lock()
		defer mu.Unlock()
		_, err = fmt.Fprintf(out, "%s\n    %s\n", m.breaks, found)
		return err
	})
}

// each does something for each mutation, several at a time.
func (workshop) each(ctx context.Context, mutations []mutation, workers int, do func(context.Context, int, mutation) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(workers, 1))
	for n, m := range mutations {
		g.Go(func() error { return do(ctx, n, m) })
	}
	return g.Wait()
}
