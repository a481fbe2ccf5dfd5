package acceptance

import (
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// TestBehaviour06ReplacementSparesTheCurrentObject shows that a create never takes the object that the same run deletes.
//
// Given an object in the state. When it is replaced, for an attribute that cannot change in place, by -replace, or because it is
// tainted; with the old one deleted first or last, or forgotten by the lifecycle; in one go, or with the provider killed between
// the two halves. Then a changed attribute leads to a new object, and the old one is gone, or alive and named where it was to be
// forgotten. Where nothing changes and the new object comes first, there is nothing to tell the replacement from a recovery: the
// object is adopted, says a warning, and lives; on_existing = "create" makes a new one. No run deletes the object that the state
// holds in the end.
func TestBehaviour06ReplacementSparesTheCurrentObject(t *testing.T) {
	for _, parallelism := range []string{"-parallelism=1", "-parallelism=10"} {
		t.Run("new first"+parallelism, func(t *testing.T) {
			eachCLI(t, func(t *testing.T, w *Workspace) { newFirst.run(t, w, parallelism) })
		})
	}
	t.Run("old first", func(t *testing.T) {
		eachCLI(t, func(t *testing.T, w *Workspace) { oldFirst.run(t, w, "-parallelism=10") })
	})
	t.Run("killed between", func(t *testing.T) { eachCLI(t, killedBetween) })
	t.Run("old forgotten", func(t *testing.T) { eachCLI(t, oldForgotten) })
}

// replacements are ways to replace a VPC, one after the other.
type replacements []struct {
	name string
	run  func(t *testing.T, w *Workspace, parallelism string)
}

// run makes them all, each from a state that agrees with AWS to one that does.
func (all replacements) run(t *testing.T, w *Workspace, parallelism string) {
	start(t, w, "fence", fenced("a", "estate_vpc.a", "10.0.0.0/16"))
	w.Apply(t.Context()).Must(t)
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			c.run(t, w, parallelism)
			mustAgree(t, w, "fence")
			w.AWS.MustHold(t.Context(), t, "fence", "estate_vpc", 1)
			w.Plan(t.Context()).MustBeEmpty(t)
		})
	}
}

// writeOldFirst writes the VPC with another range, and without what makes the new one come first.
func writeOldFirst(t *testing.T, w *Workspace, cidr string) {
	t.Helper()
	must(t, w.Write("main.tf", strings.Replace(fenced("a", "estate_vpc.a", cidr), "create_before_destroy = true", "", 1)))
}

// newFirst are replacements whose new object comes first.
var newFirst = replacements{
	{"replace adopts", func(t *testing.T, w *Workspace, parallelism string) {
		kept(t, w, func() Result { return w.Apply(t.Context(), "-replace=estate_vpc.a", parallelism) })
	}},
	{"taint adopts", func(t *testing.T, w *Workspace, parallelism string) {
		w.Taint(t.Context(), "estate_vpc.a").Must(t)
		kept(t, w, func() Result { return w.Apply(t.Context(), parallelism) })
	}},
	{"replace beside", func(t *testing.T, w *Workspace, parallelism string) {
		w.Env = []string{"TOFU_ON_EXISTING=create"}
		replaced(t, w, true, func() Result { return w.Apply(t.Context(), "-replace=estate_vpc.a", parallelism) })
		w.Env = nil
	}},
	{"taint beside", func(t *testing.T, w *Workspace, parallelism string) {
		w.Taint(t.Context(), "estate_vpc.a").Must(t)
		w.Env = []string{"TOFU_ON_EXISTING=create"}
		replaced(t, w, true, func() Result { return w.Apply(t.Context(), parallelism) })
		w.Env = nil
	}},
	{"immutable change", func(t *testing.T, w *Workspace, parallelism string) {
		must(t, w.Write("main.tf", fenced("a", "estate_vpc.a", "10.9.0.0/16")))
		replaced(t, w, true, func() Result { return w.Apply(t.Context(), parallelism) })
	}},
}

// oldFirst are replacements in the default order.
var oldFirst = replacements{
	{"immutable change", func(t *testing.T, w *Workspace, parallelism string) {
		writeOldFirst(t, w, "10.9.0.0/16")
		replaced(t, w, false, func() Result { return w.Apply(t.Context(), parallelism) })
	}},
	{"replace", func(t *testing.T, w *Workspace, parallelism string) {
		replaced(t, w, false, func() Result { return w.Apply(t.Context(), "-replace=estate_vpc.a", parallelism) })
	}},
	{"taint", func(t *testing.T, w *Workspace, parallelism string) {
		w.Taint(t.Context(), "estate_vpc.a").Must(t)
		replaced(t, w, false, func() Result { return w.Apply(t.Context(), parallelism) })
	}},
}

// kept fails the test unless the run succeeded, said that it adopted, and left the VPC where it was.
func kept(t *testing.T, w *Workspace, run func() Result) {
	t.Helper()
	mark := w.Proxy.Mark()
	r := run().Must(t)
	objects := w.AWS.MustHold(t.Context(), t, "fence", "estate_vpc", 1)
	if len(r.Warnings()) == 0 {
		t.Errorf("no warning says that the object was adopted")
	}
	r.MustSay(t, objects[0].ID)
	w.MustCall(t, mark, "create a VPC", 0, faultproxy.Action("ec2:CreateVpc"))
	w.MustCall(t, mark, "delete", 0, Deletes())
	if got := w.MustState(t)["estate_vpc.a"].ID(); got != objects[0].ID {
		t.Errorf("the state holds %s, want %s", got, objects[0].ID)
	}
}

// replaced fails the test unless the run made a new VPC and deleted the old one, in the order that is asked for.
func replaced(t *testing.T, w *Workspace, newFirst bool, run func() Result) {
	t.Helper()
	old := w.MustState(t)["estate_vpc.a"].ID()
	mark := w.Proxy.Mark()
	run().Must(t)
	made := w.MustCall(t, mark, "create a VPC", 1, faultproxy.Action("ec2:CreateVpc"))
	gone := w.MustCall(t, mark, "delete", 1, Deletes())
	if !Mentioning(old)(gone[0]) {
		t.Errorf("the delete call is not about %s: %s", old, gone[0])
	}
	if newFirst != (made[0].Seq < gone[0].Seq) {
		t.Errorf("the new VPC was made first: %t, want %t", !newFirst, newFirst)
	}
	if now := w.MustState(t)["estate_vpc.a"].ID(); now == old {
		t.Errorf("the state still holds %s", old)
	}
}

// killedBetween kills the provider between the halves of replacements, and applies again.
func killedBetween(t *testing.T, w *Workspace) {
	ctx := t.Context()
	start(t, w, "fence", fenced("a", "estate_vpc.a", "10.0.0.0/16"))
	w.Apply(ctx).Must(t)
	p := follow(w)
	die := func(r *faultproxy.Rule) {
		t.Helper()
		before := p.killed.Load()
		p.mustHaveDied(t, w.Apply(ctx), int(before)+1)
		r.Remove()
	}
	after := func(action string) *faultproxy.Rule {
		return w.Proxy.On(faultproxy.Action(action), faultproxy.Run(func(faultproxy.Call) { p.kill() })).Times(1)
	}
	mustBeOne := func() {
		t.Helper()
		w.Apply(ctx).Must(t)
		w.AWS.MustHold(ctx, t, "fence", "estate_vpc", 1)
		mustAgree(t, w, "fence")
		w.Plan(ctx).MustBeEmpty(t)
	}

	// The new one is made, and nobody knows it. The old one is in the state, and is deleted by the next run.
	must(t, w.Write("main.tf", fenced("a", "estate_vpc.a", "10.1.0.0/16")))
	die(after("ec2:CreateVpc"))
	w.AWS.MustHold(ctx, t, "fence", "estate_vpc", 2)
	mark := w.Proxy.Mark()
	mustBeOne()
	w.MustCall(t, mark, "create a VPC again", 0, faultproxy.Action("ec2:CreateVpc"))

	// The new one is in the state, the old one deposed.
	must(t, w.Write("main.tf", fenced("a", "estate_vpc.a", "10.2.0.0/16")))
	before := w.Proxy.On(func(c faultproxy.Call) bool {
		if c.Action != "DeleteVpc" {
			return false
		}
		p.kill()
		return true
	}, faultproxy.CutBefore()).Times(1)
	die(before)
	current := w.MustState(t)["estate_vpc.a"].ID()
	mustBeOne()
	if now := w.MustState(t)["estate_vpc.a"].ID(); now != current {
		t.Errorf("the state held %s and holds %s", current, now)
	}

	// The old one is gone, and the state may or may not know that.
	for i, lose := range []bool{false, true} {
		writeOldFirst(t, w, []string{"10.3.0.0/16", "10.4.0.0/16"}[i])
		die(after("ec2:DeleteVpc"))
		w.AWS.MustHold(ctx, t, "fence", "estate_vpc", 0)
		if lose {
			must(t, w.ForgetState())
		}
		mustBeOne()
	}

	// The new one is made, and the state is lost: it is taken back, and the old one is named and left alone.
	old := w.MustState(t)["estate_vpc.a"].ID()
	must(t, w.Write("main.tf", fenced("a", "estate_vpc.a", "10.5.0.0/16")))
	die(after("ec2:CreateVpc"))
	must(t, w.ForgetState())
	mark = w.Proxy.Mark()
	r := w.Apply(ctx).Must(t)
	w.MustCall(t, mark, "create a VPC again", 0, faultproxy.Action("ec2:CreateVpc"))
	w.MustCall(t, mark, "delete", 0, Deletes())
	if now := w.MustState(t)["estate_vpc.a"].ID(); now == old || !warned(r, old) {
		t.Errorf("the state holds %s, and no warning names the old %s\n%s", now, old, r.explain())
	}
	w.AWS.MustHold(ctx, t, "fence", "estate_vpc", 2)
}

// oldForgotten replaces a VPC whose lifecycle says that it is to be forgotten and not destroyed.
func oldForgotten(t *testing.T, w *Workspace) {
	if w.CLI.Name != OpenTofu || !w.CLI.StoresIdentity() { // which came with the same version
		t.Skip("lifecycle { destroy = false } is OpenTofu's, from version 1.12 on")
	}
	ctx := t.Context()
	spared := func(cidr string) string {
		return strings.Replace(fenced("a", "estate_vpc.a", cidr), "create_before_destroy = true", "destroy = false", 1)
	}
	start(t, w, "fence", spared("10.0.0.0/16"))
	w.Apply(ctx).Must(t)
	kept(t, w, func() Result { return w.Apply(ctx, "-replace=estate_vpc.a") })

	old := w.MustState(t)["estate_vpc.a"].ID()
	must(t, w.Write("main.tf", spared("10.9.0.0/16")))
	mark := w.Proxy.Mark()
	w.Apply(ctx).Must(t)
	w.MustCall(t, mark, "create a VPC", 1, faultproxy.Action("ec2:CreateVpc"))
	w.MustCall(t, mark, "delete", 0, Deletes())
	w.AWS.MustHold(ctx, t, "fence", "estate_vpc", 2)
	current := w.MustState(t)["estate_vpc.a"].ID()
	if p := w.Plan(ctx).MustBeEmpty(t); current == old || !warned(p.Result, old) {
		t.Errorf("the state holds %s, and no warning names the old %s\n%s", current, old, p.explain())
	}

	must(t, w.ForgetState())
	mark = w.Proxy.Mark()
	r := w.Apply(ctx).Must(t)
	w.MustCall(t, mark, "create a VPC", 0, faultproxy.Action("ec2:CreateVpc"))
	if now := w.MustState(t)["estate_vpc.a"].ID(); now != current || !warned(r, old) {
		t.Errorf("the state holds %s, want %s, and a warning names %s\n%s", now, current, old, r.explain())
	}
}
