package acceptance

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// immutables has an edit for each type with tags that no call can make on the object, with the attribute. An internet gateway
// has none but its region.
var immutables = map[string]struct{ attr, old, changed string }{
	"estate_vpc":                  {"cidr_block", `"10.0.0.0/16"`, `"10.1.0.0/16"`},
	"estate_subnet":               {"cidr_block", `"10.200.0.0/16", 8, `, `"10.200.0.0/16", 8, 100 + `},
	"estate_security_group":       {"description", `name         = each.key`, "name = each.key\n  description = \"other\""},
	"estate_eip":                  {"address", `domain            = "vpc"`, "domain = \"vpc\"\n  address = \"192.0.2.44\""},
	"estate_iam_role":             {"path", `description          =`, "path = \"/other/\"\n  description ="},
	"estate_cloudwatch_log_group": {"log_group_class", `retention_in_days = 30`, "retention_in_days = 30\n  log_group_class = \"INFREQUENT_ACCESS\""},
	"estate_route53_zone":         {"name", `"${each.key}.example.com"`, `"${each.key}.example.org"`},
	"estate_s3_bucket":            {"object_lock_enabled", `bucket       =`, "object_lock_enabled = true\n  bucket       ="},
}

// besideIt are the types of which AWS has a second object beside the first: neither name nor range stands in its way.
var besideIt = []string{"estate_vpc", "estate_subnet", "estate_eip", "estate_route53_zone"}

// TestBehaviour09AdoptionWithImmutableDifference shows that an object that cannot become what the configuration says is neither
// taken for it nor doubled in silence.
//
// Given marked objects of each type whose state is lost, and a configuration that has changed since in an attribute that no call
// can change. When the user plans. Then the plan names each object and the attribute with both values: an error where the name
// or range admits one object alone, else a warning that the apply makes another beside it. Nothing is written. Where the resource
// says on_existing = "error" it is refused, and where the state still holds others, so that nothing is doubted, it is an error
// too. With the old value in the configuration the object is taken over.
func TestBehaviour09AdoptionWithImmutableDifference(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		config := tagged(t, w, 1, adoptions)
		start(t, w, "differs", config)
		w.Apply(ctx).Must(t)
		before := ids(t, w)
		one := map[string]string{}
		changed := config
		for _, a := range adoptions {
			edit, ok := immutables[a.resourceType]
			if !ok {
				continue
			}
			own := a.config(keySet(1))
			if !strings.Contains(own, edit.old) {
				t.Fatalf("the configuration of %s does not hold %q", a.resourceType, edit.old)
			}
			one[a.resourceType] = strings.Replace(own, edit.old, edit.changed, 1)
			changed = strings.Replace(changed, own, one[a.resourceType], 1)
		}
		must(t, w.ForgetState())
		must(t, w.Write("main.tf", changed))
		mark := w.Proxy.Mark()
		p := w.Plan(ctx)
		p.MustFail(t)
		for _, a := range adoptions {
			edit, ok := immutables[a.resourceType]
			if !ok {
				continue
			}
			said := p.Errors()
			if slices.Contains(besideIt, a.resourceType) {
				said = p.Warnings()
			}
			mustSayOf(t, said, a.address(0), regexp.MustCompile(regexp.QuoteMeta(before[a.address(0)])+": "+edit.attr+" is .*, the configuration says "))
		}
		must(t, w.Write("provider.tf", ProviderBlock("differs", `on_existing = "error"`)))
		mustBlame(t, w.Run(ctx, "plan", "-json").MustFail(t), []string{`estate_vpc.a["k0"]`}, regexp.MustCompile("Object exists"))
		must(t, w.Write("provider.tf", ProviderBlock("differs")))

		must(t, w.Write("main.tf", config))
		w.Apply(ctx, "-target=estate_internet_gateway.a").Must(t)
		w.MustCall(t, mark, "make an object", 0, createCalls(adoptions))
		must(t, w.Write("main.tf", changed))
		mustBlame(t, w.Run(ctx, "plan", "-json").MustFail(t), []string{`estate_vpc.a["k0"]`}, regexp.MustCompile("Existing estate_vpc differs"))

		must(t, w.Write("main.tf", config))
		w.Apply(ctx).Must(t)
		w.MustCall(t, mark, "make an object", 0, createCalls(adoptions))
		w.MustCall(t, mark, "delete", 0, faultproxy.And(Deletes(), createdBy(before)))
		mustAgree(t, w, "differs")
		w.Plan(ctx).MustBeEmpty(t)
	})
}

// createdBy matches calls about one of the objects.
func createdBy(held map[string]string) faultproxy.Match {
	return func(c faultproxy.Call) bool {
		for _, id := range held {
			if Mentioning(id)(c) {
				return true
			}
		}
		return false
	}
}

// mustSayOf fails the test unless one of the diagnostics about the address matches the pattern.
func mustSayOf(t *testing.T, said []Diagnostic, address string, says *regexp.Regexp) {
	t.Helper()
	for _, d := range said {
		if d.Address == address && says.MatchString(d.Summary+" "+d.Detail) {
			return
		}
	}
	t.Fatalf("nothing about %s says %s: %v", address, says, said)
}
