package markers

import "fmt"

// Status says how far the marker on an object can be read, by itself.
type Status int

// The states of a marker.
const (
	StatusUnmarked  Status = iota // no estate: nobody's
	StatusMarked                  // an estate and a well-formed address
	StatusMalformed               // an estate, and an address that is not; or a key in two spellings
)

// Observed is what the tags on an object say.
type Observed struct {
	Status  Status
	Estate  string
	Value   string  // the joined, escaped address; empty where the parts do not join
	Address Address // what Value decodes to, for lists and messages
	Decoded bool    // whether there is an Address
	Slot    *uint32
	Binding string
	Pending string

	Problem     string // why the marker is malformed
	SlotProblem string // why the slot tag is none; the marker is not malformed for that, the slot is just unknown
}

// Observe reads the tags of an object. It takes any tags, and needs to know neither estate nor type.
// A malformed marker with a Value may still be the oldest escaping of an address that is asked for: see Classify.
func Observe(tags map[string]string, foldCase bool) Observed {
	c := collect(tags, foldCase)
	o := Observed{Estate: c.values[EstateKey], Binding: c.values[BindingKey], Pending: c.values[PendingKey]}
	if text, ok := c.values[SlotKey]; ok {
		if slot, err := ParseSlot(text); err != nil {
			o.SlotProblem = err.Error()
		} else {
			o.Slot = &slot
		}
	}
	joined, err := c.join()
	if err == nil {
		o.Value = Escape(joined)
		o.Address, o.Decoded = Decode(o.Value)
	}
	switch {
	case o.Estate == "" && c.twice == "":
		o.Status = StatusUnmarked
	case err != nil:
		o.Status, o.Problem = StatusMalformed, err.Error()
	case !WellFormed(o.Value):
		o.Status, o.Problem = StatusMalformed, fmt.Sprintf("the address %q is not well-formed", o.Value)
	default:
		o.Status = StatusMarked
	}
	return o
}
