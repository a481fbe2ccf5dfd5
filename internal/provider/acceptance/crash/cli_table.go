package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// cliOutcome is what came of a case.
type cliOutcome struct {
	cli  acceptance.CLI
	name string
	err  error
	took time.Duration
}

// addCLI keeps an outcome.
func (r *report) addCLI(o cliOutcome) { r.throughCLIs = append(r.throughCLIs, o) }

// printCLI writes a line for each case that went through a CLI, those that failed last, and the sums.
func (r *report) printCLI(w io.Writer) error {
	slices.SortFunc(r.throughCLIs, func(a, b cliOutcome) int {
		return cmp.Or(strings.Compare(a.cli.Name, b.cli.Name), strings.Compare(a.name, b.name))
	})
	run, failed := map[string]int{}, map[string]int{}
	var errs []error
	for _, o := range r.throughCLIs {
		verdict := "ok"
		run[o.cli.String()]++
		if o.err != nil {
			verdict = "FAIL"
			failed[o.cli.String()]++
			errs = append(errs, fmt.Errorf("%s: %s: %w", o.cli, o.name, o.err))
		}
		if _, err := fmt.Fprintf(w, "%-4s %-16s %6.1fs  %s\n", verdict, o.cli, o.took.Seconds(), o.name); err != nil {
			return err
		}
	}
	for _, cli := range slices.Sorted(maps.Keys(run)) {
		if _, err := fmt.Fprintf(w, "%s: %d cases run, %d failed\n", cli, run[cli], failed[cli]); err != nil {
			return err
		}
	}
	return errors.Join(errs...)
}
