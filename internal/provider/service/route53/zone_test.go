package route53

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

const privateZone = "<HostedZone><Id>/hostedzone/Z2</Id><Name>in.example.com.</Name><CallerReference>token</CallerReference>" +
	"<Config><Comment>mine</Comment><PrivateZone>true</PrivateZone></Config></HostedZone>"

func TestGetZone(t *testing.T) {
	tests := []struct {
		name, key string
		zone      string
		want      engine.Live[zone]
	}{
		{
			"public", "Z1",
			exampleZone + "<DelegationSet><Id>/delegationset/N1</Id><NameServers><NameServer>ns-2.example.net</NameServer>" +
				"<NameServer>ns-1.example.net</NameServer></NameServers></DelegationSet>",
			engine.Live[zone]{
				Key: engine.Key{"Z1"}, Token: "ref", Tags: map[string]string{"a": "1"},
				Model: zone{
					ARN: types.StringValue("arn:aws:route53:::hostedzone/Z1"), Comment: types.StringValue(""),
					DelegationSet: types.StringValue("N1"), Accelerated: types.BoolValue(false), Name: attrs.NewDNSName(aws.String("example.com")),
					NameServers: attrs.StringList([]string{"ns-1.example.net", "ns-2.example.net"}), PrimaryServer: types.StringValue("ns-2.example.net"),
					VPCs: []zoneVPC{}, ZoneID: types.StringValue("Z1"),
				},
			},
		},
		{
			"private", "Z2",
			privateZone + "<VPCs><VPC><VPCRegion>eu-west-1</VPCRegion><VPCId>vpc-1</VPCId></VPC></VPCs>",
			engine.Live[zone]{
				Key: engine.Key{"Z2"}, Token: "token", Tags: map[string]string{"a": "1"}, Partial: true,
				Model: zone{
					ARN: types.StringValue("arn:aws:route53:::hostedzone/Z2"), Comment: types.StringValue("mine"),
					Accelerated: types.BoolValue(false), Name: attrs.NewDNSName(aws.String("in.example.com")), NameServers: attrs.StringList(nil),
					VPCs:   []zoneVPC{{types.StringValue("vpc-1"), types.StringValue("eu-west-1")}},
					ZoneID: types.StringValue("Z2"),
				},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{
				"GetHostedZone":       {body("GetHostedZoneResponse", tt.zone)},
				"ListTagsForResource": {body("ListTagsForResourceResponse", tagsOf(tt.key, "a", "1"))},
			})
			got, err := getZone(t.Context(), s, engine.Key{tt.key})
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("%v, want - got +\n%s", err, diff)
			}
			wantCalls(t, server, "GetHostedZone GET /2013-04-01/hostedzone/"+tt.key, "ListTagsForResource GET /2013-04-01/tags/hostedzone/"+tt.key)
		})
	}
}

func TestZoneIsGone(t *testing.T) {
	k := engine.Key{"Z1"}
	for action, call := range map[string]func(*cloud.Session) error{
		"GetHostedZone": func(s *cloud.Session) error { _, err := getZone(t.Context(), s, k); return err },
		"UpdateHostedZoneComment": func(s *cloud.Session) error {
			return setZoneComment(t.Context(), s, k, nil, &zone{})
		},
		"UpdateHostedZoneFeatures": func(s *cloud.Session) error {
			return setZoneRecovery(t.Context(), s, k, nil, &zone{})
		},
		"DeleteHostedZone": func(s *cloud.Session) error { return deleteZone(t.Context(), s, k, &zone{}) },
	} {
		for answer, gone := range map[string]bool{noZone: true, "!AccessDenied no": false, "!InvalidInput bad": false} {
			s, _ := canned.New(t, canned.Answers{action: {answer}})
			if err := call(s); err == nil || errors.Is(err, engine.ErrNotFound) != gone {
				t.Errorf("%s answers %s: got %v, gone should be %t", action, answer, err, gone)
			}
		}
	}
}

// Tags come for ten zones a call, and what a listing lacks for one zone.
func TestListZones(t *testing.T) {
	page := func(from, to int, rest string) string {
		var zones strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&zones, "<HostedZone><Id>/hostedzone/Z%02d</Id><Name>z%d.example.com.</Name><CallerReference>r%d</CallerReference></HostedZone>", i, i, i)
		}
		return body("ListHostedZonesResponse", "<HostedZones>"+zones.String()+"</HostedZones>", rest, "<MaxItems>100</MaxItems>")
	}
	tags := func(from, to int) string {
		var sets string
		for i := from; i < to; i++ {
			sets += tagsOf(fmt.Sprintf("Z%02d", i), "n", fmt.Sprint(i))
		}
		return body("ListTagsForResourcesResponse", "<ResourceTagSets>"+sets+"</ResourceTagSets>")
	}
	s, server := canned.New(t, canned.Answers{
		"ListHostedZones": {
			page(0, 12, "<IsTruncated>true</IsTruncated><NextMarker>Z12</NextMarker>"), page(12, 13, "<IsTruncated>false</IsTruncated>"),
		},
		// The second call meets a zone that has gone, so that its two are asked for one by one.
		"ListTagsForResources": {tags(0, 10), noZone, tags(12, 13)},
		"ListTagsForResource":  {body("ListTagsForResourceResponse", tagsOf("Z10")), noZone},
	})
	var got []string
	for l, err := range listZones(t.Context(), s, markers.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if !l.Partial || l.Tags == nil || l.Token == "" {
			t.Errorf("%s: partial %t, tags %v, token %q", l.Key, l.Partial, l.Tags, l.Token)
		}
		got = append(got, l.Key.String()+"="+l.Tags["n"])
	}
	want := []string{"Z00=0", "Z01=1", "Z02=2", "Z03=3", "Z04=4", "Z05=5", "Z06=6", "Z07=7", "Z08=8", "Z09=9", "Z10=", "Z12=12"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want - got +\n%s", diff)
	}
	calls := server.Calls()
	if len(calls) != 7 || calls[0] != "ListHostedZones GET /2013-04-01/hostedzone?maxitems=100" ||
		calls[5] != "ListHostedZones GET /2013-04-01/hostedzone?marker=Z12&maxitems=100" {
		t.Errorf("calls %q", calls)
	}
	if !strings.Contains(calls[1], "<ResourceId>Z09</ResourceId>") || strings.Contains(calls[1], "Z10") {
		t.Errorf("the first ten are not asked for: %s", calls[1])
	}
}

func TestBrokenListOfZones(t *testing.T) {
	one := body("ListHostedZonesResponse", "<HostedZones>"+exampleZone+"</HostedZones><IsTruncated>true</IsTruncated><NextMarker>Z2</NextMarker>")
	ones := body("ListTagsForResourcesResponse", "<ResourceTagSets>"+tagsOf("Z1")+"</ResourceTagSets>")
	for name, answers := range map[string]canned.Answers{
		"second page":   {"ListHostedZones": {one, "!AccessDenied no"}, "ListTagsForResources": {ones}},
		"tags":          {"ListHostedZones": {one}, "ListTagsForResources": {"!AccessDenied no"}},
		"tags one each": {"ListHostedZones": {one}, "ListTagsForResources": {noZone}, "ListTagsForResource": {"!AccessDenied no"}},
	} {
		s, _ := canned.New(t, answers)
		if before, err := lastError(listZones(t.Context(), s, markers.Filter{})); !cloud.IsDenied(err) {
			t.Errorf("%s: got %v after %q, want the denial", name, err, before)
		}
	}
}

func TestFillZone(t *testing.T) {
	servers := body("ListResourceRecordSetsResponse", "<ResourceRecordSets><ResourceRecordSet><Name>in.example.com.</Name><Type>NS</Type><TTL>1</TTL>"+
		"<ResourceRecords><ResourceRecord><Value>ns-2.</Value></ResourceRecord><ResourceRecord><Value>ns-1.</Value></ResourceRecord></ResourceRecords>"+
		"</ResourceRecordSet></ResourceRecordSets><IsTruncated>false</IsTruncated>")
	s, server := canned.New(t, canned.Answers{
		"GetHostedZone": {
			body("GetHostedZoneResponse", privateZone+"<VPCs><VPC><VPCRegion>eu-west-1</VPCRegion><VPCId>vpc-1</VPCId></VPC></VPCs>"),
			body("GetHostedZoneResponse", exampleZone+"<DelegationSet><NameServers><NameServer>ns-1</NameServer></NameServers></DelegationSet>"),
			noZone,
		},
		"ListResourceRecordSets": {servers, servers},
	})
	listed := engine.Live[zone]{Key: engine.Key{"Z2"}, Model: zone{Name: attrs.NewDNSName(aws.String("in.example.com")), NameServers: attrs.StringList(nil)}}
	read := listed
	read.Model.VPCs = []zoneVPC{{ID: types.StringValue("vpc-1")}}
	for _, l := range []*engine.Live[zone]{&listed, &read} {
		if err := fillZone(t.Context(), s, l); err != nil {
			t.Fatal(err)
		}
		if got := attrs.Strings(l.Model.NameServers); len(got) != 2 || got[0] != "ns-1." || l.Model.PrimaryServer.ValueString() != "ns-2." || len(l.Model.VPCs) != 1 {
			t.Errorf("got %+v", l.Model)
		}
	}
	public := engine.Live[zone]{Key: engine.Key{"Z1"}, Model: zone{NameServers: attrs.StringList(nil)}}
	if err := fillZone(t.Context(), s, &public); err != nil || public.Model.PrimaryServer.ValueString() != "ns-1" || !public.Model.DelegationSet.IsNull() {
		t.Errorf("got %+v, %v", public.Model, err)
	}
	if err := fillZone(t.Context(), s, &engine.Live[zone]{Key: engine.Key{"Z1"}, Model: zone{NameServers: attrs.StringList(nil)}}); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v, want not found", err)
	}
	const records = "ListResourceRecordSets GET /2013-04-01/hostedzone/Z2/rrset?maxitems=1&name=in.example.com&type=NS"
	wantCalls(t, server, "GetHostedZone GET /2013-04-01/hostedzone/Z2", records, records,
		"GetHostedZone GET /2013-04-01/hostedzone/Z1", "GetHostedZone GET /2013-04-01/hostedzone/Z1")
}

// Accelerated recovery takes a while; its failure is that of the run which asked.
func TestZoneRecovery(t *testing.T) {
	with := func(status, reasons string) string {
		return body("GetHostedZoneResponse", strings.Replace(exampleZone, "</HostedZone>",
			"<Features><AcceleratedRecoveryStatus>"+status+"</AcceleratedRecoveryStatus>"+reasons+"</Features></HostedZone>", 1))
	}
	const why = "<FailureReasons><AcceleratedRecovery>no room</AcceleratedRecovery></FailureReasons>"
	for _, tt := range []struct {
		status string
		on     bool
		state  engine.State
		asked  engine.State
	}{
		{"ENABLING", true, engine.Pending, engine.Pending},
		{"ENABLING_HOSTED_ZONE_LOCKED", true, engine.Pending, engine.Pending},
		{"ENABLED", true, engine.Ready, engine.Ready},
		{"ENABLE_FAILED", false, engine.Ready, engine.Failed},
		{"DISABLING", false, engine.Pending, engine.Pending},
		{"DISABLED", false, engine.Ready, engine.Ready},
		{"DISABLE_FAILED", true, engine.Ready, engine.Failed},
	} {
		s, server := canned.New(t, canned.Answers{
			"GetHostedZone":            {with(tt.status, why), with(tt.status, why)},
			"ListTagsForResource":      {body("ListTagsForResourceResponse", tagsOf("Z1")), body("ListTagsForResourceResponse", tagsOf("Z1"))},
			"UpdateHostedZoneFeatures": {body("UpdateHostedZoneFeaturesResponse")},
		})
		before, err := getZone(t.Context(), s, engine.Key{"Z1"})
		if err != nil || before.State != tt.state || before.Model.Accelerated.ValueBool() != tt.on {
			t.Errorf("%s: got %v, on %s, %v", tt.status, before.State, before.Model.Accelerated, err)
		}
		if err := setZoneRecovery(t.Context(), s, engine.Key{"Z1"}, nil, &zone{Accelerated: types.BoolValue(true)}); err != nil {
			t.Fatal(err)
		}
		after, err := getZone(t.Context(), s, engine.Key{"Z1"})
		if err != nil || after.State != tt.asked || after.State == engine.Failed && !strings.Contains(after.Reason, "no room") {
			t.Errorf("%s, asked for: got %v (%s), %v", tt.status, after.State, after.Reason, err)
		}
		if got, want := server.Calls()[2], "UpdateHostedZoneFeatures POST /2013-04-01/hostedzone/Z1/features "+
			body("UpdateHostedZoneFeaturesRequest", "<EnableAcceleratedRecovery>true</EnableAcceleratedRecovery>"); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
