package acceptance

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestBehaviour20TwoStatesOneEstate: a second state of an estate takes objects over openly, and only one of the two holds them.
//
// Given an applied configuration, when the same one is planned with an empty state, then the plan names each object that it
// would adopt, and on_existing = "error" refuses that. Once the second state has adopted them, a change from the first is
// refused, one that was planned before too, and a destroy there drops its entries and destroys nothing.
//
// Types without tags carry no binding: what the first state destroys of those is gone, and the second makes it again.
func TestBehaviour20TwoStatesOneEstate(t *testing.T) {
	eachCLI(t, func(t *testing.T, first *Workspace) {
		ctx := t.Context()
		config := twoVpcs() + aRole("shared") + aBucket("a", bucketName("shared"))
		start(t, first, "shared", config)
		first.Apply(ctx).Must(t)
		held := ids(t, first)
		all := slices.Sorted(maps.Keys(held))

		second := first.NewWorkspace(first.CLI, t.TempDir())
		start(t, second, "shared", config)
		mark := first.Proxy.Mark()
		refusesExisting(t, second, held)
		p := second.Plan(ctx).MustOnly(t, Create, all...)
		for address, id := range held {
			if got := p.Change(address).After["id"]; got != id || !warned(p.Result, id) {
				t.Errorf("the plan for %s shows the id %v, want %s with a warning\n%s", address, got, id, p.explain())
			}
		}
		changed := strings.ReplaceAll(config, "tofu_address = ", "tags = { Name = \"changed\" }\n  tofu_address = ")
		must(t, first.Write("main.tf", changed))
		first.Plan(ctx).MustOnly(t, Update, all...)
		first.MustNotWrite(t, mark)

		second.ApplyPlan(ctx).Must(t)
		second.MustNotCreate(t, mark)
		if now := ids(t, second); !maps.Equal(now, held) {
			t.Fatalf("the second state holds %v, want %v", now, held)
		}
		mustAgree(t, second, "shared")

		mark = first.Proxy.Mark()
		for _, r := range []Result{first.ApplyPlan(ctx), first.Plan(ctx).Result, first.Apply(ctx, "-refresh=false")} {
			r.MustFail(t)
			for address, id := range held {
				if !slices.ContainsFunc(r.Errors(), func(d Diagnostic) bool {
					return strings.Contains(d.Detail, address+" ("+id+") was not changed: another state entry holds it now")
				}) {
					t.Errorf("no error of %s is about %s (%s)\n%s", r.Command, address, id, r.explain())
				}
			}
		}
		must(t, first.Write("main.tf", config))
		r := first.Destroy(ctx).Must(t)
		for address, id := range held {
			r.MustSay(t, "NOT destroyed: "+address+" ("+id+")")
		}
		first.MustNotWrite(t, mark)
		if left := ids(t, first); len(left) > 0 {
			t.Errorf("the first state still holds %v", left)
		}
		second.Plan(ctx).MustBeEmpty(t)
		mustAgree(t, second, "shared")
	})
}

// refusesExisting fails the test unless on_existing = "error" refuses every object, from the provider block and from the environment.
func refusesExisting(t *testing.T, w *Workspace, held map[string]string) {
	t.Helper()
	refused := func(r Result) {
		t.Helper()
		says := []string{"Object exists"}
		for address, id := range held {
			says = append(says, address+`: on_existing is "error"`, id)
		}
		r.MustFail(t, says...)
	}
	must(t, w.Write("provider.tf", ProviderBlock("shared", `on_existing = "error"`)))
	refused(w.Plan(t.Context()).Result)
	must(t, w.Write("provider.tf", ProviderBlock("shared")))
	w.Env = []string{"TOFU_ON_EXISTING=error"}
	refused(w.Apply(t.Context()))
	w.Env = nil
	if left := ids(t, w); len(left) > 0 {
		t.Errorf("the state holds %v", left)
	}
}
