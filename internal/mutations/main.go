// Command mutations breaks the rules of DESIGN.md one at a time and demands that tests notice: a rule whose code can be taken
// out without a failing test is held by nothing.
//
// Each mutation of the catalogue is a change of one place in the source and the tests that have to fail by it. The change is
// made by the go command's -overlay flag, so that the tree is never written to and the build cache stays of use. A mutation
// that does not compile, or whose tests panic, is not caught; neither is one whose tests fail without it. The exit status is 1
// unless all are caught.
//
// `make mutations` runs it. The flag -only picks mutations by a regular expression, and -all runs every test of a
// mutation's package and lists those that fail, which is how the tests for a new mutation are found.
//
// It does not look for mutations by itself: what is broken is chosen by hand, for what it would do to somebody's objects.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() {
	only := flag.String("only", "", "regular expression of the mutations to try, by what they break")
	all := flag.Bool("all", false, "run all tests of each mutation's package, and list those that fail")
	workers := flag.Int("workers", runtime.NumCPU(), "mutations tried at a time")
	flag.Parse()
	chosen, err := choose(catalogue(), *only)
	if err == nil {
		err = run(context.Background(), os.Stdout, chosen, *all, *workers)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "FAILED:", err)
		os.Exit(1)
	}
}

// catalogue lists all mutations.
func catalogue() []mutation {
	return slices.Concat(ofMarkers, ofCreate, ofAdoption, ofPlan, ofGuards, ofCalls)
}

// choose returns the mutations whose description matches.
func choose(mutations []mutation, only string) ([]mutation, error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return nil, err
	}
	chosen := slices.DeleteFunc(mutations, func(m mutation) bool { return !pattern.MatchString(m.breaks) })
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no mutation matches %q", only)
	}
	return chosen, nil
}

// run tries the mutations, several at a time, and prints each as soon as it is judged. The error says how many were not caught.
func run(ctx context.Context, out io.Writer, mutations []mutation, all bool, workers int) error {
	start := time.Now()
	w, err := openWorkshop(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(w.scratch) }() // in the system's folder for such things
	if all {
		return w.explore(ctx, out, mutations, workers)
	}
	said := &reporter{out: out}
	outcomes, err := w.judgeAll(ctx, mutations, workers, said.tell)
	if err != nil {
		return err
	}
	return said.sum(outcomes, time.Since(start))
}

func openWorkshop(ctx context.Context) (workshop, error) {
	module, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return workshop{}, fmt.Errorf("finding the module: %w", err)
	}
	scratch, err := os.MkdirTemp("", "mutations-")
	return workshop{root: filepath.Dir(strings.TrimSpace(string(module))), scratch: scratch}, err
}
