// Command crash is the crash matrix. For each resource type it learns the calls of every operation from the proxy's journal,
// strikes each call with each fault, with the state kept and with the state lost, and runs again from what is left. Then one
// object has to be live for the address, the state has to hold it, the next plan has to be empty, and a destroy has to leave
// nothing behind.
//
// It drives the provider's server in its own process through the plugin protocol, and does what a CLI's core does for one
// instance; so a case takes less than a second, but for those in which the SDK itself pauses. A user's part in a recovery is to
// run again, and beyond that only what a message of the provider says; the table counts the cases that need it.
//
// With -cli, cases go through the real CLIs instead, and the CLI itself is killed too (cli.go).
//
// `make crash` runs all cases, and `make test` a sample of them. The exit status is 1 where a case fails, or where a type has
// fewer cases than it has to have.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// options are the command line.
type options struct {
	// types are the types whose calls are learned.
	types *regexp.Regexp
	// match chooses cases by their names; sample takes so many of them for each type, 0 all, by seed.
	match  *regexp.Regexp
	sample int
	seed   uint64
	// fast leaves the slow cases out.
	fast    bool
	workers int
	// cli is how many cases go through each CLI, in place of the matrix.
	cli int
	// progress, whose errors do not matter, gets a line for each failure, and now and then one that says how far the matrix is.
	progress io.Writer
}

func main() {
	types := flag.String("types", "", "only these types, a pattern")
	pattern := flag.String("run", "", "only the cases whose names match this pattern")
	write := flag.String("write", "", "write the table to this file, as Markdown")
	o := options{progress: os.Stderr}
	flag.IntVar(&o.sample, "sample", 0, "run so many cases of each type; 0 runs all")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the sample")
	flag.BoolVar(&o.fast, "fast", false, "leave out the cases that wait for the SDK's pauses")
	flag.IntVar(&o.workers, "workers", 6, "cases that run at once")
	flag.IntVar(&o.cli, "cli", 0, "take so many cases through each CLI instead")
	flag.Parse()
	if err := command(context.Background(), o, *types, *pattern, *write); err != nil {
		fmt.Fprintln(os.Stderr, "crash:", err)
		os.Exit(1)
	}
}

// command runs the matrix and prints its table.
func command(ctx context.Context, o options, types, pattern, write string) (err error) {
	if o.types, err = regexp.Compile(types); err != nil {
		return err
	}
	if o.match, err = regexp.Compile(pattern); err != nil {
		return err
	}
	h, err := acceptance.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Stop()) }()
	r, err := matrixOf(ctx, h, o)
	if err != nil {
		return err
	}
	if write != "" {
		if err := os.WriteFile(write, []byte(r.markdown()), 0o600); err != nil {
			return err
		}
	}
	if o.cli > 0 {
		return r.printCLI(os.Stdout)
	}
	if err := r.print(os.Stdout); err != nil {
		return err
	}
	if types+pattern == "" && o.sample == 0 && !o.fast {
		err = r.enough()
	}
	if n := len(r.failures); n > 0 {
		err = errors.Join(err, fmt.Errorf("%d cases failed", n))
	}
	return err
}

// Least cases of a type.
const (
	leastTagged   = 150
	leastUntagged = 60
)

// enough says whether each type had as many cases as it has to have.
func (r *report) enough() error {
	var errs []error
	for _, sub := range subjects {
		least := leastTagged
		if !sub.tagged() {
			least = leastUntagged
		}
		if n := r.run(sub.typ); n < least {
			errs = append(errs, fmt.Errorf("%s: %d cases were run, and %d are the least", sub.typ, n, least))
		}
	}
	return errors.Join(errs...)
}

// matrixOf learns, chooses and runs.
func matrixOf(ctx context.Context, h *acceptance.Harness, o options) (_ *report, err error) {
	if err := environment(); err != nil {
		return nil, err
	}
	m, err := newMatrix(ctx, h, o.workers)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.close()) }()
	all, err := m.plans(ctx, o)
	if err != nil {
		return nil, err
	}
	r, start := &report{}, time.Now()
	if o.cli > 0 {
		m.runCLI(ctx, all, o, r.addCLI)
		return r, nil
	}
	done := 0
	m.run(ctx, all, func(out outcome) {
		r.add(out)
		done++
		if out.err != nil {
			_, _ = fmt.Fprintf(o.progress, "FAIL %s %v\n     %s\n", out.trial, out.ways, strings.ReplaceAll(out.err.Error(), "\n", "\n     "))
		}
		if done%200 == 0 {
			_, _ = fmt.Fprintf(o.progress, "%d of %d cases after %s\n", done, len(all), time.Since(start).Round(time.Second))
		}
	})
	return r, nil
}

// endpoint is where the provider believes AWS to be. It is reached through the site's proxy: an address in the endpoints block
// would do as well, but that block makes each start of a provider slower than a case.
const endpoint = "http://192.0.2.1:4566"

// environment takes out of the environment what would lead the provider elsewhere.
func environment() error {
	var errs []error
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(e, "=")
		if strings.HasPrefix(name, "AWS_") || strings.HasPrefix(name, "TF_AWS_") || strings.HasPrefix(name, "TOFU_") ||
			strings.HasSuffix(strings.ToUpper(name), "_PROXY") {
			errs = append(errs, os.Unsetenv(name))
		}
	}
	for name, v := range map[string]string{
		"AWS_ENDPOINT_URL": endpoint, "AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
	} {
		errs = append(errs, os.Setenv(name, v))
	}
	return errors.Join(errs...)
}

// choose takes the cases that the options ask for out of a type's.
func (o options) choose(all []trial) []trial {
	out := slices.DeleteFunc(all, func(t trial) bool { return !o.match.MatchString(t.String()) || o.fast && t.slow() })
	if o.sample == 0 || o.sample >= len(out) {
		return out
	}
	out = slices.DeleteFunc(out, func(t trial) bool { return skipReason(t) != "" })
	o.shuffle(out)
	return out[:min(o.sample, len(out))]
}

// operations are those of a subject, which is the nth, whose calls are learned. A small sample is one of a few operations of each
// type, since to learn an operation takes longer than a case of it.
func (o options) operations(n int, sub *subject) []operation {
	out := slices.DeleteFunc(slices.Clone(operations), func(op operation) bool { return !sub.has(op) })
	if o.sample == 0 || o.sample > smallSample {
		return out
	}
	//nolint:gosec // G404: a sample has to be the same each time.
	random := rand.New(rand.NewPCG(o.seed, uint64(n)))
	random.Shuffle(len(out), func(a, b int) { out[a], out[b] = out[b], out[a] })
	return out[:min(learnedOperations, len(out))]
}

const (
	smallSample       = 10
	learnedOperations = 3
)

// shuffle orders cases by the seed.
func (o options) shuffle(all []trial) {
	//nolint:gosec // G404: a sample has to be the same each time.
	random := rand.New(rand.NewPCG(o.seed, 0))
	random.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
}
