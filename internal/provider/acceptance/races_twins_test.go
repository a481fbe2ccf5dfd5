package acceptance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// twins are objects of which AWS makes as many as it is asked for: nothing in a create call tells it that two runs mean one.
const twins = `
resource "estate_vpc" "x" {
  tofu_address = "estate_vpc.x"
  cidr_block   = "10.0.0.0/16"
}

resource "estate_eip" "x" {
  tofu_address = "estate_eip.x"
}

resource "estate_internet_gateway" "x" {
  tofu_address = "estate_internet_gateway.x"
}
`

// twinCalls are how each of them is made, and how the provider reads it back.
var twinCalls = map[string]struct{ creates, reads faultproxy.Match }{
	"estate_vpc":              {faultproxy.Action("ec2:CreateVpc"), byMarker("ec2:DescribeVpcs")},
	"estate_eip":              {faultproxy.Action("ec2:AllocateAddress"), byMarker("ec2:DescribeAddresses")},
	"estate_internet_gateway": {faultproxy.Action("ec2:CreateInternetGateway"), byMarker("ec2:DescribeInternetGateways")},
}

// byMarker matches a listing that asks for one address.
func byMarker(action string) faultproxy.Match {
	return faultproxy.And(faultproxy.Action(action), faultproxy.Contains("tag:tofu-address"))
}

// TestCreatesAtOnce lets two runs of one configuration look before either creates, from empty states. Each type takes another
// order, and the first run has the older bindings: of the VPCs its own is made and read first, of the addresses last, and
// both gateways are there before either is read. Two objects each are the outcome. Both runs say so, the second gives way,
// neither touches what the other holds, and its plans are refused until somebody has decided.
func TestCreatesAtOnce(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		one, two := beside(t, w, "race", twins), beside(t, w, "race", twins)

		vpc, eip, gateway := twinCalls["estate_vpc"], twinCalls["estate_eip"], twinCalls["estate_internet_gateway"]
		bothMade := all(ended(one, gateway.creates), ended(two, gateway.creates))
		oneRead, twoRead := ended(one, vpc.reads), ended(two, eip.reads)
		hold(one, gateway.reads, bothMade)
		hold(two, gateway.reads, bothMade)
		twoLooked := all(hold(two, vpc.creates, oneRead), hold(two, gateway.creates, open))
		oneLooked := all(hold(one, vpc.creates, twoLooked), hold(one, eip.creates, twoRead), hold(one, gateway.creates, twoLooked))

		first := applying(t, one)
		meet(t, one, oneLooked, first)
		second := applying(t, two)
		r1, r2 := first(), second()

		r1.Must(t)
		r2.MustFail(t, "Two objects with one address")
		mine, theirs := ids(t, one), ids(t, two)
		for kind := range twinCalls {
			address := kind + ".x"
			w.AWS.MustHold(ctx, t, "race", kind, 2)
			if mine[address] == "" || theirs[address] == "" || mine[address] == theirs[address] {
				t.Fatalf("%s: the states hold %q and %q", address, mine[address], theirs[address])
			}
			// Whoever creates last sees both; whoever reads before the other creates cannot know yet.
			mustName(t, r1.Warnings(), address, mine[address], theirs[address], kind != "estate_vpc")
			mustName(t, r2.Errors(), address, theirs[address], mine[address], kind != "estate_eip")
			if got := two.MustState(t)[address].Tainted; got != (kind != "estate_eip") {
				t.Errorf("%s: tainted in the second state: %v", address, got)
			}
		}

		mark := w.Proxy.Mark()
		p1, p2 := one.Plan(ctx).MustBeEmpty(t), two.Plan(ctx)
		p2.MustFail(t, "Two objects with one address", "tofu state rm", "tofu untaint")
		for kind := range twinCalls {
			address := kind + ".x"
			mustName(t, p1.Warnings(), address, mine[address], theirs[address], true)
			mustName(t, p2.Errors(), address, theirs[address], mine[address], true)
		}
		two.Apply(ctx).MustFail(t, "Two objects with one address")
		w.MustNotWrite(t, mark)
		w.MustCall(t, 0, "delete", 0, Deletes())
		w.MustCall(t, 0, "write tags", 0, TagWrites())

		// The way out that the message shows, from the run that gives way.
		for kind := range twinCalls {
			untag(t, w, kind, theirs[kind+".x"], TagEstate)
			two.StateRm(ctx, kind+".x").Must(t)
		}
		two.Apply(ctx).Must(t)
		if got := fmt.Sprint(ids(t, two)); got != fmt.Sprint(mine) {
			t.Errorf("the second state holds %s, want %v", got, mine)
		}
		mustAgree(t, two, "race")
		two.Plan(ctx).MustBeEmpty(t)
	})
}

// mustName fails the test unless a diagnostic about the address names both objects, or, where want is false, if one does.
func mustName(t *testing.T, found []Diagnostic, address, its, others string, want bool) {
	t.Helper()
	got := false
	for _, d := range found {
		got = got || d.Address == address && strings.Contains(d.Detail, its) && strings.Contains(d.Detail, others)
	}
	if got != want {
		t.Errorf("%s: a message names %s and %s: %v, want %v\n%v", address, its, others, got, want, found)
	}
}

// untag takes tags off an object by a raw call.
func untag(t *testing.T, w *Workspace, resourceType, id string, keys ...string) {
	t.Helper()
	kind, err := KindOf(resourceType)
	must(t, err)
	must(t, kind.Untag(t.Context(), w.AWS, id, keys...))
}
