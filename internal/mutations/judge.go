package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// verdict is what became of a mutation. Only caught is good.
type verdict string

const (
	caught     verdict = "caught"
	survived   verdict = "SURVIVED"
	uncompiled verdict = "DOES NOT COMPILE"
	brokeOff   verdict = "BROKE OFF"
	unusable   verdict = "UNUSABLE"
)

// outcome is a verdict and why.
type outcome struct {
	verdict verdict
	why     string
}

// sound says which of the tests pass on the code as it is. Without that a failure would say nothing of a mutation.
type sound map[string]bool

func soundKey(dir, test string) string { return dir + " " + test }

// check runs the tests that the mutations name on the code as it is, once for each package, and returns those that pass.
func (w workshop) check(ctx context.Context, mutations []mutation) (sound, error) {
	named := map[string][]string{}
	for _, m := range mutations {
		named[m.dir] = append(named[m.dir], m.tests...)
	}
	pass := sound{}
	for _, dir := range slices.Sorted(maps.Keys(named)) {
		slices.Sort(named[dir])
		binary, err := w.build(ctx, "as-it-is", dir, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		r, err := w.run(ctx, binary, dir, patternOf(slices.Compact(named[dir])))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		for test := range r.passed {
			pass[soundKey(dir, test)] = !r.broke
		}
	}
	return pass, nil
}

// try builds and judges one mutation. The name is for files, and belongs to it alone.
func (w workshop) try(ctx context.Context, name string, m mutation, pass sound) (outcome, error) {
	for _, test := range m.tests {
		if !pass[soundKey(m.dir, test)] {
			return outcome{unusable, test + " does not pass without the mutation, or is not there"}, nil
		}
	}
	r, o, err := w.mutated(ctx, name, m, m.pattern())
	if err != nil || o.verdict != "" {
		return o, err
	}
	return r.judge(m.tests), nil
}

// mutated runs tests on the mutated code; an outcome without a verdict says that they ran.
func (w workshop) mutated(ctx context.Context, name string, m mutation, pattern string) (results, outcome, error) {
	source, err := m.mutate(w.root)
	if err != nil {
		return results{}, outcome{unusable, err.Error()}, nil //nolint:nilerr // That is the verdict.
	}
	binary, err := w.build(ctx, name, m.dir, map[string]string{m.file: source})
	var broken errCompile
	switch {
	case errors.As(err, &broken):
		return results{}, outcome{uncompiled, broken.said}, nil
	case err != nil:
		return results{}, outcome{}, err
	}
	r, err := w.run(ctx, binary, m.dir, pattern)
	return r, outcome{}, errors.Join(err, os.Remove(binary))
}

// judge demands that each test has failed by its own judgement.
func (r results) judge(tests []string) outcome {
	if r.broke {
		return outcome{brokeOff, "the tests panicked or took too long, and proved nothing:\n" + r.said}
	}
	var missed []string
	for _, test := range tests {
		if !r.failed[test] {
			missed = append(missed, test)
		}
	}
	if len(missed) > 0 {
		return outcome{survived, "did not fail: " + strings.Join(missed, ", ")}
	}
	return outcome{caught, strings.Join(tests, ", ")}
}
