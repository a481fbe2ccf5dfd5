package inventory

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// noon is the time at which the audits of these tests run.
var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// binding is a binding that was made at a time; salt tells two of one time apart.
func binding(at time.Time, salt string) string {
	const digits = "0123456789abcdefghjkmnpqrstvwxyz"
	ms := at.UnixMilli()
	var out []byte
	for range 10 {
		out = append(out, digits[ms&31])
		ms >>= 5
	}
	slices.Reverse(out)
	return string(out) + strings.Repeat("0", 16-len(salt)) + salt
}

// seen is a living object of the estate prod, verified, in eu-west-1; edits change it.
func seen(kind, id, address string, edits ...func(*sighting)) *sighting {
	s := &sighting{
		kind: kind, id: id, arn: "arn:aws:ec2:eu-west-1:1:x/" + id, region: "eu-west-1", account: "1", verified: true,
		created: noon.Add(-24 * time.Hour), tags: map[string]string{"tofu-estate": "prod", "tofu-address": markers.Escape(address)},
	}
	for _, edit := range edits {
		edit(s)
	}
	s.marker = markers.Observe(s.tags, false)
	return s
}

func tag(key, value string) func(*sighting) { return func(s *sighting) { s.tags[key] = value } }

func boundAt(at time.Time, salt string) func(*sighting) {
	return tag("tofu-binding", binding(at, salt))
}

func untagged(s *sighting) { s.tags = map[string]string{} }

// served are types as far as an audit asks them.
type served struct {
	engine.Type
	name, under string
	tagged      bool
}

func (s served) Name() string  { return s.name }
func (s served) Under() string { return s.under }
func (s served) Tagged() bool  { return s.tagged }

func TestAudit(t *testing.T) {
	hour, day := noon.Add(-time.Hour), noon.Add(-24*time.Hour)
	vpc := func(id, address string, edits ...func(*sighting)) *sighting {
		return seen("estate_vpc", id, address, edits...)
	}
	role := &sighting{kind: "estate_iam_role", id: "app", tags: map[string]string{"tofu-estate": "prod", "tofu-address": "aws_iam_role.app"}, verified: true, created: day}
	role.marker = markers.Observe(role.tags, true)
	a := audit{
		estates: []string{"prod", "prod-old"}, grace: 15 * time.Minute, now: noon, home: "eu-west-1",
		served: []engine.Type{served{name: "vpc", tagged: true}, served{name: "iam_role", tagged: true}, served{name: "iam_role_policy"}, served{name: "subnet", tagged: true}},
		seen: []*sighting{
			vpc("bound", "aws_vpc.bound"), // declared as estate_vpc
			vpc("previous", "estate_vpc.previous", tag("tofu-estate", "prod-old")),
			vpc("orphan", "estate_vpc.orphan"),
			vpc("young", "estate_vpc.young", func(s *sighting) { s.created = noon.Add(-time.Minute) }),
			vpc("youngbound", "estate_vpc.youngbound", boundAt(noon.Add(-time.Minute), "a")),
			vpc("west", "estate_vpc.twice", boundAt(day, "a")),
			vpc("east", "estate_vpc.twice", boundAt(hour, "b"), func(s *sighting) { s.region = "us-east-1" }),
			vpc("race1", "estate_vpc.race", boundAt(hour, "a")),
			vpc("race2", "estate_vpc.race", boundAt(hour.Add(time.Second), "b")),
			vpc("noword1", "estate_vpc.noword"),
			vpc("noword2", "estate_vpc.noword", boundAt(hour, "a")),
			vpc("old", "estate_vpc.replaced", boundAt(day, "a")),
			vpc("new", "estate_vpc.replaced", boundAt(hour, "b")),
			vpc("gap", "estate_vpc.gap", tag("tofu-address-3", "x")),
			vpc("short", "estate_vpc.short", tag("tofu-address-2", "x")),
			vpc("empty", ""),
			vpc("theirs", "estate_vpc.bound", tag("tofu-estate", "other")),
			vpc("shared", "estate_vpc.bound", func(s *sighting) { s.foreign, s.account = true, "2" }),
			vpc("wrongtype", "estate_subnet.a"),
			vpc("default", "", untagged, func(s *sighting) { s.madeByAWS = true }),
			vpc("adopted-default", "estate_vpc.default", func(s *sighting) { s.madeByAWS = true }),
			vpc("released", "", untagged, tag(markers.ReleasedKey, "yes")),
			vpc("nobodys", "", untagged),
			vpc("ending", "estate_vpc.ending", func(s *sighting) { s.gone = "it is being deleted" }),
			role,
		},
		listings: []listing{
			{kind: "estate_vpc", region: "eu-west-1"}, {kind: "estate_iam_role"}, {kind: "estate_iam_role_policy"},
			{kind: "estate_subnet", region: "eu-west-1", err: errors.New("denied")}, {region: "eu-west-1"},
		},
	}
	for _, text := range []string{
		"estate_vpc.bound", "estate_vpc.previous", "estate_vpc.replaced", "estate_vpc.default", "estate_iam_role.app",
		"estate_vpc.ending", "estate_vpc.missing", "estate_iam_role_policy.p", "estate_subnet.a", "aws_unheard_of.x",
	} {
		address, err := markers.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		a.addresses = append(a.addresses, address)
	}
	want := []string{
		"bound adopted-default", "bound app", "bound bound", "bound new", "bound previous",
		"collision east", "collision noword1", "collision noword2", "collision race1", "collision race2", "collision west",
		"copied wrongtype", "dead ending", "in_the_way shared", "in_the_way theirs", "malformed empty", "malformed gap", "malformed short",
		"missing estate_vpc.ending", "missing estate_vpc.missing", "orphan orphan", "released released", "service_made default", "superseded old",
		"unscanned aws_unheard_of.x", "unscanned estate_iam_role_policy.p", "unscanned estate_subnet.a", "young young", "young youngbound",
	}
	var got []string
	for _, f := range a.run() {
		name := read(f.ID)
		if name == "" {
			name = read(f.Address)
		}
		got = append(got, fmt.Sprintf("%s %s", f.Class, name))
		if f.Reason == "" || !strings.HasSuffix(f.Reason, ".") {
			t.Errorf("%s %s has the reason %q", f.Class, name, f.Reason)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}
