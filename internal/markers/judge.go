package markers

import "fmt"

// Expectation is what a state entry believes about its object.
type Expectation struct {
	Estate  string // for messages; what counts as ours are the estates that Judge is given
	Address string // the resolved text. Empty: not to be trusted, so that only the planned address counts
	Slot    *uint32
	Binding string // empty: never bound, as after an import
	// Unwritten says that the binding was chosen and perhaps never written: the create was cut off before the tags.
	Unwritten bool
	// Seen is the binding that an entry without one of its own saw on the object when it was moved in.
	Seen string
}

// Verdict says what an object is to the state entry that names it.
type Verdict int

// The verdicts, each a row of the table below. Ours means: our estate or a previous one, and the address that
// is expected or planned.
const (
	Unjudged       Verdict = iota // the zero value, which Judge never returns; nothing may be done on it
	OursBound                     // ours, with our binding
	OursUnbound                   // ours, no binding on it
	Rebound                       // ours by address, but another state entry holds it
	OursUnexpected                // ours, a binding on it, and we have none
	OursSeen                      // ours, and with the binding that it had when the entry was moved in
	MovedBound                    // our estate and our binding, a third address
	OtherInstance                 // our estate, another address, not our binding
	OthersEstate                  // another estate's
	StrippedBound                 // estate tag gone or marker malformed, with our binding
	MalformedTags                 // malformed otherwise
	Stripped                      // unmarked, and we have bound it once
	NeverMarked                   // unmarked, and we have never bound it
)

// Action is what an operation does about a verdict.
type Action int

// The actions. The zero value refuses.
const (
	Refuse      Action = iota // an error; the object and the state stay
	Go                        // do it
	GoRebind                  // do it, and write a fresh binding
	GoRewrite                 // do it, and write the whole marker: our binding, or a fresh one where we have none
	Forget                    // drop it from state with one line that says that it was not destroyed
	Clean                     // nothing to say
	Warn                      // keep the state, and warn; no update is planned for this alone
	ShowDrift                 // show what is observed
	ShowNull                  // show no marker
	TakeNothing               // show what is observed, and believe none of it: the next update binds
	Allow                     // import; the plan shows the take-over
	Fail                      // an error of the import
)

// row is what the four operations do about one verdict.
type row struct{ read, update, remove, imported Action }

// rows is the table of verdicts. An import has no expectation, so the rows that need one cannot be met there, and fail.
var rows = map[Verdict]row{
	// The normal case.
	OursBound: {read: Clean, update: Go, remove: Go, imported: Allow},
	// Written by a tool that knows no bindings; only a different binding would mean that it was re-bound.
	OursUnbound: {read: Warn, update: GoRebind, remove: Go, imported: Allow},
	// Another entry adopted it: that one manages it now, so ours lets go of it without touching it.
	Rebound: {read: Warn, update: Refuse, remove: Forget, imported: Allow},
	// Imported or moved in: the update takes over openly, and fences off any other state that holds it.
	// A delete does not: the binding may be that of another entry, of the very same run under create_before_destroy.
	OursUnexpected: {read: TakeNothing, update: GoRebind, remove: Forget, imported: Allow},
	// Nobody has bound it since it was moved in.
	OursSeen: {read: TakeNothing, update: GoRebind, remove: Go, imported: Fail},
	// Somebody edited the address. It is ours still, but a delete waits until that is repaired.
	MovedBound: {read: ShowDrift, update: GoRewrite, remove: Refuse, imported: Fail},
	// Another instance's object. An import may name it; the plan after it refuses.
	OtherInstance: {read: ShowDrift, update: Refuse, remove: Refuse, imported: Allow},
	// Another estate's object is never touched, whatever its binding.
	OthersEstate: {read: ShowDrift, update: Refuse, remove: Refuse, imported: Fail},
	// The binding proves that it was ours when the marker was damaged.
	StrippedBound: {read: ShowDrift, update: GoRewrite, remove: Refuse, imported: Fail},
	// Nothing proves whose it is.
	MalformedTags: {read: ShowDrift, update: Refuse, remove: Refuse, imported: Fail},
	// Stripped or released. The plan shows the marker write; a delete wants that apply first.
	Stripped: {read: ShowDrift, update: GoRewrite, remove: Refuse, imported: Fail},
	// Imported or moved in, and not marked yet.
	NeverMarked: {read: ShowNull, update: GoRewrite, remove: Go, imported: Allow},
}

// OnRead returns what a Read does.
func (v Verdict) OnRead() Action { return rows[v].read }

// OnUpdate returns what an Update does.
func (v Verdict) OnUpdate() Action { return rows[v].update }

// OnDelete returns what a Delete does.
func (v Verdict) OnDelete() Action { return rows[v].remove }

// OnImport returns what an import does.
func (v Verdict) OnImport() Action { return rows[v].imported }

// Judge says what an object is to the state entry that expects e. Both the expected address and the planned one, which is
// what the question asks for, count as ours; either may be missing. A caller whose expected address comes from a refreshed
// state, and who has no binding to show that it is not hearsay, leaves e.Address empty.
func Judge(e Expectation, q Question, tags map[string]string) (Verdict, Classification) {
	c := q.classify(Observe(tags, q.FoldCase), q.Address.String(), e.Address)
	found := c.Observed.Binding
	same := found != "" && found == e.Binding
	switch c.Kind {
	case Ours:
		switch {
		case same:
			return OursBound, c
		case found == "":
			return OursUnbound, c
		case e.Binding == "" && found == e.Seen:
			return OursSeen, c
		case e.Binding == "":
			c.Why = fmt.Sprintf("another state entry has bound it (%s)", found)
			return OursUnexpected, c
		}
		c.Why = fmt.Sprintf("another state entry has bound it (%s, not %s)", found, e.Binding)
		return Rebound, c
	case OtherAddress:
		if same {
			return MovedBound, c
		}
		return OtherInstance, c
	case OtherEstate:
		return OthersEstate, c
	case Unmarked:
		switch {
		case same:
			return StrippedBound, c
		case e.Binding == "" || e.Unwritten && found == "":
			return NeverMarked, c
		case found == "":
			return Stripped, c
		}
		// Not ours to repair: another entry bound it since, and then lost the estate tag.
		c.Why = fmt.Sprintf("it has no tofu-estate tag, and another state entry has bound it (%s, not %s)", found, e.Binding)
		return MalformedTags, c
	}
	if same {
		return StrippedBound, c
	}
	return MalformedTags, c
}
