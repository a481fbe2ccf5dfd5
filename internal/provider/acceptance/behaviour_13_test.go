package acceptance

import (
	"maps"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// renames is how often each change of hands runs, because the order in which a CLI meets two instances is chance.
const renames = 5

// handOvers are the ways in which one plan can make an address change hands.
var handOvers = []struct {
	name string
	run  func(t *testing.T, w *Workspace, parallelism string)
}{
	{"block renamed", blockRenamed},
	{"block and address renamed", blockAndAddressRenamed},
	{"address edited", addressEdited},
}

// TestBehaviour13AddressChangesHands: an object never changes hands by accident.
//
// Given an object in the state, when its block gets another name without moved, or its address is edited while a new block
// says the old one, then the plan is an error that names the object and says moved or two steps. Nothing is written,
// however the CLI orders the two instances, and no run adopts an object that it then destroys.
func TestBehaviour13AddressChangesHands(t *testing.T) {
	for _, parallelism := range []string{"-parallelism=1", "-parallelism=10"} {
		for _, h := range handOvers {
			t.Run(h.name+parallelism, func(t *testing.T) {
				eachCLI(t, func(t *testing.T, w *Workspace) {
					start(t, w, "fence", fenced("a", "estate_vpc.a", "10.0.0.0/16"))
					w.Apply(t.Context()).Must(t)
					h.run(t, w, parallelism)
				})
			})
		}
	}
}

// mustRefuseHandOver fails the test unless plans and applies of the configuration are refused, each time, and change nothing.
func mustRefuseHandOver(t *testing.T, w *Workspace, configuration, parallelism string, says ...string) {
	t.Helper()
	before := ids(t, w)
	must(t, w.Write("main.tf", configuration))
	mark := w.Proxy.Mark()
	for range renames {
		w.Plan(t.Context(), parallelism).MustFail(t, says...)
	}
	w.Apply(t.Context(), parallelism).MustFail(t, says...)
	w.MustNotWrite(t, mark)
	mustAgree(t, w, "fence")
	if after := ids(t, w); !maps.Equal(after, before) {
		t.Errorf("the state was %v and is %v", before, after)
	}
}

// blockRenamed renames the block and leaves its tofu_address as it is, beside a role whose block is renamed too.
func blockRenamed(t *testing.T, w *Workspace, parallelism string) {
	role := aRole("fence-" + w.CLI.Name)
	must(t, w.Write("role.tf", role))
	w.Apply(t.Context()).Must(t)
	id := ids(t, w)["estate_vpc.a"]
	must(t, w.Write("role.tf", strings.Replace(role, `"estate_iam_role" "a"`, `"estate_iam_role" "b"`, 1)))
	mustRefuseHandOver(t, w, fenced("b", "estate_vpc.a", "10.0.0.0/16"), parallelism,
		"Object changes hands", "moved", "estate_vpc.a ("+id+")", "estate_iam_role.a (fence-"+w.CLI.Name+")")
}

// blockAndAddressRenamed renames both, which makes another object: nothing is adopted, and the old one is destroyed.
func blockAndAddressRenamed(t *testing.T, w *Workspace, parallelism string) {
	names := strings.Split("a b c d e f", " ")
	for i := range renames {
		old := w.MustState(t)["estate_vpc."+names[i]].ID()
		must(t, w.Write("main.tf", fenced(names[i+1], "estate_vpc."+names[i+1], "10.0.0.0/16")))
		mark := w.Proxy.Mark()
		w.Apply(t.Context(), parallelism).Must(t)
		w.MustCall(t, mark, "create", 1, Creates())
		gone := w.MustCall(t, mark, "delete", 1, Deletes())
		if !Mentioning(old)(gone[0]) {
			t.Errorf("the delete call is not about %s: %s", old, gone[0])
		}
		mustAgree(t, w, "fence")
		w.AWS.MustHold(t.Context(), t, "fence", "estate_vpc", 1)
	}
	w.Plan(t.Context()).MustBeEmpty(t)
}

// addressEdited edits the block's tofu_address, and a new block says the old one. In two steps the object is renamed by a tag
// write, and the new block gets an object of its own.
func addressEdited(t *testing.T, w *Workspace, parallelism string) {
	id := ids(t, w)["estate_vpc.a"]
	edited := fenced("a", "estate_vpc.b", "10.0.0.0/16")
	both := edited + aVpc("n", `tofu_address = "estate_vpc.a"`, `cidr_block = "10.0.0.0/16"`)
	mustRefuseHandOver(t, w, both, parallelism, "Object changes hands", "apply in two steps", id)

	mark := w.Proxy.Mark()
	for _, step := range []string{edited, both} {
		must(t, w.Write("main.tf", step))
		w.Apply(t.Context(), parallelism).Must(t)
	}
	w.MustCall(t, mark, "delete", 0, Deletes())
	w.MustCall(t, mark, "create", 1, faultproxy.Action("ec2:CreateVpc"))
	now := ids(t, w)
	if now["estate_vpc.a"] != id || now["estate_vpc.n"] == id || now["estate_vpc.n"] == "" {
		t.Errorf("the state holds %v, and estate_vpc.a was %s", now, id)
	}
	mustAgree(t, w, "fence")
	w.Plan(t.Context()).MustBeEmpty(t)
}
