package engine

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// This file is what a test sees of the state, and does to it by hand.

// rename is a moved block within one type: state, private state and identity go along.
func (c *core) rename(from, to string) {
	c.t.Helper()
	if c.entries[to] != nil || c.entries[from] == nil {
		c.t.Fatalf("cannot move %s to %s", from, to)
	}
	c.entries[to] = c.entries[from]
	delete(c.entries, from)
	if says, ok := c.config[from]; ok {
		c.config[to] = says
		delete(c.config, from)
	}
}

// taint marks an instance for replacement, untaint takes that back; lose takes it out of the state (state rm, a crash).
func (c *core) taint(address string)   { c.current(address).tainted = true }
func (c *core) untaint(address string) { c.current(address).tainted = false }

func (c *core) lose(address string) {
	c.current(address)
	delete(c.entries, address)
}

// current is the object that the state holds for an instance.
func (c *core) current(address string) *stored {
	c.t.Helper()
	if e := c.entries[address]; e != nil && e.current != nil {
		return e.current
	}
	c.t.Fatalf("the state holds no %s", address)
	return nil
}

// holds tells whether the state holds an instance.
func (c *core) holds(address string) bool {
	e := c.entries[address]
	return e != nil && e.current != nil
}

// snapshot copies the state, restore brings it back: a backup of a state file.
func (c *core) snapshot() map[string]*entry {
	out := map[string]*entry{}
	for address, e := range c.entries {
		cp := &entry{}
		if e.current != nil {
			st := *e.current
			cp.current = &st
		}
		for _, d := range e.deposed {
			st := *d
			cp.deposed = append(cp.deposed, &st)
		}
		out[address] = cp
	}
	return out
}

func (c *core) restore(entries map[string]*entry) { c.entries = entries }

// attr is an attribute in the state.
func (c *core) attr(address, name string) tftypes.Value {
	c.t.Helper()
	return attribute(c.t, c.current(address).value, name)
}

// text is a string attribute in the state, "" for null.
func (c *core) text(address, name string) string {
	c.t.Helper()
	return text(c.attr(address, name))
}

// id is the id of the object that the state holds.
func (c *core) id(address string) string {
	c.t.Helper()
	return c.text(address, attrID)
}

// expectation is what private state holds, nil where that is empty.
func (c *core) expectation(address string) *expectation {
	c.t.Helper()
	var private map[string][]byte
	if raw := c.current(address).private; len(raw) == 0 {
		return nil
	} else if err := json.Unmarshal(raw, &private); err != nil {
		c.t.Fatal(err)
	}
	data, ok := private[expectationKey]
	if !ok {
		return nil
	}
	var e expectation
	if err := json.Unmarshal(data, &e); err != nil {
		c.t.Fatal(err)
	}
	return &e
}

// setPrivate replaces the expectation in private state by raw JSON; "" empties private state.
func (c *core) setPrivate(address, raw string) {
	c.t.Helper()
	if raw == "" {
		c.current(address).private = nil
		return
	}
	data, err := json.Marshal(map[string][]byte{expectationKey: []byte(raw)})
	if err != nil {
		c.t.Fatal(err)
	}
	c.current(address).private = data
}

// differing shows in which attributes two objects differ.
func differing(a, b *stored) []string {
	if a == nil || b == nil {
		return []string{"one is gone"}
	}
	var out []string
	was, is := objectOf(a.value), objectOf(b.value)
	for _, name := range sortedKeys(is) {
		if !was[name].Equal(is[name]) {
			out = append(out, name+": "+showValue(was[name])+" -> "+showValue(is[name]))
		}
	}
	return out
}
