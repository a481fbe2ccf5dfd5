package tagging_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

// Route 53 takes ten tags a call: removals come first, all of them, and no call does both.
func TestRoute53ZoneWrite(t *testing.T) {
	const done = `<ChangeTagsForResourceResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/"/>`
	s, server := canned.New(t, canned.Answers{"ChangeTagsForResource": {done, done, done, done, "!AccessDenied no"}})
	set, remove := markers.Tags{}, []string{}
	for i := range 12 {
		set[fmt.Sprintf("s%02d", i)] = fmt.Sprint(i)
		remove = append(remove, fmt.Sprintf("r%02d", i))
	}
	k := engine.Key{"Z1"}
	if err := tagging.Route53Zone.Write(t.Context(), s, k, set, remove); err != nil {
		t.Fatal(err)
	}
	if err := tagging.Route53Zone.Write(t.Context(), s, k, set, remove[:1]); !cloud.IsDenied(err) {
		t.Errorf("got %v, want the denial", err)
	}
	if err := tagging.Route53Zone.Write(t.Context(), s, k, nil, nil); err != nil {
		t.Error(err)
	}
	calls := server.Calls()
	if len(calls) != 5 {
		t.Fatalf("%d calls, want two removals, two additions, and a removal after which nothing is added: %q", len(calls), calls)
	}
	for i, want := range []struct {
		first, last, not string
		n                int
	}{
		{"<Key>r00</Key>", "<Key>r09</Key>", "AddTags", 10}, {"<Key>r10</Key>", "<Key>r11</Key>", "AddTags", 2},
		{"<Key>s00</Key><Value>0</Value>", "<Key>s09</Key><Value>9</Value>", "RemoveTagKeys", 10},
		{"<Key>s10</Key><Value>10</Value>", "<Key>s11</Key><Value>11</Value>", "RemoveTagKeys", 2},
		{"<Key>r00</Key>", "<Key>r00</Key>", "AddTags", 1},
	} {
		call := calls[i]
		if !strings.HasPrefix(call, "ChangeTagsForResource POST /2013-04-01/tags/hostedzone/Z1 ") || !strings.Contains(call, want.first) ||
			!strings.Contains(call, want.last) || strings.Contains(call, want.not) || strings.Count(call, "<Key>") != want.n {
			t.Errorf("call %d: %s", i, call)
		}
	}
	if tagging.Route53Zone.FoldsCase() || tagging.Route53Zone.Limit() != 50 {
		t.Error("a zone takes 50 tags, and their keys are compared with case")
	}
}

// The whole marker is in the first call, whatever the user's keys: a zone that was cut off between two is ours, or untagged.
func TestRoute53ZoneMarkerFirst(t *testing.T) {
	const done = `<ChangeTagsForResourceResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/"/>`
	s, server := canned.New(t, canned.Answers{"ChangeTagsForResource": {done, done}})
	set := markers.Tags{markers.EstateKey: "prod", "tofu-address": "estate_route53_zone.main", markers.BindingKey: "01a"}
	for i := range 12 {
		set[fmt.Sprintf("a%02d", i)] = "x"
	}
	if err := tagging.Route53Zone.Write(t.Context(), s, engine.Key{"Z1"}, set, nil); err != nil {
		t.Fatal(err)
	}
	first := server.Calls()[0]
	for _, key := range []string{markers.EstateKey, "tofu-address", markers.BindingKey} {
		if !strings.Contains(first, "<Key>"+key+"</Key>") {
			t.Errorf("the first call does not write %s: %s", key, first)
		}
	}
}
