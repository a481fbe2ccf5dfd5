package inventory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

const (
	home    = "eu-west-1"
	account = "111122223333"
)

// tagged are the tags of an object of an estate.
func tagged(estate, address string) map[string]string {
	return map[string]string{"tofu-estate": estate, "tofu-address": markers.Escape(address)}
}

// surveyOf is a survey of the estate prod whose tagging API answers from a table, by region.
func surveyOf(answers map[string]map[string]map[string]string, verifiers ...Verifier) *survey {
	v := &survey{
		query:   query{estates: []string{"prod"}, regions: []string{home}},
		sources: sources{types: []engine.Type{served{name: "vpc", tagged: true}, served{name: "iam_role", tagged: true}, served{name: "iam_role_policy", under: "iam_role"}}, verifiers: verifiers},
		walk:    &engine.Walk{Configuration: engine.Configuration{Session: cloud.New(aws.Config{}, account, home)}},
		hits:    map[string]func() (map[string]map[string]string, error){},
	}
	for region, objects := range answers {
		v.hits[region] = func() (map[string]map[string]string, error) { return objects, nil }
	}
	return v
}

// describe is a sighting in a word or two.
func describe(s *sighting) string {
	out := s.kind + " " + s.arn[strings.LastIndexAny(s.arn, ":/")+1:]
	if s.gone != "" {
		out += " gone"
	}
	if s.verified {
		out += " verified"
	}
	return out
}

func TestWhatTheTaggingAPIAloneKnows(t *testing.T) {
	ec2 := "arn:aws:ec2:" + home + ":" + account + ":"
	answers := map[string]map[string]map[string]string{
		home: {
			ec2 + "vpc/vpc-seen":                            tagged("prod", "aws_vpc.seen"),
			ec2 + "vpc/vpc-ghost":                           tagged("prod", "aws_vpc.ghost"),
			ec2 + "instance/i-lives":                        tagged("prod", "aws_instance.lives"),
			ec2 + "instance/i-ended":                        tagged("prod", "aws_instance.ended"),
			ec2 + "instance/i-nowhere":                      tagged("prod", "aws_instance.nowhere"),
			ec2 + "volume/vol-theirs":                       tagged("others", "aws_ebs_volume.theirs"),
			"arn:aws:sqs:" + home + ":" + account + ":jobs": tagged("prod", "aws_sqs_queue.jobs"),
		},
		globalRegion: {
			"arn:aws:sqs:" + globalRegion + ":" + account + ":elsewhere": tagged("prod", "aws_sqs_queue.elsewhere"),
			"arn:aws:cloudfront::" + account + ":distribution/EDF":       tagged("prod", "aws_cloudfront_distribution.site"),
		},
	}
	ended := Verifier{Type: "instance", Service: "ec2", Resource: "instance/", Ended: func(_ context.Context, s *cloud.Session, ids []string) ([]string, map[string]string, error) {
		if s.Region == home && !slices.Equal(ids, []string{"i-ended", "i-lives", "i-nowhere"}) {
			t.Errorf("asked about %q in %s", ids, s.Region)
		}
		return []string{"i-lives"}, map[string]string{"i-ended": "it is terminated"}, nil
	}}
	seen := []*sighting{{arn: ec2 + "vpc/vpc-seen", kind: "estate_vpc"}}
	for name, c := range map[string]struct {
		listings []listing
		types    []string
		want     []string
	}{
		"its own listing says that it is gone": {
			listings: []listing{{kind: "estate_vpc", region: home}},
			want: []string{
				"aws_cloudfront_distribution EDF", "aws_instance i-ended gone verified", "aws_instance i-lives verified",
				"aws_instance i-nowhere gone verified", "aws_sqs_queue jobs", "aws_vpc vpc-ghost gone",
			},
		},
		"its own listing failed": {
			listings: []listing{{kind: "estate_vpc", region: home, err: errors.New("denied")}},
			types:    []string{"estate_vpc"},
			want:     []string{"aws_vpc vpc-ghost"},
		},
		"its own listing was of another region": {
			listings: []listing{{kind: "estate_vpc", region: globalRegion}},
			types:    []string{"aws_vpc"},
			want:     []string{"aws_vpc vpc-ghost"},
		},
		"one type": {types: []string{"aws_sqs_queue"}, want: []string{"aws_sqs_queue jobs"}},
	} {
		verifiers := []Verifier{ended}
		v := surveyOf(answers, verifiers...)
		v.query.types = c.types
		if c.types != nil {
			v.verifiers = nil
		}
		found, listings := v.others(t.Context(), seen, c.listings)
		var got []string
		for _, s := range found {
			got = append(got, describe(s))
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: found\n  %s\nwant\n  %s", name, strings.Join(got, "\n  "), strings.Join(c.want, "\n  "))
		}
		if len(listings) != 2 || listings[0].region != home || listings[1].region != globalRegion {
			t.Errorf("%s: listings %v", name, listings)
		}
	}
}

// TestTaggingAPIFails shows that a failure is of its region alone, and that of a Verifier is told.
func TestTaggingAPIFails(t *testing.T) {
	denied, lost := errors.New("denied"), errors.New("lost")
	arn := "arn:aws:ec2:" + home + ":" + account + ":instance/i-1"
	v := surveyOf(map[string]map[string]map[string]string{home: {arn: tagged("prod", "aws_instance.a")}},
		Verifier{Service: "ec2", Resource: "instance/", Ended: func(context.Context, *cloud.Session, []string) ([]string, map[string]string, error) {
			return nil, nil, lost
		}})
	v.hits[globalRegion] = func() (map[string]map[string]string, error) { return nil, denied }
	found, listings := v.others(t.Context(), nil, nil)
	if len(found) != 1 || found[0].gone != "" || found[0].verified {
		t.Errorf("found %v; what could not be verified is neither verified nor gone", found)
	}
	if len(listings) != 2 || !errors.Is(listings[0].err, lost) || !errors.Is(listings[1].err, denied) {
		t.Errorf("listings %+v", listings)
	}
}

// TestGlobalRegionOfOtherPartitions shows that the tagging API is asked about global objects where they are, and only there.
func TestGlobalRegionOfOtherPartitions(t *testing.T) {
	v := surveyOf(nil)
	if got := v.asked(); !slices.Equal(got, []string{home, globalRegion}) {
		t.Errorf("asked in %q", got)
	}
	v.regions = []string{globalRegion, home}
	if got := v.asked(); !slices.Equal(got, v.regions) {
		t.Errorf("asked in %q", got)
	}
	v.regions, v.walk.Session = []string{"cn-north-1"}, cloud.New(aws.Config{}, account, "cn-north-1")
	if got := v.asked(); !slices.Equal(got, v.regions) {
		t.Errorf("asked in %q", got)
	}
}

func TestUnlisted(t *testing.T) {
	for _, c := range []struct {
		estates, types, want []string
	}{
		{[]string{"prod"}, nil, nil},
		{[]string{"prod"}, []string{"aws_vpc", "estate_iam_role", "aws_iam_role_policy", "aws_sqs_queue", "aws_alb"}, nil},
		{[]string{"prod"}, []string{"aws_vcp", "aws_iam_user", "aws_autoscaling_group"}, []string{
			"aws_vcp " + notShown, "aws_iam_user " + notShown, "aws_autoscaling_group " + notShown,
		}},
		{nil, []string{"estate_vpc", "aws_sqs_queue"}, []string{"aws_sqs_queue unmarked objects are listed of types that this provider serves alone"}},
	} {
		v := surveyOf(nil)
		v.estates, v.query.types = c.estates, c.types
		var got []string
		for _, l := range v.unlisted() {
			got = append(got, l.kind+" "+l.err.Error())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("of %q not listed are %q, want %q", c.types, got, c.want)
		}
		for _, shown := range cover(v.unlisted()) {
			if shown.API != apiTagging || shown.Complete || read(shown.Problem) == "" {
				t.Errorf("coverage says %+v", shown)
			}
		}
	}
}

func TestWanted(t *testing.T) {
	for asked, want := range map[string][]string{
		"": {"vpc", "iam_role", "iam_role_policy"}, "aws_vpc": {"vpc"}, "aws_iam_role_policy": {"iam_role", "iam_role_policy"},
		"estate_iam_role": {"iam_role"}, "aws_sqs_queue": nil,
	} {
		v := surveyOf(nil)
		if asked != "" {
			v.query.types = []string{asked}
		}
		var got []string
		for _, typ := range v.wanted() {
			got = append(got, typ.Name())
		}
		if !slices.Equal(got, want) {
			t.Errorf("for %q are listed %q, want %q", asked, got, want)
		}
	}
}

func TestPlain(t *testing.T) {
	for kind, want := range map[string]string{
		"aws_vpc": "vpc", "estate_vpc": "vpc", "aws_alb": "lb", "estate_alb_listener": "lb_listener", "google_x": "google_x", "aws_": "", "": "",
	} {
		if got := plain(kind); got != want {
			t.Errorf("plain(%q) is %q, want %q", kind, got, want)
		}
	}
}

func TestCopied(t *testing.T) {
	ec2 := "arn:aws:ec2:" + home + ":" + account + ":"
	for _, c := range []struct {
		kind, arn, address string
		verified, want     bool
	}{
		{"estate_vpc", ec2 + "vpc/vpc-1", "aws_vpc.a", true, false},
		{"estate_vpc", ec2 + "vpc/vpc-1", "aws_default_vpc.a", true, false},
		{"estate_vpc", ec2 + "vpc/vpc-1", "aws_subnet.a", true, true},
		{"aws_ebs_snapshot", ec2 + "snapshot/snap-1", "aws_ebs_volume.a", false, true},
		{"aws_ebs_volume", ec2 + "volume/vol-1", "aws_ebs_volume.a", false, false},
		{"aws_lb", "arn:aws:elasticloadbalancing:" + home + ":" + account + ":loadbalancer/app/a/50dc6c495c0c9188", "aws_alb.a", false, false},
		{"", "arn:aws:unheardof:" + home + ":" + account + ":thing/1", "aws_unheardof_thing.a", false, false},
	} {
		s := &sighting{kind: c.kind, arn: c.arn, verified: c.verified, marker: markers.Observe(tagged("prod", c.address), false)}
		if got := s.copied(); got != c.want {
			t.Errorf("%s with the address %s is copied: %v, want %v", c.arn, c.address, got, c.want)
		}
	}
}

// TestShownKey shows instance keys as they are, also those that no configuration can have and a tag can hold.
func TestShownKey(t *testing.T) {
	for address, want := range map[string]string{
		`aws_vpc.a`: "", `aws_vpc.a[7]`: "7", `aws_vpc.a["k"]`: "k", `aws_vpc.a["é.:@"]`: "é.:@", `aws_vpc.a["]x["]`: "]x[",
	} {
		s := seen("estate_vpc", "vpc-1", address)
		if !s.marker.Decoded {
			t.Fatalf("%s cannot be read back", address)
		}
		if got := read(s.show(home).Key); got != want {
			t.Errorf("the key of %s is shown as %q, want %q", address, got, want)
		}
	}
}

func TestShownImportID(t *testing.T) {
	for region, want := range map[string]string{home: "vpc-1", "us-east-1": "vpc-1@us-east-1", "": "vpc-1"} {
		s := seen("estate_vpc", "vpc-1", "aws_vpc.a", func(s *sighting) { s.region, s.arn = region, "" })
		if got := read(s.show(home).ImportID); got != want {
			t.Errorf("in %q import wants %q, want %q", region, got, want)
		}
	}
	s := seen("", "", "aws_unheardof_thing.a", func(s *sighting) { s.arn = "arn:aws:unheardof:::thing" })
	if o := s.show(home); o.ImportID != nil || !strings.Contains(read(o.Problem), "aws_unheardof_thing") {
		t.Errorf("import wants %q, and the problem is %q", read(o.ImportID), read(o.Problem))
	}
}

func TestBegun(t *testing.T) {
	for text, want := range map[string]string{"it is": "It is", "élan": "Élan", "雪": "雪", "\xff": "\xff", "": ""} {
		if got := begun(text); got != want {
			t.Errorf("begun(%q) is %q, want %q", text, got, want)
		}
	}
}

// TestTexts shows that what is not known yet is not taken for an empty text.
func TestTexts(t *testing.T) {
	set := types.SetValueMust(types.StringType, []attr.Value{types.StringValue("a"), types.StringUnknown(), types.StringNull(), types.StringValue("")})
	if got := texts(set); !slices.Equal(got, []string{"a", ""}) {
		t.Errorf("texts are %q", got)
	}
	if got := texts(types.ListUnknown(types.StringType)); len(got) > 0 {
		t.Errorf("texts of an unknown list are %q", got)
	}
}

// TestMissingOnce shows that an address that is declared in several spellings is missing once.
func TestMissingOnce(t *testing.T) {
	a := audit{listings: []listing{{kind: "estate_vpc", region: home}}, served: []engine.Type{served{name: "vpc", tagged: true}}}
	for _, text := range []string{"aws_vpc.a[0]", "estate_vpc.a[0]", `estate_vpc.a["0"]`, "aws_vpc.a[1]"} {
		address, err := markers.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		a.addresses = append(a.addresses, address)
	}
	var got []string
	for _, f := range a.run() {
		got = append(got, f.Class+" "+read(f.Address))
	}
	if want := []string{"missing aws_vpc.a[0]", "missing aws_vpc.a[1]"}; !slices.Equal(got, want) {
		t.Errorf("findings %q, want %q", got, want)
	}
}

func TestOrRegion(t *testing.T) {
	here, there := &sighting{region: home}, &sighting{region: "us-east-1"}
	if got := orRegion([]*sighting{here, here}); got != "." {
		t.Errorf("two in one region: %q", got)
	}
	if got := orRegion([]*sighting{here, there}); !strings.HasSuffix(got, `regions = ["eu-west-1"]`) {
		t.Errorf("two in two regions: %q", got)
	}
}

func TestNobody(t *testing.T) {
	b := base{walk: &engine.Walk{Configuration: engine.Configuration{Estate: types.StringValue("prod")}}}
	theirs := []*sighting{{marker: markers.Observed{Estate: "other"}}}
	for _, c := range []struct {
		asked types.String
		seen  []*sighting
		warns bool
	}{
		{types.StringNull(), nil, false},
		{types.StringValue("prod"), nil, false},
		{types.StringValue("other"), nil, true},
		{types.StringValue("other"), theirs, false},
		{types.StringValue("othr"), theirs, true},
	} {
		got := b.nobody(c.asked, []string{home}, c.seen)
		if len(got) > 0 != c.warns {
			t.Errorf("%s: %v", c.asked, got)
		}
		if c.warns && !strings.Contains(got[0].Detail(), fmt.Sprintf("%q", c.asked.ValueString())) {
			t.Errorf("%s is not named: %s", c.asked, got[0].Detail())
		}
	}
}

// TestEveryClassAndStatusIsDocumented holds the tables of the pages to the words that the data sources use.
func TestEveryClassAndStatusIsDocumented(t *testing.T) {
	for _, status := range statuses {
		if meanings[status] == "" || !strings.Contains(statusesDoc(), "| `"+status+"` |") {
			t.Errorf("the status %s is not explained", status)
		}
	}
	if len(meanings) != len(statuses) {
		t.Errorf("explained are %q", slices.Sorted(maps.Keys(meanings)))
	}
	for class, doc := range classes {
		if doc.means == "" || doc.next == "" || !strings.Contains(classesDoc(), "| `"+class+"` | "+doc.means) {
			t.Errorf("the class %s is not explained", class)
		}
	}
}

// TestKindOf names the type of an object whose ARN fits several by its address, and by what is served.
func TestKindOf(t *testing.T) {
	cluster, vpc := "arn:aws:rds:"+home+":"+account+":cluster:a", "arn:aws:ec2:"+home+":"+account+":vpc/vpc-1"
	for _, c := range []struct{ arn, addressed, want string }{
		{cluster, "aws_docdb_cluster", "aws_docdb_cluster"},
		{cluster, "estate_docdb_cluster", "aws_docdb_cluster"},
		{cluster, "", ""},
		{vpc, "aws_default_vpc", "aws_default_vpc"},
		{vpc, "", "estate_vpc"},
		{"arn:aws:sqs:" + home + ":" + account + ":jobs", "", "aws_sqs_queue"},
		{"no arn", "aws_vpc", ""},
	} {
		if got := surveyOf(nil).kindOf(c.arn, c.addressed); got != c.want {
			t.Errorf("%s with an address of type %q is of type %q, want %q", c.arn, c.addressed, got, c.want)
		}
	}
}

// TestWhatAnInventoryShows is which sightings have which status and which target selects them.
func TestWhatAnInventoryShows(t *testing.T) {
	role := seen("estate_iam_role", "app", "module.a.aws_iam_role.app")
	for name, c := range map[string]struct {
		s      *sighting
		status string
		// first says that it is listed without a status, asked that it is with its own one, under that module.a selects it.
		first, asked, under bool
	}{
		"marked":             {role, statusMarked, true, true, true},
		"marked elsewhere":   {seen("estate_vpc", "vpc-1", "module.ab.aws_vpc.x"), statusMarked, true, true, false},
		"under a parent":     {&sighting{kind: "estate_iam_role_policy", id: "app:p", parent: role, verified: true}, statusByParent, true, true, true},
		"malformed":          {seen("estate_vpc", "vpc-1", "", tag("tofu-address-2", "x")), statusMalformed, true, true, false},
		"gone":               {seen("estate_vpc", "vpc-1", "module.a.aws_vpc.x", func(s *sighting) { s.gone = "it is being deleted" }), statusGone, false, true, true},
		"nobody's":           {seen("estate_vpc", "vpc-1", "", untagged), statusUnmarked, false, true, false},
		"made by AWS":        {seen("estate_vpc", "vpc-1", "", untagged, func(s *sighting) { s.madeByAWS = true }), statusUnmarked, false, false, false},
		"a parent that ends": {&sighting{parent: role, gone: "it is being deleted"}, statusGone, false, true, true},
	} {
		if is := c.s.status(); is != c.status {
			t.Errorf("%s: the status is %s, want %s", name, is, c.status)
		}
		if first, asked := wanted(c.s, ""), wanted(c.s, c.status); first != c.first || asked != c.asked {
			t.Errorf("%s: listed without a status %v, with its own %v; want %v, %v", name, first, asked, c.first, c.asked)
		}
		for _, other := range statuses {
			if other != c.status && wanted(c.s, other) {
				t.Errorf("%s is listed as %s", name, other)
			}
		}
		target, err := markers.ParseTarget("module.a")
		if err != nil {
			t.Fatal(err)
		}
		if under := c.s.under(target); under != c.under {
			t.Errorf("%s: module.a selects it: %v, want %v", name, under, c.under)
		}
	}
}

// TestYoungByTheLaterTime shows that the grace period counts from the creation where that is later than the binding, as after a
// restored copy of the tags; and that holders in two accounts are no replacement.
func TestYoungByTheLaterTime(t *testing.T) {
	a := audit{grace: time.Hour, now: noon}
	s := seen("estate_vpc", "vpc-1", "aws_vpc.a", boundAt(noon.Add(-48*time.Hour), "a"), func(s *sighting) { s.created = noon.Add(-time.Minute) })
	if f := a.single(s, false); f.Class != classYoung {
		t.Errorf("an object of a minute with an old binding is %s", f.Class)
	}
	old, newer := seen("estate_vpc", "vpc-1", "aws_vpc.a", boundAt(noon.Add(-48*time.Hour), "a")), seen("estate_vpc", "vpc-2", "aws_vpc.a", boundAt(noon.Add(-24*time.Hour), "b"))
	if !a.replaced([]*sighting{old, newer}) {
		t.Error("one bound a day after the other is no replacement")
	}
	newer.account = "2"
	if a.replaced([]*sighting{old, newer}) {
		t.Error("objects of two accounts are a replacement")
	}
}
