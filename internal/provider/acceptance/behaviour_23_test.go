package acceptance

import (
	"fmt"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// Sizes of the estate whose plan is counted, and how many calls it may make: a page of the listing for each 20 objects, so that
// a thousand were 50, and few others.
const (
	manyListed = 300
	onePage    = 20
	mostCalls  = manyListed/onePage + otherCalls
)

// TestBehaviour23Cost: a plan costs pages, not objects, and throttling costs time alone.
//
// Given hundreds of marked objects of one type and an empty state, when a plan is made, then it shows the adoption of each after
// one listing, page by page, and asks AWS nothing about any one of them. Given twenty throttled calls, when an apply creates twenty objects,
// then it succeeds, and there are twenty. TestRefreshCost and its neighbours count the plans of applied estates, call by call.
func TestBehaviour23Cost(t *testing.T) {
	t.Run("listed", func(t *testing.T) {
		eachCLI(t, func(t *testing.T, w *Workspace) {
			made := make([]string, manyListed)
			for i := range made {
				made[i] = makeMember(t, w, "estate_internet_gateway", i)
			}
			start(t, w, "cost", fmt.Sprintf(`
resource "estate_internet_gateway" "a" {
  count        = %d
  tofu_address = "estate_internet_gateway.a"
  tofu_key     = count.index
}
`, manyListed))
			w.Proxy.On(faultproxy.Action("ec2:DescribeInternetGateways"), faultproxy.Paginate(onePage))
			mark := w.Proxy.Mark()
			p := w.Plan(t.Context(), "-parallelism=30").Must(t)
			for i, id := range made {
				if c := p.Change(fmt.Sprintf("estate_internet_gateway.a[%d]", i)); c.Action != Create || c.After["id"] != id {
					t.Fatalf("the plan for %s: %s %v, want the adoption of %s", c.Address, c.Action, c.After["id"], id)
				}
			}
			if calls := w.Proxy.Since(mark); len(calls) > mostCalls {
				t.Errorf("the plan made %d calls:\n%s", len(calls), faultproxy.Format(calls))
			}
			w.MustNotWrite(t, mark)
		})
	})
	t.Run("throttled", func(t *testing.T) {
		eachCLI(t, func(t *testing.T, w *Workspace) {
			const n = 20
			start(t, w, "cost", fmt.Sprintf(`
resource "estate_eip" "a" {
  count        = %d
  tofu_address = "estate_eip.a"
  tofu_key     = count.index
  domain       = "vpc"
}
`, n))
			rule := w.Proxy.On(faultproxy.Writes(), faultproxy.Throttle()).Times(n)
			w.Apply(t.Context(), fmt.Sprintf("-parallelism=%d", n)).Must(t)
			if hits := rule.Hits(); hits != n {
				t.Errorf("%d calls were throttled, want %d", hits, n)
			}
			w.MustCall(t, 0, "allocate and are answered", n, func(c faultproxy.Call) bool {
				return c.Action == "AllocateAddress" && c.Fault == ""
			})
			w.AWS.MustHold(t.Context(), t, "cost", "estate_eip", n)
			mustAgree(t, w, "cost")
			w.Plan(t.Context()).MustBeEmpty(t)
		})
	})
}
