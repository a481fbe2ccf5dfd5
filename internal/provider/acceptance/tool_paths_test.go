package acceptance

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// twoVpcs are two VPCs that know nothing of each other.
func twoVpcs() string { return aVpc("a") + aVpc("b", `cidr_block = "10.201.0.0/16"`) }

// TestTarget creates, adopts and destroys one instance and leaves the other alone.
func TestTarget(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "target", twoVpcs())
		w.Apply(t.Context(), "-target=estate_vpc.a").Must(t)
		w.AWS.MustHold(t.Context(), t, "target", "estate_vpc", 1)
		w.Apply(t.Context()).Must(t)
		held := ids(t, w)

		must(t, w.ForgetState())
		mark := w.Proxy.Mark()
		w.Apply(t.Context(), "-target=estate_vpc.b").Must(t)
		if got, want := ids(t, w), map[string]string{"estate_vpc.b": held["estate_vpc.b"]}; !maps.Equal(got, want) {
			t.Fatalf("the state holds %v, want %v", got, want)
		}
		w.MustCall(t, mark, "write on the other", 0, faultproxy.And(faultproxy.Writes(), Mentioning(held["estate_vpc.a"])))
		w.Apply(t.Context()).Must(t)
		w.MustNotCreate(t, mark)
		if got := ids(t, w); !maps.Equal(got, held) {
			t.Fatalf("the state holds %v, want %v", got, held)
		}

		w.Destroy(t.Context(), "-target=estate_vpc.a").Must(t)
		left := w.AWS.MustHold(t.Context(), t, "target", "estate_vpc", 1)
		if left[0].ID != held["estate_vpc.b"] {
			t.Errorf("%s is left, want %s", left[0].ID, held["estate_vpc.b"])
		}
	})
}

// TestWithoutRefresh shows that -refresh=false hides nothing that a create or a guard must know.
func TestWithoutRefresh(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "blind", twoVpcs())
		w.Apply(t.Context()).Must(t)
		held := ids(t, w)

		w.StateRm(t.Context(), "estate_vpc.a").Must(t)
		mark := w.Proxy.Mark()
		w.Apply(t.Context(), "-refresh=false").Must(t)
		w.MustNotCreate(t, mark)
		if got := ids(t, w); !maps.Equal(got, held) {
			t.Fatalf("the state holds %v, want %v", got, held)
		}

		must(t, takeVpc(t.Context(), w.AWS, held["estate_vpc.a"]))
		must(t, w.Write("main.tf", aVpc("a", "enable_dns_hostnames = true")+aVpc("b", `cidr_block = "10.201.0.0/16"`)))
		mark = w.Proxy.Mark()
		w.Apply(t.Context(), "-refresh=false").MustFail(t, "was not changed", `"somebody-elses"`, held["estate_vpc.a"])
		w.Destroy(t.Context(), "-refresh=false", "-target=estate_vpc.a").MustFail(t, "was not deleted", `"somebody-elses"`)
		w.MustNotWrite(t, mark)
	})
}

// TestRefreshOnly shows that a refresh that is saved launders nothing: what was written on the object by hand is shown,
// and believed by no guard.
func TestRefreshOnly(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "refresh", twoVpcs())
		w.Apply(t.Context()).Must(t)
		held := ids(t, w)
		must(t, tagEC2(t.Context(), w.AWS, held["estate_vpc.a"], map[string]string{TagAddress: "estate_vpc.b", TagBinding: "01other"}))
		must(t, tagEC2(t.Context(), w.AWS, held["estate_vpc.b"], map[string]string{TagAddress: "estate_vpc.a", TagBinding: "01another"}))

		mark := w.Proxy.Mark()
		w.Apply(t.Context(), "-refresh-only").Must(t)
		if got := w.MustState(t)["estate_vpc.a"].Text("tofu_address"); got != "estate_vpc.b" {
			t.Errorf("the refresh shows the address %q, not the one on the object", got)
		}
		w.Destroy(t.Context(), "-refresh=false").MustFail(t, "was not deleted", held["estate_vpc.a"], held["estate_vpc.b"])
		w.MustNotWrite(t, mark)
	})
}

// TestWorkspaces runs one configuration in two workspaces, each an estate of its own.
func TestWorkspaces(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "spaces", aVpc("a"))
		must(t, w.Write("provider.tf", strings.Replace(ProviderBlock("spaces"), `"spaces"`, `"spaces-${terraform.workspace}"`, 1)))
		vpcs := map[string]string{}
		for _, name := range []string{"one", "two"} {
			w.Run(t.Context(), "workspace", "new", name).Must(t)
			w.Apply(t.Context()).Must(t)
			vpcs[name] = w.AWS.MustHold(t.Context(), t, "spaces-"+name, "estate_vpc", 1)[0].ID
			w.Plan(t.Context()).MustBeEmpty(t)
		}
		if vpcs["one"] == vpcs["two"] {
			t.Fatalf("both workspaces hold %s", vpcs["one"])
		}
		w.Destroy(t.Context()).Must(t)
		w.AWS.MustHold(t.Context(), t, "spaces-two", "estate_vpc", 0)
		if left := w.AWS.MustHold(t.Context(), t, "spaces-one", "estate_vpc", 1); left[0].ID != vpcs["one"] {
			t.Errorf("%s is left, want %s", left[0].ID, vpcs["one"])
		}
	})
}

// TestValidateNeedsNothing validates a configuration of every resource type without credentials, region or network.
func TestValidateNeedsNothing(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "nothing", "")
		w.Env = []string{
			"AWS_ACCESS_KEY_ID=", "AWS_SECRET_ACCESS_KEY=", "AWS_REGION=", "AWS_EC2_METADATA_DISABLED=",
			"AWS_ENDPOINT_URL=http://127.0.0.1:9",
		}
		mark := w.Proxy.Mark()
		for _, l := range lifecycles {
			must(t, w.CopyFile(exampleDir(l.Type)+"/resource.tf", "main.tf"))
			w.Run(t.Context(), "validate").Must(t)
		}
		if calls := w.Proxy.Since(mark); len(calls) > 0 {
			t.Errorf("validate calls AWS:\n%s", faultproxy.Format(calls))
		}
		// The same settings do fail where AWS is needed.
		w.Run(t.Context(), "plan").MustFail(t)
	})
}

// TestPlanOfAReader plans under a role that may only read: creates, adoptions, updates and destroys are planned, and no
// write is even tried.
func TestPlanOfAReader(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		configuration := twoVpcs() + aRole("reader")
		start(t, w, "reader", configuration)
		reading := w.Proxy.On(faultproxy.Writes(), faultproxy.Deny())
		mark := w.Proxy.Mark()
		w.Plan(t.Context()).MustOnly(t, Create, "estate_iam_role.a", "estate_vpc.a", "estate_vpc.b")
		w.MustNotWrite(t, mark)
		reading.Remove()
		w.Apply(t.Context()).Must(t)
		held := ids(t, w)

		w.Proxy.On(faultproxy.Writes(), faultproxy.Deny())
		mark = w.Proxy.Mark()
		w.Plan(t.Context()).MustBeEmpty(t)
		w.Plan(t.Context(), "-destroy").MustOnly(t, Delete, slices.Collect(maps.Keys(held))...)
		must(t, w.Write("main.tf", aVpc("a", "enable_dns_hostnames = true")+aRole("reader")))
		p := w.Plan(t.Context()).Must(t)
		if want := "update estate_vpc.a, delete estate_vpc.b"; p.Summary() != want {
			t.Errorf("the plan is %q, want %q", p.Summary(), want)
		}
		must(t, w.ForgetState())
		p = w.Plan(t.Context()).MustOnly(t, Create, "estate_iam_role.a", "estate_vpc.a")
		for _, address := range p.With(Create) {
			if got := p.Change(address).After["id"]; got != held[address] {
				t.Errorf("the plan for %s shows the id %v, want %s", address, got, held[address])
			}
		}
		w.MustNotWrite(t, mark)
	})
}
