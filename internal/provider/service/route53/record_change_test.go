package route53

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// batch is the call that makes changes, each as "ACTION inside of the record set".
func batch(changes ...string) string {
	all := ""
	for _, c := range changes {
		action, inside, _ := strings.Cut(c, " ")
		all += "<Change><Action>" + action + "</Action><ResourceRecordSet>" + inside + "</ResourceRecordSet></Change>"
	}
	return "ChangeResourceRecordSets POST /2013-04-01/hostedzone/Z1/rrset " +
		body("ChangeResourceRecordSetsRequest", "<ChangeBatch><Changes>"+all+"</Changes></ChangeBatch>")
}

const valueSent = "<ResourceRecords><ResourceRecord><Value>192.0.2.1</Value></ResourceRecord></ResourceRecords>"

// changes answers changes of records with ids that are pending.
func changesAnswered(n int) []string {
	var out []string
	for range n {
		out = append(out, body("ChangeResourceRecordSetsResponse", changeInfo("C1", "PENDING")))
	}
	return out
}

// A create never overwrites, and its record is pending until it has arrived.
func TestCreateRecord(t *testing.T) {
	s, server := canned.New(t, canned.Answers{
		"GetHostedZone": {zoneNamed("example.com.")},
		"ChangeResourceRecordSets": append(changesAnswered(1),
			"!InvalidChangeBatch [Tried to create resource record set [name='www.example.com.', type='A'] but it already exists]"),
		"ListResourceRecordSets": {
			recordsXML(lastPage, recordXML("www.example.com.", "A", valuesXML(60, "192.0.2.1"))),
			recordsXML(lastPage, recordXML("www.example.com.", "A", valuesXML(60, "192.0.2.1"))),
		},
		"GetChange": {body("GetChangeResponse", changeInfo("C1", "PENDING")), body("GetChangeResponse", changeInfo("C1", "INSYNC"))},
	})
	plan := plain(nil)
	k, err := createRecord(t.Context(), s, &plan, nil, "")
	if err != nil || k.String() != "Z1:www:A:" {
		t.Fatalf("got %s, %v", k, err)
	}
	for _, want := range []engine.State{engine.Pending, engine.Ready} {
		if l, err := getRecord(t.Context(), s, k); err != nil || l.State != want {
			t.Errorf("got %v, %v, want %v", l.State, err, want)
		}
	}
	if _, err := createRecord(t.Context(), s, &plan, nil, ""); !refusedFor(err, "already exists") {
		t.Errorf("got %v", err)
	}
	create := batch("CREATE <Name>www.example.com</Name>" + valueSent + "<TTL>60</TTL><Type>A</Type>")
	const list = "ListResourceRecordSets GET /2013-04-01/hostedzone/Z1/rrset?maxitems=1&name=www.example.com&type=A"
	const ask = "GetChange GET /2013-04-01/change/C1"
	wantCalls(t, server, "GetHostedZone GET /2013-04-01/hostedzone/Z1", create, list, ask, list, ask, create)
}

// A change of value is an UPSERT; another routing policy is a DELETE of what is there and a CREATE in one call.
func TestSetRecord(t *testing.T) {
	live := recordXML("www.example.com.", "A", "<SetIdentifier>one</SetIdentifier><Weight>7</Weight>"+valuesXML(60, "192.0.2.1"))
	s, server := canned.New(t, canned.Answers{
		"GetHostedZone": {zoneNamed("example.com.")}, "ChangeResourceRecordSets": append(changesAnswered(2), noZone),
		"ListResourceRecordSets": {recordsXML(lastPage, live), recordsXML(lastPage)},
		"GetChange":              {body("GetChangeResponse", changeInfo("C1", "PENDING"))},
	})
	k := engine.Key{"Z1", "www", "A", "one"}
	weight := func(n int64) *record {
		m := plain(func(m *record) {
			m.SetIdentifier, m.Weighted = types.StringValue("one"), []weighted{{types.Int64Value(n)}}
		})
		return &m
	}
	near := plain(func(m *record) {
		m.SetIdentifier, m.Latency = types.StringValue("one"), []latency{{types.StringValue("eu-west-1")}}
	})
	if err := setRecord(t.Context(), s, k, weight(1), weight(2)); err != nil {
		t.Error(err)
	}
	if state, _, err := arrival(t.Context(), s, "Z1:www.example.com:A:one"); state != engine.Pending || err != nil {
		t.Errorf("the change is not waited for: %v, %v", state, err)
	}
	if err := setRecord(t.Context(), s, k, weight(2), &near); err != nil {
		t.Error(err)
	}
	if err := setRecord(t.Context(), s, k, weight(2), &near); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v, want not found", err)
	}
	if err := setRecord(t.Context(), s, k, weight(2), weight(3)); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v, want not found", err)
	}
	const own = "<SetIdentifier>one</SetIdentifier><TTL>60</TTL><Type>A</Type>"
	want := []string{
		batch("UPSERT <Name>www.example.com</Name>" + valueSent + own + "<Weight>2</Weight>"),
		batch("DELETE <Name>www.example.com.</Name>"+valueSent+own+"<Weight>7</Weight>",
			"CREATE <Name>www.example.com</Name><Region>eu-west-1</Region>"+valueSent+own),
		batch("UPSERT <Name>www.example.com</Name>" + valueSent + own + "<Weight>3</Weight>"),
	}
	if diff := cmp.Diff(want, batches53(server)); diff != "" {
		t.Errorf("want - got +\n%s", diff)
	}
}

// batches53 are the calls that change records.
func batches53(server *canned.AWS) []string {
	var out []string
	for _, c := range server.Calls() {
		if strings.HasPrefix(c, "ChangeResourceRecordSets ") {
			out = append(out, c)
		}
	}
	return out
}

// A deletion names what is there, to the letter. What has gone meanwhile is gone; what has changed meanwhile is an error.
func TestDeleteRecord(t *testing.T) {
	k := engine.Key{"Z1", "www", "TXT", ""}
	for _, tt := range []struct {
		name, listed, answer string
		gone, fails          bool
	}{
		{"there", recordsXML(lastPage, recordXML("www.example.com.", "TXT", valuesXML(7, `"live"`))), changesAnswered(1)[0], false, false},
		{"gone", recordsXML(lastPage), "", true, true},
		{"gone since", recordsXML(lastPage, recordXML("www.example.com.", "TXT", valuesXML(7, `"live"`))), "!InvalidChangeBatch [Tried to delete resource record set [name='www.example.com.', type='TXT'] but it was not found]", true, true},
		{"changed since", recordsXML(lastPage, recordXML("www.example.com.", "TXT", valuesXML(7, `"live"`))), "!InvalidChangeBatch [Tried to delete resource record set [name='www.example.com.', type='TXT'] but the values provided do not match the current values]", false, true},
		{"denied", recordsXML(lastPage, recordXML("www.example.com.", "TXT", valuesXML(7, `"live"`))), "!AccessDenied no", false, true},
	} {
		s, server := canned.New(t, canned.Answers{
			"GetHostedZone": {zoneNamed("example.com.")}, "ListResourceRecordSets": {tt.listed}, "ChangeResourceRecordSets": {tt.answer},
		})
		err := deleteRecord(t.Context(), s, k, &record{Records: attrs.StringSet([]string{"of the state"})})
		if (err != nil) != tt.fails || errors.Is(err, engine.ErrNotFound) != tt.gone {
			t.Errorf("%s: got %v", tt.name, err)
		}
		for _, got := range batches53(server) {
			want := batch("DELETE <Name>www.example.com.</Name><ResourceRecords><ResourceRecord><Value>&#34;live&#34;</Value></ResourceRecord></ResourceRecords><TTL>7</TTL><Type>TXT</Type>")
			if strings.ReplaceAll(got, "&quot;", "&#34;") != want {
				t.Errorf("%s\n got  %s\n want %s", tt.name, got, want)
			}
		}
	}
}

// A record that was deleted is on its way until all name servers know; then it is gone. One that is made again is not.
func TestDeletedRecordIsPending(t *testing.T) {
	there := recordsXML(lastPage, recordXML("www.example.com.", "A", valuesXML(60, "192.0.2.1")))
	gone := recordsXML(lastPage)
	s, _ := canned.New(t, canned.Answers{
		"GetHostedZone": {zoneNamed("example.com.")}, "ListResourceRecordSets": {there, gone, gone, there, gone, gone},
		"ChangeResourceRecordSets": changesAnswered(1),
		"GetChange": {
			body("GetChangeResponse", changeInfo("C1", "PENDING")), "!AccessDenied no", body("GetChangeResponse", changeInfo("C1", "INSYNC")),
		},
	})
	k := engine.Key{"Z1", "www", "A", ""}
	if err := deleteRecord(t.Context(), s, k, nil); err != nil {
		t.Fatal(err)
	}
	if l, err := getRecord(t.Context(), s, k); err != nil || l.State != engine.Pending || l.Key.String() != k.String() {
		t.Errorf("got %+v, %v", l, err)
	}
	if _, err := getRecord(t.Context(), s, k); !cloud.IsDenied(err) {
		t.Errorf("got %v, want the denial of GetChange", err)
	}
	if l, err := getRecord(t.Context(), s, k); err != nil || l.State != engine.Ready {
		t.Errorf("made again: got %+v, %v", l, err)
	}
	for range 2 {
		if _, err := getRecord(t.Context(), s, k); !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("got %v, want not found", err)
		}
	}
}

// That the zone of a new record is not known is an error that passes, whichever call says so, and no absence of the record.
func TestZoneOfNewRecordIsTooFresh(t *testing.T) {
	s, server := canned.New(t, canned.Answers{
		"GetHostedZone": {noZone, zoneNamed("example.com.")}, "ChangeResourceRecordSets": {noZone, changesAnswered(1)[0]},
	})
	plan := plain(nil)
	for range 2 {
		if _, err := createRecord(t.Context(), s, &plan, nil, ""); !zoneTooFresh(err) || errors.Is(err, engine.ErrNotFound) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := createRecord(t.Context(), s, &plan, nil, ""); err != nil || zoneTooFresh(err) {
		t.Errorf("got %v", err)
	}
	if len(server.Calls()) != 4 {
		t.Errorf("calls: %q", server.Calls())
	}
}

// The NS and SOA records of the zone itself are let go of, not deleted; the same run may take them back.
func TestApexRecordsStay(t *testing.T) {
	apex := recordsXML(lastPage, recordXML("example.com.", "NS", valuesXML(60, "192.0.2.1")))
	s, server := canned.New(t, canned.Answers{
		"GetHostedZone": {zoneNamed("example.com.")}, "ListResourceRecordSets": {apex, apex, apex, apex}, "ChangeResourceRecordSets": changesAnswered(2),
		"GetChange": {body("GetChangeResponse", changeInfo("C1", "INSYNC"))},
	})
	plan := plain(func(m *record) {
		m.Name = attrs.DNSName{StringValue: types.StringValue("")}
		m.Type = types.StringValue("NS")
	})
	k := engine.Key{"Z1", "", "NS", ""}
	if l, err := getRecord(t.Context(), s, k); err != nil || l.State != engine.Ready || l.Model.Name.IsNull() {
		t.Fatalf("got %+v, %v", l, err)
	}
	if err := deleteRecord(t.Context(), s, k, nil); err != nil {
		t.Error(err)
	}
	if l, err := getRecord(t.Context(), s, k); err != nil || l.State != engine.Gone {
		t.Errorf("a wait for its end would not end: %v, %v", l.State, err)
	}
	for range 2 {
		if _, err := createRecord(t.Context(), s, &plan, nil, ""); err != nil {
			t.Error(err)
		}
	}
	if l, err := getRecord(t.Context(), s, k); err != nil || l.State != engine.Ready {
		t.Errorf("got %v, %v after it was taken back", l.State, err)
	}
	const same = " <Name>example.com</Name>" + valueSent + "<TTL>60</TTL><Type>NS</Type>"
	if diff := cmp.Diff([]string{batch("UPSERT" + same), batch("CREATE" + same)}, batches53(server)); diff != "" {
		t.Errorf("want - got +\n%s", diff)
	}
}

func TestRecordParents(t *testing.T) {
	s, server := canned.New(t, canned.Answers{"ListTagsForResource": {
		body("ListTagsForResourceResponse", tagsOf("Z1", "tofu-estate", "prod")), noZone, "!AccessDenied no",
	}})
	k := engine.Key{"/hostedzone/Z1", "www", "A", ""}
	got, err := recordParents(t.Context(), s, k)
	want := []engine.Parent{{Type: "route53_zone", ID: "Z1", Tags: map[string]string{"tofu-estate": "prod"}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, want - got +\n%s", err, diff)
	}
	if got, err := recordParents(t.Context(), s, k); len(got) != 0 || err != nil {
		t.Errorf("a zone that is gone: got %v, %v", got, err)
	}
	if _, err := recordParents(t.Context(), s, k); !cloud.IsDenied(err) {
		t.Errorf("got %v, want the denial", err)
	}
	const ask = "ListTagsForResource GET /2013-04-01/tags/hostedzone/Z1"
	wantCalls(t, server, ask, ask, ask)
}
