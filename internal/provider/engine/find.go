package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file is the look-up of a create: what exists already, and what follows from it. Plan and Create ask it
// alike, so that both see "candidate" and "predecessor" the same way.

// wanted is what a create is to make.
type wanted struct {
	// whole is the planned value, own its own part, config what the configuration says of it, key its key where that is
	// known.
	whole   object
	own     tftypes.Value
	config  object
	key     Key
	address markers.Address
	// mode is on_existing, named says that it was asked for by name.
	mode  OnExisting
	named bool
	// acting says that the create follows: a derived key is then reserved.
	acting bool
	// settled says that everything the configuration gives is known; what AWS computes never is.
	settled bool
}

// match is an object of ours that was found.
type match struct {
	live *live
	// differs are the immutable attributes in which it is not what is wanted.
	differs []string
	// cutOff says that a create of this instance made it and was cut off before it could be tagged.
	cutOff bool
}

// finding is what a look-up found.
type finding struct {
	candidates, predecessors []match
	// tied are candidates that the slot decided against.
	tied []match
	// holders are the ids of every object with our address, dead or alive.
	holders []string
	// blocking holds our name, range or, with a malformed marker, perhaps our address.
	blocking *live
	class    markers.Classification
	// failed and scheduled are ours but cannot serve.
	failed, scheduled *live
	// alike are unmarked objects that look like the wanted one.
	alike []match
	// key is the key under which to create, where it is known.
	key Key
}

// find looks up what exists. Any error stops: a denial, a time-out or a broken page is never "not found".
func (r *managed) find(ctx context.Context, s *cloud.Session, want wanted) (finding, error) {
	switch r.tier {
	case Marked:
		return r.findMarked(ctx, s, want)
	case Named:
		if want.key == nil {
			return r.findGenerated(ctx, s, want)
		}
		f := finding{key: want.key}
		return f, r.findNamed(ctx, s, want, &f)
	case Composed:
		if want.key == nil {
			return r.findGenerated(ctx, s, want)
		}
		f := finding{key: want.key}
		return f, r.findNamed(ctx, s, want, &f)
	}
	return finding{key: want.key}, nil // a Setting always exists
}

// question asks markers whether tags are those of the wanted instance.
func (r *managed) question(a markers.Address) markers.Question {
	return markers.Question{
		Estates: r.walk.estates(), Address: a, Type: r.fullName(), Formerly: r.formerNames(), FoldCase: r.foldsCase(),
	}
}

// findMarked searches the listing of the type.
func (r *managed) findMarked(ctx context.Context, s *cloud.Session, want wanted) (finding, error) {
	var f finding
	ix := r.walk.index(r.kind, s)
	lives, err := ix.all(ctx)
	if err != nil {
		return f, err
	}
	var malformed *live
	var why markers.Classification
	for _, l := range ix.concerned(lives, r.question(want.address)) {
		if foreign(l, s) {
			continue
		}
		class := markers.Classify(l.tags, r.question(want.address))
		switch class.Kind {
		case markers.Ours:
			if err := r.sort(ctx, s, ix, want, l, &f); err != nil {
				return f, err
			}
		case markers.Malformed:
			// One that a state entry holds is that entry's to repair.
			if !r.isDead(l) && malformed == nil && !r.walk.holds(r.objectID(s, l.key)) {
				malformed, why = l, class
			}
		case markers.Unmarked:
			// One that a state entry holds is that entry's: its block was renamed since, and somebody took the marker off.
			if !r.cutOff(s, want.address, l) || r.walk.holds(r.objectID(s, l.key)) && !want.acting {
				continue
			}
			if err := r.sort(ctx, s, ix, want, l, &f); err != nil {
				return f, err
			}
		}
	}
	f.breakTie(want.address)
	if malformed != nil && len(f.candidates)+len(f.predecessors) == 0 && f.failed == nil {
		f.blocking, f.class = malformed, why
	}
	if f.nothing() && r.natural != nil && want.settled && !r.derivesName(want.config) {
		if err := r.findNatural(ctx, s, want, &f); err != nil {
			return f, err
		}
	}
	if f.nothing() && r.seeksAlike(want) {
		f.alike, err = r.findAlike(ctx, s, want)
	}
	return f, err
}

// sort files one object of ours.
func (r *managed) sort(ctx context.Context, s *cloud.Session, ix *index, want wanted, l *live, f *finding) error {
	f.holders = append(f.holders, r.idOf(l.key))
	switch {
	case r.isDead(l):
		return nil
	case l.state == Failed:
		f.failed = l
		return nil
	}
	whole, err := ix.completed(ctx, l)
	if isGone(err) {
		return nil // the listing lags
	}
	if err != nil {
		return err
	}
	m := match{
		live: whole, differs: r.immutableDifferences(ctx, want.config, want.own, whole.own),
		cutOff: r.tagged() && r.cutOff(s, want.address, l),
	}
	if len(m.differs) == 0 {
		f.candidates = append(f.candidates, m)
	} else {
		f.predecessors = append(f.predecessors, m)
	}
	return nil
}

// cutOff tells whether an object without a marker was made by a create of this instance: it carries the token of one, where
// AWS shows tokens. Others may have tagged it since. One that carries any key of a marker was marked before: it was released, or
// somebody has taken its estate's tag off, which says that it is not the one.
func (r *managed) cutOff(s *cloud.Session, a markers.Address, l *live) bool {
	if l.token == "" || slices.ContainsFunc(sortedKeys(l.tags), func(key string) bool { return markers.IsKey(key, r.foldsCase()) }) {
		return false
	}
	return slices.ContainsFunc(r.walk.estates(), func(estate string) bool {
		return strings.HasPrefix(string(l.token), originOf(r.kind, s.Account, s.Region, estate, a.String()))
	})
}

// breakTie lets the slot decide between several candidates of a count member.
func (f *finding) breakTie(a markers.Address) {
	if len(f.candidates) < 2 || !a.Slotted() {
		return
	}
	var exact []match
	for _, m := range f.candidates {
		o := markers.Observe(m.live.tags, false)
		if o.Slot != nil && uint64(*o.Slot) == a.Index.Number {
			exact = append(exact, m)
		}
	}
	if len(exact) == 1 {
		f.tied = slices.DeleteFunc(f.candidates, func(m match) bool { return m.live == exact[0].live })
		f.candidates = exact
	}
}

// nothing tells whether nothing alive was found.
func (f *finding) nothing() bool {
	return len(f.candidates)+len(f.predecessors) == 0 && f.blocking == nil && f.failed == nil && f.scheduled == nil
}

// alive is how many living objects of ours were found.
func (f *finding) alive() int {
	n := len(f.candidates) + len(f.predecessors) + len(f.tied)
	if f.failed != nil {
		n++
	}
	return n
}

// findNamed reads the object under the wanted key: now where the create follows, else through the index, so that the plan
// of a whole lost state lists instead of asking one by one.
func (r *managed) findNamed(ctx context.Context, s *cloud.Session, want wanted, f *finding) error {
	read := r.walk.index(r.kind, s).read
	if want.acting {
		read = func(ctx context.Context, key Key) (*live, error) { return r.fresh(ctx, s, key) }
	}
	l, err := read(ctx, f.key)
	if isGone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return r.fileNamed(ctx, s, want, l, f)
}

func (r *managed) fileNamed(ctx context.Context, s *cloud.Session, want wanted, l *live, f *finding) error {
	ix := r.walk.index(r.kind, s)
	if l.state == Gone || l.state == Failed && r.clearsFailed {
		f.holders = append(f.holders, r.idOf(l.key))
		return nil
	}
	if foreign(l, s) {
		f.blocking, f.class = l, foreignClass(l)
		return nil
	}
	if !r.tagged() {
		return r.sort(ctx, s, ix, want, l, f)
	}
	class := markers.Classify(l.tags, r.question(want.address))
	if class.Kind != markers.Ours {
		f.blocking, f.class = l, class
		return nil
	}
	if l.state == Scheduled {
		f.holders, f.scheduled = append(f.holders, r.idOf(l.key)), l
		return nil
	}
	return r.sort(ctx, s, ix, want, l, f)
}

// foreignClass is what an object of another account means, whatever its tags say.
func foreignClass(l *live) markers.Classification {
	return markers.Classification{Kind: markers.OtherEstate, Why: "it belongs to " + accountWords(l.owner)}
}

// findNatural reads who holds our unique name or range.
func (r *managed) findNatural(ctx context.Context, s *cloud.Session, want wanted, f *finding) error {
	key, err := r.natural(ctx, s, want.own)
	if isGone(err) || err == nil && key == nil {
		return nil
	}
	if err != nil {
		return err
	}
	l, err := r.fresh(ctx, s, key)
	if isGone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	switch class := markers.Classify(l.tags, r.question(want.address)); {
	case r.isDead(l):
	case foreign(l, s):
		f.blocking, f.class = l, foreignClass(l)
	case class.Kind == markers.Ours: // the listing lags
		return r.sort(ctx, s, r.walk.index(r.kind, s), want, l, f)
	default:
		f.blocking, f.class = l, class
	}
	return nil
}

// namesTried bounds the search for a free generated name.
const namesTried = 100

// findGenerated derives names until one is free or holds our candidate. The first free one does not settle it: a rename
// would have changed the hash, so one listing by marker does. A Composed object has no address; its name is derived from
// the rest of its key, and only an equal one is taken for ours.
func (r *managed) findGenerated(ctx context.Context, s *cloud.Session, want wanted) (finding, error) {
	var f finding
	region, seed := s.Region, want.address.String()
	if r.global {
		region = ""
	}
	if !r.tagged() {
		key, _ := r.generatedKey(want.whole, r.prefixOf(want.whole))
		seed = key.String()
	}
	for n := range namesTried {
		key, ok := r.generatedKey(want.whole, generatedName(r.prefixOf(want.whole), s.Account, region, r.walk.Estate.ValueString(), seed, n))
		if !ok {
			return f, nil // a parent's name comes at apply
		}
		try := finding{key: key}
		if err := r.findNamed(ctx, s, want, &try); err != nil {
			return f, err
		}
		if !r.tagged() {
			// One that says something else is another instance's, and stays free to be found by it.
			other := slices.ContainsFunc(slices.Concat(try.candidates, try.predecessors), func(m match) bool {
				return want.mode == Beside || len(r.differences(ctx, want.own, m.live.own)) > 0
			})
			if other || want.acting && !r.walk.reserve(r.objectID(s, key)) {
				continue
			}
		}
		f.holders = append(f.holders, try.holders...)
		switch {
		case want.mode == Beside && !try.nothing():
			f.predecessors = slices.Concat(f.predecessors, try.candidates, try.predecessors)
			continue // another object is wanted, whatever this one is
		case len(try.candidates) > 0 || try.failed != nil || try.scheduled != nil:
			try.predecessors, try.holders = f.predecessors, f.holders
			return try, nil
		case len(try.predecessors) > 0 || try.blocking != nil:
			f.predecessors = append(f.predecessors, try.predecessors...)
			continue
		}
		f.key = try.key
		if !r.tagged() {
			return f, r.findEqual(ctx, s, want, &f)
		}
		return f, r.findRenamed(ctx, s, want, &f)
	}
	return f, fmt.Errorf("no free name was found in %d tries under the prefix %q", namesTried, r.prefixOf(want.whole))
}

// generatedPart is the part of the key that the engine can derive.
func (k *kind) generatedPart() (Part, bool) {
	for _, p := range k.identity {
		if p.Prefix != "" {
			return p, true
		}
	}
	return Part{}, false
}

// generatedKey is the key with a derived name; ok is false while another part is unknown.
func (k *kind) generatedKey(whole object, name string) (key Key, ok bool) {
	for _, p := range k.identity {
		switch {
		case p.Prefix != "":
			key = append(key, name)
		case !whole[p.Attr].IsKnown() || whole[p.Attr].IsNull():
			return nil, false
		default:
			key = append(key, text(whole[p.Attr]))
		}
	}
	return key, true
}

// findEqual searches the listing for an equal Composed object under a derived name of another hash: one whose estate was
// renamed, or one behind a gap in the numbers. A derived name that is free is given back.
func (r *managed) findEqual(ctx context.Context, s *cloud.Session, want wanted, f *finding) error {
	if r.list == nil || want.mode == Beside {
		return nil
	}
	lives, err := r.walk.index(r.kind, s).all(ctx)
	if err != nil {
		return err
	}
	for _, l := range lives {
		id := r.objectID(s, l.key)
		if !r.derivedSibling(l.key, f.key, r.prefixOf(want.whole)) || r.isDead(l) || r.walk.holds(id) {
			continue
		}
		whole, err := r.walk.index(r.kind, s).completed(ctx, l)
		if err != nil {
			return err
		}
		if len(r.differences(ctx, want.own, whole.own)) > 0 || want.acting && !r.walk.reserve(id) {
			continue
		}
		f.key, f.candidates = l.key, []match{{live: whole}}
		return nil
	}
	return nil
}

// derivedSibling tells whether a key differs from a derived one in the derived part alone, and looks derived too.
func (k *kind) derivedSibling(key, derived Key, prefix string) bool {
	for i, p := range k.identity {
		suffix, ok := strings.CutPrefix(key[i], prefix)
		switch {
		case p.Prefix == "" && key[i] != derived[i]:
			return false
		case p.Prefix != "" && (!ok || len(suffix) != generatedLength || strings.ToLower(suffix) != suffix):
			return false
		}
	}
	return true
}

// findRenamed searches the listing for an object that carries our marker under a name of another hash.
func (r *managed) findRenamed(ctx context.Context, s *cloud.Session, want wanted, f *finding) error {
	ix := r.walk.index(r.kind, s)
	lives, err := ix.all(ctx)
	if err != nil {
		return err
	}
	for _, l := range ix.concerned(lives, r.question(want.address)) {
		if foreign(l, s) || r.isDead(l) || slices.Contains(f.holders, r.idOf(l.key)) {
			continue
		}
		if markers.Classify(l.tags, r.question(want.address)).Kind != markers.Ours {
			continue
		}
		if prefix := r.prefixOf(want.whole); r.asksPrefix(want) && !strings.HasPrefix(l.key[0], prefix) {
			// Another name by configuration is an immutable difference.
			f.holders = append(f.holders, r.idOf(l.key))
			f.predecessors = append(f.predecessors, match{live: l, differs: []string{r.identity[0].Attr}})
			continue
		}
		if err := r.sort(ctx, s, ix, want, l, f); err != nil {
			return err
		}
	}
	return nil
}

// asksPrefix tells whether the configuration gives a prefix; where it gives neither name nor prefix, any name will do.
func (k *kind) asksPrefix(want wanted) bool {
	part, ok := k.generatedPart()
	return ok && want.config != nil && said(want.config[part.Prefix])
}

// prefixOf is the prefix of a generated name.
func (k *kind) prefixOf(whole object) string {
	part, ok := k.generatedPart()
	if !ok && k.derives != nil {
		part = *k.derives
	}
	if p := text(whole[part.Prefix]); p != "" {
		return p
	}
	return defaultPrefix
}

// immutableDifferences returns the attributes in which an object differs and that no update changes. What AWS computes, and
// what the configuration leaves to it, may be anything.
func (k *kind) immutableDifferences(ctx context.Context, config object, plan, live tftypes.Value) []string {
	var out []string
	for _, path := range k.differences(ctx, plan, live) {
		if _, mutable := k.updateOf(path); !mutable && !k.leftToAWS(config, path) {
			out = append(out, path)
		}
	}
	if k.replaces != nil {
		// A value-dependent replacement counts as immutable; a model that cannot be read is met again by the call itself.
		if more, err := k.replaces(live, complete(ctx, k.ownType(), plan, live)); err == nil {
			out = append(out, more...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// leftToAWS tells whether the attribute at path is computed and the configuration does not give it.
func (k *kind) leftToAWS(config object, path string) bool {
	root := rootOf(path)
	a, ok := k.attrs[root]
	return ok && a.IsComputed() && !hasDefault(a) && !said(config[root])
}

// differences returns the paths in which an object is not what the plan knows. What AWS never returns is not
// compared.
func (k *kind) differences(ctx context.Context, plan, live tftypes.Value) []string {
	var out []string
	for _, path := range changes(ctx, k.ownType(), complete(ctx, k.ownType(), plan, live), live, "") {
		if !k.isSetting(path) {
			out = append(out, path)
		}
	}
	return out
}
