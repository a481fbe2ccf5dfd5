package markers

import (
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"
)

// WellFormed reports whether a value has the shape of an escaped address: at most MaxAddress characters, and
// two or more segments joined by dots, each a name with an optional ":" and key. It says nothing about the
// sense of the segments.
func WellFormed(value string) bool {
	if utf8.RuneCountInString(value) > MaxAddress || !strings.Contains(value, ".") {
		return false
	}
	for segment := range strings.SplitSeq(value, ".") {
		name, key, indexed := strings.Cut(segment, ":")
		if !isName(name) || indexed && (key == "" || strings.Contains(key, ":")) {
			return false
		}
	}
	return true
}

func isName(s string) bool {
	for i, r := range s {
		if !isLetter(r) && r != '_' && (i == 0 || !isDigit(r) && r != '-') {
			return false
		}
	}
	return s != ""
}

// valueType returns the type that a well-formed value names: the first segment after the leading pairs of
// "module" and a name, while two segments remain.
func valueType(value string) string {
	segments := strings.Split(value, ".")
	for len(segments) >= 4 && segments[0] == "module" {
		segments = segments[2:]
	}
	return segments[0]
}

// Decode reads an escaped address, for lists and messages; to decide whether an object belongs to a known
// address, use Matches. It is false for a value that is not well-formed or has no address's shape. The type
// is taken as it stands and keys are not checked, so that the result need not be one that Parse accepts.
func Decode(value string) (Address, bool) {
	if !WellFormed(value) {
		return Address{}, false
	}
	segments := strings.Split(value, ".")
	last := len(segments) - 1
	if last%2 == 0 { // before the type there are pairs
		return Address{}, false
	}
	a := Address{Type: segments[last-1]}
	a.Name, a.Index = decodeSegment(segments[last])
	for pair := range slices.Chunk(segments[:last-1], 2) {
		if pair[0] != "module" {
			return Address{}, false
		}
		var s Step
		s.Name, s.Index = decodeSegment(pair[1])
		a.Module = append(a.Module, s)
	}
	return a, true
}

// Unescape returns the text of the address that a value decodes to; see Decode.
func Unescape(value string) (text string, ok bool) {
	a, ok := Decode(value)
	return a.String(), ok
}

// Canonical reports whether a value is today's escaping of the address that it decodes to.
func Canonical(value string) bool {
	text, ok := Unescape(value)
	return ok && Escape(text) == value
}

func decodeSegment(segment string) (string, Index) {
	name, escaped, indexed := strings.Cut(segment, ":")
	if !indexed {
		return name, Index{}
	}
	key := decodeHex(decodeAt(escaped))
	if number, ok := decimal(key); ok {
		return name, Index{Kind: CountIndex, Number: number}
	}
	return name, Index{Kind: KeyIndex, Key: key}
}

// decodeAt undoes @@, @d and @c; any other "@" stays.
func decodeAt(s string) string {
	return strings.NewReplacer("@@", "@", "@d", ".", "@c", ":").Replace(s)
}

// decodeHex undoes ++ and a "+" with six hex digits of either case; any other "+" stays.
func decodeHex(s string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, "+")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		if rest, double := strings.CutPrefix(after, "+"); double {
			b.WriteByte('+')
			s = rest
			continue
		}
		if r, ok := codePoint(after); ok {
			b.WriteRune(r) // writes U+FFFD for a number that is no code point
			s = after[6:]
			continue
		}
		b.WriteByte('+')
		s = after
	}
}

// codePoint reads six hex digits at the start of s.
func codePoint(s string) (rune, bool) {
	if len(s) < 6 {
		return 0, false
	}
	b, err := hex.DecodeString(s[:6])
	if err != nil {
		return 0, false
	}
	return rune(b[0])<<16 | rune(b[1])<<8 | rune(b[2]), true
}
