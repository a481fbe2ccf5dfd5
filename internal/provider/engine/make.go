package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file makes the create call and settles what its answer means.

// reserve gives a count member its slot: the one that the adopted object has, else a new one.
func (c *creation) reserve(ctx context.Context, adopted *live) error {
	if !c.want.address.Slotted() {
		return nil
	}
	if adopted != nil {
		if slot := markers.Observe(adopted.tags, c.foldsCase()).Slot; slot != nil {
			c.marker.Slot = slot
			return nil
		}
	}
	slot, err := c.walk.reserveSlot(ctx, c.kind, c.s, c.want.address)
	if err != nil {
		return err
	}
	c.marker.Slot = &slot
	return nil
}

// make creates the object. All markers are in the create call; state is set before any other call, so that a failure
// leaves a tainted entry and no orphan.
func (c *creation) make(ctx context.Context, f finding, attempt int) {
	c.seen, c.sole = f.holders, f.alive() == 0
	tags, d := c.newTags(ctx)
	if d != nil {
		c.resp.Diagnostics.Append(d)
		return
	}
	if part, ok := c.generatedPart(); ok && c.want.key == nil {
		c.setName(part, f.key[slices.IndexFunc(c.identity, func(p Part) bool { return p.Attr == part.Attr })])
	}
	token := c.token(f, attempt)
	c.allTags = tags
	key, err := c.callNamed(ctx, f, tags, token)
	var held errHeld
	switch {
	case err == nil:
		c.own(ctx, key)
	case errors.As(err, &held):
		c.settle(ctx, held.found, err)
	case c.exists != nil && c.exists(err):
		c.settleExisting(ctx, f, token, attempt, err)
	case !c.repeatable() && cloud.IsAnswerLost(err):
		c.settleLost(ctx, err)
	default:
		c.resp.Diagnostics.Append(callFailed(c.about, "creating", err))
	}
}

// judgeFound decides what a look-up means.
func (c *creation) judgeFound(ctx context.Context, f finding) (decision, diag.Diagnostic) {
	c.alive = f.alive()
	return c.decide(ctx, c.want, f, c.about)
}

// newTags are all tags of the new object.
func (c *creation) newTags(ctx context.Context) (markers.Tags, diag.Diagnostic) {
	tags := markers.Tags{}
	if !c.tagged() {
		return tags, nil
	}
	if err := c.reserve(ctx, nil); err != nil {
		return nil, callFailed(c.about, "choosing a slot (nothing was created)", err)
	}
	marker, err := c.marker.Tags()
	if err != nil {
		return nil, badAttribute(c.about, &attributeError{attrAddress, err})
	}
	maps.Copy(tags, knownTags(c.plan[attrTagsAll]))
	maps.Copy(tags, marker)
	if n, limit := len(tags), c.tags.Limit(); n > limit {
		return nil, tooManyTags(c.about, n, len(marker), limit)
	}
	return tags, nil
}

// setName plans a generated name.
func (c *creation) setName(part Part, text string) {
	name, own := str(text), objectOf(c.want.own)
	c.plan[part.Attr], own[part.Attr] = name, name
	c.want.own = own.value(c.want.own.Type())
}

// freshTry is the attempt from which on tokens are random: what is known of the world has been used up.
const freshTry = 1

// token is the client token of a create call. Where AWS remembers the tokens of objects that are gone and shows those of
// live ones, a second attempt takes one that was never used.
func (c *creation) token(f finding, attempt int) Token {
	address, try := c.want.address.String(), strconv.Itoa(attempt)
	if c.showsTokens() && attempt >= freshTry {
		try = c.marker.Binding
	}
	holders := slices.Concat(f.holders, c.walk.formerly(c.fullName(), address))
	return token(c.kind, c.s.Account, c.s.Region, c.marker.Estate, address, holders, try)
}

// showsTokens tells whether an object that was cut off before it was tagged is recognised by its token.
func (k *kind) showsTokens() bool { return k.tagsAfterCreate && k.takesToken }

// callNamed makes the create call, under the first derived name that is free where the type has one. No name of an object
// of ours is tried: one that is replaced holds its own until it is gone.
func (c *creation) callNamed(ctx context.Context, f finding, tags markers.Tags, token Token) (Key, error) {
	if !c.derivesName(c.want.config) {
		return c.call(ctx, tags, token)
	}
	ours := map[string]bool{}
	for _, m := range slices.Concat(f.candidates, f.predecessors, f.tied) {
		ours[text(objectOf(m.live.own)[c.derives.Attr])] = true
	}
	prefix, region := c.prefixOf(c.plan), c.regionOf(c.s)
	var last error
	for n := range namesTried {
		name := generatedName(prefix, c.s.Account, region, c.marker.Estate, c.want.address.String(), n)
		if ours[name] {
			continue
		}
		c.setName(*c.derives, name)
		key, err := c.call(ctx, tags, token)
		if err == nil || !c.exists(err) {
			return key, err
		}
		if last = err; c.want.mode != Beside {
			if err := c.holdsName(ctx); err != nil {
				return nil, err
			}
		}
	}
	return nil, fmt.Errorf("no free name was found in %d tries under the prefix %q: %s", namesTried, prefix, cloud.Message(last))
}

// errHeld says that an object of ours holds the derived name: the listing lagged behind an earlier run's create.
type errHeld struct{ found finding }

func (e errHeld) Error() string { return "an earlier create of this instance has taken the name" }

// holdsName asks who holds the derived name that AWS says is taken. It returns nil where that is somebody else, or an object of
// ours that is to be replaced: the next name is then tried. A holder that does not show may be ours.
func (c *creation) holdsName(ctx context.Context) error {
	return c.walk.until(ctx, c.walk.pause(lostLimit), func() error {
		key, err := c.natural(ctx, c.s, c.want.own)
		if isGone(err) || err == nil && key == nil {
			return errNotYet{"AWS says that the name " + text(objectOf(c.want.own)[c.derives.Attr]) + " is taken, and shows nothing that holds it"}
		}
		var l *live
		if err == nil {
			l, err = c.fresh(ctx, c.s, key)
		}
		if err != nil {
			return fmt.Errorf("asking who holds the name: %w", err)
		}
		if foreign(l, c.s) || markers.Classify(l.tags, c.question(c.want.address)).Kind != markers.Ours {
			return nil
		}
		var held errHeld
		if err := c.sort(ctx, c.s, c.walk.index(c.kind, c.s), c.want, l, &held.found); err != nil {
			return err
		}
		if len(held.found.candidates) > 0 || held.found.failed != nil {
			return held
		}
		return nil
	})
}

// derivesName tells whether the engine names an attribute that is no part of the key: the configuration does not.
func (k *kind) derivesName(config object) bool {
	return k.derives != nil && !said(config[k.derives.Attr])
}

// call makes the create call.
func (c *creation) call(ctx context.Context, tags markers.Tags, token Token) (key Key, err error) {
	if !c.repeatable() {
		ctx = cloud.Unrepeated(ctx)
	}
	err = c.untilAccepted(ctx, c.walk, c.timeout(c.plan, "create"), func() (err error) {
		key, err = c.create(ctx, c.s, c.want.own, tags, token)
		return err
	})
	return key, err
}

// repeatable tells whether a second create call makes no second object: a name or a token admits one.
func (c *creation) repeatable() bool { return c.tier != Marked || c.takesToken }

// lostLimit is how long the object of a create call whose answer was lost is looked for.
const lostLimit = 30 * time.Second

// settleLost looks for the object of a create call whose answer was lost. It carries the binding of that very call. Where it
// does not show, nothing is created again: the next apply finds it by its marker, or finds that there is none.
func (c *creation) settleLost(ctx context.Context, cause error) {
	var key Key
	look := context.WithoutCancel(ctx) // an interrupt is what lost the answer, perhaps
	err := c.walk.until(look, c.walk.pause(lostLimit), func() error {
		ix := c.walk.index(c.kind, c.s)
		ix.forget()
		lives, err := ix.all(look)
		if err != nil {
			return err
		}
		for _, l := range lives {
			if markers.Observe(l.tags, c.foldsCase()).Binding == c.marker.Binding {
				key = l.key
				return nil
			}
		}
		return errNotYet{"no object of this call shows"}
	})
	if err != nil {
		c.resp.Diagnostics.Append(answerLost(c.about, cause))
		return
	}
	c.own(ctx, key)
}

// settleExisting decides what "it exists already" means: our own call whose answer was lost, another process's work, or
// somebody else's object.
func (c *creation) settleExisting(ctx context.Context, f finding, token Token, attempt int, cause error) {
	switch {
	case c.tier == Marked && c.natural != nil && !c.takesToken:
		c.settleNatural(ctx, cause)
		return
	case c.tier == Marked:
		c.settleToken(ctx, f, token, attempt, cause)
		return
	}
	l, err := c.fresh(ctx, c.s, f.key)
	if err != nil {
		c.resp.Diagnostics.Append(callFailed(c.about, "reading the object that AWS says exists", errors.Join(err, cause)))
		return
	}
	if c.tagged() && markers.Observe(l.tags, c.foldsCase()).Binding == c.marker.Binding {
		c.own(ctx, l.key)
		return
	}
	again := finding{key: f.key}
	if err := c.fileNamed(ctx, c.s, c.want, l, &again); err != nil {
		c.resp.Diagnostics.Append(callFailed(c.about, "reading the object that AWS says exists", err))
		return
	}
	c.want.key = f.key
	c.settle(ctx, again, cause)
}

// settle adopts what was found when the create call said that it exists, or reports why not.
func (c *creation) settle(ctx context.Context, found finding, cause error) {
	d, problem := c.judgeFound(ctx, found)
	switch {
	case problem != nil:
		c.resp.Diagnostics.Append(problem)
	case d.adopt == nil:
		c.resp.Diagnostics.Append(callFailed(c.about, "creating", cause))
	default:
		c.adopt(ctx, d)
	}
}

// settleNatural finds who holds the unique name or range of a type whose key AWS assigns, and that takes no token.
func (c *creation) settleNatural(ctx context.Context, cause error) {
	var found finding
	err := c.walk.until(ctx, c.walk.pause(lostLimit), func() error {
		found = finding{}
		if err := c.findNatural(ctx, c.s, c.want, &found); err != nil {
			return fmt.Errorf("asking who holds its name or range: %w", err)
		}
		if found.nothing() {
			return errNotYet{"AWS says that it exists, and shows nothing that holds its name or range"}
		}
		return nil
	})
	ours := slices.Concat(found.candidates, found.predecessors)
	switch {
	case err != nil:
		c.resp.Diagnostics.Append(callFailed(c.about, "creating", errors.Join(err, cause)))
	case len(ours) > 0 && c.want.mode == Beside:
		c.resp.Diagnostics.Append(nameTaken(c.about, c.describe(c.regionIn(c.plan), ours)))
	case len(found.predecessors) > 0:
		c.resp.Diagnostics.Append(nameDiffers(c.about, c.explain(ctx, c.want, found.predecessors)))
	default:
		c.settle(ctx, found, cause)
	}
}

const (
	// tokensTried bounds the client tokens of one create.
	tokensTried = 5
	// reusedLimit is how long the holder of a token is looked for where the listing shows every object with its token: one
	// that does not show has been deleted, and AWS still remembers it.
	reusedLimit = 15 * time.Second
)

// settleToken finds the object of an earlier attempt, to which the token belongs. It shows in the listing sooner or later.
func (c *creation) settleToken(ctx context.Context, f finding, token Token, attempt int, cause error) {
	limit := c.timeout(c.plan, "create")
	if c.showsTokens() {
		limit = c.walk.pause(reusedLimit)
	}
	var again finding
	err := c.walk.until(ctx, limit, func() error {
		c.walk.index(c.kind, c.s).forget()
		var err error
		if again, err = c.find(ctx, c.s, c.want); err != nil {
			return err
		}
		if len(again.candidates) == 0 && len(again.holders) <= len(f.holders) && again.blocking == nil {
			return errNotYet{"no object of an earlier attempt shows"}
		}
		return nil
	})
	var timeout errTimeout
	switch {
	case errors.As(err, &timeout) && c.showsTokens() && attempt < tokensTried:
		c.make(ctx, again, attempt+1)
		return
	case err != nil:
		c.resp.Diagnostics.Append(callFailed(c.about, "finding the object of an earlier attempt", errors.Join(err, cause)))
		return
	}
	for _, m := range again.candidates {
		if m.cutOff && m.live.token == token { // our own call, repeated when its answer was lost
			c.own(ctx, m.live.key)
			return
		}
	}
	d, problem := c.judgeFound(ctx, again)
	switch {
	case problem != nil:
		c.resp.Diagnostics.Append(problem)
	case d.adopt != nil:
		c.adopt(ctx, d)
	case attempt < tokensTried:
		c.make(ctx, again, attempt+1)
	default:
		c.resp.Diagnostics.Append(callFailed(c.about, "creating", cause))
	}
}
