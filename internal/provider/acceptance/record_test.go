package acceptance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

const recordZone = `
resource "estate_route53_zone" "z" {
  tofu_address = "estate_route53_zone.z"
  name         = "example.com"
}
`

// aRecord is a record "r" of the zone: www, an A record of a minute, but for what the lines say.
func aRecord(lines ...string) string {
	return recordNamed("r", append([]string{`name = "www"`, `type = "A"`, `ttl = 60`, `records = ["192.0.2.1"]`}, lines...)...)
}

// recordNamed is a record of the zone. Of two lines for one argument the later counts.
func recordNamed(name string, lines ...string) string {
	arguments := map[string]string{}
	var order []string
	for _, l := range lines {
		key, _, _ := strings.Cut(l, " ")
		if _, again := arguments[key]; !again {
			order = append(order, key)
		}
		arguments[key] = l
	}
	text := fmt.Sprintf("\nresource \"estate_route53_record\" %q {\n  zone_id = estate_route53_zone.z.id\n", name)
	for _, key := range order {
		text += "  " + arguments[key] + "\n"
	}
	return text + "}\n"
}

const createFirst = "lifecycle {\n    create_before_destroy = true\n  }"

// startZone applies the zone alone and returns its id.
func startZone(t *testing.T, w *Workspace) string {
	t.Helper()
	start(t, w, "records", recordZone)
	w.Apply(t.Context()).Must(t)
	return w.MustState(t)["estate_route53_zone.z"].ID()
}

// putRecord writes a record past the provider.
func putRecord(ctx context.Context, t *testing.T, a *AWS, zone, name string, kind r53types.RRType, ttl int64, values ...string) {
	t.Helper()
	r := &r53types.ResourceRecordSet{Name: aws.String(name), Type: kind, TTL: aws.Int64(ttl)}
	for _, v := range values {
		r.ResourceRecords = append(r.ResourceRecords, r53types.ResourceRecord{Value: aws.String(v)})
	}
	_, err := a.Route53.ChangeResourceRecordSets(ctx, &route53.ChangeResourceRecordSetsInput{
		HostedZoneId: aws.String(zone),
		ChangeBatch:  &r53types.ChangeBatch{Changes: []r53types.Change{{Action: r53types.ChangeActionUpsert, ResourceRecordSet: r}}},
	})
	must(t, err)
}

// mustShow fails the test unless the zone has exactly these records besides its own.
func mustShow(t *testing.T, w *Workspace, zone string, want ...string) {
	t.Helper()
	got, err := w.AWS.Records(t.Context(), zone)
	must(t, err)
	if !slices.Equal(got, want) {
		t.Fatalf("the zone shows %q, want %q", got, want)
	}
}

// doing matches calls that change records by this action.
func doing(action r53types.ChangeAction) faultproxy.Match {
	return func(c faultproxy.Call) bool {
		return c.Name() == "route53:ChangeResourceRecordSets" && strings.Contains(string(c.RequestBody), "<Action>"+string(action)+"</Action>")
	}
}

// TestRecordIsNotOverwritten finds somebody else's record, at plan and between plan and apply.
func TestRecordIsNotOverwritten(t *testing.T) {
	const theirs = "www.example.com A : 60 192.0.2.9"
	says := []string{"estate_route53_record.r", "192.0.2.9", "192.0.2.1", `on_existing = "adopt"`}
	eachCLI(t, func(t *testing.T, w *Workspace) {
		zone := startZone(t, w)
		must(t, w.Write("main.tf", recordZone+aRecord()))
		w.Plan(t.Context()).Must(t)
		putRecord(t.Context(), t, w.AWS, zone, "www.example.com", "A", 60, "192.0.2.9")
		mark := w.Proxy.Mark()
		w.ApplyPlan(t.Context()).MustFail(t, says...)
		mustShow(t, w, zone, theirs)
		w.Plan(t.Context()).MustFail(t, says...)
		w.Apply(t.Context()).MustFail(t, says...)
		w.MustNotWrite(t, mark)
		mustShow(t, w, zone, theirs)
	})
}

// TestEqualRecordIsAdopted takes over what says the same in other words, and writes nothing.
func TestEqualRecordIsAdopted(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		zone := startZone(t, w)
		putRecord(t.Context(), t, w.AWS, zone, "www.example.com", "A", 60, "192.0.2.2", "192.0.2.1")
		putRecord(t.Context(), t, w.AWS, zone, `\052.example.com`, "TXT", 60, `"v=1" "more"`)
		must(t, w.Write("main.tf", recordZone+aRecord(`name = "WWW.example.com."`, `records = ["192.0.2.1", "192.0.2.2"]`)+
			recordNamed("txt", `name = "*"`, `type = "TXT"`, `ttl = 60`, `records = ["v=1\" \"more"]`)))
		mark := w.Proxy.Mark()
		p := w.Plan(t.Context()).MustOnly(t, Create, "estate_route53_record.r", "estate_route53_record.txt")
		p.MustSay(t, "Existing estate_route53_record will be adopted", zone+"_WWW.example.com._A")
		if got := p.Change("estate_route53_record.txt").After["fqdn"]; got != "*.example.com" {
			t.Errorf("the plan shows %v as the whole name", got)
		}
		w.ApplyPlan(t.Context()).Must(t)
		w.MustNotWrite(t, mark)
		w.Plan(t.Context()).MustBeEmpty(t)
		w.Destroy(t.Context(), "-target=estate_route53_record.txt").Must(t)
		mustShow(t, w, zone, "www.example.com A : 60 192.0.2.2 192.0.2.1")
	})
}

// TestRecordIsOverwrittenOnRequest asks for it in either way.
func TestRecordIsOverwrittenOnRequest(t *testing.T) {
	for name, line := range map[string]string{"allow_overwrite": "allow_overwrite = true", "on_existing": `on_existing = "adopt"`} {
		t.Run(name, func(t *testing.T) {
			eachCLI(t, func(t *testing.T, w *Workspace) {
				zone := startZone(t, w)
				putRecord(t.Context(), t, w.AWS, zone, "www.example.com", "A", 7, "192.0.2.9")
				must(t, w.Write("main.tf", recordZone+aRecord(line)))
				mark := w.Proxy.Mark()
				w.Apply(t.Context()).Must(t).MustSay(t, "adopted")
				w.MustCall(t, mark, "overwrite", 1, doing(r53types.ChangeActionUpsert))
				w.MustCall(t, mark, "delete", 0, doing(r53types.ChangeActionDelete))
				mustShow(t, w, zone, "www.example.com A : 60 192.0.2.1")
				w.Plan(t.Context()).MustBeEmpty(t)
			})
		})
	}
}

// TestRecordOfTheZoneItself manages the NS record that Route 53 gives to each zone. It stays when its resource goes.
func TestRecordOfTheZoneItself(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		zone := startZone(t, w)
		ns := recordNamed("ns", `name = ""`, `type = "NS"`, `ttl = 30`, `records = estate_route53_zone.z.name_servers`)
		must(t, w.Write("main.tf", recordZone+ns))
		w.Apply(t.Context()).MustFail(t, "172800", "30")
		must(t, w.Write("main.tf", recordZone+strings.Replace(ns, "ttl = 30", "ttl = 30\n  allow_overwrite = true", 1)))
		w.Apply(t.Context()).Must(t)
		w.Plan(t.Context()).MustBeEmpty(t)
		mark := w.Proxy.Mark()
		must(t, w.Write("main.tf", recordZone))
		w.Apply(t.Context()).Must(t)
		w.MustNotWrite(t, mark)
		out, err := w.AWS.Route53.ListResourceRecordSets(t.Context(), &route53.ListResourceRecordSetsInput{HostedZoneId: &zone})
		must(t, err)
		if !slices.ContainsFunc(out.ResourceRecordSets, func(r r53types.ResourceRecordSet) bool {
			return r.Type == r53types.RRTypeNs && aws.ToInt64(r.TTL) == 30
		}) {
			t.Errorf("the zone's NS record is not there as it was written: %v", out.ResourceRecordSets)
		}
		w.Destroy(t.Context()).Must(t)
	})
}

// recordReplacements are the ways to replace a record under create_before_destroy: the same record, spelled alike or not,
// must never be missing.
var recordReplacements = []struct {
	name string
	run  func(t *testing.T, w *Workspace) Result
	// shows is what the zone then has; deletes is how many calls may delete.
	shows   string
	deletes int
}{
	{"replace", func(t *testing.T, w *Workspace) Result {
		return w.Apply(t.Context(), "-replace=estate_route53_record.r")
	}, "www.example.com A : 60 192.0.2.1", 0},
	{"taint", func(t *testing.T, w *Workspace) Result {
		w.Taint(t.Context(), "estate_route53_record.r").Must(t)
		return w.Apply(t.Context())
	}, "www.example.com A : 60 192.0.2.1", 0},
	{"another spelling", func(t *testing.T, w *Workspace) Result {
		must(t, w.Write("main.tf", recordZone+aRecord(`name = "www.example.com"`, createFirst)))
		return w.Apply(t.Context())
	}, "www.example.com A : 60 192.0.2.1", 0},
	{"another name", func(t *testing.T, w *Workspace) Result {
		must(t, w.Write("main.tf", recordZone+aRecord(`name = "web"`, createFirst)))
		return w.Apply(t.Context())
	}, "web.example.com A : 60 192.0.2.1", 1},
	{"another type", func(t *testing.T, w *Workspace) Result {
		must(t, w.Write("main.tf", recordZone+aRecord(`type = "TXT"`, createFirst)))
		return w.Apply(t.Context())
	}, `www.example.com TXT : 60 "192.0.2.1"`, 1},
}

// TestRecordIsReplacedByItself replaces a record in each way, and never leaves the zone without it.
func TestRecordIsReplacedByItself(t *testing.T) {
	for _, c := range recordReplacements {
		t.Run(c.name, func(t *testing.T) {
			eachCLI(t, func(t *testing.T, w *Workspace) {
				zone := startZone(t, w)
				must(t, w.Write("main.tf", recordZone+aRecord(createFirst)))
				w.Apply(t.Context()).Must(t)
				mark := w.Proxy.Mark()
				c.run(t, w).Must(t)
				gone := w.MustCall(t, mark, "delete", c.deletes, doing(r53types.ChangeActionDelete))
				if c.deletes > 0 {
					made := w.MustCall(t, mark, "create", 1, doing(r53types.ChangeActionCreate))
					if gone[0].Seq < made[0].Seq {
						t.Errorf("the old record was deleted before the new one was made")
					}
				}
				mustShow(t, w, zone, c.shows)
				w.Plan(t.Context()).MustBeEmpty(t)
				w.Destroy(t.Context()).Must(t)
			})
		})
	}
}

// TestRecordPolicyChangesInOneStep makes a weighted record a latency record: it is never missing, and its twin stays.
func TestRecordPolicyChangesInOneStep(t *testing.T) {
	weighted := func(name, value string, lines ...string) string {
		return recordNamed(name, append([]string{
			`name = "www"`, `type = "A"`, `ttl = 60`, `records = ["` + value + `"]`, `set_identifier = "` + name + `"`,
			"weighted_routing_policy {\n    weight = 1\n  }",
		}, lines...)...)
	}
	const a, b = "www.example.com A a: 60 192.0.2.1", "www.example.com A b: 60 192.0.2.2"
	eachCLI(t, func(t *testing.T, w *Workspace) {
		zone := startZone(t, w)
		must(t, w.Write("main.tf", recordZone+weighted("a", "192.0.2.1")+weighted("b", "192.0.2.2")))
		w.Apply(t.Context()).Must(t)
		mustShow(t, w, zone, a, b)
		w.Plan(t.Context()).MustBeEmpty(t)

		must(t, w.Write("main.tf", recordZone+weighted("a", "192.0.2.1")))
		w.Apply(t.Context()).Must(t)
		mustShow(t, w, zone, a)

		must(t, w.Write("main.tf", recordZone+strings.Replace(weighted("a", "192.0.2.1"), "weighted_routing_policy {\n    weight = 1", "latency_routing_policy {\n    region = \"eu-west-1\"", 1)))
		w.Plan(t.Context()).MustOnly(t, Update, "estate_route53_record.a")
		mark := w.Proxy.Mark()
		w.ApplyPlan(t.Context()).Must(t)
		w.MustCall(t, mark, "delete and create at once", 1, faultproxy.And(doing(r53types.ChangeActionDelete), doing(r53types.ChangeActionCreate)))
		w.MustCall(t, mark, "write", 1, faultproxy.Writes())
		mustShow(t, w, zone, a)
		w.Plan(t.Context()).MustBeEmpty(t)
	})
}

// TestRefreshOfRecords lists a zone once, however many of its records are refreshed.
func TestRefreshOfRecords(t *testing.T) {
	const n = 20
	eachCLI(t, func(t *testing.T, w *Workspace) {
		startZone(t, w)
		must(t, w.Write("main.tf", recordZone+recordNamed("r", fmt.Sprintf("count = %d", n), `name = "r${count.index}"`, `type = "A"`, `ttl = 60`, `records = ["192.0.2.1"]`)))
		w.Apply(t.Context()).Must(t)
		mark := w.Proxy.Mark()
		w.Plan(t.Context()).MustBeEmpty(t)
		w.MustCall(t, mark, "list records", 9, faultproxy.Action("route53:ListResourceRecordSets"))
		w.MustCall(t, mark, "ask for the zone", 1, faultproxy.Action("route53:GetHostedZone"))
	})
}

// TestZoneCutOffBeforeItsTags loses the state of a run that was stopped between a zone's create and its tags: the zone is
// known by its caller reference.
func TestZoneCutOffBeforeItsTags(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "records", recordZone)
		w.Proxy.On(faultproxy.Action("route53:ChangeTagsForResource"), faultproxy.Deny())
		w.Apply(t.Context()).MustFail(t, "route53:ChangeTagsForResource")
		w.Proxy.ClearRules()
		must(t, w.ForgetState())
		w.Apply(t.Context()).Must(t)
		w.MustCall(t, 0, "create a zone", 1, faultproxy.Action("route53:CreateHostedZone"))
		w.AWS.MustHold(t.Context(), t, "records", "estate_route53_zone", 1)
		mustAgree(t, w, "records")
		w.Plan(t.Context()).MustBeEmpty(t)
	})
}

// TestRecordInARenamedBlock renames a block without saying so: one entry gives the record up and another takes it over, in
// whatever order the CLI comes to them. No apply ends without the record.
func TestRecordInARenamedBlock(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		zone := startZone(t, w)
		www := []string{`name = "www"`, `type = "A"`, `ttl = 60`, `records = ["192.0.2.1"]`}
		for i := range 6 {
			must(t, w.Write("main.tf", recordZone+recordNamed(fmt.Sprintf("r%d", i), www...)))
			w.Apply(t.Context()).Must(t)
			mustShow(t, w, zone, "www.example.com A : 60 192.0.2.1")
		}
		w.Plan(t.Context()).MustBeEmpty(t)
	})
}
