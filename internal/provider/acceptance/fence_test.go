package acceptance

import (
	"fmt"
	"strings"
	"testing"
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

// renames is how often each rename runs, because the order of its create and its destroy is chance.
const renames = 5

// TestRenameWithoutMoved shows that an object changes hands only by moved.
func TestRenameWithoutMoved(t *testing.T) {
	for _, parallelism := range []string{"-parallelism=1", "-parallelism=10"} {
		t.Run("address kept"+parallelism, func(t *testing.T) {
			eachCLI(t, func(t *testing.T, w *Workspace) {
				start(t, w, "fence", fenced("a", "estate_vpc.a", "10.0.0.0/16"))
				w.Apply(t.Context()).Must(t)
				before := ids(t, w)
				must(t, w.Write("main.tf", fenced("b", "estate_vpc.a", "10.0.0.0/16")))
				mark := w.Proxy.Mark()
				for range renames {
					w.Plan(t.Context(), parallelism).MustFail(t, "moved", before["estate_vpc.a"])
					w.Apply(t.Context(), parallelism).MustFail(t, "moved", before["estate_vpc.a"])
				}
				w.MustNotWrite(t, mark)
				mustAgree(t, w, "fence")
				if after := ids(t, w); fmt.Sprint(after) != fmt.Sprint(before) {
					t.Errorf("the state was %v and is %v", before, after)
				}
			})
		})
		t.Run("address follows"+parallelism, func(t *testing.T) {
			eachCLI(t, func(t *testing.T, w *Workspace) {
				start(t, w, "fence", fenced("a", "estate_vpc.a", "10.0.0.0/16"))
				w.Apply(t.Context()).Must(t)
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
			})
		})
	}
}
