package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// groupKind says which blocks a group has.
type groupKind string

// part is one block of a group when it is made.
type part struct {
	typ *resourceType
	// parent is the type of the block that it belongs to, nil for none.
	parent *resourceType
	// least and most are how many members it begins with; most is also the most that it grows to, twice over. A part that is
	// perParent has one member for each member of the parent, or none.
	least, most int
	perParent   bool
}

// grows tells whether members may be added.
func (p part) grows() bool { return p.most > 1 }

// kinds are what an estate is made of.
var kinds = map[groupKind][]part{
	"network": {
		{typ: vpcType, least: 1, most: 1},
		{typ: gatewayType, parent: vpcType, perParent: true},
		{typ: subnetType, parent: vpcType, least: 2, most: 4},
		{typ: securityGroupType, parent: vpcType, least: 1, most: 3},
		{typ: eipType, least: 1, most: 3},
	},
	"access": {
		{typ: roleType, least: 1, most: 3},
		{typ: rolePolicyType, parent: roleType, perParent: true},
		{typ: attachmentType, parent: roleType, perParent: true},
	},
	"names": {
		{typ: zoneType, least: 1, most: 1},
		{typ: recordType, parent: zoneType, least: 2, most: 5},
	},
	"store": {{typ: bucketType, least: 1, most: 3}},
	"logs":  {{typ: logGroupType, least: 1, most: 4}},
}

// kindOrder is the order in which a new estate takes its groups, so that a small one has all types.
var kindOrder = []groupKind{"network", "access", "names", "store", "logs"}

// part is the description of a block.
func (b *block) part() part {
	all := kinds[b.group.kind]
	return all[slices.IndexFunc(all, func(p part) bool { return p.typ == b.typ })]
}

// grow adds a group of a kind.
func (e *estate) grow(r *rand.Rand, kind groupKind) *group {
	g := &group{kind: kind, newFirst: r.IntN(3) == 0}
	if r.IntN(3) == 0 {
		g.module = e.word("m")
	}
	for _, p := range kinds[kind] {
		b := &block{group: g, typ: p.typ, name: e.word("n")}
		if i := slices.IndexFunc(g.blocks, func(other *block) bool { return other.typ == p.parent }); i >= 0 {
			b.parent = g.blocks[i]
		}
		g.blocks = append(g.blocks, b)
		n := p.least
		switch {
		case p.perParent:
			n = len(b.parent.members)
		case p.grows():
			n += r.IntN(p.most - p.least + 1)
		}
		for range n {
			e.add(r, b)
		}
		b.form = e.someForm(r, n)
	}
	e.groups = append(e.groups, g)
	return g
}

// word is a name that was never used.
func (e *estate) word(start string) string { return fmt.Sprintf("%s%d", start, e.next()) }

// someForm is a form for so many members.
func (e *estate) someForm(r *rand.Rand, members int) form {
	if members == 1 && r.IntN(3) > 0 {
		return single
	}
	return []form{counted, keyed}[r.IntN(2)]
}

// add makes a member of the block, or none where it is full.
func (e *estate) add(r *rand.Rand, b *block) *member {
	parent, ok := b.room(r)
	if !ok {
		return nil
	}
	m := &member{block: b, key: e.word("k"), parent: parent}
	e.reedit(m)
	e.rewrite(m)
	b.members = append(b.members, m)
	return m
}

// room finds the parent for one more member; it is not ok where there is no room.
func (b *block) room(r *rand.Rand) (parent *member, ok bool) {
	if b.parent == nil {
		return nil, b.part().grows() || len(b.members) == 0
	}
	var free []*member
	for _, p := range b.parent.members {
		if !b.part().perParent || !slices.ContainsFunc(b.members, func(m *member) bool { return m.parent == p }) {
			free = append(free, p)
		}
	}
	if len(free) == 0 {
		return nil, false
	}
	return free[r.IntN(len(free))], true
}

// reedit gives a member another edition: an object of its own.
func (e *estate) reedit(m *member) {
	m.edition = e.next()
	if m.block.typ == subnetType {
		m.parent.net++
		m.net = m.parent.net
	}
}

// rewrite gives a member another version.
func (e *estate) rewrite(m *member) { m.version = e.next() }
