package main

import (
	"fmt"
	"math/rand/v2"
)

// stepKind is what a step does.
type stepKind string

const (
	creating   stepKind = "create"
	changing   stepKind = "change"
	renaming   stepKind = "rename"
	replacing  stepKind = "replace"
	asking     stepKind = "replace on request"
	dropping   stepKind = "drop"
	destroying stepKind = "destroy"
)

// stepKinds are those that are drawn, as often as they stand here.
var stepKinds = []stepKind{
	creating, creating, changing, changing, changing, renaming, renaming, renaming, replacing, replacing, replacing, asking, asking,
	dropping, dropping, dropping, destroying, destroying,
}

// step is one edit of the configuration and its apply, with what goes wrong. It is drawn from the seed and the model alone.
type step struct {
	kind stepKind
	// did says what the edits are, edits of which kinds.
	did   []string
	edits []stepKind
	// args go to the first apply; taint are addresses that are tainted before it.
	args, taint []string
	// blows strike the applies, one each, as long as they fail.
	blows []*blow
	// loss befalls the state before the first apply of a drop, and else after it.
	loss loss
	// untaints says that the user keeps what a create left unfinished.
	untaints bool
	// twice says that a further apply is needed: a role that is replaced under its name loses its policies, of which the plan cannot
	// know. So it is with hashicorp/aws.
	twice bool
}

// safe tells whether the state may be lost in the middle of a step of this kind. The others change what only a state knows, until
// they are through (README, Limits): the old address of a rename; the old name of an object that is replaced under another; that
// an object whose block is gone was there at all. So a careful user looks after the state then, and so does the soak.
func (k stepKind) safe() bool { return k == creating || k == changing || k == dropping }

// draw draws the next step and changes the model by it.
func (e *estate) draw(r *rand.Rand, objects int) *step {
	s := &step{kind: stepKinds[r.IntN(len(stepKinds))], untaints: r.IntN(2) == 0}
	before := e.sketch()
	switch n := len(e.members()); {
	case n == 0:
		s.kind = creating
		for i := 0; len(e.members()) < objects || i < len(kindOrder); i++ {
			e.grow(r, kindOrder[i%len(kindOrder)])
		}
		s.did = []string{"create a new estate"}
	case n < objects*4/5:
		s.kind = creating
	case n > objects*6/5 && s.kind == creating:
		s.kind = destroying
	}
	for range 1 + r.IntN(mostEdits) {
		s.edit(e, r, s.kind)
	}
	if with := s.kind.goesWith(); len(with) > 0 && r.IntN(2) == 0 {
		for range 1 + r.IntN(mostEdits) {
			s.edit(e, r, with[r.IntN(len(with))])
		}
	}
	struck := r.IntN(10) < struckSteps
	if s.kind == dropping || s.kind.safe() && struck && r.IntN(3) == 0 {
		s.loss = someLoss(r)
	} else if struck && r.IntN(4) == 0 {
		s.loss = undone
	}
	if struck {
		for range 1 + r.IntN(mostBlows) {
			s.blows = append(s.blows, someBlow(r, s.writes(before, e.sketch()), len(e.members())+1))
		}
	}
	return s
}

// sketch is what the configuration says of each instance, by its address.
func (e *estate) sketch() map[string]string {
	out := map[string]string{}
	for _, m := range e.members() {
		out[m.address()] = fmt.Sprint(e.says(m))
	}
	return out
}

// writes is about how many writes an apply of the step makes: one for each instance that it touches.
func (s *step) writes(before, now map[string]string) int {
	n := len(s.args) + len(s.taint)
	if s.loss != kept {
		n += mostEntries
	}
	for address, says := range now {
		if before[address] != says || s.loss == deleted {
			n++
		}
	}
	for address := range before {
		if _, stays := now[address]; !stays && s.kind != renaming {
			n++
		}
	}
	return max(n, 1)
}

const (
	// mostEdits and mostBlows are the most of a step.
	mostEdits = 6
	mostBlows = 3
	// struckSteps of ten are struck.
	struckSteps = 7
)

// goesWith are the kinds of edits that a step of this kind also makes.
func (k stepKind) goesWith() []stepKind {
	switch k {
	case creating, changing:
		return []stepKind{creating, changing}
	case renaming, replacing, destroying:
		return []stepKind{changing, renaming, replacing, destroying}
	case asking, dropping: // what is asked for has the addresses of before
	}
	return nil
}

// edit makes one edit.
func (s *step) edit(e *estate, r *rand.Rand, kind stepKind) {
	did := ""
	switch kind {
	case creating:
		did = e.create(r)
	case changing:
		did = e.change(r)
	case renaming:
		did = e.rename(r)
	case replacing:
		did = e.replace(r)
	case destroying:
		did = e.destroy(r)
	case asking:
		did = s.ask(e, r)
	case dropping: // nothing changes, as a message of the provider asks of a user whose state is lost
	}
	if did != "" {
		s.did = append(s.did, did)
		s.edits = append(s.edits, kind)
	}
}

// ask asks for a replacement of what does not change.
func (s *step) ask(e *estate, r *rand.Rand) string {
	m := pick(r, e.members(), func(m *member) bool {
		// The emulator takes a record that is made anew, with the values that it had, for one that is still there.
		return m.block.typ != recordType
	})
	if m == nil {
		return ""
	}
	s.twice = s.twice || m.block.typ == roleType
	if r.IntN(2) == 0 {
		s.taint = append(s.taint, m.address())
		return "taint " + m.address() + m.block.group.order()
	}
	s.args = append(s.args, "-replace="+m.address())
	return "-replace=" + m.address() + m.block.group.order()
}
