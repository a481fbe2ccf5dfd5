package markers

import (
	"fmt"
	"slices"
)

// Question is what a reader asks of an object's tags.
type Question struct {
	Estates  []string // ours, then the previous ones
	Address  Address  // the one asked for; zero where every instance of the type is
	Type     string   // the full name of the type, as estate_vpc; empty admits every type
	Formerly []string // older names of the type, which tags may still carry
	FoldCase bool     // whether the service folds the case of keys
}

// Kind is what a set of tags means to one who asks.
type Kind int

// The meanings of a set of tags.
const (
	Unmarked     Kind = iota // nobody's: never changed, never deleted, reported
	OtherEstate              // another estate's; its address is not looked at
	Malformed                // an error by name: never guessed at, never treated as nobody's
	OtherAddress             // our estate's, but another instance's
	Ours                     // the one asked for
)

// Classification is the meaning of a set of tags, and why.
type Classification struct {
	Kind     Kind
	Observed Observed
	Older    bool   // an older escaping, the other prefix or a previous estate: rewritten at the next apply
	Why      string // a clause for a message; empty when there is nothing to say
}

// Classify says what the tags of an object mean. There is one order of judging for every kind of type,
// where the reference has two.
func Classify(tags map[string]string, q Question) Classification {
	return q.classify(Observe(tags, q.FoldCase), q.Address.String())
}

// classify judges in this order: nobody's, malformed beyond reading, another estate's, no address, ours by
// any of the addresses asked for, malformed in itself or by its type, another instance's.
func (q Question) classify(o Observed, addresses ...string) Classification {
	c := Classification{Observed: o}
	switch {
	case o.Status == StatusUnmarked:
		c.Why = "it has no tofu-estate tag"
		return c
	case o.Estate == "": // the estate's own key is there twice
		c.Kind, c.Why = Malformed, o.Problem
		return c
	case !slices.Contains(q.Estates, o.Estate):
		c.Kind, c.Why = OtherEstate, fmt.Sprintf("it belongs to the estate %q", o.Estate)
		return c
	case o.Value == "":
		c.Kind, c.Why = Malformed, o.Problem
		return c
	}
	for _, address := range addresses {
		if m := Matches(o.Value, address); m != NoMatch {
			c.Kind = Ours
			c.Older, c.Why = outdated(m, o.Estate, q.Estates[0])
			return c
		}
	}
	switch {
	case o.Status == StatusMalformed:
		c.Kind, c.Why = Malformed, o.Problem
	case !q.admits(valueType(o.Value)):
		c.Kind, c.Why = Malformed, fmt.Sprintf("its address %q names the type %s, and it is of the type %s", o.Value, valueType(o.Value), q.Type)
	default:
		shown := o.Value
		if o.Decoded {
			shown = o.Address.String()
		}
		c.Kind, c.Why = OtherAddress, "it belongs to "+shown
	}
	return c
}

// admits tells whether an object of the type may carry an address of typ.
func (q Question) admits(typ string) bool {
	return q.Type == "" || sameType(q.Type, typ) || slices.ContainsFunc(q.Formerly, func(older string) bool { return sameType(older, typ) })
}

// outdated says whether a marker that matches is to be rewritten all the same.
func outdated(m Match, estate, ours string) (bool, string) {
	switch {
	case estate != ours:
		return true, fmt.Sprintf("it carries the previous estate %q", estate)
	case m == Older:
		return true, "its address is in an older escaping"
	case m == OtherPrefix:
		return true, "its address names the type with the other prefix, aws_ or estate_"
	}
	return false, ""
}
