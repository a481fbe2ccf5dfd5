package markers

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IndexKind says how an instance is told from its siblings.
type IndexKind int

// The kinds of index.
const (
	NoIndex    IndexKind = iota // a single instance
	CountIndex                  // a number, from count
	KeyIndex                    // a string, from for_each
)

// Index is the instance key of a module or resource; the zero value is no index.
type Index struct {
	Kind   IndexKind
	Number uint64 // of a CountIndex; at most 1<<63 - 1, as in the tools
	Key    string // of a KeyIndex
}

// Step is one module of a path.
type Step struct {
	Name  string
	Index Index
}

// Address is the address of one managed resource instance. Two are the same when their String is.
type Address struct {
	Module     []Step
	Type, Name string
	Index      Index
}

// IsZero reports whether there is no address at all.
func (a Address) IsZero() bool {
	return len(a.Module) == 0 && a.Type == "" && a.Name == "" && a.Index == Index{}
}

// String returns the canonical text, as OpenTofu writes it.
func (a Address) String() string {
	if a.IsZero() {
		return ""
	}
	var b strings.Builder
	for _, s := range a.Module {
		b.WriteString("module." + s.Name + s.Index.String() + ".")
	}
	b.WriteString(a.Type + "." + a.Name + a.Index.String())
	return b.String()
}

// String returns the index in its brackets, or nothing where there is none.
func (i Index) String() string {
	switch i.Kind {
	case CountIndex:
		return "[" + strconv.FormatUint(i.Number, 10) + "]"
	case KeyIndex:
		return "[" + quote(i.Key) + "]"
	}
	return ""
}

// text is the index as a tag shows it before escaping: a number and its decimal string are one there.
func (i Index) text() string {
	if i.Kind == CountIndex {
		return strconv.FormatUint(i.Number, 10)
	}
	return i.Key
}

// WithKey returns the address with a tofu_key as its last index: the canonical decimal of a non-negative
// 64-bit number is a count index, anything else a for_each key. The error says why there can be none: an
// empty or refused key, an index that the address has already, or a result too long for its tags.
func (a Address) WithKey(key string) (Address, error) {
	if a.Index.Kind != NoIndex {
		return Address{}, fmt.Errorf("the address already ends in the index %s, so no key may be added; give the index in one place", a.Index)
	}
	if number, ok := decimal(key); ok {
		a.Index = Index{Kind: CountIndex, Number: number}
	} else if err := CheckKey(key); err != nil {
		return Address{}, err
	} else {
		a.Index = Index{Kind: KeyIndex, Key: key}
	}
	if err := checkLength(a.Escaped()); err != nil {
		return Address{}, err
	}
	return a, nil
}

// Block returns the address of the whole block: the same without the last index.
func (a Address) Block() Address {
	a.Index = Index{}
	return a
}

// Slotted reports whether the instance may be a count member, which alone has a slot. An index of the module does not
// count, and an index above the highest slot is a for_each key that looks like one, such as an account id.
func (a Address) Slotted() bool { return a.Index.Kind == CountIndex && a.Index.Number <= MaxSlot }

// Escaped returns the address as a tag value, before it is cut into parts.
func (a Address) Escaped() string { return Escape(a.String()) }

// SameAddress reports whether two addresses are equal, aws_T and estate_T being one type.
func SameAddress(a, b Address) bool {
	return sameType(a.Type, b.Type) && a.Name == b.Name && a.Index == b.Index && slices.Equal(a.Module, b.Module)
}

// The prefixes that count as one: ours, and that of the provider which estates move over from.
const (
	ourPrefix   = "estate_"
	otherPrefix = "aws_"
)

// sameType reports whether two types are equal or differ only as aws_T and estate_T.
func sameType(a, b string) bool {
	return a == b || a == swapPrefix(b)
}

// swapPrefix returns estate_T for aws_T and the reverse, and any other type as it is.
func swapPrefix(typ string) string {
	if t, ok := strings.CutPrefix(typ, ourPrefix); ok && t != "" {
		return otherPrefix + t
	}
	if t, ok := strings.CutPrefix(typ, otherPrefix); ok && t != "" {
		return ourPrefix + t
	}
	return typ
}

// refusedInKeys are printing characters that a for_each key must not hold: quoting would have to escape them,
// or they are the brackets that end a key.
const refusedInKeys = `"\$%[]`

// CheckKey returns why a string cannot be a for_each key, or nil: it is empty, is not UTF-8, or holds a
// character that does not print or is one of " \ $ % [ ].
func CheckKey(key string) error {
	if key == "" {
		return errors.New("the key is empty; leave it out where the block has neither count nor for_each")
	}
	if !utf8.ValidString(key) {
		return fmt.Errorf("the key %q is not valid UTF-8", key)
	}
	for _, r := range key {
		switch {
		case strings.ContainsRune(refusedInKeys, r):
			return fmt.Errorf("the key %q holds %q (%U), which no marker can carry; choose another key", key, r, r)
		case !unicode.IsPrint(r):
			return fmt.Errorf("the key %q holds %U, which does not print; choose another key", key, r)
		}
	}
	return nil
}

// CheckEstate returns why a string cannot be an estate's name, or nil.
func CheckEstate(name string) error {
	if name == "" {
		return errors.New("the estate's name is empty")
	}
	for i, r := range name {
		lower := r >= 'a' && r <= 'z'
		if i == 0 && !lower {
			return fmt.Errorf("the estate's name %q starts with %q; it must start with a lower-case letter", name, r)
		}
		if !lower && r != '-' && !isDigit(r) {
			return fmt.Errorf("the estate's name %q holds %q; only lower-case letters, digits and hyphens are allowed", name, r)
		}
	}
	if len(name) > MaxEstate {
		return fmt.Errorf("the estate's name is %d characters long; at most %d are allowed", len(name), MaxEstate)
	}
	return nil
}

// decimal reads the canonical decimal of a non-negative number that fits the tools' signed 64 bits.
func decimal(s string) (uint64, bool) {
	n, err := strconv.ParseUint(s, 10, 63)
	return n, err == nil && strconv.FormatUint(n, 10) == s
}

// quote writes a key as an HCL string. Keys that CheckKey allows need no escape sequence; a decoded one may.
func quote(key string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range key {
		switch {
		case r == '"' || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case (r == '$' || r == '%') && strings.HasPrefix(key[i+1:], "{"):
			b.WriteRune(r) // doubled, it starts no template
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
