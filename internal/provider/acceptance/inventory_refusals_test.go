package acceptance

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// crashed are phrases of a CLI whose provider died, or answered what no provider may.
var crashed = []string{"panic:", "did not respond", "invalid UTF-8", "Provider produced", "report this", "Value Conversion Error"}

// mustNotCrash fails the test where a command met a fault of the provider in place of an error.
func mustNotCrash(t *testing.T, r Result) Result {
	t.Helper()
	for _, phrase := range crashed {
		if strings.Contains(r.Text(), phrase) {
			t.Errorf("%s says %q:\n%s", r.Command, phrase, r.explain())
		}
	}
	return r
}

// mustRefuseEach fails the test unless a plan is refused with an error for each of these blocks, by name, that says all its phrases.
func mustRefuseEach(t *testing.T, w *Workspace, blocks map[string][]string) {
	t.Helper()
	r := mustNotCrash(t, w.Run(t.Context(), "plan", "-json")).MustFail(t)
	said := map[string][]string{}
	for _, d := range r.Errors() {
		name := regexp.MustCompile(`case\d+`).FindString(d.Snippet.Context + " " + d.Address)
		said[name] = append(said[name], d.String())
	}
	for _, name := range slices.Sorted(maps.Keys(blocks)) {
		whole := slices.ContainsFunc(said[name], func(text string) bool {
			return !slices.ContainsFunc(blocks[name], func(phrase string) bool { return !strings.Contains(text, phrase) })
		})
		if !whole {
			t.Errorf("%s: no error says all of %q, but\n%s", name, blocks[name], strings.Join(said[name], "\n"))
		}
	}
}

// long is a text that no marker can hold.
var long = strings.Repeat("x", 5000)

// badSurveys are data sources over an estate that ask for what cannot be: one argument each, and what the error says.
var badSurveys = []struct {
	source, arguments string
	says              []string
	// reads says that the configuration is valid, and that what it asks for is refused.
	reads bool
}{
	{"inventory", `tofu_estate = "No"`, []string{"Bad estate name", `"No" starts with 'N'`, `estate = "NAME"`}, false},
	{"inventory", `tofu_estate = ""`, []string{"Bad estate name", "is empty"}, false},
	{"inventory", `tofu_estate = "prød"`, []string{"Bad estate name", `holds 'ø'`}, false},
	{"inventory", `tofu_estate = "` + long + `"`, []string{"Bad estate name", "5000 characters long"}, false},
	{"inventory", `tofu_estate = ["a"]`, []string{"tofu_estate"}, false},
	{"inventory", `target = "module."`, []string{"Bad target", `target = "module.net"`}, false},
	{"inventory", `target = ""`, []string{"Bad target", "is empty"}, false},
	{"inventory", `target = "データ"`, []string{"Bad target", `holds 'デ'`}, false},
	{"inventory", `target = "data.aws_ami.x"`, []string{"Bad target", "data"}, false},
	{"inventory", `target = "aws_vpc.` + long + `["`, []string{"Bad target"}, false},
	{"inventory", `target = {}`, []string{"target"}, false},
	{"inventory", `types = ["vpc"]`, []string{"types", `such as "aws_vpc"`}, false},
	{"inventory", `types = ["google_compute_network"]`, []string{"types", `such as "aws_vpc"`}, false},
	{"inventory", `types = ["aws_ვპც"]`, []string{"types", `such as "aws_vpc"`}, false},
	{"inventory", `types = []`, []string{"types", "at least 1"}, false},
	{"inventory", `types = [null]`, []string{"Null"}, false},
	{"inventory", `types = "aws_vpc"`, []string{"types", "set of string"}, false},
	{"inventory", `status = "orphan"`, []string{"status", `"unmarked"`}, false},
	{"inventory", `status = ""`, []string{"status", `"unmarked"`}, false},
	{"inventory", "status = \"unmarked\"\n  target = \"module.a\"", []string{"Unmarked objects have no address"}, false},
	{"inventory", "status = \"unmarked\"\n  tofu_estate = \"prod\"", []string{"Unmarked objects have no address"}, false},
	{"inventory", `regions = ["eu-nowhere-9"]`, []string{"Unknown AWS region", `"eu-nowhere-9"`, "skip_region_validation"}, true},
	{"inventory", `regions = [""]`, []string{"Unknown AWS region"}, true},
	{"inventory", `regions = ["` + Region + `", null]`, []string{"Null"}, false},
	{"inventory", `regions = []`, []string{"regions", "at least 1"}, false},

	{"object", ``, []string{"tofu_address", "required"}, false},
	{"object", `tofu_address = null`, []string{"tofu_address", "required"}, false},
	{"object", `tofu_address = ""`, []string{"Bad address", "is empty"}, false},
	{"object", `tofu_address = 7`, []string{"Bad address"}, false},
	{"object", `tofu_address = "module.a"`, []string{"Bad address", `tofu_address = "aws_vpc.main"`}, false},
	{"object", `tofu_address = "data.aws_vpc.a"`, []string{"Bad address", "data"}, false},
	{"object", `tofu_address = "ünbekannt"`, []string{"Bad address", `holds 'ü'`}, false},
	{"object", `tofu_address = "aws_vpc.a[\"` + long + `\"]"`, []string{"Bad address", "characters long"}, false},
	{"object", `tofu_address = "estate_iam_role_policy.a"`, []string{"Type without tags", `data "estate_iam_role_policy" "a"`}, false},
	{"object", `tofu_address = "aws_iam_role_policy_attachment.a"`, []string{"Type without tags", `data "estate_iam_role_policy_attachment" "a"`}, false},
	{"object", "tofu_address = \"aws_vpc.a\"\n  regions = [\"eu-nowhere-9\"]", []string{"Unknown AWS region", `"eu-nowhere-9"`}, true},
	{"object", "tofu_address = \"aws_vpc.a\"\n  regions = [null]", []string{"Null"}, false},
	{"object", "tofu_address = \"aws_vpc.a\"\n  tofu_estate = \"nobody\"", []string{"No such object", "aws_vpc.a", "the estate nobody", Region}, true},
	{"object", `tofu_address = "aws_vpc.a"`, []string{"No such object", `data "estate_inventory" "all" {}`}, true},
	{"object", `tofu_address = "aws_iam_user.a"`, []string{"Object not looked for everywhere", "aws_iam_user", "not known to show objects of its type"}, true},
	{"object", `tofu_address = "aws_vcp.a"`, []string{"Object not looked for everywhere", "aws_vcp", "not known to show objects of its type"}, true},

	{"audit", ``, []string{"addresses", "required"}, false},
	{"audit", `addresses = null`, []string{"addresses", "required"}, false},
	{"audit", `addresses = "aws_vpc.a"`, []string{"addresses", "list of string"}, false},
	{"audit", `addresses = [null]`, []string{"Null"}, false},
	{"audit", `addresses = [""]`, []string{"Bad address", "is empty"}, false},
	{"audit", `addresses = ["aws_vpc.a", "aws_vpc"]`, []string{"Bad address", `"aws_vpc"`, `addresses = ["aws_vpc.main"]`}, false},
	{"audit", `addresses = ["雪.☃"]`, []string{"Bad address", "雪"}, false},
	{"audit", `addresses = ["aws_vpc.a[\"` + long + `\"]"]`, []string{"Bad address", "characters long"}, false},
	{"audit", "addresses = []\n  tofu_estate = \"No\"", []string{"Bad estate name"}, false},
	{"audit", "addresses = []\n  grace = \"soon\"", []string{"Bad grace period", `"soon"`, `grace = "15m"`}, false},
	{"audit", "addresses = []\n  grace = \"1y\"", []string{"Bad grace period", `"1y"`}, false},
	{"audit", "addresses = []\n  grace = \"\"", []string{"Bad grace period"}, false},
	{"audit", "addresses = []\n  grace = \"-1h\"", []string{"Bad grace period", "negative"}, false},
	{"audit", "addresses = []\n  grace = \"99999999h\"", []string{"Bad grace period", "290 years"}, false},
	{"audit", "addresses = []\n  regions = [\"eu-nowhere-9\"]", []string{"Unknown AWS region", `"eu-nowhere-9"`}, true},
}

// TestSurveyRefusals shows that bad arguments of the data sources over an estate are errors that name the argument and the way
// out, whether they are known from the start or only after something was made.
func TestSurveyRefusals(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "surveys", "")
		mark := w.Proxy.Mark()
		// A configuration is not read before all of it is valid.
		for _, reads := range []bool{false, true} {
			wrong := map[string][]string{}
			var text strings.Builder
			for i, c := range badSurveys {
				if c.reads == reads {
					name := fmt.Sprintf("case%d", i)
					wrong[name] = c.says
					fmt.Fprintf(&text, "data \"estate_%s\" %q {\n  %s\n}\n", c.source, name, c.arguments)
				}
			}
			must(t, w.Write("main.tf", text.String()))
			mustRefuseEach(t, w, wrong)
		}
		w.MustNotWrite(t, mark)
	})
}

// TestSurveyOfWhatIsBadLate gives the data sources what only an apply knows, and what then turns out to be wrong.
func TestSurveyOfWhatIsBadLate(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "surveys", aVpc("a"))
		for i, c := range []struct {
			source, arguments string
			says              []string
		}{
			{"inventory", `tofu_estate = upper(estate_vpc.%s.id)`, []string{"Bad estate name", "VPC-"}},
			{"inventory", `target = "${estate_vpc.%s.id}."`, []string{"Bad target", "vpc-"}},
			{"inventory", `types = [estate_vpc.%s.id]`, []string{"types", "vpc-"}},
			{"inventory", `regions = [estate_vpc.%s.id]`, []string{"Unknown AWS region", "vpc-"}},
			{"object", `tofu_address = estate_vpc.%s.id`, []string{"Bad address", "vpc-"}},
			{"object", `tofu_address = "estate_iam_role_policy.${estate_vpc.%s.id}"`, []string{"Type without tags"}},
			{"audit", `addresses = [estate_vpc.%s.id]`, []string{"Bad address", "vpc-"}},
			{"audit", "addresses = []\n  grace = estate_vpc.%s.id", []string{"Bad grace period", "vpc-"}},
		} {
			name := fmt.Sprintf("late%d", i)
			must(t, w.Write("main.tf", aVpc(name)+fmt.Sprintf("data \"estate_%s\" \"x\" {\n  "+c.arguments+"\n}\n", c.source, name)))
			mustNotCrash(t, w.Run(t.Context(), "plan", "-json")).Must(t)
			mustNotCrash(t, w.Apply(t.Context())).MustFail(t, c.says...)
		}
	})
}

// TestSurveyOfUnknowns gives every argument a value that is known after apply: the data source waits for it, and then answers.
func TestSurveyOfUnknowns(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		start(t, w, "late", aVpc("a")+`
locals {
  made = estate_vpc.a.id != ""
}

data "estate_inventory" "x" {
  tofu_estate = local.made ? "late" : "never"
  regions     = [local.made ? "`+Region+`" : "us-east-1"]
  types       = [local.made ? "aws_vpc" : "aws_eip"]
  status      = local.made ? "marked" : "gone"
  target      = local.made ? "estate_vpc.a" : "module.x"
}

data "estate_object" "x" {
  tofu_estate  = local.made ? "late" : "never"
  tofu_address = local.made ? "estate_vpc.a" : "estate_vpc.b"
}

data "estate_audit" "x" {
  addresses = [local.made ? "estate_vpc.a" : "estate_vpc.b"]
  grace     = local.made ? "1h" : "2h"
}

output "ids" {
  value = [estate_vpc.a.id, data.estate_inventory.x.objects[0].id, data.estate_object.x.id, one([for f in data.estate_audit.x.findings : f.id if f.class == "bound"])]
}
`)
		p := w.Plan(ctx)
		mustNotCrash(t, p.Result).Must(t)
		for _, source := range []string{"inventory", "object", "audit"} {
			if c := p.Change("data.estate_" + source + ".x"); c.Action != "read" {
				t.Errorf("the plan for data.estate_%s.x is %q; it has to wait for the VPC", source, c.Action)
			}
		}
		w.ApplyPlan(ctx).Must(t)
		ids := output[[]string](t, w, "ids")
		for _, id := range ids {
			if len(ids) != 4 || id == "" || id != ids[0] {
				t.Errorf("the VPC and the three data sources say %q", ids)
			}
		}
		w.Plan(ctx).MustBeEmpty(t)
	})
}

// TestSurveyOfNothing shows that an answer without objects says why it has none, where it is not because there are none.
func TestSurveyOfNothing(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "own", "")
		for _, c := range []struct {
			name, config string
			says         []string
			// warns is whether anything is to be said, unlisted which types coverage has to show as not listed.
			warns    bool
			unlisted []string
		}{
			{"a new estate", `data "estate_inventory" "x" {}`, nil, false, nil},
			{"an estate that is not there", `data "estate_inventory" "x" { tofu_estate = "nobody" }`,
				[]string{"Nothing of the estate", `"nobody"`, Region}, true, nil},
			{"an audit of an estate that is not there", "data \"estate_audit\" \"x\" {\n  tofu_estate = \"nobody\"\n  addresses = []\n}",
				[]string{"Nothing of the estate", `"nobody"`}, true, nil},
			{"a slip of the pen", `data "estate_inventory" "x" { types = ["aws_vpc", "aws_vcp"] }`,
				[]string{"Incomplete inventory", "aws_vcp: the tagging API is not known to show objects of its type"}, true, []string{"aws_vcp"}},
			{"what the tagging API leaves out", `data "estate_inventory" "x" { types = ["aws_iam_user", "aws_autoscaling_group"] }`,
				[]string{"Incomplete inventory", "aws_iam_user", "aws_autoscaling_group"}, true, []string{"aws_autoscaling_group", "aws_iam_user"}},
			{"unmarked of other types", "data \"estate_inventory\" \"x\" {\n  types = [\"aws_sqs_queue\"]\n  status = \"unmarked\"\n}",
				[]string{"Incomplete inventory", "aws_sqs_queue: unmarked objects are listed of types that this provider serves alone"}, true, []string{"aws_sqs_queue"}},
		} {
			kind := strings.Split(c.config, `"`)[1]
			must(t, w.Write("main.tf", fmt.Sprintf("%s\noutput \"all\" { value = data.%s.x }\n", c.config, kind)))
			r := mustNotCrash(t, w.Apply(t.Context())).Must(t).MustSay(t, c.says...)
			if warned := len(r.Warnings()) > 0; warned != c.warns {
				t.Errorf("%s: warnings %v", c.name, r.Warnings())
			}
			got := output[takenStock](t, w, "all")
			if len(got.Objects) > 0 {
				t.Errorf("%s: %+v", c.name, got.Objects)
			}
			var unlisted []string
			for _, l := range got.Coverage {
				if !l.Complete {
					unlisted = append(unlisted, l.Type)
				}
			}
			if fmt.Sprint(unlisted) != fmt.Sprint(c.unlisted) {
				t.Errorf("%s: not listed are %q, want %q", c.name, unlisted, c.unlisted)
			}
		}
	})
}

// TestSurveyDenied shows that a data source whose listing is denied names the permission, and never takes that for nothing.
func TestSurveyDenied(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		vpc := mark(t, w, "denied", "aws_vpc.a", "")
		start(t, w, "denied", `data "estate_object" "x" { tofu_address = "aws_vpc.a" }`)
		rule := w.Proxy.On(faultproxy.Action("ec2:DescribeVpcs"), faultproxy.Deny())
		mustNotCrash(t, w.Apply(ctx)).MustFail(t, "Object not looked for everywhere", "aws_vpc.a", "missing permission: ec2:DescribeVpcs")

		must(t, w.Write("main.tf", `
data "estate_audit" "x" { addresses = ["aws_vpc.a"] }
output "all" { value = data.estate_audit.x }
`))
		mustNotCrash(t, w.Apply(ctx)).Must(t).MustSay(t, "Incomplete audit", "missing permission: ec2:DescribeVpcs")
		for _, f := range output[takenStock](t, w, "all").Findings {
			if f.Address == "aws_vpc.a" && f.Class == "missing" {
				t.Errorf("what could not be listed is said to be missing: %+v", f)
			}
		}
		rule.Remove()

		// A type that has a listing of its own does not need the tagging API, and any other does.
		w.Proxy.On(faultproxy.Action("tagging:GetResources"), faultproxy.Deny())
		must(t, w.Write("main.tf", `
data "estate_object" "x" { tofu_address = "aws_vpc.a" }
output "x" { value = data.estate_object.x.id }
`))
		if r := w.Apply(ctx).Must(t); len(r.Warnings()) > 0 || output[string](t, w, "x") != vpc {
			t.Errorf("the VPC is %s, want %s; warnings %v", output[string](t, w, "x"), vpc, r.Warnings())
		}
		must(t, w.Write("main.tf", `data "estate_object" "x" { tofu_address = "aws_sqs_queue.a" }`))
		mustNotCrash(t, w.Apply(ctx)).MustFail(t, "Object not looked for everywhere", "missing permission: tag:GetResources")
	})
}

// TestObjectDeniedInOneRegion shows that one object is no proof that there is no second where not all regions were seen.
func TestObjectDeniedInOneRegion(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		mark(t, w, "denied", "aws_vpc.a", "")
		start(t, w, "denied", fmt.Sprintf("data \"estate_object\" \"x\" {\n  tofu_address = \"aws_vpc.a\"\n  regions = [%q, %q]\n}\n", Region, otherRegion))
		inOther := func(c faultproxy.Call) bool { return c.Action == "DescribeVpcs" && c.Region == otherRegion }
		rule := w.Proxy.On(inOther, faultproxy.Deny())
		mustNotCrash(t, w.Apply(t.Context())).Must(t).MustSay(t, "Object not looked for everywhere", otherRegion, "ec2:DescribeVpcs")
		if rule.Hits() == 0 {
			t.Error("the fault met no call")
		}
	})
}

// TestSurveyByParent lists what carries no tags without the types that it belongs to being asked for.
func TestSurveyByParent(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "parents", aRole("app", `tofu_address = "estate_iam_role.a"`)+`
resource "estate_iam_role_policy" "a" {
  role   = estate_iam_role.a.name
  name   = "read"
  policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "s3:Get*", Resource = "*" }] })
}

data "estate_inventory" "x" {
  types      = ["aws_iam_role_policy"]
  depends_on = [estate_iam_role_policy.a]
}

output "all" { value = data.estate_inventory.x }
`)
		w.Apply(t.Context()).Must(t)
		got := output[takenStock](t, w, "all").Objects
		if len(got) != 1 || got[0].ImportID != "app:read" || got[0].Status != "by_parent" || got[0].Type != "estate_iam_role_policy" {
			t.Errorf("listed are %+v, want app:read alone", got)
		}
	})
}

// manyAddresses is how many instances a large estate declares.
const manyAddresses = 5000

// TestAuditOfManyAddresses gives an audit the addresses of a large estate, with keys in many scripts.
func TestAuditOfManyAddresses(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "many", fmt.Sprintf(`
data "estate_audit" "x" {
  addresses = concat(
    flatten([for m in range(5) : [for i in range(%d) : "module.m[\"ключ-${m}\"].estate_vpc.a[\"🌍${i}\"]"]]),
    ["aws_eip.a[0]", "estate_eip.a[0]", "estate_eip.a[\"0\"]"],
  )
}
output "counts" { value = data.estate_audit.x.counts }
`, manyAddresses/5))
		began := time.Now()
		mustNotCrash(t, w.Apply(t.Context())).Must(t)
		if took := time.Since(began); took > time.Minute {
			t.Errorf("it took %s", took)
		}
		if n := output[map[string]int](t, w, "counts")["missing"]; n != manyAddresses+1 {
			t.Errorf("%d are missing, want %d: three spellings of one address are one", n, manyAddresses+1)
		}
	})
}

// badCalls are calls of functions that are refused, and what is said.
var badCalls = []struct {
	call string
	says []string
}{
	{`address(null, "aws_vpc", "a")`, []string{"null"}},
	{`address("", ["aws_vpc"], "a")`, []string{"string required"}},
	{`address("", "aws_vpc", "")`, []string{"aws_vpc."}},
	{`address("", "aws_vpc", "a b")`, []string{"aws_vpc.a b"}},
	{`address("", "aws_vpc", "a", null)`, []string{"null"}},
	{`address("", "aws_vpc", "a", true)`, []string{"a key is a number or a string"}},
	{`address("", "aws_vpc", "a", ["k"])`, []string{"a key is a number or a string"}},
	{`address("", "aws_vpc", "a", 1.5)`, []string{"1.5"}},
	{`address("", "aws_vpc", "a", 1e30)`, []string{"1e+30"}},
	{`address("", "aws_vpc", "a", "k\u200b")`, []string{"U+200B"}},
	{`address("", "aws_vpc", "a", "` + long + `")`, []string{"characters long"}},
	{`address("модуль", "aws_vpc", "a")`, []string{"модуль"}},
	{`parse_address(null)`, []string{"null"}},
	{`parse_address({})`, []string{"string required"}},
	{`parse_address("module.a")`, []string{"ends in a module"}},
	{`parse_address("` + long + `")`, []string{"address"}},
	{`parse_address("☃")`, []string{"☃"}},
	{`address_covers("aws_vpc.", "aws_vpc.a")`, []string{"ends with a dot"}},
	{`address_covers("", "aws_vpc.a")`, []string{"is empty"}},
	{`address_covers(null, "aws_vpc.a")`, []string{"null"}},
	{`address_covers("module.a", "data.aws_ami.a")`, []string{"data addresses"}},
	{`escape_address(null)`, []string{"null"}},
	{`escape_address(["a"])`, []string{"string required"}},
	{`unescape_address("")`, []string{"no escaped address"}},
	{`unescape_address("☃")`, []string{"no escaped address"}},
	{`unescape_address(null)`, []string{"null"}},
	{`marker_tags("No", "aws_vpc.a")`, []string{"starts with 'N'"}},
	{`marker_tags("` + long + `", "aws_vpc.a")`, []string{"characters long"}},
	{`marker_tags(null, "aws_vpc.a")`, []string{"null"}},
	{`marker_tags("e", "aws_vpc.a[\"` + long + `\"]")`, []string{"characters long"}},
	{`marker_tags("e", "aws_vpc.a[0]", null)`, []string{"null"}},
	{`marker_tags("e", "aws_vpc.a[0]", 1e30)`, []string{"1e+30", "4294967295"}},
	{`marker_tags("e", "aws_vpc.a[0]", "x")`, []string{"number"}},
	{`marker_tags("e", "aws_vpc.a", 0)`, []string{"aws_vpc.a is no count member"}},
	{`parse_marker("tofu-estate")`, []string{"map of string"}},
	{`parse_marker({ a = [] })`, []string{"string required"}},
	{`grant_policy("e", null)`, []string{"null"}},
	{`grant_policy("e", [])`, []string{"no action is given"}},
	{`grant_policy("e", ["ec2:DescribeVpcs", null])`, []string{"null"}},
	{`grant_policy("e", "ec2:DescribeVpcs")`, []string{"list of string"}},
	{`grant_policy("e", ["ec2:*"])`, []string{"ec2:*"}},
	{`grant_policy("e", ["☃"])`, []string{"☃"}},
	{`grant_policy("E", ["ec2:DescribeVpcs"])`, []string{"starts with 'E'"}},
	{`protect_policy([])`, []string{"no principal is given"}},
	{`protect_policy([null])`, []string{"null"}},
	{`protect_policy(null)`, []string{"null"}},
	{`protect_policy(["*"])`, []string{`"*"`}},
	{`protect_policy(["arn:aws:iam::111122223333:role/☃"])`, []string{"☃"}},
	{`protect_policy([for i in range(500) : "arn:aws:iam::111122223333:role/r${i}"])`, []string{"5120"}},
}

// TestFunctionRefusals shows that what a function cannot take is an error of the configuration, and no answer.
func TestFunctionRefusals(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		wrong := map[string][]string{}
		var text strings.Builder
		for i, c := range badCalls {
			name := fmt.Sprintf("case%d", i)
			wrong[name] = c.says
			fmt.Fprintf(&text, "output %q {\n  value = provider::estate::%s\n}\n", name, c.call)
		}
		start(t, w, "functions", text.String())
		mustRefuseEach(t, w, wrong)
	})
}

// TestFunctionsOfUnknowns gives every function what is known after apply: alone, and inside of a collection. The plan does not
// know the result, and the apply does.
func TestFunctionsOfUnknowns(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		calls := map[string]string{
			"address":         `address("module.${local.name}", "aws_vpc", "a", local.name)`,
			"key":             `address("", "aws_vpc", "a", local.number)`,
			"parts":           `parse_address("aws_vpc.${local.name}").name`,
			"covers":          `address_covers("aws_vpc.${local.name}", "aws_vpc.late")`,
			"escaped":         `escape_address("aws_vpc.a[\"${local.name}\"]")`,
			"unescaped":       `unescape_address("aws_vpc.a:${local.name}")`,
			"tags":            `marker_tags("e", "aws_vpc.a[0]", local.number)`,
			"marker":          `parse_marker({ tofu-estate = "e", tofu-address = "aws_vpc.${local.name}" }).address`,
			"grant":           `grant_policy("e", ["ec2:DescribeVpcs", "ec2:${local.made ? "DeleteVpc" : ""}"])`,
			"protect":         `protect_policy(["arn:aws:iam::111122223333:role/${local.name}"])`,
			"null_marker":     `parse_marker(local.made ? null : { a = "b" }).status`,
			"null_tag":        `parse_marker({ tofu-estate = local.made ? null : "e" }).status`,
			"nothing_unknown": `escape_address("aws_vpc.a")`,
		}
		want := map[string]string{
			"address": `"module.late.aws_vpc.a[\"late\"]"`, "key": `"aws_vpc.a[4]"`, "parts": `"late"`, "covers": `true`,
			"escaped": `"aws_vpc.a:late"`, "unescaped": `"aws_vpc.a[\"late\"]"`, "marker": `"aws_vpc.late"`,
			"tags":        `{"tofu-address":"aws_vpc.a:0","tofu-estate":"e","tofu-slot":"4"}`,
			"null_marker": `"unmarked"`, "null_tag": `"unmarked"`, "nothing_unknown": `"aws_vpc.a"`,
		}
		var text strings.Builder
		text.WriteString("locals {\n  made   = estate_vpc.a.id != \"\"\n  name   = local.made ? \"late\" : \"\"\n  number = local.made ? 4 : 5\n}\n" + aVpc("a"))
		for name, call := range calls {
			fmt.Fprintf(&text, "output %q {\n  value = provider::estate::%s\n}\n", name, call)
		}
		start(t, w, "functions", text.String())
		p := w.Plan(t.Context())
		mustNotCrash(t, p.Result).Must(t)
		mustNotCrash(t, w.ApplyPlan(t.Context())).Must(t)
		got := outputTexts(t, w)
		for name := range calls {
			if want, ok := want[name]; ok && got[name] != want {
				t.Errorf("%s is %s, want %s", name, got[name], want)
			}
			if got[name] == "" {
				t.Errorf("%s has no value", name)
			}
		}
		w.Plan(t.Context()).MustBeEmpty(t)
	})
}

// outputTexts are the outputs of the state, as JSON without white space.
func outputTexts(t *testing.T, w *Workspace) map[string]string {
	t.Helper()
	var raw map[string]struct{ Value json.RawMessage }
	must(t, json.Unmarshal([]byte(w.Run(t.Context(), "output", "-json").Must(t).Stdout), &raw))
	out := map[string]string{}
	for name, o := range raw {
		var value any
		must(t, json.Unmarshal(o.Value, &value))
		text, err := json.Marshal(value)
		must(t, err)
		out[name] = string(text)
	}
	return out
}
