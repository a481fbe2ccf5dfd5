package acceptance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// composedParts are one object of each type without tags, under the role and the zone that two expressions name.
func composedParts(role, zone string) string {
	return fmt.Sprintf(`
resource "estate_iam_role_policy" "a" {
  role   = %[1]s
  name   = "inline"
  policy = <<EOT
%[3]s
EOT
}

resource "estate_iam_role_policy_attachment" "a" {
  role       = %[1]s
  policy_arn = "arn:aws:iam::aws:policy/ReadOnlyAccess"
}

resource "estate_route53_record" "a" {
  zone_id = %[2]s
  name    = "www"
  type    = "A"
  ttl     = 60
  records = ["192.0.2.1"]
}
`, role, zone, inlinePolicy)
}

// regional are the types whose objects are in a region.
var regional = []string{
	"estate_cloudwatch_log_group", "estate_eip", "estate_internet_gateway", "estate_s3_bucket", "estate_security_group",
	"estate_subnet", "estate_vpc",
}

// TestBehaviour21WrongAccountOrRegion: credentials or a region of somewhere else are an error, and no reason to make an estate
// again.
//
// Given one object of each type in the state, when the credentials become those of another account, then plan, apply and
// destroy are errors about each object, AWS is asked nothing but whose the credentials are, and the state stays byte for byte.
// When the provider's region changes, then the same holds for each object that is in a region; naming the region on the
// resource is the way out.
func TestBehaviour21WrongAccountOrRegion(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		vpc := startTagged(t, w, "places", `["x"]`)
		config := taggedEstate(w, vpc, `["x"]`)
		must(t, w.Write("parts.tf", composedParts(`estate_iam_role.a["x"].name`, `estate_route53_zone.a["x"].id`)))
		w.Apply(ctx).Must(t)
		// Without references each is planned, whatever becomes of the others.
		must(t, w.Write("parts.tf", composedParts(`"tagged-0"`, fmt.Sprintf("%q", ids(t, w)[`estate_route53_zone.a["x"]`]))))
		w.Plan(ctx).MustBeEmpty(t)

		other := anotherAccount(t, w)
		elsewhere := *w
		elsewhere.Sandbox = other
		mustStayAway(t, w, &elsewhere, "Wrong AWS account", "is in the account "+w.Account, func(string) bool { return true })
		other.MustCall(t, 0, "ask for more than the account", 0, faultproxy.Not(faultproxy.Action("sts:GetCallerIdentity")))

		must(t, w.Write("provider.tf", ProviderBlock("places", `region = "eu-central-1"`)))
		mustStayAway(t, w, w, "Changed provider region", "is in "+Region+", and the provider's region is now eu-central-1", func(kind string) bool {
			return slices.Contains(regional, kind)
		})
		for _, kind := range regional {
			address := fmt.Sprintf("tofu_address = %q\n", kind+".a")
			config = strings.Replace(config, address, address+fmt.Sprintf("  region = %q\n", Region), 1)
		}
		must(t, w.Write("main.tf", config))
		w.Plan(ctx).MustBeEmpty(t)
	})
}

// mustStayAway fails the test unless each command is refused about each object of these types, writes nothing and leaves the
// state as it is. acting runs the commands on the state of w.
func mustStayAway(t *testing.T, w, acting *Workspace, summary, says string, concerned func(kind string) bool) {
	t.Helper()
	before, err := w.StateText()
	must(t, err)
	mark := acting.Proxy.Mark()
	for _, run := range []func() Result{
		func() Result { return acting.Plan(t.Context()).Result },
		func() Result { return acting.Apply(t.Context()) },
		func() Result { return acting.Destroy(t.Context()) },
	} {
		r := run().MustFail(t, summary)
		for address, i := range w.MustState(t) {
			about := slices.ContainsFunc(r.Errors(), func(d Diagnostic) bool {
				return d.Summary == summary && strings.Contains(d.Detail, says) && d.Address == address
			})
			if about != concerned(i.Type) {
				t.Errorf("%s says %q of %s: %t, want %t\n%s", r.Command, summary, address, about, !about, r.explain())
			}
		}
		after, err := w.StateText()
		must(t, err)
		if after != before {
			t.Errorf("%s changed the state", r.Command)
		}
	}
	acting.MustNotWrite(t, mark)
}
