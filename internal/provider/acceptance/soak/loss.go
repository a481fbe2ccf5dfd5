package main

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// loss is how a state gets lost.
type loss string

const (
	kept    loss = ""
	deleted loss = "state deleted"
	older   loss = "older state put back"
	entries loss = "entries removed from the state"
)

// someLoss draws a loss.
func someLoss(r *rand.Rand) loss { return []loss{deleted, older, entries}[r.IntN(3)] }

// lose loses the state. Entries are taken from those that the state had when the step began, which are known from the model alone.
func (s *soak) lose(ctx context.Context, how loss, from []string, r *rand.Rand) (string, error) {
	switch how {
	case deleted:
		return string(how), s.ForgetState()
	case older:
		if len(s.past) == 0 {
			return string(how) + ": none", s.ForgetState()
		}
		back := 1 + r.IntN(len(s.past))
		return fmt.Sprintf("%s, of %d checks ago", how, back), s.SetStateText(s.past[len(s.past)-back])
	case entries:
		some := make([]string, 0, mostEntries)
		for range 1 + r.IntN(mostEntries) {
			some = append(some, from[r.IntN(len(from))])
		}
		done := 0
		for _, address := range some { // one by one: a name may come twice, and what a struck apply has destroyed is not there
			if s.StateRm(ctx, address).Err == nil {
				done++
			}
		}
		return fmt.Sprintf("%d entries removed from the state", done), nil
	case kept:
	}
	return "", nil
}

// mostEntries is how many entries go at most.
const mostEntries = 6
