package command

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// Names of the arguments that carry an address.
const (
	argAddress = "tofu_address"
	argKey     = "tofu_key"
	argTags    = "tags"
)

// verdict is what is wrong in a block, or a call, in any of its instances.
type verdict struct {
	// wrong says that an instance says another address than its own, or none.
	wrong bool
	// address and key say which argument has to change for that, of those in which the block has an address at all.
	address, key bool
	// unknown says that the address of an instance cannot be told, and that no other is wrong.
	unknown bool
}

// and joins the verdicts on two instances.
func (v verdict) and(w verdict) verdict {
	return verdict{v.wrong || w.wrong, v.address || w.address, v.key || w.key, v.unknown || w.unknown}
}

// state is what is known of a text.
type state int

const (
	absent state = iota
	known
	unknown
)

// textOf is a value as an argument of type string takes it. One that has an error in it is no address, as one of another type.
func textOf(value cty.Value, ok bool) (string, state) {
	if !ok {
		return "", known
	}
	value, _ = value.UnmarkDeep()
	text, err := convert.Convert(value, cty.String)
	switch {
	case err != nil:
		return "", known // no text at all, and no address
	case !text.IsKnown():
		return "", unknown
	case text.IsNull():
		return "", absent
	}
	return text.AsString(), known
}

// same compares addresses as tags do, where a number and its digits are one key.
func same(a, b string) bool { return markers.Escape(a) == markers.Escape(b) }

// truth is the address of an instance.
func truth(i *configuration.Instance, r *configuration.Resource, rep configuration.Repetition) markers.Address {
	return markers.Address{Module: i.Path, Type: r.Type, Name: r.Name, Index: rep.Index}
}

// each judges all instances of a resource, in all places where its module is called.
func (g *group) each(v view, reference string, judge func(*configuration.Instance, *configuration.Resource, configuration.Repetition) verdict) verdict {
	var out verdict
	for _, i := range g.instances[v] {
		r := i.Module.Resources[reference]
		for _, rep := range i.Expand(r).Instances {
			out = out.and(judge(i, r, rep))
		}
	}
	out.unknown = out.unknown && !out.wrong
	return out
}

// judgeBlock judges the address of one of our blocks.
func judgeBlock(i *configuration.Instance, r *configuration.Resource, rep configuration.Repetition) verdict {
	argument := func(name string) (string, state) {
		if r.Args[name] == nil {
			return "", absent
		}
		return textOf(i.Value(r.Args[name].Expr, rep))
	}
	address, addressState := argument(argAddress)
	key, keyState := argument(argKey)
	own := truth(i, r, rep)
	index := ""
	switch own.Index.Kind {
	case markers.NoIndex:
	case markers.CountIndex, markers.KeyIndex:
		index = indexText(own.Index)
	}
	block := addressState == known && same(address, own.Block().String())
	whole := addressState == known && same(address, own.String())
	keyed := keyState == known && index != "" && key == index
	if block && keyed || whole && keyState == absent {
		// The other argument may have to change with this one, where another instance is wrong.
		return verdict{address: !block, key: index != "" && !keyed}
	}
	out := verdict{
		address: !block && addressState != unknown,
		key:     keyState != unknown && !keyed && (index != "" || keyState == known),
	}
	out.wrong = out.address || out.key
	out.unknown = !out.wrong
	return out
}

// indexText is what tofu_key holds for an index.
func indexText(i markers.Index) string {
	if i.Kind == markers.CountIndex {
		return cty.NumberUIntVal(i.Number).AsBigFloat().Text('f', 0)
	}
	return i.Key
}

// judgeCall judges the path that a call hands to its module.
func (g *group) judgeCall(v view, name string) verdict {
	var out verdict
	for _, i := range g.instances[v] {
		for _, child := range i.Called(i.Module.Calls[name]) {
			value, ok := child.Given(moduleVariable)
			if value == nil {
				out.wrong = true
				continue
			}
			text, state := textOf(*value, ok)
			out.unknown = out.unknown || state == unknown
			out.wrong = out.wrong || state == absent || state == known && !same(text, configuration.ModulePath(child.Path))
		}
	}
	out.unknown = out.unknown && !out.wrong
	return out
}

// judge is the verdict on a resource, whichever way it says its address.
func (s *stamper) judge(g *group, v view, reference string) verdict {
	r := g.module().Resources[reference]
	switch {
	case markedTypes[r.Type]:
		return g.each(v, reference, judgeBlock)
	case r.Args[argTags] == nil && !s.wants(r):
		return verdict{}
	}
	return s.judgeTags(g, v, r)
}

// demand finds the folders that need to know their path: those in which an address is wrong as it is, and those that call one
// that needs it.
func (s *stamper) demand() {
	for changed := true; changed; {
		changed = false
		for _, dir := range s.dirs() {
			g := s.groups[dir]
			if !g.demanded && s.demands(g) {
				g.demanded, changed = true, true
			}
		}
	}
}

func (s *stamper) demands(g *group) bool {
	if g.lacks && g.module().Uses(moduleVariable) {
		return true
	}
	if g.root {
		return false
	}
	// What cannot be told as it is may be settled by the path, and what cannot be told even then is left alone.
	changes := func(as, meant verdict) bool { return as.wrong || as.unknown && !meant.unknown }
	for _, reference := range g.resources() {
		if changes(s.judge(g, asIs, reference), s.judge(g, asMeant, reference)) {
			return true
		}
	}
	for _, to := range s.groups {
		for _, c := range to.callers {
			if to.demanded && c.from == g && changes(g.judgeCall(asIs, c.call.Name), g.judgeCall(asMeant, c.call.Name)) {
				return true
			}
		}
	}
	return false
}
