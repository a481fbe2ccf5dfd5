package acceptance

import (
	"maps"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// TestBehaviour11ImportByAddress shows that an import needs no id where the object says its address.
//
// Given marked objects whose state is lost, in a module and under for_each. When the user imports one with the command and the
// others by an import block with for_each, by their addresses. Then the state holds the right objects, the plan shows one update
// in place for each, which writes tags alone, and the next plan is empty. When the address is another type's, or nobody's, or the
// id is that of another estate's object. Then the import is refused in words that name it, and the state stays as it is. An
// unmarked object is imported by its own id. (Every type and way to import: TestLifecycle. Several matches:
// TestBehaviour10MoreThanOneMatch.)
func TestBehaviour11ImportByAddress(t *testing.T) {
	const (
		one   = `module.net["eu west"].estate_eip.e["a/b"]`
		other = `module.net["eu west"].estate_eip.e["c,d"]`
		third = `module.net["eu west"].estate_eip.e["e"]`
	)
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		must(t, w.Write("net/main.tf", `
terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

variable "tofu_module" {
  type = string
}

resource "estate_eip" "e" {
  for_each     = toset(["a/b", "c,d", "e"])
  tofu_address = "${var.tofu_module}estate_eip.e"
  tofu_key     = each.key
}
`))
		start(t, w, "imports", `
module "net" {
  source      = "./net"
  for_each    = toset(["eu west"])
  tofu_module = "module.net[\"${each.key}\"]."
}
`)
		w.Apply(ctx).Must(t)
		held := ids(t, w)
		must(t, w.ForgetState())
		mark := w.Proxy.Mark()
		w.Import(ctx, one, one).Must(t)
		must(t, w.Write("import.tf", `
import {
  for_each = toset(["c,d", "e"])
  to       = module.net["eu west"].estate_eip.e[each.key]
  id       = "module.net[\"eu west\"].estate_eip.e[\"${each.key}\"]"
}
`))
		p := w.Plan(ctx).MustOnly(t, Update, one, other, third)
		if !p.Change(other).Importing || !p.Change(third).Importing {
			t.Fatalf("the plan does not import: %s", p.Summary())
		}
		w.ApplyPlan(ctx).Must(t)
		w.MustCall(t, mark, "write anything but tags", 0, faultproxy.And(faultproxy.Writes(), faultproxy.Not(TagWrites())))
		if now := ids(t, w); !maps.Equal(now, held) {
			t.Fatalf("the state holds %v, want %v", now, held)
		}
		mustAgree(t, w, "imports")
		w.Plan(ctx).MustBeEmpty(t)
		must(t, w.Remove("import.tf"))

		foreign := exists("estate_eip", "", with(TagAddress, "estate_eip.theirs", foreignMarked))(t, w, "imports")[0]
		bare := exists("estate_eip", "", unmarked)(t, w, "imports")[0]
		must(t, w.Write("more.tf", block("estate_eip", "x", map[string]string{"tofu_address": `"estate_eip.x"`})))
		for id, says := range map[string]string{
			"estate_vpc.x":        "estate_vpc.x",                               // another type's: no EIP has this id
			"estate_eip.nobody's": "nobody",                                     // no address at all, and no id
			"estate_eip.nobody":   `carries the address "estate_eip.nobody"`,    // an address that no object carries
			foreign:               `belongs to the estate "somebody-elses"`,     // by its own id
			"eipalloc-0123456789": `No estate_eip "eipalloc-0123456789" exists`, // an id that no object has
		} {
			w.Import(ctx, "estate_eip.x", id).MustFail(t, says)
		}
		if now := ids(t, w); !maps.Equal(now, held) {
			t.Errorf("the state holds %v, want %v", now, held)
		}
		w.Import(ctx, "estate_eip.x", bare).Must(t)
		w.Plan(ctx).MustOnly(t, Update, "estate_eip.x")
		w.ApplyPlan(ctx).Must(t)
		if now := ids(t, w)["estate_eip.x"]; now != bare {
			t.Errorf("the state holds %s, want %s", now, bare)
		}
		w.Plan(ctx).MustBeEmpty(t)
	})
}
