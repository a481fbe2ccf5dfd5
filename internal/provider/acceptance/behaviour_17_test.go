package acceptance

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// oddKeys are for_each keys that tags cannot hold as they are, two of which would be one for a filter of EC2, and one whose
// address takes all four tags.
var oddKeys = []string{` a,b#c;d'e.f:g@h+i=j é ß/日 `, "a?*", "ab", strings.Repeat("x", 960)}

// tagText is what every service takes as the value of a tag.
var tagText = regexp.MustCompile(`^[\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256}$`)

// listOf is a list expression.
func listOf(texts []string) string {
	quoted := make([]string, 0, len(texts))
	for _, text := range texts {
		quoted = append(quoted, fmt.Sprintf("%q", text))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// TestBehaviour17LimitsRefuseEarly: what tags can carry comes back whole, and what they cannot is refused before anything is
// made.
//
// Given instances of each type with tags whose addresses hold commas, wildcards, spaces, other scripts, or a thousand
// characters, when the state is lost, then each finds its own object again, and a wildcard matches itself alone. Given an
// object with so many tags of others that its marker has no room, when that is to be written, then the plan says so and
// nothing is. TestRefusals shows the address that is too long, the key that no tag can carry, and too many tags of one's own.
func TestBehaviour17LimitsRefuseEarly(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		startTagged(t, w, "limits", listOf(oddKeys))
		roundTrips(t, w)
		refusesFullObjects(t, w)
	})
}

// roundTrips loses the state: each instance adopts its own object.
func roundTrips(t *testing.T, w *Workspace) {
	t.Helper()
	held := ids(t, w)
	for address, tags := range tagsOf(t, w) {
		for key, v := range tags {
			if !tagText.MatchString(v) {
				t.Errorf("%s: the tag %s is %q", address, key, v)
			}
		}
		if long := strings.Contains(address, "xxx"); long != (tags["tofu-address-4"] != "") {
			t.Errorf("%s has the tags %v", address, tags)
		}
	}
	must(t, w.ForgetState())
	p := w.Plan(t.Context()).MustOnly(t, Create, slices.Collect(maps.Keys(held))...)
	for address, id := range held {
		if got := p.Change(address).After["id"]; got != id {
			t.Errorf("the plan for %s shows the id %v, want %s", address, got, id)
		}
	}
	mark := w.Proxy.Mark()
	w.ApplyPlan(t.Context()).Must(t)
	w.MustNotCreate(t, mark)
	mustAgree(t, w, "limits")
	w.Plan(t.Context()).MustBeEmpty(t)
}

// refusesFullObjects takes the markers off and puts 49 tags of others on the objects of one key, and then 48 beside the marker
// without its binding, where the state is lost.
func refusesFullObjects(t *testing.T, w *Workspace) {
	t.Helper()
	full := map[string]Instance{}
	for address, i := range w.MustState(t) {
		if strings.HasSuffix(address, `["ab"]`) {
			full[address] = i
			theirs := map[string]string{}
			for n := range 49 {
				theirs[fmt.Sprintf("theirs-%d", n)] = "x"
			}
			retag(t, w, i, []string{TagEstate, TagAddress, TagBinding}, theirs)
		}
	}
	refused := func(total, surplus int) {
		t.Helper()
		mark := w.Proxy.Mark()
		r := w.Plan(t.Context()).MustFail(t)
		w.MustNotWrite(t, mark)
		for address, i := range full {
			says := fmt.Sprintf("%s (%s) was not changed: it would carry %d tags, and AWS takes 50.", address, i.ID(), total)
			if !slices.ContainsFunc(r.Errors(), func(d Diagnostic) bool {
				return d.Summary == "Too many tags" && strings.Contains(d.Detail, says) && strings.Contains(d.Detail, fmt.Sprintf("Remove %d from", surplus))
			}) {
				t.Errorf("no error says %q", says)
			}
		}
		if len(r.Errors()) != len(full) {
			t.Errorf("%d errors, want %d\n%s", len(r.Errors()), len(full), r.explain())
		}
	}
	refused(52, 2)
	for _, i := range full {
		retag(t, w, i, []string{"theirs-0"}, map[string]string{TagEstate: "limits", TagAddress: i.Type + ".a:ab"})
	}
	must(t, w.ForgetState())
	refused(51, 1)
}
