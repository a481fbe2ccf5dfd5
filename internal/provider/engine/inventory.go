package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file lists what lives in an account, for the data sources that show an estate as a whole. It asks each service for its
// own listing, once a type and region, and says of every listing that failed that it did: an inventory with a silent gap would
// be taken for the truth.

// Inventory says what is listed.
type Inventory struct {
	// Types are the types that are listed, Regions where, for those that have a region.
	Types   []Type
	Regions []string
	// Estates are those whose objects are asked for; none stands for every object, marked or not.
	Estates []string
	// Bulk returns the tags of a region's objects by ARN, as an API knows them that serves many services at once; those of the
	// estates at least. It is asked for objects whose own listing leaves their tags out, once a region.
	Bulk func(ctx context.Context, s *cloud.Session) (map[string]map[string]string, error)
}

// Entry is one object of an inventory.
type Entry struct {
	// Type is the resource type's full name, ID the string that its import takes, and its id.
	Type, ID string
	// ARN is "" where the type has none.
	ARN string
	// Region is "" for global types. Account is "" where the provider was told not to ask for it.
	Region, Account string
	// Created is when the object came to be, zero where AWS does not tell.
	Created time.Time
	// State and Reason are AWS's.
	State  State
	Reason string
	// Foreign says that the object belongs to another account, which lets this one see it; MadeByAWS that AWS made it by itself.
	Foreign, MadeByAWS bool
	// Tags are all tags, nil for types without tags. Marker is what they say.
	Tags   map[string]string
	Marker markers.Observed
	// Parent is the id of the object that an untagged object belongs to, ParentType its type; "" for types with tags.
	Parent, ParentType string
}

// Listing is one listing that an inventory made, or could not make.
type Listing struct {
	// Type is the resource type's full name, Region "" for global types.
	Type, Region string
	// Objects is how many objects the listing showed that were asked for.
	Objects int
	// Err is why the listing is not complete, nil where it is.
	Err error
}

// Inventory lists the living objects and those on their way out, sorted by type, region and id, and says which listings it
// made. Objects of types without tags are listed under the listed objects that they belong to. Its errors are in the listings;
// it has none of its own.
func (w *Walk) Inventory(ctx context.Context, q Inventory) ([]Entry, []Listing) {
	found := &stocktaking{walk: w, Inventory: q, bulks: map[string]func() (map[string]map[string]string, error){}}
	found.each(ctx, func(k *kind) bool { return k.tagged() }, found.tagged)
	found.each(ctx, func(k *kind) bool { return !k.tagged() && k.under != "" }, found.untagged)
	sort.Slice(found.entries, func(i, j int) bool { return less(found.entries[i].sortKey(), found.entries[j].sortKey()) })
	sort.Slice(found.listings, func(i, j int) bool { return less(found.listings[i].sortKey(), found.listings[j].sortKey()) })
	return found.entries, found.listings
}

func (e Entry) sortKey() []string   { return []string{e.Type, e.Region, e.ID} }
func (l Listing) sortKey() []string { return []string{l.Type, l.Region} }
func less(a, b []string) bool       { return slices.Compare(a, b) < 0 }

// stocktaking is an inventory that is being made.
type stocktaking struct {
	Inventory
	walk *Walk

	mu       sync.Mutex
	entries  []Entry
	listings []Listing
	bulks    map[string]func() (map[string]map[string]string, error)
}

// listingsAtOnce is how many listings run at a time.
const listingsAtOnce = 8

// each runs one listing for each admitted type and region, several at a time.
func (t *stocktaking) each(
	ctx context.Context, admit func(*kind) bool, list func(context.Context, *kind, *cloud.Session) ([]Entry, error),
) {
	var g errgroup.Group
	g.SetLimit(listingsAtOnce)
	for _, typ := range t.Types {
		k, ok := typ.(*kind)
		if !ok || !admit(k) {
			continue
		}
		for _, s := range t.sessions(k) {
			g.Go(func() error {
				found, err := list(ctx, k, s)
				t.mu.Lock()
				defer t.mu.Unlock()
				t.entries = append(t.entries, found...)
				t.listings = append(t.listings, Listing{Type: k.fullName(), Region: k.regionOf(s), Objects: len(found), Err: err})
				return nil
			})
		}
	}
	_ = g.Wait() // every error is in its listing
}

// sessions are those in which a type is listed: one for each region, one in all for a global type.
func (t *stocktaking) sessions(k *kind) []*cloud.Session {
	if k.global {
		return []*cloud.Session{t.walk.Session}
	}
	out := make([]*cloud.Session, len(t.Regions))
	for i, region := range t.Regions {
		out[i] = t.walk.Session.In(region)
	}
	return out
}

// tagged lists the objects of a type with tags that are asked for, in whatever state.
func (t *stocktaking) tagged(ctx context.Context, k *kind, s *cloud.Session) ([]Entry, error) {
	filter := markers.Filter{Estates: t.Estates}
	var out []Entry
	for l, err := range k.list(ctx, s, filter) {
		if err == nil && l.tags == nil {
			l, err = t.told(ctx, k, s, l)
		}
		switch {
		case isGone(err):
		case err != nil:
			return out, err
		case filter.Admits(l.tags, k.foldsCase()):
			out = append(out, k.entry(s, l))
		}
	}
	return out, nil
}

// bulkLag is how far the bulk API is taken to lag behind. It is minutes; nobody says how many.
const bulkLag = time.Hour

// told returns a listed object with its tags, which the service's listing leaves out. The bulk API tells those of all; an object
// that it may not know yet, and every one where it cannot be asked, is read by itself.
func (t *stocktaking) told(ctx context.Context, k *kind, s *cloud.Session, l *live) (*live, error) {
	bulk, err := t.bulk(ctx, s)
	tags, known := bulk[strings.TrimSuffix(text(objectOf(l.own)["arn"]), ":*")]
	if young := time.Since(l.created) < bulkLag; err != nil || !known && young {
		return k.completed(ctx, s, l)
	}
	if tags == nil {
		tags = map[string]string{}
	}
	with := *l
	with.tags = tags
	return &with, nil
}

// bulk asks the bulk API about a region once. A denial is no error of a listing: there is another way to the same answer.
func (t *stocktaking) bulk(ctx context.Context, s *cloud.Session) (map[string]map[string]string, error) {
	if t.Bulk == nil {
		return nil, errNoBulk
	}
	t.mu.Lock()
	ask, ok := t.bulks[s.Region]
	if !ok {
		ask = sync.OnceValues(func() (map[string]map[string]string, error) { return t.Bulk(ctx, s) })
		t.bulks[s.Region] = ask
	}
	t.mu.Unlock()
	return ask()
}

var errNoBulk = errors.New("no API was named that tells the tags of many objects at once")

// untagged lists the objects of a type without tags that belong to a listed object of this account.
func (t *stocktaking) untagged(ctx context.Context, k *kind, s *cloud.Session) ([]Entry, error) {
	parents := t.parents("estate_"+k.under, k.regionOf(s))
	if len(parents) == 0 {
		return nil, nil
	}
	var out []Entry
	keep := func(l *live) {
		parent := k.canonicalKey(s, l.key)[0]
		if slices.Contains(parents, parent) {
			e := k.entry(s, l)
			e.Parent, e.ParentType = parent, "estate_"+k.under
			out = append(out, e)
		}
	}
	if k.list != nil {
		for l, err := range k.list(ctx, s, markers.Filter{}) {
			if err != nil {
				return nil, err
			}
			keep(l)
		}
		return out, nil
	}
	for _, parent := range parents {
		key := make(Key, len(k.identity))
		key[0] = parent
		for l, err := range k.listUnder(ctx, s, key) {
			if isGone(err) {
				break // the parent was deleted since it was listed, and all that belonged to it
			}
			if err != nil {
				return out, fmt.Errorf("%s: %w", parent, err)
			}
			keep(l)
		}
	}
	return out, nil
}

// parents are the ids of the listed objects of a type in a region.
func (t *stocktaking) parents(typ, region string) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []string
	for _, e := range t.entries {
		if e.Type == typ && e.Region == region && !e.Foreign && e.State != Gone {
			out = append(out, e.ID)
		}
	}
	slices.Sort(out)
	return out
}

// entry is a listed object as an inventory shows it.
func (k *kind) entry(s *cloud.Session, l *live) Entry {
	e := Entry{
		Type: k.fullName(), ID: k.idOf(l.key), ARN: text(objectOf(l.own)["arn"]), Region: k.regionOf(s), Account: orElse(l.owner, s.Account),
		Created: l.created, State: l.state, Reason: l.reason, Foreign: foreign(l, s), MadeByAWS: l.madeByAWS, Tags: l.tags,
	}
	if k.tagged() {
		e.Marker = markers.Observe(l.tags, k.foldsCase())
	}
	return e
}
