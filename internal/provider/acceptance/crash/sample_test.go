package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
)

// The sample of `make test`.
const (
	sampleSize = 6
	sampleSeed = 4
)

// TestSample runs the same few cases of each type every time; make crash runs all.
func TestSample(t *testing.T) {
	if harness == nil {
		t.Skip("needs the emulator that make test prepares")
	}
	any := regexp.MustCompile("")
	r, err := matrixOf(t.Context(), harness, options{
		types: any, match: any, sample: sampleSize, seed: sampleSeed, fast: true, workers: 4, progress: t.Output(),
	})
	must(t, err)
	for _, o := range r.failures {
		t.Errorf("%s: %v", o.trial, o.err)
	}
	for _, sub := range subjects {
		if n := r.run(sub.typ); n != sampleSize {
			t.Errorf("%d cases of %s were run, want %d", n, sub.typ, sampleSize)
		}
	}
	must(t, r.print(os.Stdout))
}

// TestEveryTypeHasCases holds the matrix to the provider's list of types.
func TestEveryTypeHasCases(t *testing.T) {
	all, err := askSchemas(t.Context(), provider.Server("crash")())
	must(t, err)
	for typ := range all.types {
		if order(typ) < 0 {
			t.Errorf("the matrix has no %s", typ)
		}
	}
	for _, sub := range subjects {
		if _, ok := all.types[sub.typ]; !ok {
			t.Errorf("the provider has no %s", sub.typ)
		}
		for _, op := range operations {
			says := map[operation]bool{update: sub.changed != nil, replace: sub.replaced != nil, replaceBeside: sub.beside != nil}
			if sub.has(op) && (op == update || op == replace || op == replaceBeside) && !says[op] {
				t.Errorf("%s: there is neither a configuration for %s nor a reason why not", sub.typ, op)
			}
		}
	}
}
