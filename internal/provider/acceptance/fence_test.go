package acceptance

import (
	"fmt"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// fenced is a VPC whose replacement is created first, among other objects that make the order of calls vary.
func fenced(name, address, cidr string) string {
	return fmt.Sprintf(`
resource "estate_vpc" %q {
  tofu_address = %q
  cidr_block   = %q

  lifecycle {
    create_before_destroy = true
  }
}

resource "estate_eip" "beside" {
  count        = 4
  tofu_address = "estate_eip.beside"
  tofu_key     = count.index
  domain       = "vpc"
}
`, name, address, cidr)
}

// fenceCases are the ways in which one run can both create an instance and destroy an object of the same marker.
var fenceCases = []struct {
	name string
	run  func(t *testing.T, w *Workspace, parallelism string)
}{
	{"replace adopts", func(t *testing.T, w *Workspace, parallelism string) {
		kept(t, w, w.Apply(t.Context(), "-replace=estate_vpc.a", parallelism))
	}},
	{"taint adopts", func(t *testing.T, w *Workspace, parallelism string) {
		w.Taint(t.Context(), "estate_vpc.a").Must(t)
		kept(t, w, w.Apply(t.Context(), parallelism))
	}},
	{"replace beside", func(t *testing.T, w *Workspace, parallelism string) {
		w.Env = []string{"TOFU_ON_EXISTING=create"}
		replaced(t, w, func() Result { return w.Apply(t.Context(), "-replace=estate_vpc.a", parallelism) })
		w.Env = nil
	}},
	{"taint beside", func(t *testing.T, w *Workspace, parallelism string) {
		w.Taint(t.Context(), "estate_vpc.a").Must(t)
		w.Env = []string{"TOFU_ON_EXISTING=create"}
		replaced(t, w, func() Result { return w.Apply(t.Context(), parallelism) })
		w.Env = nil
	}},
	{"immutable change", func(t *testing.T, w *Workspace, parallelism string) {
		must(t, w.Write("main.tf", fenced("a", "estate_vpc.a", "10.9.0.0/16")))
		replaced(t, w, func() Result { return w.Apply(t.Context(), parallelism) })
	}},
}

func TestFence(t *testing.T) {
	for _, parallelism := range []string{"-parallelism=1", "-parallelism=10"} {
		for _, c := range fenceCases {
			t.Run(c.name+parallelism, func(t *testing.T) {
				eachCLI(t, func(t *testing.T, w *Workspace) {
					start(t, w, "fence", fenced("a", "estate_vpc.a", "10.0.0.0/16"))
					w.Apply(t.Context()).Must(t)
					c.run(t, w, parallelism)
					mustAgree(t, w, "fence")
					w.AWS.MustHold(t.Context(), t, "fence", "estate_vpc", 1)
					w.Plan(t.Context()).MustBeEmpty(t)
				})
			})
		}
	}
}

// kept fails the test unless the run succeeded, said that it adopted, and left the VPC where it was.
func kept(t *testing.T, w *Workspace, r Result) {
	t.Helper()
	objects := w.AWS.MustHold(t.Context(), t, "fence", "estate_vpc", 1)
	r.Must(t)
	if len(r.Warnings()) == 0 {
		t.Errorf("no warning says that the object was adopted")
	}
	r.MustSay(t, objects[0].ID)
	w.MustCall(t, 0, "create a VPC", 1, faultproxy.Action("ec2:CreateVpc"))
	w.MustCall(t, 0, "delete", 0, Deletes())
	if got := w.MustState(t)["estate_vpc.a"].ID(); got != objects[0].ID {
		t.Errorf("the state holds %s, want %s", got, objects[0].ID)
	}
}

// replaced fails the test unless the run made a new VPC and deleted the old one, in this order.
func replaced(t *testing.T, w *Workspace, run func() Result) {
	t.Helper()
	old := w.MustState(t)["estate_vpc.a"].ID()
	mark := w.Proxy.Mark()
	run().Must(t)
	made := w.MustCall(t, mark, "create a VPC", 1, faultproxy.Action("ec2:CreateVpc"))
	gone := w.MustCall(t, mark, "delete", 1, Deletes())
	if !Mentioning(old)(gone[0]) {
		t.Errorf("the delete call is not about %s: %s", old, gone[0])
	}
	if gone[0].Seq < made[0].Seq {
		t.Errorf("the old VPC was deleted before the new one was made")
	}
	if now := w.MustState(t)["estate_vpc.a"].ID(); now == old {
		t.Errorf("the state still holds %s", old)
	}
}
