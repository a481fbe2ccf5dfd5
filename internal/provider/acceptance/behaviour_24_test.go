package acceptance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// handedOver are a VPC, which has no name that could be in the way, a role and a bucket.
func handedOver(w *Workspace, lines ...string) string {
	return aVpc("a", lines...) + aRole("handed", lines...) + aBucket("a", "handed-"+w.Account, lines...)
}

// TestBehaviour24ReleaseAndProtect: letting go of an object is a step that is said, and so is destroying a protected one.
//
// Given an applied object, when it is forgotten by a removed block, then it stays as it is, marker and all, and another estate
// takes it over only where its provider names the estate that it comes from. When it is released instead, its marker goes,
// and it is taken over by an import or by adopt_unmarked. Given tofu_on_destroy = "refuse", then no plan destroys or replaces
// the object, also where its block is gone from the configuration.
func TestBehaviour24ReleaseAndProtect(t *testing.T) {
	t.Run("forgotten", func(t *testing.T) {
		eachCLI(t, func(t *testing.T, w *Workspace) {
			start(t, w, "giver", handedOver(w))
			w.Apply(t.Context()).Must(t)
			held, tags := ids(t, w), tagsOf(t, w)
			all := slices.Sorted(maps.Keys(held))
			var removed strings.Builder
			for _, address := range all {
				fmt.Fprintf(&removed, "removed {\n  from = %s\n  lifecycle {\n    destroy = false\n  }\n}\n", address)
			}
			must(t, w.Write("main.tf", removed.String()))
			mark := w.Proxy.Mark()
			w.Plan(t.Context()).MustOnly(t, Forget, all...)
			w.ApplyPlan(t.Context()).Must(t)
			w.MustNotWrite(t, mark)
			w.AWS.MustHold(t.Context(), t, "giver", "estate_vpc", 1)
			forgottenIsTaken(t, w, held, tags)
		})
	})
	t.Run("released", func(t *testing.T) {
		eachCLI(t, func(t *testing.T, w *Workspace) {
			start(t, w, "giver", handedOver(w, `tofu_on_destroy = "release"`))
			w.Apply(t.Context()).Must(t)
			held := ids(t, w)
			must(t, w.Write("main.tf", ""))
			mark := w.Proxy.Mark()
			w.Apply(t.Context()).Must(t)
			w.MustCall(t, mark, "write anything but tags", 0, faultproxy.And(faultproxy.Writes(), faultproxy.Not(TagWrites())))
			if left := w.AWS.MustEstate(t.Context(), t, "giver"); len(left) > 0 || len(ids(t, w)) > 0 {
				t.Errorf("released objects still carry the marker: %v, or are in the state: %v", left, ids(t, w))
			}
			releasedIsTaken(t, w, held)
		})
	})
	t.Run("protected", func(t *testing.T) {
		eachCLI(t, func(t *testing.T, w *Workspace) {
			nobodys, err := makeRole(t.Context(), w.AWS, "nobodys", nil)
			must(t, err)
			protected := handedOver(w, `tofu_on_destroy = "refuse"`) + block("estate_iam_role_policy", "a", nil,
				fmt.Sprintf("role = %q", nobodys), `name = "inline"`, "policy = <<EOT\n"+inlinePolicy+"\nEOT", `tofu_on_destroy = "refuse"`)
			start(t, w, "giver", protected)
			w.Apply(t.Context()).Must(t)
			staysProtected(t, w, protected)
		})
	})
}

// forgottenIsTaken goes on in another estate with objects that carry the giver's marker.
func forgottenIsTaken(t *testing.T, giver *Workspace, held map[string]string, tags map[string]map[string]string) {
	t.Helper()
	ctx := t.Context()
	w := giver.NewWorkspace(giver.CLI, t.TempDir())
	start(t, w, "taker", handedOver(w))
	mark := w.Proxy.Mark()
	refused := w.Apply(ctx, "-target=estate_iam_role.a", "-target=estate_s3_bucket.a").MustFail(t, "Object of another owner", `"giver"`)
	for _, address := range []string{"estate_iam_role.a", "estate_s3_bucket.a"} {
		refused.MustSay(t, address+": "+held[address]+" exists and is not this instance's")
		w.Import(ctx, address, held[address]).MustFail(t, "Object of another estate", `previous_estates = ["giver"]`)
	}
	// A VPC of another estate is in nobody's way: without the step below an own one would be made.
	w.Import(ctx, "estate_vpc.a", held["estate_vpc.a"]).MustFail(t, "Object of another estate", `previous_estates = ["giver"]`)
	w.MustNotWrite(t, mark)
	kinds := map[string]string{"estate_iam_role.a": "estate_iam_role", "estate_s3_bucket.a": "estate_s3_bucket", "estate_vpc.a": "estate_vpc"}
	for address, kind := range kinds {
		if now := w.AWS.MustHold(ctx, t, "giver", kind, 1); !maps.Equal(now[0].Tags, tags[address]) {
			t.Errorf("%s had the tags %v and has %v", address, tags[address], now[0].Tags)
		}
	}

	must(t, w.Write("provider.tf", ProviderBlock("taker", `previous_estates = ["giver"]`)))
	p := w.Plan(ctx).MustOnly(t, Create, slices.Sorted(maps.Keys(held))...)
	for address, id := range held {
		if !warned(p.Result, id) {
			t.Errorf("no warning says that %s (%s) will be adopted", address, id)
		}
	}
	isTaken(t, w, mark, held)
}

// releasedIsTaken goes on in another estate with objects that carry no marker.
func releasedIsTaken(t *testing.T, giver *Workspace, held map[string]string) {
	t.Helper()
	ctx := t.Context()
	w := giver.NewWorkspace(giver.CLI, t.TempDir())
	start(t, w, "taker", handedOver(w))
	mark := w.Proxy.Mark()
	w.Apply(ctx, "-target=estate_iam_role.a", "-target=estate_s3_bucket.a").MustFail(t, "Unmarked object in the way",
		"estate_iam_role.a: handed exists", "estate_s3_bucket.a: "+held["estate_s3_bucket.a"]+" exists", "adopt_unmarked = true")
	w.MustNotWrite(t, mark)

	w.Import(ctx, "estate_vpc.a", held["estate_vpc.a"]).Must(t)
	must(t, w.Write("main.tf", handedOver(w, "adopt_unmarked = true")))
	w.Plan(ctx).Must(t)
	isTaken(t, w, mark, held)
}

// isTaken applies the saved plan of a taking-over: the objects are the taker's, and nothing was made.
func isTaken(t *testing.T, w *Workspace, mark int, held map[string]string) {
	t.Helper()
	w.ApplyPlan(t.Context()).Must(t)
	w.MustNotCreate(t, mark)
	w.MustCall(t, mark, "delete", 0, Deletes())
	if now := ids(t, w); !maps.Equal(now, held) {
		t.Errorf("the state holds %v, want %v", now, held)
	}
	mustAgree(t, w, "taker")
	w.Plan(t.Context()).MustBeEmpty(t)
}

// staysProtected tries to destroy objects that are protected, with and without their blocks.
func staysProtected(t *testing.T, w *Workspace, protected string) {
	t.Helper()
	ctx := t.Context()
	held := ids(t, w)
	mark := w.Proxy.Mark()
	refused := func(r Result) {
		t.Helper()
		r.MustFail(t, "Destroy refused", `tofu_on_destroy is "refuse"`, `tofu_on_destroy = "delete"`)
	}
	allRefused := func(r Result) {
		t.Helper()
		refused(r)
		for _, id := range held {
			r.MustSay(t, "("+id+`): tofu_on_destroy is "refuse"`)
		}
	}
	allRefused(w.Destroy(ctx))
	refused(w.Plan(ctx, "-replace=estate_vpc.a").Result)
	must(t, w.Write("main.tf", strings.Replace(protected, "10.200.0.0/16", "10.201.0.0/16", 1)))
	refused(w.Plan(ctx).Result)
	must(t, w.Write("main.tf", ""))
	allRefused(w.Plan(ctx).Result)
	allRefused(w.Apply(ctx, "-refresh=false"))
	w.MustNotWrite(t, mark)
	if now := ids(t, w); !maps.Equal(now, held) {
		t.Errorf("the state held %v and holds %v", held, now)
	}
	mustAgree(t, w, "giver")

	must(t, w.Write("main.tf", strings.ReplaceAll(protected, `"refuse"`, `"delete"`)))
	w.Apply(ctx).Must(t)
	must(t, w.Write("main.tf", ""))
	w.Apply(ctx).Must(t)
	if left := w.AWS.MustEstate(ctx, t, "giver"); len(left) > 0 {
		t.Errorf("left after the destroy: %v", left)
	}
}
