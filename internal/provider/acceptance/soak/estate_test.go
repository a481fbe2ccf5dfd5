package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// life draws so many steps of a life without running them, and calls see after each.
func life(seed uint64, steps int, see func(*estate, *step)) *estate {
	e := &estate{name: "soak", suffix: "1"}
	for n := range steps {
		s := e.draw(chance(seed, n/4, n%4), 40)
		see(e, s)
		if n%4 == 3 {
			e.checked()
		}
	}
	return e
}

func unseen(*estate, *step) {}

// TestSeed shows that the seed decides everything that is drawn.
func TestSeed(t *testing.T) {
	played := func(seed uint64) (out []string) {
		e := life(seed, 200, func(_ *estate, s *step) {
			out = append(out, string(s.kind), string(s.loss))
			out = append(out, s.did...)
			for _, b := range s.blows {
				out = append(out, b.String())
			}
		})
		files := e.files()
		for _, path := range slices.Sorted(maps.Keys(files)) {
			out = append(out, path, files[path])
		}
		return out
	}
	if a, b := played(7), played(7); !slices.Equal(a, b) {
		t.Error("the same seed gave two lives")
	}
	if a, b := played(7), played(8); slices.Equal(a, b) {
		t.Error("two seeds gave the same life")
	}
}

// TestLife holds the model to what a CLI takes: files that can be read, addresses that are declared once, moves that lead from
// what is not declared and never in two ways.
func TestLife(t *testing.T) {
	kinds, types, losses := map[stepKind]int{}, map[string]int{}, map[loss]int{}
	life(3, 400, func(e *estate, s *step) {
		kinds[s.kind]++
		losses[s.loss]++
		for path, text := range e.files() {
			if _, diags := hclsyntax.ParseConfig([]byte(text), path, hcl.InitialPos); diags.HasErrors() {
				t.Fatalf("%s\n%s", diags, text)
			}
		}
		declared, named := map[string]bool{}, map[string]bool{}
		for _, m := range e.members() {
			types[m.block.typ.name]++
			if declared[m.address()] {
				t.Fatalf("%s is declared twice", m.address())
			}
			declared[m.address()], declared[m.block.address()] = true, m.block.form == single
			if id := m.block.typ.name + m.named("") + "/" + m.key; named[id] {
				t.Fatalf("%s has a name that another one has", m.address())
			} else {
				named[id] = true
			}
			if m.parent != nil && !m.parent.lives() {
				t.Fatalf("%s belongs to what is gone", m.address())
			}
		}
		from, to := map[string]bool{}, map[string]bool{}
		for _, m := range e.moves {
			if from[m.from] || to[m.to] || declared[m.from] {
				t.Fatalf("move from %s to %s", m.from, m.to)
			}
			from[m.from], to[m.to] = true, true
		}
	})
	for _, k := range stepKinds {
		if kinds[k] == 0 {
			t.Errorf("no step of 400 does: %s", k)
		}
	}
	for _, r := range allTypes {
		if types[r.name] == 0 {
			t.Errorf("no estate has %s", r.name)
		}
	}
	for _, l := range []loss{deleted, older, entries, undone} {
		if losses[l] == 0 {
			t.Errorf("never happened: %s", l)
		}
	}
}

// TestSize shows that an estate stays about as large as it is to be.
func TestSize(t *testing.T) {
	life(5, 300, func(e *estate, s *step) {
		if n := len(e.members()); n < 25 || n > 90 {
			t.Fatalf("%d objects after %v", n, s.did)
		}
	})
}

// TestSafe holds the promise of the command's comment: a state is lost in the middle of a step only where its provider says that
// nothing is lost with it.
func TestSafe(t *testing.T) {
	life(11, 400, func(_ *estate, s *step) {
		if s.loss != kept && s.loss != undone && !slices.Contains([]stepKind{creating, changing, dropping}, s.kind) {
			t.Fatalf("the state is lost while %v", s.did)
		}
		if s.kind == dropping && (s.loss == kept || len(s.did) > 0) {
			t.Fatalf("a drop that changes %v and loses %q", s.did, s.loss)
		}
	})
}

func TestFormerly(t *testing.T) {
	e := &estate{moves: []move{
		{from: "a.n1", to: "module.m.a.n1"}, {from: "module.m", to: "module.k"}, {from: `module.k.a.n1["x"]`, to: "module.k.a.n2[0]"},
	}}
	want := []string{"module.k.a.n2[0]", `module.k.a.n1["x"]`, `module.m.a.n1["x"]`, `a.n1["x"]`}
	if got := e.formerly("module.k.a.n2[0]"); !slices.Equal(got, want) {
		t.Errorf("formerly %q", got)
	}
	if got := e.formerly("module.k2.a"); len(got) != 1 {
		t.Errorf("formerly %q", got)
	}
}

// TestEscaped writes out two addresses as tags have them.
func TestEscaped(t *testing.T) {
	b := &block{group: &group{module: "m1"}, typ: eipType, name: "n2", form: keyed}
	b.members = []*member{{block: b, key: "k3"}}
	if got := b.members[0].escaped(); got != "module.m1.estate_eip.n2:k3" {
		t.Error(got)
	}
	b.form = counted
	if got := b.members[0].escaped(); got != "module.m1.estate_eip.n2:0" {
		t.Error(got)
	}
}

// TestRendered reads one block of each form as text.
func TestRendered(t *testing.T) {
	e := &estate{name: "soak"}
	r := chance(1, 1, 1)
	g := e.grow(r, "network")
	for _, f := range []form{counted, keyed} {
		g.blocks[0].form, g.blocks[2].form, g.newFirst = f, f, false
		text := e.group(g)
		for _, want := range []string{
			map[form]string{counted: "tofu_key = count.index", keyed: "tofu_key = each.key"}[f], `tofu_address = "${var.tofu_module}estate_vpc.`,
			map[form]string{counted: "[count.index].parent].id", keyed: "[each.value.parent].id"}[f], "replace_triggered_by = [estate_vpc.",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, text)
			}
		}
	}
}
