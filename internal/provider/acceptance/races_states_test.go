package acceptance

import (
	"fmt"
	"testing"
)

// sharedByStates are an object that AWS names and one that has a name, as two states declare them.
const sharedByStates = twins + `
resource "estate_iam_role" "x" {
  tofu_address       = "estate_iam_role.x"
  name               = "race"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Principal = { Service = "ec2.amazonaws.com" }, Action = "sts:AssumeRole" }] })
}
`

// TestSecondState applies one configuration with one estate from a second state, later. It takes everything over, and says
// so. The first then changes nothing and destroys nothing, until it takes everything back; then the second is the one that
// may not.
func TestSecondState(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		one, two := beside(t, w, "race", sharedByStates), beside(t, w, "race", sharedByStates)
		one.Apply(ctx).Must(t)
		mark := w.Proxy.Mark()
		two.Apply(ctx).Must(t)
		w.MustNotCreate(t, mark)
		held := ids(t, one)
		mustAgree(t, two, "race")

		mark = w.Proxy.Mark()
		p := one.Plan(ctx).MustBeEmpty(t)
		for address, id := range held {
			mustName(t, p.Warnings(), address, id, "another state entry holds it now", true)
		}
		r := one.Destroy(ctx).Must(t)
		for address, id := range held {
			r.MustSay(t, address+" ("+id+") was NOT destroyed")
		}
		w.MustNotWrite(t, mark)
		mustAgree(t, two, "race")

		one.Apply(ctx).Must(t) // the entries are gone, so that it finds the objects by their marker
		w.MustNotCreate(t, mark)
		if got := fmt.Sprint(ids(t, one)); got != fmt.Sprint(held) {
			t.Errorf("the first state holds %s, want %v", got, held)
		}
		mustAgree(t, one, "race")
		two.Plan(ctx).MustBeEmpty(t).MustSay(t, "Object held by another state")
	})
}

// TestCreatesByChance lets two runs race with nothing that orders them. Whatever comes of it, each state holds a living object,
// nothing is deleted, and of each pair of holders exactly one is told at its next plan that it may not go on.
func TestCreatesByChance(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		one, two := beside(t, w, "race", sharedByStates), beside(t, w, "race", sharedByStates)
		first, second := applying(t, one), applying(t, two)
		r1, r2 := first(), second()
		w.MustCall(t, 0, "delete", 0, Deletes())
		p1, p2 := one.Plan(ctx), two.Plan(ctx)
		mine, theirs := ids(t, one), ids(t, two)
		for _, address := range []string{"estate_vpc.x", "estate_eip.x", "estate_internet_gateway.x", "estate_iam_role.x"} {
			a, b := mine[address], theirs[address]
			// A run that meets the other in the middle of its create may end without the object. Its next apply adopts it.
			if a == "" && b == "" {
				t.Errorf("%s: neither state holds it\n%s\n%s", address, r1.explain(), r2.explain())
				continue
			}
			if a == "" || b == "" {
				t.Logf("%s: one state holds %s", address, a+b)
				continue
			}
			told := 0
			for _, p := range []Plan{p1, p2} {
				for _, d := range p.Diagnostics {
					refused := d.Severity == "error" && d.Summary == "Two objects with one address"
					if d.Address == address && (refused || d.Summary == "Object held by another state") {
						told++
					}
				}
			}
			if told != 1 {
				t.Errorf("%s: the states hold %s and %s, and %d plans are told\n%s\n%s", address, a, b, told, p1.explain(), p2.explain())
			}
			t.Logf("%s: the states hold %s and %s", address, a, b)
		}
		kinds := map[string]int{}
		for _, o := range w.AWS.MustEstate(ctx, t, "race") {
			kinds[o.Type]++
		}
		if kinds["estate_iam_role"] != 1 {
			t.Errorf("objects: %v", kinds)
		}
	})
}
