package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// tally counts what a soak did.
type tally struct {
	cli                            acceptance.CLI
	rounds, checks, applies, calls int
	// most is the number of objects at the check that saw most.
	most int
	took time.Duration
	// steps, edits, faults, losses and ways are counted by their names.
	steps, edits, faults, losses, ways map[string]int
}

func newTally(cli acceptance.CLI) *tally {
	return &tally{cli: cli, steps: map[string]int{}, edits: map[string]int{}, faults: map[string]int{}, losses: map[string]int{}, ways: map[string]int{}}
}

// kills is how often a process was killed.
func (t *tally) kills() int {
	n := 0
	for _, f := range faults {
		if f.kills {
			n += t.faults[f.name]
		}
	}
	return n
}

// line is one row of the table.
type line struct {
	name  string
	value func(*tally) string
}

// lines are the rows of the table.
func lines(all []*tally) []line {
	out := []line{
		{"minutes", func(t *tally) string { return fmt.Sprintf("%.1f", t.took.Minutes()) }},
		{"rounds, each judged", func(t *tally) string { return strconv.Itoa(t.checks) }},
		{"most objects", func(t *tally) string { return strconv.Itoa(t.most) }},
		{"applies", func(t *tally) string { return strconv.Itoa(t.applies) }},
		{"AWS calls", func(t *tally) string { return strconv.Itoa(t.calls) }},
		{"kills", func(t *tally) string { return strconv.Itoa(t.kills()) }},
	}
	for _, group := range []struct {
		what string
		of   func(*tally) map[string]int
	}{
		{"step", func(t *tally) map[string]int { return t.steps }},
		{"edit", func(t *tally) map[string]int { return t.edits }},
		{"fault", func(t *tally) map[string]int { return t.faults }},
		{"loss", func(t *tally) map[string]int { return t.losses }},
		{"way out", func(t *tally) map[string]int { return t.ways }},
	} {
		names := map[string]int{}
		for _, t := range all {
			maps.Copy(names, group.of(t))
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			out = append(out, line{group.what + ": " + name, func(t *tally) string { return strconv.Itoa(group.of(t)[name]) }})
		}
	}
	return out
}

// markdown writes the table of some soaks.
func markdown(seed uint64, all []*tally) string {
	head, rule := fmt.Sprintf("| seed %d |", seed), "|---|"
	for _, t := range all {
		head += " " + t.cli.String() + " |"
		rule += "---|"
	}
	out := []string{head, rule}
	for _, l := range lines(all) {
		row := "| " + l.name + " |"
		for _, t := range all {
			row += " " + l.value(t) + " |"
		}
		out = append(out, row)
	}
	return strings.Join(out, "\n") + "\n"
}
