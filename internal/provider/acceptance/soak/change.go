package main

import (
	"math/rand/v2"
	"slices"
)

// This file changes the model, one thing at a time. Each function says in a few words what it did, "" where it found nothing to do.

// create adds a member, a group, or what was removed before.
func (e *estate) create(r *rand.Rand) string {
	switch blocks := e.blocks(); r.IntN(5) {
	case 0:
		g := e.grow(r, kindOrder[r.IntN(len(kindOrder))])
		return "create a group of " + string(g.kind)
	case 1:
		if did := e.restoreGroup(r); did != "" {
			return did
		}
		fallthrough
	case 2:
		if did := e.restoreMember(r); did != "" {
			return did
		}
		fallthrough
	default:
		b := pick(r, blocks, func(b *block) bool {
			return b.part().grows() && len(b.members) < 2*b.part().most && b.form != single && b.rooted()
		})
		if b == nil {
			return ""
		}
		return "create " + e.add(r, b).address()
	}
}

// rooted tells whether the block has what its members belong to.
func (b *block) rooted() bool { return b.parent == nil || len(b.parent.members) > 0 }

// restoreGroup takes a removed group back.
func (e *estate) restoreGroup(r *rand.Rand) string {
	if len(e.gone) == 0 {
		return ""
	}
	i := r.IntN(len(e.gone))
	g := e.gone[i]
	e.gone = slices.Delete(e.gone, i, i+1)
	e.groups = append(e.groups, g)
	for _, b := range g.blocks {
		for _, m := range b.members {
			e.rewrite(m)
		}
	}
	return "create again a group of " + string(g.kind)
}

// restoreMember takes a removed member back, under its old names. It gets a new version: the emulator takes a record for one that
// exists if it was created once with the very same values.
func (e *estate) restoreMember(r *rand.Rand) string {
	back := func(m *member) bool {
		b := m.block
		taken := b.part().perParent && slices.ContainsFunc(b.members, func(other *member) bool { return other.parent == m.parent })
		return (m.parent == nil || m.parent.lives()) && !taken && (b.form != single || len(b.members) == 0)
	}
	b := pick(r, e.blocks(), func(b *block) bool { return slices.ContainsFunc(b.gone, back) })
	if b == nil {
		return ""
	}
	i := slices.IndexFunc(b.gone, back)
	m := b.gone[i]
	b.gone = slices.Delete(b.gone, i, i+1)
	b.members = append(b.members, m)
	e.rewrite(m)
	return "create again " + m.address()
}

// change changes a member in place.
func (e *estate) change(r *rand.Rand) string {
	m := pick(r, e.members(), func(m *member) bool { return m.block.typ.updates })
	if m == nil {
		return ""
	}
	e.rewrite(m)
	return "change " + m.address()
}

// replace changes what cannot change in place.
func (e *estate) replace(r *rand.Rand) string {
	m := pick(r, e.members(), func(m *member) bool { return m.block.typ.replaces })
	if m == nil {
		return ""
	}
	e.reedit(m)
	return "replace " + m.address() + m.block.group.order()
}

// order says in which order the group's objects are replaced.
func (g *group) order() string {
	if g.newFirst {
		return " (new first)"
	}
	return ""
}

// destroy removes a member, a block, or a group.
func (e *estate) destroy(r *rand.Rand) string {
	switch r.IntN(6) {
	case 0:
		if len(e.groups) > len(kindOrder) {
			i := r.IntN(len(e.groups))
			g := e.groups[i]
			e.groups = slices.Delete(e.groups, i, i+1)
			e.gone = append(e.gone, g)
			return "destroy a group of " + string(g.kind)
		}
		fallthrough
	case 1:
		b := pick(r, e.blocks(), func(b *block) bool { return b.leaf() && len(b.members) > 0 })
		if b == nil {
			return ""
		}
		for len(b.members) > 0 {
			e.remove(b.members[len(b.members)-1])
		}
		return "destroy " + b.address()
	default:
		m := pick(r, e.members(), func(m *member) bool { return len(m.block.members) > 1 && m.removable() })
		if m == nil {
			return ""
		}
		did := "destroy " + m.address()
		e.remove(m)
		return did
	}
}

// removable tells whether a member can go while the others keep their addresses: only the last of a count can. A user who takes out
// another one gives its place to the last, which is a replacement of both.
func (m *member) removable() bool {
	b := m.block
	if b.form == counted && b.members[len(b.members)-1] != m {
		return false
	}
	return !slices.ContainsFunc(m.children(), func(c *member) bool { return !c.removable() })
}

// remove removes a member and what belongs to it.
func (e *estate) remove(m *member) {
	for _, c := range m.children() {
		e.remove(c)
	}
	b := m.block
	i := slices.Index(b.members, m)
	b.members = slices.Delete(b.members, i, i+1)
	b.gone = append(b.gone, m)
}

// pick takes one of those that fit, the zero value where none does.
func pick[T any](r *rand.Rand, all []T, fits func(T) bool) T {
	var some []T
	for _, v := range all {
		if fits(v) {
			some = append(some, v)
		}
	}
	if len(some) == 0 {
		var none T
		return none
	}
	return some[r.IntN(len(some))]
}
