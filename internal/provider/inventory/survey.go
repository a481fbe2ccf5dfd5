package inventory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/arn"

	"github.com/tofu-estate/terraform-provider-estate/internal/imports"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

// globalRegion is where the tagging API shows the objects of global services of a partition; of the others there is no such
// region.
const globalRegion = "us-east-1"

// query is what a survey looks for.
type query struct {
	// estates are whose objects are asked for; none stands for all objects of the served types, and for no others.
	estates []string
	regions []string
	// types are the types asked for, by full name, aws_ and estate_ alike; none stands for all.
	types []string
	// ownOnly leaves the tagging API out: the listings of the types' own services settle what is asked.
	ownOnly bool
}

// sighting is one object that a survey saw.
type sighting struct {
	arn, id, region, account string
	// kind is the resource type that the object is of, with the prefix estate_ where it is served and else aws_; "" where the
	// survey cannot tell.
	kind    string
	created time.Time
	tags    map[string]string
	marker  markers.Observed
	// parent is the object that one without tags belongs to.
	parent *sighting
	// verified says that the service's own listing showed the object, gone that it is on its way out, with the reason.
	verified bool
	gone     string
	// foreign says that it is another account's, madeByAWS that AWS made it by itself.
	foreign, madeByAWS bool
}

// listing is one listing that a survey made.
type listing struct {
	// kind is the type that was listed, "" for the tagging API, which serves all. With an err that is an unseen it is a type that
	// nothing lists.
	kind, region string
	objects      int
	err          error
}

// survey sees what is asked for, in the services' listings and in the tagging API. Sightings and listings are sorted.
type survey struct {
	query
	sources
	walk *engine.Walk

	mu   sync.Mutex
	hits map[string]func() (map[string]map[string]string, error)
}

// sources are where a survey looks: the types that are served, and who verifies objects of others.
type sources struct {
	types     []engine.Type
	verifiers []Verifier
}

// Verifier tells which objects of a type that is not served have ended, where AWS shows ended objects for a while.
type Verifier struct {
	// Type is the resource type's name without prefix, Service and Resource begin the ARNs of its objects:
	// "ec2" and "instance/".
	Type, Service, Resource string
	// Ended returns, of these ids in the session's region, those that live and, with the reason, those that have ended. An id that
	// is in neither does not exist.
	Ended func(ctx context.Context, s *cloud.Session, ids []string) (living []string, ended map[string]string, err error)
}

func (v *survey) see(ctx context.Context) ([]*sighting, []listing) {
	v.hits = map[string]func() (map[string]map[string]string, error){}
	entries, made := v.walk.Inventory(ctx, engine.Inventory{Types: v.wanted(), Regions: v.regions, Estates: v.estates, Bulk: v.bulk})
	seen := sightings(entries)
	var listings []listing
	for _, l := range made {
		listings = append(listings, listing{kind: l.Type, region: l.Region, objects: l.Objects, err: l.Err})
	}
	if len(v.estates) > 0 && !v.ownOnly {
		others, asked := v.others(ctx, seen, listings)
		seen, listings = append(seen, others...), append(listings, asked...)
	}
	// What was listed for the sake of what belongs to it alone was not asked for.
	seen = slices.DeleteFunc(seen, func(s *sighting) bool { return s.verified && s.kind != "" && !v.asks(s.kind) })
	listings = append(listings, v.unlisted()...)
	slices.SortStableFunc(seen, func(a, b *sighting) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.region, b.region), cmp.Compare(a.id, b.id), cmp.Compare(a.arn, b.arn))
	})
	return seen, listings
}

// wanted are the served types that are asked for, and those that asked ones without tags belong to.
func (v *survey) wanted() []engine.Type {
	under := map[string]bool{}
	for _, t := range v.sources.types {
		if v.asks("estate_" + t.Name()) {
			under[t.Under()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(v.sources.types), func(t engine.Type) bool {
		return !v.asks("estate_"+t.Name()) && !under[t.Name()]
	})
}

// unseen is why no listing shows objects of a type.
type unseen string

// Error implements error.
func (u unseen) Error() string { return string(u) }

// unlisted are the types that are asked for and that nothing lists, so that no answer is not taken for none.
func (v *survey) unlisted() []listing {
	var out []listing
	for _, kind := range v.query.types {
		var why unseen
		switch {
		case v.serves(kind) != nil:
		case len(v.estates) == 0:
			why = "unmarked objects are listed of types that this provider serves alone"
		case !inTaggingAPI(kind):
			why = unseen(notShown)
		}
		if why != "" {
			out = append(out, listing{kind: kind, err: why})
		}
	}
	return out
}

// serves is the served type of that name, with whichever prefix; nil where it is not served.
func (s sources) serves(kind string) engine.Type {
	for _, t := range s.types {
		if t.Name() == plain(kind) {
			return t
		}
	}
	return nil
}

// notInTaggingAPI are types with tags whose objects its GetResources leaves out:
// https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/supported-services.html
var notInTaggingAPI = []string{"iam_user", "iam_role", "autoscaling_group"}

// notShown is what is said of types that are not known to be in the tagging API.
const notShown = "the tagging API is not known to show objects of its type"

// inTaggingAPI tells whether the tagging API is known to show objects of a type.
func inTaggingAPI(kind string) bool {
	return imports.Known("aws_"+plain(kind)) && !slices.Contains(notInTaggingAPI, plain(kind))
}

// asks tells whether the query wants a type.
func (v *survey) asks(kind string) bool {
	return len(v.query.types) == 0 || slices.ContainsFunc(v.query.types, func(t string) bool { return plain(t) == plain(kind) })
}

// plain is a type's name without the prefix of its provider: aws_T and estate_T are one type, and so are two names that
// hashicorp/aws has for one.
func plain(kind string) string { return strings.TrimPrefix(imports.Name(kind), "aws_") }

// sightings translates what the engine listed. Objects without tags find the one that they belong to.
func sightings(entries []engine.Entry) []*sighting {
	var out []*sighting
	byID := map[[3]string]*sighting{}
	for _, e := range entries {
		s := &sighting{
			arn: strings.TrimSuffix(e.ARN, ":*"), id: e.ID, region: e.Region, account: e.Account, kind: e.Type, created: e.Created,
			tags: e.Tags, marker: e.Marker, verified: true, foreign: e.Foreign, madeByAWS: e.MadeByAWS,
		}
		if e.State == engine.Gone || e.State == engine.Scheduled {
			s.gone = cmp.Or(e.Reason, "it is being deleted")
		}
		byID[[3]string{e.Type, e.Region, e.ID}] = s
		out = append(out, s)
	}
	for i, e := range entries {
		if e.ParentType != "" {
			out[i].parent = byID[[3]string{e.ParentType, e.Region, e.Parent}]
		}
	}
	return out
}

// bulk asks the tagging API about a region once.
func (v *survey) bulk(ctx context.Context, s *cloud.Session) (map[string]map[string]string, error) {
	v.mu.Lock()
	ask, ok := v.hits[s.Region]
	if !ok {
		ask = sync.OnceValues(func() (map[string]map[string]string, error) { return tagging.Resources(ctx, s, v.estates) })
		v.hits[s.Region] = ask
	}
	v.mu.Unlock()
	return ask()
}

// others are the objects of the estate that the tagging API alone knows: of types that are not served, and of served ones that
// their own listing did not show.
func (v *survey) others(ctx context.Context, seen []*sighting, made []listing) ([]*sighting, []listing) {
	known := map[string]bool{}
	for _, s := range seen {
		known[s.arn] = true
	}
	var out []*sighting
	var listings []listing
	for _, region := range v.asked() {
		session := v.walk.Session.In(region)
		hits, err := v.bulk(ctx, session)
		l := listing{region: region, err: err}
		var found []*sighting
		for _, name := range slices.Sorted(maps.Keys(hits)) {
			s := v.hit(name, region, hits[name])
			mine := markers.Filter{Estates: v.estates}.Admits(hits[name], s.foldsCase())
			if known[name] || !mine || s.region != "" && !slices.Contains(v.regions, s.region) || !v.asks(cmp.Or(s.kind, s.marker.Address.Type)) {
				continue
			}
			known[name] = true
			if listed(made, s) {
				s.gone = "the tagging API still shows it, and its service does not"
			}
			found = append(found, s)
		}
		if err := v.verify(ctx, session, found); err != nil && l.err == nil {
			l.err = err
		}
		l.objects = len(found)
		out, listings = append(out, found...), append(listings, l)
	}
	return out, listings
}

// beyond are the objects of the estate that the tagging API alone knows, beside what another survey saw. With that survey's hits
// the API is not asked twice.
func (v *survey) beyond(ctx context.Context, seen []*sighting, made []listing) ([]*sighting, []listing) {
	return v.others(ctx, seen, made)
}

// asked are the regions in which the tagging API is asked: those of the query, and the one that shows global objects.
func (v *survey) asked() []string {
	if v.walk.Session.Partition != "aws" || slices.Contains(v.regions, globalRegion) {
		return v.regions
	}
	return append(slices.Clone(v.regions), globalRegion)
}

// hit is an object as the tagging API shows it.
func (v *survey) hit(name, region string, tags map[string]string) *sighting {
	s := &sighting{arn: name, region: region, tags: tags, marker: markers.Observe(tags, false)}
	if parsed, err := arn.Parse(name); err == nil {
		s.region, s.account = parsed.Region, parsed.AccountID
	}
	s.kind = v.kindOf(name, s.marker.Address.Type)
	return s
}

// kindOf is the type of the object with an ARN. One ARN may fit several types, of which the address may choose, and then what
// is served; "" where neither does.
func (v *survey) kindOf(name, addressed string) string {
	all := imports.Types(name)
	for _, kind := range all {
		if plain(kind) == plain(addressed) {
			return kind
		}
	}
	for _, kind := range all {
		if v.serves(kind) != nil {
			return "estate_" + plain(kind)
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return ""
}

// listed tells whether the service of a served type was asked where the object would be, and answered in full.
func listed(made []listing, s *sighting) bool {
	return slices.ContainsFunc(made, func(l listing) bool {
		return l.kind != "" && plain(l.kind) == plain(s.kind) && (l.region == "" || l.region == s.region) && l.err == nil
	})
}

// verify asks the verifiers about what they know. An object that has ended, or does not exist, is gone.
func (v *survey) verify(ctx context.Context, session *cloud.Session, found []*sighting) error {
	for _, check := range v.verifiers {
		byID := map[string]*sighting{}
		for _, s := range found {
			parsed, err := arn.Parse(s.arn)
			if id, ok := strings.CutPrefix(parsed.Resource, check.Resource); err == nil && ok && parsed.Service == check.Service {
				byID[id] = s
			}
		}
		if len(byID) == 0 {
			continue
		}
		living, ended, err := check.Ended(ctx, session, slices.Sorted(maps.Keys(byID)))
		if err != nil {
			return err
		}
		for id, s := range byID {
			s.verified = true
			if !slices.Contains(living, id) {
				s.gone = cmp.Or(ended[id], "the tagging API still shows it, and its service does not")
			}
		}
	}
	return nil
}
