package acceptance

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
)

// staleCase is a plan that was saved, and what happened to the world before it was applied.
type staleCase struct {
	name string
	// planned is the action of the saved plan on estate_vpc.a.
	planned string
	// happens changes the VPC that the plan is about.
	happens func(ctx context.Context, a *AWS, id string) error
	// says are phrases of the error of the apply.
	says []string
}

// inconsistent is core's own word where a planned adoption has vanished: what was planned reaches the provider as planned
// values alone, so that core sees first that they cannot come true.
const inconsistent = "inconsistent final plan"

// dropVpc deletes a VPC behind the provider's back.
func dropVpc(ctx context.Context, a *AWS, id string) error {
	_, err := a.EC2.DeleteVpc(ctx, &ec2.DeleteVpcInput{VpcId: &id})
	return err
}

// takeVpc writes another estate's marker on a VPC.
func takeVpc(ctx context.Context, a *AWS, id string) error {
	return tagEC2(ctx, a, id, map[string]string{TagEstate: "somebody-elses"})
}

// twinVpc makes a second VPC with the marker of a VPC.
func twinVpc(ctx context.Context, a *AWS, id string) error {
	objects, err := listVpcs(ctx, a)
	if err != nil {
		return err
	}
	for _, o := range objects {
		if o.ID == id {
			_, err = makeVpc(ctx, a, "", o.Tags)
			return err
		}
	}
	return fmt.Errorf("%s is not there: the case is broken", id)
}

// staleCases are the ways in which the world may differ from a saved plan by the time it is applied.
var staleCases = []staleCase{
	{"adoption/deleted", Create, dropVpc, []string{inconsistent}},
	{"adoption/second_match", Create, twinVpc, []string{"Two objects with one address"}},
	{"adoption/foreign_marker", Create, takeVpc, []string{inconsistent}},
	{"update/deleted", Update, dropVpc, []string{"Object gone", "tofu apply"}},
	{"update/foreign_marker", Update, takeVpc, []string{"was not changed", `"somebody-elses"`}},
	{"destroy/foreign_marker", Delete, takeVpc, []string{"was not deleted", `"somebody-elses"`}},
}

// TestSavedPlanOfAnotherWorld applies saved plans after the world has changed: an error, and nothing is changed.
func TestSavedPlanOfAnotherWorld(t *testing.T) {
	for _, c := range staleCases {
		t.Run(c.name, func(t *testing.T) {
			eachCLI(t, func(t *testing.T, w *Workspace) {
				start(t, w, "stale", aVpc("a"))
				w.Apply(t.Context()).Must(t)
				id := w.MustState(t)["estate_vpc.a"].ID()
				c.plan(t, w).MustOnly(t, c.planned, "estate_vpc.a")
				must(t, c.happens(t.Context(), w.AWS, id))

				held := ids(t, w)
				before := w.AWS.MustObjects(t.Context(), t)
				mark := w.Proxy.Mark()
				w.ApplyPlan(t.Context()).MustFail(t, c.says...)
				w.MustNotWrite(t, mark)
				if now := ids(t, w); !maps.Equal(now, held) {
					t.Errorf("the state held %v and holds %v", held, now)
				}
				if now := w.AWS.MustObjects(t.Context(), t); now != before {
					t.Errorf("the objects were\n%s\nand are\n%s", before, now)
				}
			})
		})
	}
}

// plan saves a plan with the case's action.
func (c staleCase) plan(t *testing.T, w *Workspace) Plan {
	t.Helper()
	switch c.planned {
	case Create:
		must(t, w.ForgetState())
	case Update:
		must(t, w.Write("main.tf", aVpc("a", "enable_dns_hostnames = true")))
	case Delete:
		must(t, w.Write("main.tf", ""))
	}
	return w.Plan(t.Context())
}

// TestSavedPlanOfTheSameWorld is what the cases of the test above are measured against: without a change each plan applies.
func TestSavedPlanOfTheSameWorld(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "same", aVpc("a"))
		w.Apply(t.Context()).Must(t)
		id := w.MustState(t)["estate_vpc.a"].ID()
		for _, action := range []string{Create, Update, Delete} {
			staleCase{planned: action}.plan(t, w).MustOnly(t, action, "estate_vpc.a")
			w.ApplyPlan(t.Context()).Must(t)
			want := id
			if action == Delete {
				want = ""
			}
			if got := w.MustState(t)["estate_vpc.a"].ID(); got != want {
				t.Fatalf("after the planned %s the state holds %q, want %q", action, got, want)
			}
		}
	})
}

// MustObjects returns all objects of the account as text, one a line, with their tags.
func (a *AWS) MustObjects(ctx context.Context, t T) string {
	t.Helper()
	objects, err := a.Objects(ctx)
	if err != nil {
		t.Fatalf("listing the account: %v", err)
	}
	var out strings.Builder
	for _, o := range objects {
		out.WriteString(o.String() + "\n")
	}
	return out.String()
}
