package functions

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

// asked is one question that a service puts to IAM: may this action be done to this resource? A call with several resources
// puts one for each, and goes on when all are answered with yes.
type asked struct {
	action, resource string
	// has are the tags of the resource, gives those of the call, keys the tags that it names, where the service tells.
	has, gives map[string]string
	keys       []string
	// other are further keys of the context.
	other map[string]string
}

// context is what the conditions of a policy are compared with, by keys in lower case.
func (a asked) context() map[string][]string {
	out := map[string][]string{}
	for key, value := range a.has {
		out[strings.ToLower("aws:ResourceTag/"+key)] = []string{value}
	}
	for key, value := range a.gives {
		out[strings.ToLower("aws:RequestTag/"+key)] = []string{value}
	}
	if keys := slices.AppendSeq(slices.Clone(a.keys), maps.Keys(a.gives)); len(keys) > 0 {
		out["aws:tagkeys"] = keys
	}
	for key, value := range a.other {
		out[strings.ToLower(key)] = []string{value}
	}
	return out
}

// answer is the Effect of the statements that apply, a denial before all, or nothing. It is IAM's published evaluation as far as
// these policies go, and fails the test for an operator that it does not know.
func answer(t *testing.T, policy string, a asked) string {
	t.Helper()
	var doc struct {
		Version   string
		Statement []statement
	}
	if err := json.Unmarshal([]byte(policy), &doc); err != nil || doc.Version != "2012-10-17" {
		t.Fatalf("no policy: %v\n%s", err, policy)
	}
	effect := ""
	for _, s := range doc.Statement {
		if some(s.Action, a.action, like) && some(s.Resource, a.resource, like) && holds(t, s.Condition, a.context()) && effect != "Deny" {
			effect = s.Effect
		}
	}
	return effect
}

// holds evaluates a condition: all keys of all operators.
func holds(t *testing.T, c condition, context map[string][]string) bool {
	t.Helper()
	for operator, keys := range c {
		for key, wanted := range keys {
			values := context[strings.ToLower(key)]
			var ok bool
			switch operator {
			case "StringEquals":
				ok = len(values) == 1 && slices.Contains(wanted, values[0])
			case "StringEqualsIfExists":
				ok = len(values) == 0 || slices.Contains(wanted, values[0])
			case "ForAnyValue:StringEqualsIgnoreCase":
				ok = slices.ContainsFunc(values, func(v string) bool { return some(wanted, v, strings.EqualFold) })
			case "ArnNotLike":
				ok = len(values) == 0 || !some(wanted, values[0], like)
			case "Null":
				ok = slices.Equal(wanted, []string{"true"}) && len(values) == 0
			default:
				t.Fatalf("the operator %s", operator)
			}
			if !ok {
				return false
			}
		}
	}
	return true
}

// some tells whether one of the patterns takes the text.
func some(patterns []string, text string, takes func(pattern, text string) bool) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return takes(p, text) })
}

// like compares with wildcards; a star of these policies never has to keep to its part of an ARN.
func like(pattern, text string) bool {
	if pattern == "" {
		return text == ""
	}
	if pattern[0] == '*' {
		return like(pattern[1:], text) || text != "" && like(pattern, text[1:])
	}
	return text != "" && (pattern[0] == '?' || pattern[0] == text[0]) && like(pattern[1:], text[1:])
}
