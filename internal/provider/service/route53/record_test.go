package route53

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

func TestAbsolute(t *testing.T) {
	for _, tt := range []struct{ name, zone, want string }{
		{"www", "example.com", "www.example.com"},
		{"WWW.example.COM.", "example.com", "www.example.com"},
		{"", "example.com", "example.com"},
		{"example.com", "example.com", "example.com"},
		{"myexample.com", "example.com", "myexample.com.example.com"},
		{"*", "example.com", "*.example.com"},
		{`\052.www`, "example.com", "*.www.example.com"},
		{"www.example.com", ".", "www.example.com"},
		{".", ".", "."},
	} {
		if got := absolute(tt.name, tt.zone); got != tt.want {
			t.Errorf("%q in %s: got %s, want %s", tt.name, tt.zone, got, tt.want)
		}
	}
}

func TestQuotes(t *testing.T) {
	for _, tt := range []struct {
		kind            r53types.RRType
		value, answered string
	}{
		{"TXT", "v=spf1 -all", `"v=spf1 -all"`},
		{"SPF", "v=spf1 -all", `"v=spf1 -all"`},
		{"TXT", `first\"\"second`, `"first\"\"second"`},
		{"TXT", "", `""`},
		{"A", "192.0.2.1", "192.0.2.1"},
		{"CAA", `0 issue "ca.example.net"`, `0 issue "ca.example.net"`},
	} {
		if got := quote(tt.kind, tt.value); got != tt.answered {
			t.Errorf("%s: sent as %s, want %s", tt.value, got, tt.answered)
		}
		if got := unquote(tt.kind, tt.answered); got != tt.value {
			t.Errorf("%s: shown as %s, want %s", tt.answered, got, tt.value)
		}
	}
	if got := unquote("TXT", `"`); got != `"` {
		t.Errorf("got %q of half a pair of quotes", got)
	}
}

// plain is a record without policies, as Route 53 shows it under the name www.
func plain(change func(*record)) record {
	m := record{
		Alias: []aliasTarget{}, CIDR: []cidrPolicy{}, Failover: []failover{}, Geolocation: []geolocation{}, Geoproximity: []geoproximity{},
		Latency: []latency{}, Weighted: []weighted{}, FQDN: types.StringValue("www.example.com"), MultiValue: types.BoolValue(false),
		Name: attrs.DNSName{StringValue: types.StringValue("www")}, Records: attrs.StringSet([]string{"192.0.2.1"}), TTL: types.Int64Value(60),
		Type: types.StringValue("A"), ZoneID: types.StringValue("Z1"),
	}
	if change != nil {
		change(&m)
	}
	return m
}

// Each policy is asked for in the words in which it is shown.
func TestRecordSet(t *testing.T) {
	text := types.StringValue
	set := func(change func(*record)) func(*record) {
		return func(m *record) { m.SetIdentifier = text("one"); change(m) }
	}
	with := func(change func(*r53types.ResourceRecordSet)) func(*r53types.ResourceRecordSet) {
		return func(r *r53types.ResourceRecordSet) { r.SetIdentifier = aws.String("one"); change(r) }
	}
	for _, tt := range []struct {
		name   string
		model  func(*record)
		set    func(*r53types.ResourceRecordSet)
		policy string
	}{
		{"plain", nil, func(*r53types.ResourceRecordSet) {}, ""},
		{"health check", func(m *record) { m.HealthCheck = text("h1") }, func(r *r53types.ResourceRecordSet) { r.HealthCheckId = aws.String("h1") }, ""},
		{"no caching", func(m *record) { m.TTL = types.Int64Value(0) }, func(r *r53types.ResourceRecordSet) { r.TTL = aws.Int64(0) }, ""},
		{
			"alias", func(m *record) {
				m.Records, m.TTL = attrs.StringSet(nil), types.Int64Null()
				m.Alias = []aliasTarget{{types.BoolValue(true), attrs.NewDNSName(aws.String("lb.example.net")), text("Z2")}}
			},
			func(r *r53types.ResourceRecordSet) {
				r.ResourceRecords, r.TTL = nil, nil
				r.AliasTarget = &r53types.AliasTarget{DNSName: aws.String("lb.example.net"), EvaluateTargetHealth: true, HostedZoneId: aws.String("Z2")}
			}, "",
		},
		{
			"CIDR", set(func(m *record) { m.CIDR = []cidrPolicy{{text("c1"), text("*")}} }),
			with(func(r *r53types.ResourceRecordSet) {
				r.CidrRoutingConfig = &r53types.CidrRoutingConfig{CollectionId: aws.String("c1"), LocationName: aws.String("*")}
			}), "CIDR",
		},
		{
			"failover", set(func(m *record) { m.Failover = []failover{{text("PRIMARY")}} }),
			with(func(r *r53types.ResourceRecordSet) { r.Failover = "PRIMARY" }), "failover",
		},
		{
			"continent", set(func(m *record) { m.Geolocation = []geolocation{{Continent: text("EU")}} }),
			with(func(r *r53types.ResourceRecordSet) {
				r.GeoLocation = &r53types.GeoLocation{ContinentCode: aws.String("EU")}
			}), "geolocation",
		},
		{
			"subdivision", set(func(m *record) { m.Geolocation = []geolocation{{Country: text("US"), Subdivision: text("NY")}} }),
			with(func(r *r53types.ResourceRecordSet) {
				r.GeoLocation = &r53types.GeoLocation{CountryCode: aws.String("US"), SubdivisionCode: aws.String("NY")}
			}), "geolocation",
		},
		{
			"region nearby", set(func(m *record) {
				m.Geoproximity = []geoproximity{{Region: text("eu-west-1"), Bias: types.Int64Value(0), Coordinates: []coordinates{}}}
			}),
			with(func(r *r53types.ResourceRecordSet) {
				r.GeoProximityLocation = &r53types.GeoProximityLocation{AWSRegion: aws.String("eu-west-1"), Bias: aws.Int32(0)}
			}), "geoproximity",
		},
		{
			"place nearby", set(func(m *record) {
				m.Geoproximity = []geoproximity{{Bias: types.Int64Value(-5), Coordinates: []coordinates{{text("49.22"), text("-74.01")}}}}
			}),
			with(func(r *r53types.ResourceRecordSet) {
				r.GeoProximityLocation = &r53types.GeoProximityLocation{
					Bias: aws.Int32(-5), Coordinates: &r53types.Coordinates{Latitude: aws.String("49.22"), Longitude: aws.String("-74.01")},
				}
			}), "geoproximity",
		},
		{
			"local zone nearby", set(func(m *record) {
				m.Geoproximity = []geoproximity{{Bias: types.Int64Value(0), Coordinates: []coordinates{}, LocalZone: text("us-west-2-lax-1")}}
			}),
			with(func(r *r53types.ResourceRecordSet) {
				r.GeoProximityLocation = &r53types.GeoProximityLocation{Bias: aws.Int32(0), LocalZoneGroup: aws.String("us-west-2-lax-1")}
			}), "geoproximity",
		},
		{
			"latency", set(func(m *record) { m.Latency = []latency{{text("eu-west-1")}} }),
			with(func(r *r53types.ResourceRecordSet) { r.Region = "eu-west-1" }), "latency",
		},
		{
			"several", set(func(m *record) { m.MultiValue = types.BoolValue(true) }),
			with(func(r *r53types.ResourceRecordSet) { r.MultiValueAnswer = aws.Bool(true) }), "multivalue",
		},
		{
			"no weight", set(func(m *record) { m.Weighted = []weighted{{types.Int64Value(0)}} }),
			with(func(r *r53types.ResourceRecordSet) { r.Weight = aws.Int64(0) }), "weighted",
		},
	} {
		m := plain(tt.model)
		want := &r53types.ResourceRecordSet{
			Name: aws.String("www.example.com"), Type: "A", TTL: aws.Int64(60), ResourceRecords: []r53types.ResourceRecord{{Value: aws.String("192.0.2.1")}},
		}
		tt.set(want)
		got := recordSet(&m, "www.example.com")
		ignore := cmpopts.IgnoreUnexported(r53types.ResourceRecordSet{}, r53types.ResourceRecord{}, r53types.AliasTarget{}, r53types.CidrRoutingConfig{},
			r53types.GeoLocation{}, r53types.GeoProximityLocation{}, r53types.Coordinates{})
		if diff := cmp.Diff(want, got, ignore); diff != "" {
			t.Errorf("%s: want - got +\n%s", tt.name, diff)
		}
		if policy := policyOf(got); policy != tt.policy {
			t.Errorf("%s: the policy is %q, want %q", tt.name, policy, tt.policy)
		}
		k := engine.Key{"Z1", "www", "A", m.SetIdentifier.ValueString()}
		shown := *got
		if shown.AliasTarget != nil {
			shown.TTL = aws.Int64(0) // an emulator's answer
		}
		if diff := cmp.Diff(engine.Live[record]{Key: k, Model: m}, liveRecord(k, shown)); diff != "" {
			t.Errorf("%s, shown: want - got +\n%s", tt.name, diff)
		}
	}
}

// Route 53 lists from a name on: what comes first may be another record.
func TestGetRecord(t *testing.T) {
	www := func(inside string) string { return recordXML("www.example.com.", "A", inside) }
	set := func(name string) string {
		return www("<SetIdentifier>" + name + "</SetIdentifier><Weight>1</Weight>" + valuesXML(60, name))
	}
	more := "<IsTruncated>true</IsTruncated><NextRecordName>www.example.com.</NextRecordName><NextRecordType>A</NextRecordType>" +
		"<NextRecordIdentifier>two</NextRecordIdentifier>"
	const one, group = "maxitems=1&name=www.example.com&type=A", "maxitems=100&name=www.example.com&type=A"
	for _, tt := range []struct {
		name  string
		set   string
		pages []string
		found bool
		query []string
	}{
		{"there", "", []string{recordsXML(lastPage, www(valuesXML(60, "192.0.2.1")))}, true, []string{one}},
		{"an empty zone", "", []string{recordsXML(lastPage)}, false, []string{one}},
		{"another name", "", []string{recordsXML(lastPage, recordXML("xyz.example.com.", "A", valuesXML(60, "x")))}, false, []string{one}},
		{"another type", "", []string{recordsXML(lastPage, recordXML("www.example.com.", "AAAA", valuesXML(60, "::1")))}, false, []string{one}},
		{"one of several", "", []string{recordsXML(lastPage, set("one"))}, false, []string{one}},
		{"the second of several", "two", []string{recordsXML(lastPage, set("one"), set("two"))}, true, []string{group}},
		{"on the second page", "two", []string{recordsXML(more, set("one")), recordsXML(lastPage, set("two"))}, true, []string{group, "identifier=two&maxitems=100&name=www.example.com.&type=A"}},
		{"none of several", "three", []string{recordsXML(lastPage, set("one"), set("two"))}, false, []string{group}},
		{"a zone that has gone since", "", []string{noZone}, false, []string{one}},
	} {
		s, server := canned.New(t, canned.Answers{"GetHostedZone": {zoneNamed("example.com.")}, "ListResourceRecordSets": tt.pages})
		l, err := getRecord(t.Context(), s, engine.Key{"/hostedzone/Z1", "WWW", "A", tt.set})
		if errors.Is(err, engine.ErrNotFound) == tt.found || tt.found && (err != nil || l.Model.SetIdentifier.ValueString() != tt.set) {
			t.Errorf("%s: got %+v, %v", tt.name, l.Model, err)
		}
		if tt.found && (l.Key[0] != "/hostedzone/Z1" || l.Model.Name.ValueString() != "WWW" || l.Model.FQDN.ValueString() != "www.example.com") {
			t.Errorf("%s: the record is not spelled as it was asked for: %+v", tt.name, l)
		}
		want := []string{"GetHostedZone GET /2013-04-01/hostedzone/Z1"}
		for _, q := range tt.query {
			want = append(want, "ListResourceRecordSets GET /2013-04-01/hostedzone/Z1/rrset?"+q)
		}
		wantCalls(t, server, want...)
	}
}

// The zone is asked for its name once, whoever comes first; its absence is that of its records.
func TestZoneNameIsKept(t *testing.T) {
	s, server := canned.New(t, canned.Answers{
		"GetHostedZone": {"!AccessDenied no", noZone, zoneNamed("example.com.")}, "ListResourceRecordSets": {recordsXML(lastPage), recordsXML(lastPage)},
	})
	k := engine.Key{"Z1", "www", "A", ""}
	if got := canonicalRecord(s, k); got.String() != "Z1:www:A:" {
		t.Errorf("before any call: got %s", got)
	}
	if _, err := getRecord(t.Context(), s, k); !cloud.IsDenied(err) || errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v, want the denial", err)
	}
	for range 3 {
		if _, err := getRecord(t.Context(), s, k); !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("got %v, want not found", err)
		}
		s.Forget()
	}
	for _, name := range []string{"www", "WWW.", "www.Example.com", "www.example.com."} {
		if got := canonicalRecord(s, engine.Key{"/hostedzone/Z1", name, "A", "x"}); got.String() != "Z1:www.example.com:A:x" {
			t.Errorf("%s: got %s", name, got)
		}
	}
	if n := strings.Count(strings.Join(server.Calls(), "\n"), "GetHostedZone"); n != 3 {
		t.Errorf("the zone was asked for %d times, want the two that failed and one: %q", n, server.Calls())
	}
}

func TestListRecords(t *testing.T) {
	more := "<IsTruncated>true</IsTruncated><NextRecordName>b.example.com.</NextRecordName><NextRecordType>A</NextRecordType>"
	s, server := canned.New(t, canned.Answers{
		"GetHostedZone": {zoneNamed("example.com.")},
		"ListResourceRecordSets": {
			recordsXML(more, recordXML(`\052.example.com.`, "A", "<SetIdentifier>x</SetIdentifier>")), recordsXML(lastPage, recordXML("b.example.com.", "A", "")),
			recordsXML(more, recordXML("a.example.com.", "A", "")), "!AccessDenied no",
		},
	})
	k := engine.Key{"Z1", "www", "A", ""}
	if diff := cmp.Diff([]string{"Z1:*.example.com:A:x", "Z1:b.example.com:A:"}, keys(t, listRecords(t.Context(), s, k))); diff != "" {
		t.Errorf("want - got +\n%s", diff)
	}
	if before, err := lastError(listRecords(t.Context(), s, k)); !cloud.IsDenied(err) || len(before) != 1 {
		t.Errorf("got %v after %q, want the denial", err, before)
	}
	if got := server.Calls()[2]; got != "ListResourceRecordSets GET /2013-04-01/hostedzone/Z1/rrset?maxitems=300&name=b.example.com.&type=A" {
		t.Errorf("the second page is asked for by %s", got)
	}
	s, _ = canned.New(t, canned.Answers{"GetHostedZone": {noZone}})
	if _, err := lastError(listRecords(t.Context(), s, k)); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v of a zone that is gone", err)
	}
}
