package markers

import (
	"fmt"
	"strings"
	"unicode"
)

// Escape turns the text of an address into a tag value. It is a function on text and checks nothing; a text
// without "[" comes back as it is, so that escaping twice changes nothing.
func Escape(text string) string { return escape(text, escapeKey) }

// escape rewrites each quoted key, which is what stands between [" and the next "], and the brackets and
// quotes around it. Quotes in a row before the closing bracket are part of it, as in the reference; only a
// key that is refused could end in one.
func escape(text string, key func(*strings.Builder, string)) string {
	if !strings.Contains(text, "[") {
		return text
	}
	var b strings.Builder
	for text != "" {
		if quoted, ok := strings.CutPrefix(text, `["`); ok {
			if k, rest, closed := strings.Cut(quoted, `"]`); closed {
				b.WriteByte(':')
				key(&b, strings.TrimRight(k, `"`))
				text = rest
				continue
			}
		}
		switch c := text[0]; c {
		case '[':
			b.WriteByte(':')
		case ']', '"':
		default:
			b.WriteByte(c)
		}
		text = text[1:]
	}
	return b.String()
}

// escapeKey writes a key with today's escaping. The contract states two passes; one does, as no pass
// makes a character that the other changes.
func escapeKey(b *strings.Builder, key string) {
	for _, r := range key {
		switch {
		case r == '+':
			b.WriteString("++")
		case r == '@':
			b.WriteString("@@")
		case r == '.':
			b.WriteString("@d")
		case r == ':':
			b.WriteString("@c")
		case inTag(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(b, "+%06X", r)
		}
	}
}

// inTag reports whether an AWS tag value may hold a character.
func inTag(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" +-=._:/@", r)
}

// escapeOlder is the escaping before today's, which knew @@, @d and @c only.
func escapeOlder(text string) string {
	return escape(text, func(b *strings.Builder, key string) {
		_, _ = strings.NewReplacer("@", "@@", ".", "@d", ":", "@c", "[", ":", "]", "", `"`, "").WriteString(b, key)
	})
}

// escapeOldest is the first escaping, which changed brackets and quotes only.
func escapeOldest(text string) string {
	return strings.NewReplacer("[", ":", "]", "", `"`, "").Replace(text)
}
