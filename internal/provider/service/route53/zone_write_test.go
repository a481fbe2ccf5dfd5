package route53

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

func canDo(id, status string) *r53types.ChangeInfo {
	return &r53types.ChangeInfo{Id: aws.String("/change/" + id), Status: r53types.ChangeStatus(status)}
}

func invalidBatch(words ...string) error { return &r53types.InvalidChangeBatch{Messages: words} }

func vpcs(pairs ...string) []zoneVPC {
	var out []zoneVPC
	for _, p := range pairs {
		id, region, _ := strings.Cut(p, "@")
		out = append(out, zoneVPC{types.StringValue(id), attrs.String(&region)})
	}
	return out
}

// The token is the caller reference; tags are not in the call, and of several networks the first.
func TestCreateZone(t *testing.T) {
	made := body("CreateHostedZoneResponse", strings.Replace(exampleZone, "Z1", "Z9", 1), changeInfo("C1", "PENDING"))
	s, server := canned.New(t, canned.Answers{
		"CreateHostedZone": {made, made, "!409 HostedZoneAlreadyExists it exists"},
		"GetHostedZone":    {body("GetHostedZoneResponse", strings.Replace(exampleZone, "Z1", "Z9", 1))},
		"ListTagsForResource": {
			body("ListTagsForResourceResponse", tagsOf("Z9")),
		},
		"GetChange": {body("GetChangeResponse", changeInfo("C1", "PENDING"))},
	})
	public := &zone{Name: attrs.NewDNSName(aws.String("Example.com.")), Comment: types.StringValue("c"), DelegationSet: types.StringValue("N1")}
	k, err := createZone(t.Context(), s, public, map[string]string{"a": "1"}, "token")
	if err != nil || k.String() != "Z9" {
		t.Fatalf("got %s, %v", k, err)
	}
	if l, err := getZone(t.Context(), s, k); err != nil || l.State != engine.Pending {
		t.Errorf("a new zone is %v, %v", l.State, err)
	}
	private := &zone{Name: attrs.NewDNSName(aws.String("example.com")), Comment: types.StringValue(""), VPCs: vpcs("vpc-1", "vpc-2@us-east-1")}
	if _, err := createZone(t.Context(), s, private, nil, "token"); err != nil {
		t.Fatal(err)
	}
	if _, err := createZone(t.Context(), s, private, nil, "token"); !cloud.HasCode(err, "HostedZoneAlreadyExists") {
		t.Errorf("got %v", err)
	}
	post := "CreateHostedZone POST /2013-04-01/hostedzone "
	want := post + body("CreateHostedZoneRequest", "<CallerReference>token</CallerReference><DelegationSetId>N1</DelegationSetId>"+
		"<HostedZoneConfig><Comment>c</Comment></HostedZoneConfig><Name>example.com</Name>")
	if got := server.Calls()[0]; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want = post + body("CreateHostedZoneRequest", "<CallerReference>token</CallerReference>"+
		"<HostedZoneConfig><Comment></Comment><PrivateZone>true</PrivateZone></HostedZoneConfig><Name>example.com</Name>"+
		"<VPC><VPCId>vpc-1</VPCId><VPCRegion>eu-west-1</VPCRegion></VPC>")
	if got := server.Calls()[4]; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestZoneUpdates(t *testing.T) {
	s, server := canned.New(t, canned.Answers{
		"UpdateHostedZoneComment":       {body("UpdateHostedZoneCommentResponse", exampleZone)},
		"AssociateVPCWithHostedZone":    {body("AssociateVPCWithHostedZoneResponse", changeInfo("C1", "PENDING")), "!PublicZoneVPCAssociation no"},
		"DisassociateVPCFromHostedZone": {body("DisassociateVPCFromHostedZoneResponse", changeInfo("C2", "PENDING")), "!LastVPCAssociation no"},
		"GetChange":                     {body("GetChangeResponse", changeInfo("C2", "PENDING"))},
	})
	k := engine.Key{"Z1"}
	if err := setZoneComment(t.Context(), s, k, nil, &zone{Comment: types.StringValue("new")}); err != nil {
		t.Error(err)
	}
	before, after := &zone{VPCs: vpcs("vpc-1@eu-west-1", "vpc-2@us-east-1")}, &zone{VPCs: vpcs("vpc-1@eu-west-1", "vpc-3")}
	if err := setZoneVPCs(t.Context(), s, k, before, after); err != nil {
		t.Error(err)
	}
	if state, _, err := arrival(t.Context(), s, "Z1"); state != engine.Pending || err != nil {
		t.Errorf("the last change is not waited for: %v, %v", state, err)
	}
	if err := setZoneVPCs(t.Context(), s, k, &zone{}, after); !cloud.HasCode(err, "PublicZoneVPCAssociation") {
		t.Errorf("got %v", err)
	}
	if err := setZoneVPCs(t.Context(), s, k, before, &zone{}); !cloud.HasCode(err, "LastVPCAssociation") {
		t.Errorf("got %v", err)
	}
	network := func(id, region string) string {
		return "<VPC><VPCId>" + id + "</VPCId><VPCRegion>" + region + "</VPCRegion></VPC>"
	}
	associate := func(id, region string) string {
		return "AssociateVPCWithHostedZone POST /2013-04-01/hostedzone/Z1/associatevpc " + body("AssociateVPCWithHostedZoneRequest", network(id, region))
	}
	disassociate := func(id, region string) string {
		return "DisassociateVPCFromHostedZone POST /2013-04-01/hostedzone/Z1/disassociatevpc " + body("DisassociateVPCFromHostedZoneRequest", network(id, region))
	}
	wantCalls(t, server,
		"UpdateHostedZoneComment POST /2013-04-01/hostedzone/Z1 "+body("UpdateHostedZoneCommentRequest", "<Comment>new</Comment>"),
		associate("vpc-3", "eu-west-1"), disassociate("vpc-2", "us-east-1"), "GetChange GET /2013-04-01/change/C2",
		associate("vpc-1", "eu-west-1"), disassociate("vpc-1", "eu-west-1"))
}

func recordXML(name, kind, inside string) string {
	return "<ResourceRecordSet><Name>" + name + "</Name><Type>" + kind + "</Type>" + inside + "</ResourceRecordSet>"
}

func recordsXML(rest string, records ...string) string {
	return body("ListResourceRecordSetsResponse", "<ResourceRecordSets>"+strings.Join(records, "")+"</ResourceRecordSets>", rest)
}

func valuesXML(ttl int, values ...string) string {
	out := fmt.Sprintf("<TTL>%d</TTL><ResourceRecords>", ttl)
	for _, v := range values {
		out += "<ResourceRecord><Value>" + v + "</Value></ResourceRecord>"
	}
	return out + "</ResourceRecords>"
}

const lastPage = "<IsTruncated>false</IsTruncated>"

// Only force_destroy ends the signing and takes the records, all pages of them, and never the zone's own two. Each step waits
// for the one before.
func TestDeleteZone(t *testing.T) {
	records := recordsXML("<IsTruncated>true</IsTruncated><NextRecordName>b.example.com.</NextRecordName><NextRecordType>A</NextRecordType>",
		recordXML("example.com.", "NS", valuesXML(1, "ns")), recordXML("example.com.", "SOA", valuesXML(1, "soa")),
		recordXML("a.example.com.", "NS", valuesXML(1, "ns")))
	more := recordsXML(lastPage, recordXML("b.example.com.", "A", valuesXML(1, "192.0.2.1")))
	own := recordsXML(lastPage, recordXML("example.com.", "NS", valuesXML(1, "ns")))
	done := body("DeleteHostedZoneResponse", changeInfo("C1", "PENDING"))
	notSigned := body("GetDNSSECResponse", "<Status><ServeSignature>NOT_SIGNING</ServeSignature></Status>")
	s, server := canned.New(t, canned.Answers{
		"DeleteHostedZone": {done, done}, "GetHostedZone": {zoneNamed("example.com.")},
		"ListResourceRecordSets":   {records, more, own},
		"ChangeResourceRecordSets": {body("ChangeResourceRecordSetsResponse", changeInfo("C2", "PENDING"))},
		"GetDNSSEC":                {body("GetDNSSECResponse", "<Status><ServeSignature>SIGNING</ServeSignature></Status>"), notSigned, notSigned},
		"DisableHostedZoneDNSSEC":  {body("DisableHostedZoneDNSSECResponse", changeInfo("C3", "PENDING"))},
		"GetChange": {
			body("GetChangeResponse", changeInfo("C3", "PENDING")), body("GetChangeResponse", changeInfo("C3", "INSYNC")),
			body("GetChangeResponse", changeInfo("C2", "PENDING")), body("GetChangeResponse", changeInfo("C2", "INSYNC")),
		},
	})
	k := engine.Key{"Z1"}
	if err := deleteZone(t.Context(), s, k, &zone{ForceDestroy: types.BoolValue(false)}); err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"C3", "C2", ""} {
		err := deleteZone(t.Context(), s, k, &zone{ForceDestroy: types.BoolValue(true)})
		if passes := busy(err); passes != (way != "") || err != nil && !strings.Contains(err.Error(), way) {
			t.Fatalf("got %v while the change %q is on its way", err, way)
		}
	}
	removed := func(record string) string {
		return "<Change><Action>DELETE</Action>" + record + "</Change>"
	}
	const ask, list = "GetDNSSEC GET /2013-04-01/hostedzone/Z1/dnssec", "ListResourceRecordSets GET /2013-04-01/hostedzone/Z1/rrset?maxitems=300"
	wantCalls(t, server, "DeleteHostedZone DELETE /2013-04-01/hostedzone/Z1",
		ask, "DisableHostedZoneDNSSEC POST /2013-04-01/hostedzone/Z1/disable-dnssec", "GetChange GET /2013-04-01/change/C3",
		"GetChange GET /2013-04-01/change/C3", ask, "GetHostedZone GET /2013-04-01/hostedzone/Z1", list, list+"&name=b.example.com.&type=A",
		"ChangeResourceRecordSets POST /2013-04-01/hostedzone/Z1/rrset "+body("ChangeResourceRecordSetsRequest", "<ChangeBatch><Changes>"+
			removed("<ResourceRecordSet><Name>a.example.com.</Name><ResourceRecords><ResourceRecord><Value>ns</Value></ResourceRecord></ResourceRecords><TTL>1</TTL><Type>NS</Type></ResourceRecordSet>")+
			removed("<ResourceRecordSet><Name>b.example.com.</Name><ResourceRecords><ResourceRecord><Value>192.0.2.1</Value></ResourceRecord></ResourceRecords><TTL>1</TTL><Type>A</Type></ResourceRecordSet>")+
			"</Changes></ChangeBatch>"), "GetChange GET /2013-04-01/change/C2",
		"GetChange GET /2013-04-01/change/C2", ask, list, "DeleteHostedZone DELETE /2013-04-01/hostedzone/Z1")
}

// A zone that was deleted is on its way until all name servers know; then it is gone.
func TestDeletedZoneIsPending(t *testing.T) {
	s, _ := canned.New(t, canned.Answers{
		"DeleteHostedZone": {body("DeleteHostedZoneResponse", changeInfo("C1", "PENDING"))}, "GetHostedZone": {noZone, noZone, noZone, noZone, "!AccessDenied no"},
		"GetChange": {body("GetChangeResponse", changeInfo("C1", "PENDING")), "!AccessDenied no", body("GetChangeResponse", changeInfo("C1", "INSYNC"))},
	})
	k := engine.Key{"Z1"}
	if _, err := getZone(t.Context(), s, k); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("of a zone that others deleted: got %v", err)
	}
	if err := deleteZone(t.Context(), s, k, &zone{}); err != nil {
		t.Fatal(err)
	}
	if l, err := getZone(t.Context(), s, k); err != nil || l.State != engine.Pending || l.Key.String() != "Z1" {
		t.Errorf("got %+v, %v", l, err)
	}
	if _, err := getZone(t.Context(), s, k); !cloud.IsDenied(err) {
		t.Errorf("got %v, want the denial of GetChange", err)
	}
	if _, err := getZone(t.Context(), s, k); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v, want not found", err)
	}
	if _, err := getZone(t.Context(), s, k); !cloud.IsDenied(err) {
		t.Errorf("got %v, want the denial", err)
	}
}

// Whether a zone is signed is asked for before a record goes; only words that say that it cannot be are taken for no.
func TestUnsignZone(t *testing.T) {
	signing := body("GetDNSSECResponse", "<Status><ServeSignature>SIGNING</ServeSignature></Status>")
	force := &zone{ForceDestroy: types.BoolValue(true)}
	for _, tt := range []struct {
		answer, disabled string
		goesOn, passes   bool
	}{
		{body("GetDNSSECResponse", "<Status><ServeSignature>NOT_SIGNING</ServeSignature></Status>"), "", true, false},
		{body("GetDNSSECResponse"), "", true, false},
		{"!DNSSECNotFound none", "", true, false},
		{"!InvalidArgument Operation is unsupported for private hosted zones", "", true, false},
		{"!403 AccessDenied The operation GetDNSSEC is not available for the current AWS account", "", true, false},
		{"!InvalidArgument something else", "", false, false},
		{"!403 AccessDenied User is not authorized to perform: route53:GetDNSSEC", "", false, false},
		{signing, "!DNSSECNotFound none", true, false},
		{signing, noZone, true, false},
		{signing, "!InvalidArgument Operation is unsupported for private hosted zones", true, false},
		{signing, "!KeySigningKeyInParentDSRecord Due to DNS lookup failure", false, true},
		{signing, "!403 AccessDenied no", false, false},
	} {
		answers := canned.Answers{"GetDNSSEC": {tt.answer}}
		if tt.disabled != "" {
			answers["DisableHostedZoneDNSSEC"] = []string{tt.disabled}
		}
		if tt.goesOn {
			answers["GetHostedZone"], answers["ListResourceRecordSets"] = []string{zoneNamed("example.com.")}, []string{recordsXML(lastPage)}
			answers["DeleteHostedZone"] = []string{body("DeleteHostedZoneResponse", changeInfo("C1", "INSYNC"))}
		}
		s, _ := canned.New(t, answers)
		if err := deleteZone(t.Context(), s, engine.Key{"Z1"}, force); (err == nil) != tt.goesOn || busy(err) != tt.passes {
			t.Errorf("%s, %s: got %v", tt.answer, tt.disabled, err)
		}
	}
	s, server := canned.New(t, nil)
	if done, err := unsignZone(t.Context(), s, "Z1", &zone{VPCs: vpcs("vpc-1")}); done != nil || err != nil || len(server.Calls()) > 0 {
		t.Errorf("a private zone: got %v, %v after %q", done, err, server.Calls())
	}
}

// No batch is larger than Route 53 takes, and nothing is lost between two.
func TestBatches(t *testing.T) {
	one := func(values, length int) r53types.Change {
		r := &r53types.ResourceRecordSet{}
		for range values {
			r.ResourceRecords = append(r.ResourceRecords, r53types.ResourceRecord{Value: aws.String(strings.Repeat("x", length))})
		}
		return r53types.Change{ResourceRecordSet: r}
	}
	many := func(n int, c r53types.Change) []r53types.Change {
		out := make([]r53types.Change, n)
		for i := range out {
			out[i] = c
		}
		return out
	}
	for _, tt := range []struct {
		name string
		all  []r53types.Change
		want []int
	}{
		{"nothing", nil, nil},
		{"few", many(3, one(1, 9)), []int{3}},
		{"many aliases", many(901, one(0, 0)), []int{900, 1}},
		{"many values", many(4, one(400, 1)), []int{2, 2}},
		{"long values", many(5, one(1, 14000)), []int{2, 2, 1}},
		{"one that is too long alone", many(2, one(1, 40000)), []int{1, 1}},
	} {
		var got []int
		for rest := tt.all; len(rest) > 0; {
			var b bulk
			for len(rest) > 0 && b.add(rest[0]) {
				rest = rest[1:]
			}
			got = append(got, len(b.changes))
		}
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
