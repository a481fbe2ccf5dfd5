package route53

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"
	"github.com/google/go-cmp/cmp"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

func wantCalls(t *testing.T, server *canned.AWS, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, server.Calls()); diff != "" {
		t.Errorf("calls, want - got +\n%s", diff)
	}
}

func keys[M any](t *testing.T, seq iter.Seq2[engine.Live[M], error]) []string {
	t.Helper()
	var out []string
	for l, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, l.Key.String())
	}
	return out
}

// lastError returns the keys that came before the error of a listing.
func lastError[M any](seq iter.Seq2[engine.Live[M], error]) (before []string, err error) {
	for l, err := range seq {
		if err != nil {
			return before, err
		}
		before = append(before, l.Key.String())
	}
	return before, nil
}

// body is an XML document of Route 53's namespace.
func body(root string, inside ...string) string {
	return "<" + root + ` xmlns="https://route53.amazonaws.com/doc/2013-04-01/">` + strings.Join(inside, "") + "</" + root + ">"
}

const exampleZone = "<HostedZone><Id>/hostedzone/Z1</Id><Name>example.com.</Name><CallerReference>ref</CallerReference></HostedZone>"

func zoneNamed(name string) string {
	return body("GetHostedZoneResponse", strings.Replace(exampleZone, "example.com.", name, 1))
}

func tagsOf(id string, pairs ...string) string {
	out := "<ResourceTagSet><ResourceType>hostedzone</ResourceType><ResourceId>" + id + "</ResourceId><Tags>"
	for pair := range slices.Chunk(pairs, 2) {
		out += "<Tag><Key>" + pair[0] + "</Key><Value>" + pair[1] + "</Value></Tag>"
	}
	return out + "</Tags></ResourceTagSet>"
}

func changeInfo(id, status string) string {
	return "<ChangeInfo><Id>/change/" + id + "</Id><Status>" + status + "</Status><SubmittedAt>2026-11-30T12:00:00Z</SubmittedAt></ChangeInfo>"
}

const noZone = "!404 NoSuchHostedZone No hosted zone found with ID: Z1"

// A change is asked for until it has arrived, and never again.
func TestArrival(t *testing.T) {
	s, server := canned.New(t, canned.Answers{"GetChange": {
		body("GetChangeResponse", changeInfo("C1", "PENDING")), "!Throttling Rate exceeded",
		body("GetChangeResponse", changeInfo("C1", "INSYNC")), "!404 NoSuchChange unknown",
	}})
	state := func(object string) (engine.State, error) {
		state, reason, err := arrival(t.Context(), s, object)
		if pending := state == engine.Pending; pending != strings.Contains(reason, "C1") {
			t.Errorf("the reason of %v is %q", state, reason)
		}
		return state, err
	}
	changed(s, "Z1", canDo("C1", "PENDING"))
	changed(s, "Z1", nil)
	changed(s, "Z2", canDo("C2", "INSYNC"))
	if got, err := state("Z1"); got != engine.Pending || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := state("Z1"); !busy(err) {
		t.Errorf("got %v, want the throttling", err)
	}
	for range 2 {
		if got, err := state("Z1"); got != engine.Ready || err != nil {
			t.Errorf("got %v, %v", got, err)
		}
	}
	if got, err := state("Z2"); got != engine.Ready || err != nil {
		t.Errorf("a change that arrived at once: got %v, %v", got, err)
	}
	changed(s, "Z3", canDo("C3", "PENDING"))
	if got, err := state("Z3"); got != engine.Ready || err != nil {
		t.Errorf("a change that AWS has forgotten: got %v, %v", got, err)
	}
	one := "GetChange GET /2013-04-01/change/C1"
	wantCalls(t, server, one, one, one, "GetChange GET /2013-04-01/change/C3")
}

// Route 53 words the refusal of a batch in one text or in a list; both show.
func TestRefusedBatch(t *testing.T) {
	s, _ := canned.New(t, canned.Answers{"ChangeResourceRecordSets": {
		"!InvalidChangeBatch [Tried to create resource record set [name='www.example.com.', type='A'] but it already exists]",
	}})
	_, err := change(t.Context(), s, "Z1", r53types.Change{Action: r53types.ChangeActionCreate, ResourceRecordSet: &r53types.ResourceRecordSet{
		Name: aws.String("www.example.com"), Type: r53types.RRTypeA,
	}})
	if !refusedFor(err, "already exists") || refusedFor(err, "not found") || busy(err) {
		t.Errorf("got %v", err)
	}
	err = inWords(invalidBatch("one", "two"))
	if cloud.Message(err) != "one; two" || !refusedFor(err, "two") {
		t.Errorf("got %v", err)
	}
	if refusedFor(errors.New("two"), "two") {
		t.Error("an error without a code is taken for a refusal")
	}
}
