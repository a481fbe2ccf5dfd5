package main

import (
	"math/rand/v2"
	"slices"
)

// This file gives members other addresses, each with its moved blocks. No address comes twice, so that moves make no circle.

// rename renames a block, a key of its for_each, the whole form of a block, or the module of a group.
func (e *estate) rename(r *rand.Rand) string {
	b := pick(r, e.blocks(), func(b *block) bool { return len(b.members) > 0 })
	if b == nil {
		return ""
	}
	switch was := b.address(); r.IntN(4) {
	case 0:
		return e.renameModule(r, b.group)
	case 1:
		return e.reform(r, b)
	case 2:
		if b.form == keyed {
			m := b.members[r.IntN(len(b.members))]
			was := m.address()
			m.key = e.word("k")
			return e.moved(was, m.address())
		}
		fallthrough
	default:
		b.name = e.word("n")
		return e.moved(was, b.address())
	}
}

// moved adds a moved block and says so.
func (e *estate) moved(from, to string) string {
	e.moves = append(e.moves, move{from, to, e.round})
	return "rename " + from + " to " + to
}

// reform gives a block another form, and another name, since a number that was a member's may be another's later.
func (e *estate) reform(r *rand.Rand, b *block) string {
	was, old := b.address(), b.form
	var addresses []string
	for _, m := range b.members {
		addresses = append(addresses, m.address())
	}
	forms := slices.DeleteFunc([]form{single, counted, keyed}, func(f form) bool { return f == old || f == single && len(b.members) > 1 })
	b.name, b.form = e.word("n"), forms[r.IntN(len(forms))]
	for i, m := range b.members {
		e.moved(addresses[i], m.address())
	}
	return "rename " + was + " (" + string(old) + ") to " + b.address() + " (" + string(b.form) + ")"
}

// renameModule moves a group into a module, out of it, or into one of another name.
func (e *estate) renameModule(r *rand.Rand, g *group) string {
	var addresses []string
	for _, b := range g.blocks {
		addresses = append(addresses, b.address())
	}
	was := g.module
	g.rooted = g.rooted || was == ""
	g.module = e.word("m")
	if !g.rooted && r.IntN(2) == 0 {
		g.module = ""
	}
	if was != "" && g.module != "" {
		return e.moved("module."+was, "module."+g.module)
	}
	for i, b := range g.blocks {
		e.moved(addresses[i], b.address())
	}
	return "rename, a group of " + string(g.kind) + " moves from " + moduleWords(was) + " to " + moduleWords(g.module)
}

func moduleWords(name string) string {
	if name == "" {
		return "the root"
	}
	return "module." + name
}
