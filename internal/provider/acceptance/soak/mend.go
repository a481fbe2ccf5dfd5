package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// tries is how many applies a user needs at most, when nothing strikes any more.
const tries = 6

// mend does what a user does: apply again, and what the messages say.
func (s *soak) mend(ctx context.Context, st *step) error {
	var got acceptance.Result
	for range tries {
		s.tally.applies++
		got = s.Apply(ctx)
		ways, err := s.heed(ctx, got, st)
		if err != nil {
			return err
		}
		for _, way := range ways {
			s.say("%s", way)
		}
		if got.Err == nil && len(ways) == 0 {
			return nil
		}
	}
	return fmt.Errorf("not reached in %d applies: %w", tries, said(got))
}

// stateRm is the line by which a message asks to let go of an entry.
var stateRm = regexp.MustCompile(`tofu state rm (?:'([^'\n]+)'|ADDRESS)`)

// heldByAnother is the warning of an entry that has lost its object to another one, and is to be let go of.
const heldByAnother = "Object held by another state"

// heed takes the ways out that messages tell, and says which.
func (s *soak) heed(ctx context.Context, got acceptance.Result, st *step) ([]string, error) {
	var ways []string
	seen := map[string]bool{}
	for _, d := range got.Diagnostics { // some are there twice, and one entry may have several
		if d.Severity != "error" && d.Summary != heldByAnother || seen[d.Address] {
			continue
		}
		way, err := s.way(ctx, d, st)
		if err != nil {
			return ways, fmt.Errorf("taking the way out of %s: %w", d, err)
		}
		if way != "" {
			ways = append(ways, way)
			seen[d.Address] = true
		}
	}
	return ways, nil
}

// way takes the way out of one message; "" where that is to apply again.
func (s *soak) way(ctx context.Context, d acceptance.Diagnostic, st *step) (string, error) {
	rm := stateRm.FindStringSubmatch(d.Detail)
	switch {
	case d.Summary == "Create not finished" && st.untaints:
		s.tally.ways["untaint"]++
		return "untaint " + d.Address, said(s.Run(ctx, "untaint", d.Address))
	case d.Summary == "Existing object differs" && strings.Contains(d.Detail, "or import it"):
		s.tally.ways["import"]++
		return s.importOne(ctx, d.Address)
	case rm != nil:
		address := rm[1]
		if address == "" {
			address = d.Address
		}
		s.tally.ways["state rm"]++
		return "state rm " + address, s.letGo(ctx, address)
	}
	return "", nil
}

// letGo removes an entry from the state, which may still have it under an address of before a move.
func (s *soak) letGo(ctx context.Context, address string) error {
	var got acceptance.Result
	for _, a := range s.model.formerly(address) {
		if got = s.StateRm(ctx, a); got.Err == nil {
			break
		}
	}
	return said(got)
}

// formerly are an address and those that it had before moves, the newest first.
func (e *estate) formerly(address string) []string {
	out := []string{address}
	for _, m := range slices.Backward(e.moves) {
		rest, ok := strings.CutPrefix(address, m.to)
		if ok && (rest == "" || strings.ContainsAny(rest[:1], ".[")) {
			address = m.from + rest
			out = append(out, address)
		}
	}
	return out
}

// importOne imports an object without tags, whose id is made of what the configuration says.
func (s *soak) importOne(ctx context.Context, address string) (string, error) {
	m := s.model.find(address)
	if m == nil || m.parent == nil {
		return "", fmt.Errorf("%s has no id that is known", address)
	}
	id := m.parent.named("role") + ":" + m.named("policy")
	if m.block.typ == recordType {
		zone := s.zone(m.parent)
		id = zone + "_" + m.named("record") + "." + m.parent.domain() + "_A"
	}
	return "import " + address, said(s.Import(ctx, address, id))
}

// zone is the id of a zone in the state.
func (s *soak) zone(m *member) string {
	state, err := s.State()
	if err != nil {
		return ""
	}
	i := slices.IndexFunc(state, func(i acceptance.Instance) bool { return i.Address == m.address() })
	if i < 0 {
		return ""
	}
	return state[i].ID()
}
