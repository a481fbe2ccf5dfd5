package main

import (
	"fmt"
	"slices"
	"strings"
)

// estate is the model: what the configuration declares. The configuration is rendered from it, and AWS is judged by it.
//
// Nothing that ever named an object names another one later: editions, versions, names of blocks and keys come from one counter.
// So what is found under a name is that object, or something is wrong.
type estate struct {
	name string
	// suffix makes names of buckets unique in the whole emulator.
	suffix string
	groups []*group
	// gone are groups that were removed and may come back.
	gone []*group
	// moves are those that the configuration says; they stay as long as a state with the old addresses may be put back.
	moves []move
	// round counts the checks, for the age of moves.
	round   int
	counter int
}

// group is blocks that hang together, in the root module or in a module of their own.
type group struct {
	kind groupKind
	// module is the module's name, "" in the root; rooted tells that the group has been there: it does not come back to its old
	// addresses.
	module string
	rooted bool
	// newFirst is create_before_destroy, of all its blocks: core would give it to what they depend on anyhow.
	newFirst bool
	blocks   []*block
}

// form is how a block says its instances.
type form string

const (
	single  form = "single"
	counted form = "count"
	keyed   form = "for_each"
)

// block is one resource block.
type block struct {
	group   *group
	typ     *resourceType
	name    string
	form    form
	parent  *block
	members []*member
	gone    []*member
}

// member is one instance.
type member struct {
	block *block
	// key is its key where the block is keyed.
	key string
	// edition stands in what cannot change in place, version in what can. Each change takes a new number.
	edition, version int
	// parent is the instance that it belongs to, nil for none. net is the number of a subnet in its VPC.
	parent *member
	net    int
}

// move is one moved block, and the round in which it was written.
type move struct {
	from, to string
	round    int
}

// remembered is how many checks back a state may be that is put back.
const remembered = 3

// checked ends a round: moves that no state needs any more go.
func (e *estate) checked() {
	e.round++
	e.moves = slices.DeleteFunc(e.moves, func(m move) bool { return m.round <= e.round-remembered })
}

// next is a number that was never used.
func (e *estate) next() int {
	e.counter++
	return e.counter
}

// members are all instances, in the order of the configuration.
func (e *estate) members() []*member {
	var out []*member
	for _, g := range e.groups {
		for _, b := range g.blocks {
			out = append(out, b.members...)
		}
	}
	return out
}

// blocks are all blocks.
func (e *estate) blocks() []*block {
	var out []*block
	for _, g := range e.groups {
		out = append(out, g.blocks...)
	}
	return out
}

// path is what stands before the addresses of the group's blocks.
func (g *group) path() string {
	if g.module == "" {
		return ""
	}
	return "module." + g.module + "."
}

// local is the block's address in its own module.
func (b *block) local() string { return b.typ.name + "." + b.name }

// address is the block's address.
func (b *block) address() string { return b.group.path() + b.local() }

// leaf tells whether no other block of the group belongs to this one.
func (b *block) leaf() bool {
	return !slices.ContainsFunc(b.group.blocks, func(other *block) bool { return other.parent == b })
}

// index is what stands behind the block's address in the member's.
func (m *member) index() string {
	switch m.block.form {
	case counted:
		return fmt.Sprintf("[%d]", slices.Index(m.block.members, m))
	case keyed:
		return fmt.Sprintf("[%q]", m.key)
	case single:
	}
	return ""
}

// address is the member's address.
func (m *member) address() string { return m.block.address() + m.index() }

// escaped is the address as the tag tofu-address has it. It is written out here, so that a change of the contract fails.
func (m *member) escaped() string {
	return strings.NewReplacer(`["`, ":", `"]`, "", "[", ":", "]", "").Replace(m.address())
}

// lives tells whether the member is declared.
func (m *member) lives() bool { return slices.Contains(m.block.members, m) }

// children are the members of the group that belong to this one.
func (m *member) children() []*member {
	var out []*member
	for _, b := range m.block.group.blocks {
		for _, other := range b.members {
			if other.parent == m {
				out = append(out, other)
			}
		}
	}
	return out
}

// find returns the declared member with an address, nil where there is none.
func (e *estate) find(address string) *member {
	for _, m := range e.members() {
		if m.address() == address {
			return m
		}
	}
	return nil
}
