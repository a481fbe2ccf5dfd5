package engine

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file is about two runs that make an object of one address at the same moment. Each looks and finds nothing, and where
// neither a name nor a token keeps AWS from it, each makes one. Nothing can prevent that, for tags are no lock. So the new
// object is read back by its marker in place of its id, which shows the other run's object too and costs no call more; and
// of the two the one with the older binding keeps the address, by which both runs decide alike.

// doubles tells whether AWS lets two runs make an object each.
func (c *creation) doubles() bool { return !c.repeatable() && c.list != nil }

// readBack waits for the new object.
func (c *creation) readBack(ctx context.Context, key Key) (*live, error) {
	if c.doubles() {
		// A listing that fails, or that does not show the object yet, says nothing: it is then read by its id.
		if l, err := c.readByMarker(ctx, key); err == nil && l != nil && l.state == Ready {
			return c.completed(ctx, c.s, l)
		}
	}
	return c.untilReady(ctx, c.walk, c.s, key, c.timeout(c.plan, "create"), true)
}

// readByMarker lists what carries the address: the new object, nil where it does not show, and those that have appeared
// since this create looked, which it keeps as twins.
func (c *creation) readByMarker(ctx context.Context, key Key) (own *live, _ error) {
	tags, err := c.marker.Tags()
	if err != nil {
		return nil, err
	}
	c.twins = nil
	filter := markers.Filter{Estates: []string{c.marker.Estate}, Address: tags[markers.AddressKeys[0]]}
	for l, err := range c.list(ctx, c.s, filter) {
		switch {
		case err != nil:
			return nil, err
		case l.key.String() == key.String():
			own = l
		case c.isTwin(l):
			c.twins = append(c.twins, l)
		}
	}
	return own, nil
}

// isTwin tells whether an object is another run's, made for this address since this create looked.
func (c *creation) isTwin(l *live) bool {
	return !foreign(l, c.s) && !c.isDead(l) && !slices.Contains(c.seen, c.idOf(l.key)) &&
		!c.walk.hasDeleted(c.objectID(c.s, l.key)) &&
		markers.Classify(l.tags, c.question(c.want.address)).Kind == markers.Ours
}

// olderTwin is the object to which a new one gives way; nil where it gives way to none.
func (c *creation) olderTwin() *live {
	i := slices.IndexFunc(c.twins, func(l *live) bool { return c.isOlder(l, c.marker.Binding) })
	if i < 0 {
		return nil
	}
	return c.twins[i]
}

// isOlder tells whether an object was bound before the one with this binding. Bindings begin with their time, and no two are
// equal, so that two runs agree whatever their clocks say. What has none was made by another tool, and decides nothing.
func (k *kind) isOlder(l *live, binding string) bool {
	theirs := markers.Observe(l.tags, k.foldsCase()).Binding
	return theirs != "" && binding != "" && theirs < binding
}

// errGivesWay says that another run has made an object of the address, and that it is the one.
type errGivesWay struct{ to *live }

func (e errGivesWay) Error() string { return "another run made " + e.to.key.String() }

// meetTwins says that other runs have made objects of the address which give way to this one.
func (c *creation) meetTwins() {
	var found []match
	for _, l := range c.twins {
		found = append(found, match{live: l})
	}
	if len(found) > 0 {
		c.resp.Diagnostics.Append(keepsAddress(c.about, c.describe(c.regionIn(c.plan), found)))
	}
}

// planSecondHolder reports another live object with our address: taken, if no state entry of this walk holds it and this
// instance is about to move there. If two runs have made one each, the one with the older binding keeps the address, and the
// plan of the other is refused; else it is a warning.
func (r *managed) planSecondHolder(a markers.Address, id objectID, e *expectation, about subject, resp *resource.ModifyPlanResponse) {
	s := r.session(id.region)
	var found diag.Diagnostic
	ix := r.walk.index(r.kind, s)
	for _, l := range ix.concerned(ix.known(), r.question(a)) {
		other := r.objectID(s, l.key)
		if other == id || r.isDead(l) || foreign(l, s) {
			continue
		}
		if markers.Classify(l.tags, r.question(a)).Kind != markers.Ours {
			continue
		}
		seen, ok := r.walk.observation(id)
		moving := ok && markers.Classify(seen.tags, r.question(a)).Kind == markers.OtherAddress
		if moving && !r.walk.holds(other) {
			resp.Diagnostics.Append(addressHeld(about, other.id))
			return
		}
		if d := r.judgeSecond(s, l, e, about, r.walk.holds(other)); !moving && (found == nil || d.Severity() == diag.SeverityError) {
			found = d
		}
	}
	if found != nil {
		resp.Diagnostics.Append(found)
	}
}

// judgeSecond says what the plan of an entry makes of another object with its address.
func (r *managed) judgeSecond(s *cloud.Session, l *live, e *expectation, about subject, held bool) diag.Diagnostic {
	if r.tier == Marked && e != nil && e.Sole && !held && r.isOlder(l, e.Binding) {
		return losesAddress(about, r.describe(r.regionOf(s), []match{{live: l}})[0], r.idOf(l.key))
	}
	return secondHolder(about, r.idOf(l.key))
}
