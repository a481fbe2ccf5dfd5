package acceptance

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// webEstate applies the estate of examples/estates/web.
func webEstate(t *testing.T, w *Workspace) {
	t.Helper()
	must(t, w.CopyEstate(filepath.Join(w.Root, "examples", "estates", "web")))
	w.Env = append(w.Env, "TF_VAR_name=web-"+w.Account) // names of buckets are those of all accounts
	w.Init(t.Context()).Must(t)
	w.Apply(t.Context()).Must(t)
	w.Plan(t.Context()).MustBeEmpty(t)
}

// recovers applies and fails the test unless every instance is held by the object that held it before, with no call
// that creates or deletes, and an empty plan after.
func recovers(t *testing.T, w *Workspace, before map[string]string) {
	t.Helper()
	mark := w.Proxy.Mark()
	w.Apply(t.Context()).Must(t)
	w.MustNotCreate(t, mark)
	w.MustCall(t, mark, "delete", 0, Deletes())
	if after := ids(t, w); !maps.Equal(after, before) {
		t.Fatalf("the state held %v and holds %v", before, after)
	}
	mustAgree(t, w, "web")
	w.Plan(t.Context()).MustBeEmpty(t)
}

// TestForgetOne takes one instance of each block of the web estate out of the state in turn. The others must not be touched:
// an id that the plan does not know would replace what hangs on it.
func TestForgetOne(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		webEstate(t, w)
		before := ids(t, w)
		for _, address := range oneOfEach(before) {
			w.StateRm(t.Context(), address).Must(t)
			p := w.Plan(t.Context()).MustDestroyNothing(t).MustOnly(t, Create, address)
			if got := p.Change(address).After["id"]; got != before[address] {
				t.Errorf("the plan for %s shows the id %v, want %s", address, got, before[address])
			}
			mark := w.Proxy.Mark()
			w.ApplyPlan(t.Context()).Must(t)
			w.MustNotCreate(t, mark)
			w.MustCall(t, mark, "delete", 0, Deletes())
			if after := ids(t, w); !maps.Equal(after, before) {
				t.Fatalf("the state held %v and holds %v", before, after)
			}
		}
		mustAgree(t, w, "web")
		w.Plan(t.Context()).MustBeEmpty(t)
	})
}

// oneOfEach returns the first address of each type and name, wherever it stands.
func oneOfEach(held map[string]string) []string {
	seen, out := map[string]bool{}, []string(nil)
	for _, address := range slices.Sorted(maps.Keys(held)) {
		block, _, _ := strings.Cut(address[strings.LastIndex(address, "estate_"):], "[")
		if !seen[block] {
			seen[block] = true
			out = append(out, address)
		}
	}
	return out
}

const twoMore = `
resource "estate_vpc" "late" {
  tofu_address = "estate_vpc.late"
  cidr_block   = "10.7.0.0/16"
}

resource "estate_eip" "late" {
  tofu_address = "estate_eip.late"
  domain       = "vpc"
}
`

// TestOlderState puts back a state from before an apply that created two objects: they are adopted.
func TestOlderState(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		webEstate(t, w)
		older, err := w.StateText()
		must(t, err)
		must(t, w.Write("late.tf", twoMore))
		w.Apply(t.Context()).Must(t)
		before := ids(t, w)
		must(t, w.ForgetState())
		must(t, w.SetStateText(older))
		w.Plan(t.Context()).MustOnly(t, Create, "estate_eip.late", "estate_vpc.late")
		recovers(t, w, before)
	})
}

// TestReboundState puts back a state from before an apply that adopted the whole estate. Its bindings are stale: the
// objects are another state's now, and this one may look but not touch.
func TestReboundState(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		webEstate(t, w)
		before := ids(t, w)
		older, err := w.StateText()
		must(t, err)
		must(t, w.ForgetState())
		recovers(t, w, before)
		must(t, w.ForgetState())
		must(t, w.SetStateText(older))

		p := w.Plan(t.Context()).MustBeEmpty(t)
		for _, o := range w.AWS.MustEstate(t.Context(), t, "web") {
			if !warned(p.Result, o.ID) {
				t.Errorf("no warning says that %s is held by another state entry\n%s", o.ID, p.explain())
			}
		}

		const vpc = `module.network["blue"].estate_vpc.main`
		must(t, w.Write("network/main_override.tf", `resource "estate_vpc" "main" { tags = { Name = "changed" } }`))
		mark := w.Proxy.Mark()
		w.Apply(t.Context(), "-target="+vpc).MustFail(t, before[vpc], "state rm '"+vpc+"'")
		w.MustNotWrite(t, mark)
		must(t, w.Remove("network/main_override.tf"))

		w.StateRm(t.Context(), slices.Sorted(maps.Keys(before))...).Must(t)
		recovers(t, w, before)
	})
}

// warned says whether a warning names the id.
func warned(r Result, id string) bool {
	return slices.ContainsFunc(r.Warnings(), func(d Diagnostic) bool { return strings.Contains(d.Detail+d.Summary, id) })
}
