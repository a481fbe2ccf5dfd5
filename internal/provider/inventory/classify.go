package inventory

import (
	"cmp"
	"fmt"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tofu-estate/terraform-provider-estate/internal/imports"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// Classes of findings.
const (
	classBound      = "bound"
	classOrphan     = "orphan"
	classYoung      = "young"
	classMissing    = "missing"
	classCollision  = "collision"
	classSuperseded = "superseded"
	classMalformed  = "malformed"
	classInTheWay   = "in_the_way"
	classCopied     = "copied"
	classService    = "service_made"
	classReleased   = "released"
	classDead       = "dead"
	classUnscanned  = "unscanned"
)

// classes say what each class means and what there is to do about it, for the documentation.
var classes = map[string]struct{ means, next string }{
	classBound:      {"declared, and one living object carries the address", "nothing"},
	classOrphan:     {"the estate's, older than the grace period, and not declared", "declare it again or delete it; `import_id` says what `import` wants"},
	classYoung:      {"the estate's, within the grace period, and not declared: perhaps of an apply that is under way", "look again later"},
	classMissing:    {"declared, and no living object carries the address", "apply: it makes the object anew, or writes the marker again where the state still holds the object"},
	classCollision:  {"one of several living objects of one address", "decide which one stays, and take the marker off the others"},
	classSuperseded: {"the older object of an address that a replacement made anew", "let the apply delete it; if that was cut off, delete it by hand"},
	classMalformed:  {"the estate's, with an address that cannot be read", "mend its tags; an apply does, where the state holds the object"},
	classInTheWay:   {"another estate's, or another account's", "nothing, unless it has a name that this estate wants"},
	classCopied:     {"carries the tags of an object of another type, as snapshots do", "nothing; take the marker off it if it is to be restored as something else"},
	classService:    {"made by AWS itself, such as a default VPC or a service-linked role", "nothing"},
	classReleased:   {"let go of by an estate", "nothing; import it to take it back"},
	classDead:       {"carries the marker, and is on its way out or gone", "nothing"},
	classUnscanned:  {"declared, and nothing that was listed could show it", "read `reason`: grant the permission that it names, or ask the service"},
}

// audit classifies what a survey saw.
type audit struct {
	estates   []string
	addresses []markers.Address
	// declared has the addresses by what all spellings of one have in common.
	declared map[string]bool
	grace    time.Duration
	now      time.Time
	home     string
	served   []engine.Type
	seen     []*sighting
	listings []listing
}

// run returns one finding for each object that has a class, and for each declared address without an object.
func (a *audit) run() []finding {
	var out []finding
	a.declared = map[string]bool{}
	for _, address := range a.addresses {
		a.declared[sameKey(address)] = true
	}
	found := map[string]bool{}
	byAddress := map[string][]*sighting{}
	for _, s := range a.seen {
		if class, why := a.alone(s); class != "" {
			out = append(out, a.finding(s, class, why))
		} else if s.marker.Status == markers.StatusMarked {
			byAddress[sameKey(s.marker.Address)] = append(byAddress[sameKey(s.marker.Address)], s)
		}
	}
	for key, holders := range byAddress {
		found[key] = true
		out = append(out, a.held(holders)...)
	}
	for _, address := range a.addresses {
		if key := sameKey(address); !found[key] {
			found[key] = true // two spellings of one address are one finding
			out = append(out, a.absent(address))
		}
	}
	slices.SortFunc(out, func(x, y finding) int {
		return cmp.Or(cmp.Compare(x.Class, y.Class), cmp.Compare(read(x.Type), read(y.Type)), cmp.Compare(read(x.Address), read(y.Address)),
			cmp.Compare(read(x.Region), read(y.Region)), cmp.Compare(read(x.ID), read(y.ID)), cmp.Compare(read(x.ARN), read(y.ARN)))
	})
	return out
}

// sameKey is one text for all spellings of an address that are one: aws_T and estate_T, a number and its digits.
func sameKey(a markers.Address) string {
	a.Type = plain(a.Type)
	return a.Escaped()
}

// alone is the class of an object that does not depend on others, "" where it does or where the audit has nothing to say.
func (a *audit) alone(s *sighting) (class, why string) {
	ours := slices.Contains(a.estates, s.marker.Estate)
	_, released := s.tags[markers.ReleasedKey]
	switch {
	case s.parent != nil || s.tags == nil:
		return "", "" // it has no marker, and goes with what it belongs to
	case s.foreign && s.marker.Status != markers.StatusUnmarked:
		return classInTheWay, "it belongs to the account " + s.account
	case s.madeByAWS && !ours:
		return classService, "AWS made it"
	case s.marker.Status == markers.StatusUnmarked && released:
		return classReleased, "its tag " + markers.ReleasedKey + " says so"
	case s.marker.Estate != "" && !ours:
		return classInTheWay, "it is the estate " + s.marker.Estate + "'s"
	case !ours:
		return "", ""
	case s.gone != "":
		return classDead, s.gone
	case s.marker.Status == markers.StatusMalformed:
		return classMalformed, s.marker.Problem
	case !s.marker.Decoded:
		return classMalformed, "the address cannot be read back"
	case s.copied():
		return classCopied, fmt.Sprintf("the address is of type %s, and the object is no %s", s.marker.Address.Type, plain(s.marker.Address.Type))
	}
	return "", ""
}

// copied tells whether the address on the object is of another type than the object. One object may be of several types: a VPC
// is an aws_vpc and, in each region one of them, an aws_default_vpc.
func (s *sighting) copied() bool {
	addressed := plain(s.marker.Address.Type)
	if s.kind != "" && plain(s.kind) == addressed {
		return false
	}
	fits := imports.Types(s.arn)
	return (s.verified && s.kind != "" || len(fits) > 0) && !slices.Contains(fits, "aws_"+addressed)
}

// held classifies the living objects of one address, of which there is one at least.
func (a *audit) held(holders []*sighting) []finding {
	address := holders[0].marker.Address
	declared := a.declared[sameKey(address)]
	if len(holders) == 1 {
		return []finding{a.single(holders[0], declared)}
	}
	slices.SortFunc(holders, func(x, y *sighting) int { return x.bound().Compare(y.bound()) })
	if !a.replaced(holders) {
		out := make([]finding, len(holders))
		for i, s := range holders {
			out[i] = a.finding(s, classCollision, fmt.Sprintf("%d living objects carry %s", len(holders), address))
		}
		return out
	}
	newest := len(holders) - 1
	out := []finding{a.single(holders[newest], declared)}
	for _, s := range holders[:newest] {
		out = append(out, a.finding(s, classSuperseded, fmt.Sprintf("%s has been bound since", holders[newest])))
	}
	return out
}

// single classifies the only holder of an address.
func (a *audit) single(s *sighting, declared bool) finding {
	switch {
	case declared:
		return a.finding(s, classBound, "it is declared")
	case a.now.Sub(s.born()) < a.grace:
		return a.finding(s, classYoung, fmt.Sprintf("it is not declared, and younger than %s", a.grace))
	}
	return a.finding(s, classOrphan, "it is not declared")
}

// replaced tells whether the holders of an address, sorted by the time of their binding, look like a replacement that has not
// deleted the old object yet: all in one place, each bound, one well after the other. Two that were made at once, or in two
// regions, are a collision.
func (a *audit) replaced(holders []*sighting) bool {
	var before time.Time
	for _, s := range holders {
		bound := s.bound()
		switch {
		case bound.IsZero(), s.region != holders[0].region, s.account != holders[0].account:
			return false
		case !before.IsZero() && bound.Sub(before) < a.grace:
			return false
		}
		before = bound
	}
	return true
}

// bound is when the object was bound, zero where its tags do not tell.
func (s *sighting) bound() time.Time {
	at, _ := markers.BindingTime(s.marker.Binding)
	return at
}

// born is the time since which the object may have carried its marker.
func (s *sighting) born() time.Time {
	if at := s.bound(); at.After(s.created) {
		return at
	}
	return s.created
}

// absent classifies a declared address that no living object carries.
func (a *audit) absent(address markers.Address) finding {
	f := finding{Class: classMissing, Address: known(address.String()), Type: known(address.Type), Reason: "No living object carries it."}
	if why := a.blind(address); why != "" {
		f.Class, f.Reason = classUnscanned, capital(why)
	}
	return f
}

// blind says why the listings could not have shown an object of the address, "" where they would have.
func (a *audit) blind(address markers.Address) string {
	own := slices.ContainsFunc(a.listings, func(l listing) bool { return l.kind != "" && plain(l.kind) == plain(address.Type) })
	for _, l := range a.listings {
		concerns := l.kind == "" && !own || l.kind != "" && plain(l.kind) == plain(address.Type)
		if concerns && l.err != nil {
			return "its listing failed: " + problem(l.err)
		}
	}
	switch {
	case own && !a.carriesTags(address.Type):
		return "objects of its type carry no tags"
	case own || inTaggingAPI(address.Type):
		return ""
	}
	return notShown
}

// carriesTags tells whether a served type has tags.
func (a *audit) carriesTags(kind string) bool {
	return slices.ContainsFunc(a.served, func(t engine.Type) bool { return t.Name() == plain(kind) && t.Tagged() })
}

// finding is an object in its class.
func (a *audit) finding(s *sighting, class, why string) finding {
	o := s.show(a.home)
	return finding{
		Class: class, Address: o.Address, Type: o.Type, ID: o.ID, ARN: o.ARN, ImportID: o.ImportID, Region: o.Region, Account: o.Account,
		Created: o.Created, Verified: s.verified, Reason: capital(why),
	}
}

// capital makes a sentence of a clause.
func capital(why string) string { return begun(why) + "." }

// begun is a text that begins with a capital. Texts quote what AWS and configurations say, whatever character that begins with.
func begun(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 || first == utf8.RuneError {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}
