package engine

import (
	"fmt"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// OnExisting says what Create does when the object it is to make exists already.
type OnExisting string

const (
	// Adopt takes the object over when it is ours; the default.
	Adopt OnExisting = "adopt"
	// Refuse is "error": a create that finds anything of ours stops.
	Refuse OnExisting = "error"
	// Beside is "create": always a new object beside the existing one.
	Beside OnExisting = "create"
)

// Configuration is what Configure hands to the resources.
type Configuration struct {
	// Session is AWS access; nil while settings that it needs are unknown at plan.
	Session *cloud.Session
	// Unknown names the provider arguments whose values are not known yet, for messages.
	Unknown []string
	// Estate is the estate's name; unknown at plan when the argument is.
	Estate types.String
	// PreviousEstates are names that count as ours.
	PreviousEstates []string
	// OnExisting is the provider's on_existing or TOFU_ON_EXISTING, "" when neither was given.
	OnExisting OnExisting
	// DefaultTags may be null, unknown, or hold unknown values.
	DefaultTags types.Map
	// IgnoreKeys and IgnorePrefixes are ignore_tags: tags that are neither shown nor removed.
	IgnoreKeys, IgnorePrefixes []string
}

// Walk is one Configure: core makes one provider configuration for each of its walks (validate, plan, apply), so
// that what one walk knows of itself lives here and nowhere else. It is safe for concurrent use.
type Walk struct {
	Configuration

	mu sync.Mutex
	// declared counts the instances that ValidateConfig saw, by type and address.
	declared map[string]bool
	// claims are the addresses that Create has taken.
	claims map[string]string
	// inState are the objects that state entries of this walk hold.
	inState map[objectID]bool
	// observed is what Read saw.
	observed map[objectID]observation
	// adopting and givenUp are planned hand-overs, with the address that takes or gives.
	adopting, givenUp map[objectID]string
	// kept are objects without tags that a planned entry keeps.
	kept map[objectID]string
	// written are objects that this walk created, adopted or changed; deleted those that it deleted.
	written, deleted map[objectID]bool
	// parted are objects without tags as they were when this walk deleted them.
	parted map[objectID]*live
	// left are the ids that have left an address in this walk: deleted, released or renamed.
	left map[string][]string
	// turns are the locks of objects without tags, of which one operation at a time may act.
	turns map[objectID]*sync.Mutex
	// reserved are derived keys that a create of this walk has taken.
	reserved map[objectID]bool
	// mutated says that Create, Update or Delete was called: it is an apply walk.
	mutated bool
	// read says that Read was called: it is a plan walk.
	read bool

	// pace scales the pauses of waiting; 0 means 1.
	pace float64

	indexes map[indexKey]*index
	// outlooks are what data sources have listed beyond the indexes.
	outlooks map[outlookKey]*outlook
	blocks   map[string]*slotBlock
}

// objectID names one object within the account.
type objectID struct{ kind, region, id string }

// observation is what Read saw on an object.
type observation struct {
	tags map[string]string
	// recreated says that it is another object under the entry's name.
	recreated bool
}

// NewWalk starts the registers of one Configure.
func NewWalk(c Configuration) *Walk {
	return &Walk{
		Configuration: c,
		declared:      map[string]bool{},
		claims:        map[string]string{},
		inState:       map[objectID]bool{},
		observed:      map[objectID]observation{},
		adopting:      map[objectID]string{},
		givenUp:       map[objectID]string{},
		kept:          map[objectID]string{},
		written:       map[objectID]bool{},
		deleted:       map[objectID]bool{},
		parted:        map[objectID]*live{},
		left:          map[string][]string{},
		turns:         map[objectID]*sync.Mutex{},
		reserved:      map[objectID]bool{},
		indexes:       map[indexKey]*index{},
		outlooks:      map[outlookKey]*outlook{},
		blocks:        map[string]*slotBlock{},
	}
}

// estates are the names that count as ours, the present one first.
func (w *Walk) estates() []string {
	return append([]string{w.Estate.ValueString()}, w.PreviousEstates...)
}

// SeenInState records that a state entry holds an object: with -refresh=false no Read says so. typeName is the full
// one, such as estate_vpc.
func (w *Walk) SeenInState(typeName, id, region string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.inState[objectID{typeName, region, id}] = true
	if region == "" && w.Session != nil { // of a global type, or of an entry that was moved in without its region
		w.inState[objectID{typeName, w.Session.Region, id}] = true
	}
}

// declare records an instance, and returns false where one with the same type and address came before.
func (w *Walk) declare(typeName string, a markers.Address) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := typeName + " " + a.Escaped() // x[2] and x["2"] share one tag value
	if w.declared[key] {
		return false
	}
	w.declared[key] = true
	return true
}

// claim takes an address, or the id of an object without tags, for a create. A second claim is an error that names it.
func (w *Walk) claim(typeName, address, region string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := typeName + " " + markers.Escape(address)
	if where, taken := w.claims[key]; taken {
		return fmt.Errorf("another instance of this run, in %s, has created or adopted an object for %s", where, address)
	}
	w.claims[key] = region
	return nil
}

// observe records what Read saw.
func (w *Walk) observe(id objectID, o observation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.inState[id], w.read = true, true
	w.observed[id] = o
}

// observation returns what Read saw in this walk.
func (w *Walk) observation(id objectID) (observation, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	o, ok := w.observed[id]
	return o, ok
}

// holds tells whether a state entry of this walk holds the object.
func (w *Walk) holds(id objectID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.inState[id]
}

// surelyPlans tells whether this is certainly a plan walk: apply walks serve no Read.
func (w *Walk) surelyPlans() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.read && !w.mutated
}

// applies records that this is an apply walk.
func (w *Walk) applies() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mutated = true
}

// hasMutated tells whether this walk has begun to write.
func (w *Walk) hasMutated() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mutated
}

// takes records that a planned create would adopt an object, and returns the address that gives it up in the same
// plan. In an apply walk the deposed half of a replacement is planned after its own create, so the rule holds in
// plan walks only.
func (w *Walk) takes(id objectID, address string) (giver string, conflict bool) {
	return w.handOver(id, address, w.adopting, w.givenUp)
}

// takenFor is the address of another instance whose create would adopt the object in this plan, "" where there is none. Only an
// object without a marker can be wanted twice.
func (w *Walk) takenFor(id objectID, address string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if other := w.adopting[id]; other != address && !w.mutated {
		return other
	}
	return ""
}

// gives records that a plan gives up an object, and returns the address whose create would adopt it.
func (w *Walk) gives(id objectID, address string) (taker string, conflict bool) {
	return w.handOver(id, address, w.givenUp, w.adopting)
}

func (w *Walk) handOver(id objectID, address string, mine, others map[objectID]string) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.mutated {
		return "", false
	}
	mine[id] = address
	other, conflict := others[id]
	return other, conflict
}

// keeps records that a planned entry keeps an object without tags, and tells whether another entry gives it up or would
// adopt it: no tag could tell the two entries apart.
func (w *Walk) keeps(id objectID) bool {
	_, given := w.handOver(id, id.id, w.kept, w.givenUp)
	_, taken := w.handOver(id, id.id, w.kept, w.adopting)
	return given || taken
}

// isKept tells whether a planned entry keeps the object.
func (w *Walk) isKept(id objectID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, kept := w.kept[id]
	return kept && !w.mutated
}

// wrote records that this walk created, adopted or changed an object.
func (w *Walk) wrote(id objectID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written[id] = true
	delete(w.deleted, id)
	w.forgetMemos()
}

// forgetMemos drops shared answers after a write.
func (w *Walk) forgetMemos() {
	if w.Session != nil {
		w.Session.Forget()
	}
}

// reserve takes a derived key for one create, and returns false where another has taken it.
func (w *Walk) reserve(id objectID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.reserved[id] {
		return false
	}
	w.reserved[id] = true
	return true
}

// turn waits until no other operation of this walk acts on an object without tags, and returns how to end one's own. Nothing
// but what this walk did tells whose such an object is, so that a create that takes it over and the delete of the entry that
// held it before must not run at once: one sees it while the other takes it away.
func (w *Walk) turn(id objectID) (end func()) {
	w.mu.Lock()
	lock, ok := w.turns[id]
	if !ok {
		lock = &sync.Mutex{}
		w.turns[id] = lock
	}
	w.mu.Unlock()
	lock.Lock()
	return lock.Unlock
}

// parts keeps an object without tags that is about to be deleted.
func (w *Walk) parts(id objectID, l *live) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.parted[id] = l
}

// partedFrom is an object without tags that this walk deleted, as it was; nil where it deleted none.
func (w *Walk) partedFrom(id objectID) *live {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.deleted[id] {
		return nil
	}
	return w.parted[id]
}

// partedLike is an object without tags that this walk deleted and that fits, as it was.
func (w *Walk) partedLike(kind string, fits func(*live) bool) *live {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, l := range w.parted {
		if id.kind == kind && w.deleted[id] && fits(l) {
			return l
		}
	}
	return nil
}

// takenBy is the address whose planned create adopts the object, "" where none does.
func (w *Walk) takenBy(id objectID) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.adopting[id]
}

// hasWritten tells whether this walk created, adopted or changed the object.
func (w *Walk) hasWritten(id objectID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.written[id]
}

// hasDeleted tells whether this walk deleted the object: a stale listing may still show it.
func (w *Walk) hasDeleted(id objectID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.deleted[id]
}

// removed records that this walk deleted an object.
func (w *Walk) removed(id objectID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deleted[id] = true
	delete(w.written, id)
	w.forgetMemos()
}

// leaves records that an object no longer has an address. What AWS still remembers of its create call must not meet
// the next object of that address, even where no listing shows the old one.
func (w *Walk) leaves(typeName, address, id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := typeName + " " + markers.Escape(address)
	w.left[key] = append(w.left[key], id)
}

// formerly are the ids that have left an address in this walk.
func (w *Walk) formerly(typeName, address string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.left[typeName+" "+markers.Escape(address)])
}
