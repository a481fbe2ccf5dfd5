package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// reporter prints the table, a mutation at a time.
type reporter struct {
	mu  sync.Mutex
	out io.Writer
}

// tell prints what became of a mutation.
func (r *reporter) tell(m mutation, o outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	//nolint:errcheck // Where the table cannot be printed, the exit code still says what it came to.
	fmt.Fprintf(r.out, "%-8s  §%-2d  %s\n               %s: %s\n", o.verdict, m.section, m.breaks, m.file, o.why)
}

// sum prints how many were caught. The error says how many were not.
func (r *reporter) sum(outcomes []outcome, took time.Duration) error {
	good := 0
	for _, o := range outcomes {
		if o.verdict == caught {
			good++
		}
	}
	//nolint:errcheck // As above.
	fmt.Fprintf(r.out, "%d of %d mutations are caught, in %s.\n", good, len(outcomes), took.Round(time.Second))
	if bad := len(outcomes) - good; bad > 0 {
		return fmt.Errorf("%d of %d mutations are not caught", bad, len(outcomes))
	}
	return nil
}
