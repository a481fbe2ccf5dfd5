package faultproxy

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Match selects calls. A rule asks it before the call is made: what upstream answered is still empty then, whereas
// Count and Select ask about calls as they ended.
type Match func(Call) bool

// Any matches every call.
func Any() Match { return func(Call) bool { return true } }

// Action matches calls by name, such as "ec2:CreateVpc". A "*" stands for any part of a name: "ec2:*Tags", "iam:*".
// It panics on a pattern without a service, which would match nothing and let a test pass in silence.
func Action(patterns ...string) Match {
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil || !strings.Contains(p, ":") {
			panic(fmt.Sprintf("faultproxy: %q is not of the form service:Action", p))
		}
	}
	return func(c Call) bool {
		for _, p := range patterns {
			if ok, err := path.Match(p, c.Name()); err == nil && ok {
				return true
			}
		}
		return false
	}
}

// Writes matches calls that change something, by Call.Write.
func Writes() Match { return func(c Call) bool { return c.Write } }

// Contains matches calls whose path or any decoded parameter contains text. It sees through form, JSON and XML
// escaping, so text is written as the user writes it. It does not look at headers.
func Contains(text string) Match {
	return func(c Call) bool {
		if strings.Contains(c.Path, text) {
			return true
		}
		for _, values := range c.Params {
			for _, v := range values {
				if strings.Contains(v, text) {
					return true
				}
			}
		}
		return false
	}
}

// And matches calls that all of ms match.
func And(ms ...Match) Match {
	return func(c Call) bool {
		for _, m := range ms {
			if !m(c) {
				return false
			}
		}
		return true
	}
}

// Not matches calls that m does not match.
func Not(m Match) Match { return func(c Call) bool { return !m(c) } }

// Needs matches calls that need an IAM action.
func Needs(action string) Match {
	return func(c Call) bool { return slices.Contains(c.Permissions(), action) }
}
