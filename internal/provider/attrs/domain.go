package attrs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// DNSName is a domain name, compared as DNS does: without regard to case, to a dot at the end, and to whether a character
// is written as itself or as an octal escape such as \052.
type DNSName = Text[domain]

// NewDNSName returns a name as AWS answered it, in the form of CanonicalName; null for nil and for "".
func NewDNSName(p *string) DNSName {
	if p == nil {
		return NewText[domain](nil)
	}
	name := CanonicalName(*p)
	return NewText[domain](&name)
}

// RequiredDNSName returns an attribute that holds a domain name and must be given.
func RequiredDNSName(doc string, v ...validator.String) schema.StringAttribute {
	return of[domain](RequiredString(doc, v...))
}

// CanonicalName is the one spelling that all spellings of a domain name share: lower case, no dot at the end but for the
// root's, and octal escapes for whatever Route 53 escapes, other than the asterisk of a wildcard.
func CanonicalName(name string) string {
	if name == "." {
		return name
	}
	plain := []byte(strings.TrimSuffix(name, "."))
	var out strings.Builder
	for i := 0; i < len(plain); i++ {
		c := plain[i]
		escaped := false
		if code, ok := octal(plain[i:]); ok {
			c, escaped = code, true
			i += escapeLength - 1
		}
		switch {
		case c >= 'A' && c <= 'Z':
			out.WriteByte(c - 'A' + 'a')
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' && !escaped:
			out.WriteByte(c)
		case c == '*' && out.Len() == 0 && (i+1 == len(plain) || plain[i+1] == '.'):
			out.WriteByte(c)
		default:
			fmt.Fprintf(&out, `\%03o`, c)
		}
	}
	return out.String()
}

// escapeLength is the length of an octal escape: a backslash and three digits.
const escapeLength = 4

// octal reads the escape with which s begins.
func octal(s []byte) (code byte, ok bool) {
	if len(s) < escapeLength || s[0] != '\\' || s[1] > '3' {
		return 0, false
	}
	for _, digit := range s[1:escapeLength] {
		if digit < '0' || digit > '7' {
			return 0, false
		}
		code = code<<3 | (digit - '0')
	}
	return code, true
}

type domain struct{}

func (domain) title() string { return "domain name" }

// nameLength is the longest name that Route 53 takes, with its escapes.
const nameLength = 1024

func (domain) check(s string) error {
	switch {
	case len(s) > nameLength:
		return fmt.Errorf("it is longer than %d characters", nameLength)
	case strings.Contains(s, "..") || len(s) > 1 && strings.HasPrefix(s, "."):
		return errors.New("there is nothing between two of its dots")
	}
	return nil
}

func (domain) same(a, b string) bool { return CanonicalName(a) == CanonicalName(b) }
