package acceptance

import (
	"strings"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// Creates matches calls that make something: writes named Create, Allocate, Put and so on, but not tag writes.
func Creates() faultproxy.Match {
	verbs := []string{"Create", "Allocate", "Put", "Run", "Register", "Request", "Import", "Add", "Attach", "Associate"}
	return faultproxy.And(faultproxy.Writes(), faultproxy.Not(TagWrites()), startsWith(verbs))
}

// TagWrites matches calls that set or remove tags of an existing object.
func TagWrites() faultproxy.Match {
	return func(c faultproxy.Call) bool {
		return c.Write && (strings.Contains(c.Action, "Tag") || strings.HasPrefix(c.Action, "Untag"))
	}
}

// Deletes matches calls that remove something, but not the removal of tags.
func Deletes() faultproxy.Match {
	verbs := []string{"Delete", "Release", "Terminate", "Deregister", "Remove", "Detach", "Disassociate", "Schedule"}
	return faultproxy.And(faultproxy.Writes(), faultproxy.Not(TagWrites()), startsWith(verbs))
}

// Mentioning matches calls that hold an id or a name as a whole parameter value, or as a whole part of the path. A bucket's
// name also stands at the end of its ARN there.
func Mentioning(id string) faultproxy.Match {
	return func(c faultproxy.Call) bool {
		for part := range strings.SplitSeq(c.Path, "/") {
			if part == id || strings.HasSuffix(part, ":s3:::"+id) {
				return true
			}
		}
		for _, values := range c.Params {
			for _, v := range values {
				if v == id {
					return true
				}
			}
		}
		return false
	}
}

func startsWith(verbs []string) faultproxy.Match {
	return func(c faultproxy.Call) bool {
		for _, verb := range verbs {
			if strings.HasPrefix(c.Action, verb) {
				return true
			}
		}
		return false
	}
}

// MustCall fails t unless exactly n calls since the mark match; what names them in the message.
func (s *Sandbox) MustCall(t T, mark int, what string, n int, m faultproxy.Match) []faultproxy.Call {
	t.Helper()
	calls := faultproxy.Select(s.Proxy.Since(mark), m)
	if len(calls) != n {
		t.Fatalf("%d calls that %s, want %d:\n%sall writes:\n%s", len(calls), what, n, faultproxy.Format(calls),
			faultproxy.Format(faultproxy.Select(s.Proxy.Since(mark), faultproxy.Writes())))
	}
	return calls
}

// MustNotCreate fails t if a call since the mark makes something.
func (s *Sandbox) MustNotCreate(t T, mark int) {
	t.Helper()
	s.MustCall(t, mark, "create", 0, Creates())
}

// MustNotWrite fails t if a call since the mark changes anything.
func (s *Sandbox) MustNotWrite(t T, mark int) {
	t.Helper()
	s.MustCall(t, mark, "write", 0, faultproxy.Writes())
}
