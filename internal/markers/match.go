package markers

// Match says how an observed value fits an address.
type Match int

// The ways in which a value fits an address. All but Current are reported, and rewritten at the next apply.
const (
	NoMatch     Match = iota
	Current           // today's escaping
	Older             // one of the two older escapings
	OtherPrefix       // any escaping of the address with aws_T for estate_T, or the reverse
)

// Matches says whether a joined address tag belongs to an address, given as text. It escapes the address and
// compares, and never decodes and guesses. An older escaping counts only when the value is not today's
// escaping of some other address. Stricter: the aws_ and estate_ spelling of a type are one.
func Matches(observed, addressText string) Match {
	value := Escape(observed)
	if m := matches(value, addressText); m != NoMatch {
		return m
	}
	a, err := Parse(addressText)
	if err != nil {
		return NoMatch
	}
	swapped := swapPrefix(a.Type)
	if swapped == a.Type {
		return NoMatch
	}
	a.Type = swapped
	if matches(value, a.String()) != NoMatch {
		return OtherPrefix
	}
	return NoMatch
}

func matches(value, text string) Match {
	switch {
	case value == "" || text == "":
		return NoMatch
	case value == Escape(text):
		return Current
	case Canonical(value):
		return NoMatch
	case value == escapeOlder(text), value == escapeOldest(text):
		return Older
	}
	return NoMatch
}
