package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// row is a line of the table: an operation of a type.
type row struct {
	typ   string
	op    operation
	calls map[int]bool
	// planned, run, failed and skipped count cases; ways those that a message's way out was needed for.
	planned, run, failed, skipped, ways int
	// of counts the cases that were run by their fault.
	of map[string]int
}

// report is what came of a matrix.
type report struct {
	rows []*row
	// skips and ways count cases by reason.
	skips, ways map[string]int
	failures    []outcome
	throughCLIs []cliOutcome
}

// add counts an outcome.
func (r *report) add(o outcome) {
	if r.skips == nil {
		r.skips, r.ways = map[string]int{}, map[string]int{}
	}
	line := r.row(o.trial)
	line.planned++
	line.calls[o.at] = true
	if o.skipped != "" {
		line.skipped++
		r.skips[o.skipped]++
		return
	}
	line.run++
	line.of[o.fault.name]++
	for _, way := range slices.Compact(slices.Sorted(slices.Values(o.ways))) {
		r.ways[way]++
	}
	if len(o.ways) > 0 {
		line.ways++
	}
	if o.err != nil {
		line.failed++
		r.failures = append(r.failures, o)
	}
}

func (r *report) row(t trial) *row {
	for _, line := range r.rows {
		if line.typ == t.sub.typ && line.op == t.op {
			return line
		}
	}
	line := &row{typ: t.sub.typ, op: t.op, calls: map[int]bool{}, of: map[string]int{}}
	r.rows = append(r.rows, line)
	slices.SortStableFunc(r.rows, func(a, b *row) int {
		return cmp.Or(cmp.Compare(order(a.typ), order(b.typ)), cmp.Compare(slices.Index(operations, a.op), slices.Index(operations, b.op)))
	})
	return line
}

// order is the place of a type in the table.
func order(typ string) int {
	return slices.IndexFunc(subjects, func(s *subject) bool { return s.typ == typ })
}

// run counts the cases of a type that were run.
func (r *report) run(typ string) int {
	n := 0
	for _, line := range r.rows {
		if line.typ == typ {
			n += line.run
		}
	}
	return n
}

// heads are the names of the columns.
func heads() []string {
	out := []string{"type", "operation", "calls"}
	for _, f := range faults {
		out = append(out, f.name)
	}
	return append(out, "planned", "run", "failed", "skipped", "by a way out")
}

// cells are the lines of the table, the sums last.
func (r *report) cells() [][]string {
	sum := &row{typ: "all", calls: map[int]bool{}, of: map[string]int{}}
	var out [][]string
	calls := 0
	for _, line := range r.rows {
		out = append(out, line.cells(len(line.calls)))
		calls += len(line.calls)
		sum.planned, sum.run, sum.failed = sum.planned+line.planned, sum.run+line.run, sum.failed+line.failed
		sum.skipped, sum.ways = sum.skipped+line.skipped, sum.ways+line.ways
		for name, n := range line.of {
			sum.of[name] += n
		}
	}
	return append(out, sum.cells(calls))
}

func (l *row) cells(calls int) []string {
	out := []string{l.typ, string(l.op), fmt.Sprint(calls)}
	for _, f := range faults {
		out = append(out, fmt.Sprint(l.of[f.name]))
	}
	for _, n := range []int{l.planned, l.run, l.failed, l.skipped, l.ways} {
		out = append(out, fmt.Sprint(n))
	}
	return out
}

// print writes the table for a terminal.
func (r *report) print(w io.Writer) error {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range append([][]string{heads()}, r.cells()...) {
		if _, err := fmt.Fprintln(columns, strings.Join(line, "\t")); err != nil {
			return err
		}
	}
	if err := columns.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, r.notes("\n%s:\n", "  %5d  %s\n"))
	return err
}

// markdown is the table for the documentation.
func (r *report) markdown() string {
	var b strings.Builder
	b.WriteString("| " + strings.Join(heads(), " | ") + " |\n|" + strings.Repeat("---|", len(heads())) + "\n")
	for _, line := range r.cells() {
		b.WriteString("| " + strings.Join(line, " | ") + " |\n")
	}
	b.WriteString(r.notes("\n%s:\n\n", "- %d: %s\n"))
	return b.String()
}

// absent counts the operations that types of the table have not, by reason.
func (r *report) absent() map[string]int {
	out := map[string]int{}
	for _, sub := range subjects {
		if r.run(sub.typ) == 0 {
			continue
		}
		for op, why := range sub.absent {
			out[fmt.Sprintf("%s, %s: %s", sub.typ, op, why)]++
		}
	}
	return out
}

// notes are the reasons of skips, and the ways out that were taken.
func (r *report) notes(head, line string) string {
	var b strings.Builder
	for _, part := range []struct {
		title  string
		counts map[string]int
	}{{"Cases that are not run", r.skips}, {"Operations that types have not", r.absent()}, {"Ways out that a message told and that were taken", r.ways}} {
		if len(part.counts) == 0 {
			continue
		}
		fmt.Fprintf(&b, head, part.title)
		for _, why := range slices.Sorted(maps.Keys(part.counts)) {
			fmt.Fprintf(&b, line, part.counts[why], why)
		}
	}
	return b.String()
}
