package acceptance

import (
	"strings"
	"testing"
)

// TestBehaviour08HalfMadeObjectIsFinished shows that an adoption brings an object to what the configuration says.
//
// Given marked objects of each type whose state is lost, and which are not what the configuration says: steps of their creation
// are missing, and attributes differ that can be changed. When the user applies. Then they are taken over, changed in place, and
// the next plan is empty. Where one of the calls is denied, whichever it is, nothing is lost: the message says so, the state does
// not hold the object, and the next apply takes it over.
//
// Given an object in the state whose address needs two tags and has lost the second. When the user applies. Then it is written
// again.
func TestBehaviour08HalfMadeObjectIsFinished(t *testing.T) {
	for _, a := range adoptions {
		t.Run(a.resourceType, func(t *testing.T) {
			eachCLI(t, func(t *testing.T, w *Workspace) { a.deny(t, w) })
		})
	}
	t.Run("half a marker", func(t *testing.T) { eachCLI(t, halfAMarker) })
}

// tagAddress2 is the tag of an address's second part.
const tagAddress2 = TagAddress + "-2"

func halfAMarker(t *testing.T, w *Workspace) {
	ctx := t.Context()
	start(t, w, "half", aVpc("a", `tofu_key = "`+strings.Repeat("long", 70)+`"`))
	w.Apply(ctx).Must(t)
	const address = "estate_vpc.a"
	whole := w.AWS.MustHold(ctx, t, "half", "estate_vpc", 1)[0]
	if whole.Tags[tagAddress2] == "" {
		t.Fatalf("the address fits in one tag: %v", whole.Tags)
	}
	must(t, untagEC2(ctx, w.AWS, whole.ID, tagAddress2))
	w.Plan(ctx).MustOnly(t, Update, address)
	w.ApplyPlan(ctx).Must(t)
	if now := w.AWS.MustHold(ctx, t, "half", "estate_vpc", 1)[0]; now.Tags[tagAddress2] != whole.Tags[tagAddress2] {
		t.Errorf("the VPC carries %v, and carried %v", now.Tags, whole.Tags)
	}
	w.Plan(ctx).MustBeEmpty(t)
}
