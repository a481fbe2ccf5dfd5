package main

import (
	"context"
	"encoding/json"
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
	// undone is the one that loses nothing which only a state knows.
	undone loss = "state of before the step put back"
)

// someLoss draws a loss.
func someLoss(r *rand.Rand) loss { return []loss{deleted, older, older, entries}[r.IntN(4)] }

// lose loses the state. Entries are taken from those that the state had when the step began, which are known from the model alone.
func (s *soak) lose(ctx context.Context, how loss, from []string, r *rand.Rand) (string, error) {
	if how == entries && len(from) == 0 {
		how = deleted
	}
	switch how {
	case deleted:
		return string(how), s.ForgetState()
	case older:
		if len(s.past) == 0 {
			return string(how) + ": none", s.ForgetState()
		}
		back := 1 + r.IntN(len(s.past))
		return fmt.Sprintf("%s, of %d checks ago", how, back), s.SetStateText(s.past[len(s.past)-back])
	case undone:
		return string(how), s.SetStateText(s.before)
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

// untear puts the state of before an apply back where the CLI was killed while it wrote: both CLIs empty the file first, and write
// what they have collected then. A user finds that state in terraform.tfstate.backup, or as an older version in a backend.
func (s *soak) untear(before string) error {
	text, err := s.StateText()
	if err != nil || before == "" || json.Valid([]byte(text)) {
		return err
	}
	s.say("the state was torn, %d bytes are left; that of before is put back", len(text))
	s.tally.losses["torn by the kill of a CLI"]++
	return s.SetStateText(before)
}
