package acceptance

import (
	"maps"
	"strings"
	"testing"
)

// alikeVpcs are instances of each form: a single one, members of a count and members of a for_each. LINE is one more argument.
const alikeVpcs = `
resource "estate_vpc" "one" {
  tofu_address = "estate_vpc.one"
  cidr_block   = "10.1.0.0/16"
  LINE
}

resource "estate_vpc" "many" {
  count        = 2
  tofu_address = "estate_vpc.many"
  tofu_key     = count.index
  cidr_block   = "10.2${count.index}.0.0/16"
  LINE
}

resource "estate_vpc" "each" {
  for_each     = { a = "10.30.0.0/16", "b c" = "10.31.0.0/16" }
  tofu_address = "estate_vpc.each"
  tofu_key     = each.key
  cidr_block   = each.value
  LINE
}
`

// alikeWith is the configuration with this argument in each block.
func alikeWith(line string) string { return strings.ReplaceAll(alikeVpcs, "LINE", line) }

// stripAll takes every marker of an estate off, past the provider, and forgets the state: nothing says any more whose the objects
// are.
func stripAll(t *testing.T, w *Workspace) {
	t.Helper()
	for _, i := range w.MustState(t) {
		retag(t, w, i, []string{TagEstate, TagAddress, TagSlot, TagBinding}, nil)
	}
	must(t, w.ForgetState())
}

// importLine is the command that a message shows for an instance.
func importLine(address, id string) string { return "tofu import '" + address + "' " + id }

// TestLookAlikes applies VPCs and loses both records of whose they are, the markers and the state. The plan names each object that
// looks like a wanted one, with the line that imports it, and on request takes them over in place of making others.
func TestLookAlikes(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "alike", alikeWith(""))
		w.Apply(t.Context()).Must(t)
		before := ids(t, w)
		if len(before) != 5 {
			t.Fatalf("the state holds %v", before)
		}
		stripAll(t, w)
		w.AWS.MustHold(t.Context(), t, "alike", "estate_vpc", 0)

		mark := w.Proxy.Mark()
		p := w.Plan(t.Context()).MustOnly(t, Create, keysOf(before)...)
		for address, id := range before {
			told := 0
			for _, d := range p.Warnings() {
				if d.Address == address {
					told++
					for _, want := range []string{"Unmarked object looks alike", id, importLine(address, id), "adopt_unmarked = true"} {
						if !strings.Contains(d.String(), want) {
							t.Errorf("the warning of %s does not say %q:\n%s", address, want, d)
						}
					}
				}
			}
			if told != 1 {
				t.Errorf("%d warnings are about %s", told, address)
			}
			if got := p.Change(address).After["id"]; got != nil {
				t.Errorf("%s is planned as %v, and only warned of", address, got)
			}
		}

		must(t, w.Write("main.tf", alikeWith("adopt_unmarked = true")))
		p = w.Plan(t.Context()).MustOnly(t, Create, keysOf(before)...)
		for address, id := range before {
			if got := p.Change(address).After["id"]; got != id {
				t.Errorf("%s is planned as %v, want %s", address, got, id)
			}
		}
		w.MustNotWrite(t, mark)
		w.ApplyPlan(t.Context()).Must(t)
		w.MustNotCreate(t, mark)
		w.MustCall(t, mark, "delete", 0, Deletes())
		if after := ids(t, w); !maps.Equal(after, before) {
			t.Errorf("the state held %v and holds %v", before, after)
		}
		mustAgree(t, w, "alike")
		w.Plan(t.Context()).MustBeEmpty(t)
	})
}

// TestSeveralLookAlikes puts a second unmarked object beside each. None is chosen, neither by a plan nor by an apply, and the error
// names both.
func TestSeveralLookAlikes(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "alike", alikeWith("adopt_unmarked = true"))
		w.Apply(t.Context()).Must(t)
		before := ids(t, w)
		stripAll(t, w)
		start(t, w, "others", alikeWith(`on_existing = "create"`))
		w.Apply(t.Context()).Must(t)
		twins := ids(t, w)
		stripAll(t, w)

		start(t, w, "alike", alikeWith("adopt_unmarked = true"))
		mark := w.Proxy.Mark()
		for _, r := range []Result{w.Plan(t.Context()).Result, w.Apply(t.Context())} {
			r.MustFail(t)
			told := map[string]string{}
			for _, d := range r.Errors() {
				told[d.Address] += d.String()
			}
			for address, id := range before {
				for _, want := range []string{"Several unmarked objects look alike", id, twins[address], importLine(address, "ID")} {
					if !strings.Contains(told[address], want) {
						t.Errorf("the error of %s does not say %q:\n%s", address, want, told[address])
					}
				}
			}
		}
		w.MustNotWrite(t, mark)
	})
}

// TestOneLookAlikeForMembers has one unmarked object that all members of a count look like. No member gets it before another.
func TestOneLookAlikeForMembers(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		id, err := makeVpc(t.Context(), w.AWS, "", nil)
		must(t, err)
		start(t, w, "alike", `
resource "estate_vpc" "many" {
  count          = 2
  tofu_address   = "estate_vpc.many"
  tofu_key       = count.index
  cidr_block     = "10.200.0.0/16"
  adopt_unmarked = true
}
`)
		mark := w.Proxy.Mark()
		w.Plan(t.Context()).MustFail(t, "One object for two instances", id, "estate_vpc.many[0]", "estate_vpc.many[1]")
		w.Apply(t.Context()).MustFail(t, "One object for two instances", id)
		w.MustNotWrite(t, mark)
	})
}
