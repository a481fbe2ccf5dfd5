package acceptance

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// markerDrift is what somebody does to the marker of an object that a state holds.
type markerDrift struct {
	remove []string
	set    map[string]string
	// shows is what a refresh then shows of estate and address, "" for nothing.
	estate, address string
}

// repairable are the drifts that leave the object provably ours, by for_each key.
var repairable = map[string]markerDrift{
	"stripped":  {remove: []string{TagEstate, TagAddress, TagBinding}},
	"nobodys":   {remove: []string{TagEstate}},
	"moved":     {set: map[string]string{TagAddress: "TYPE.other"}, estate: "drift", address: "TYPE.other"},
	"malformed": {set: map[string]string{TagAddress: "no address"}, estate: "drift", address: "no address"},
}

// taken are the drifts that say that the object is somebody else's.
var taken = map[string]markerDrift{
	"stripped":  {set: map[string]string{TagEstate: "somebody-elses"}},
	"nobodys":   {set: map[string]string{TagAddress: "TYPE.other", TagBinding: "01other"}},
	"moved":     {remove: []string{TagEstate}, set: map[string]string{TagBinding: "01other"}},
	"malformed": {set: map[string]string{TagAddress: "no address", TagBinding: "01other"}},
}

// happen makes the drift on each object of the state, by its key.
func happen(t *testing.T, w *Workspace, drifts map[string]markerDrift) {
	t.Helper()
	for address, i := range w.MustState(t) {
		d := drifts[keyOf(address)]
		set := map[string]string{"theirs": "kept"}
		if i.Type != "estate_s3_bucket" { // of which the emulator takes AWS's own tags from nobody
			set["aws:createdBy"] = "kept"
		}
		for key, v := range d.set {
			set[key] = strings.Replace(v, "TYPE", i.Type, 1)
		}
		retag(t, w, i, d.remove, set)
	}
}

// keyOf is the for_each key of an address.
func keyOf(address string) string {
	_, rest, _ := strings.Cut(address, `["`)
	return strings.TrimSuffix(rest, `"]`)
}

// TestBehaviour14MarkerDriftIsSeenAndRepaired: what somebody does to a marker by hand is shown, and undone where that is
// safe.
//
// Given an object of each type with tags, when its marker is taken off or edited and other tags are put on it, then the
// plan shows the marker as it is and as it will be, a destroy waits for the repair, and the apply writes nothing but the
// marker. The other tags stay. Where the new marker says that the object is another's, the plan is an error and the object is
// left as it is.
func TestBehaviour14MarkerDriftIsSeenAndRepaired(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		startTagged(t, w, "drift", `["stripped", "nobodys", "moved", "malformed"]`)
		held := ids(t, w)

		happen(t, w, repairable)
		mark := w.Proxy.Mark()
		w.Destroy(ctx, "-refresh=false").MustFail(t, "was not deleted", "Write the marker again first, then destroy")
		p := w.Plan(ctx).MustOnly(t, Update, slices.Collect(maps.Keys(held))...)
		w.MustNotWrite(t, mark)
		for address, i := range w.MustState(t) {
			c, d := p.Change(address), repairable[keyOf(address)]
			shown := Instance{Attributes: c.Before}
			if shown.Text("tofu_estate") != d.estate || shown.Text("tofu_address") != strings.Replace(d.address, "TYPE", i.Type, 1) {
				t.Errorf("%s: the plan shows %v", address, c.Before)
			}
			if c.After["tofu_estate"] != "drift" || c.After["tofu_address"] != i.Type+".a" || c.After["tofu_key"] != keyOf(address) {
				t.Errorf("%s: the plan writes %v, %v, %v", address, c.After["tofu_estate"], c.After["tofu_address"], c.After["tofu_key"])
			}
		}
		w.ApplyPlan(ctx).Must(t)
		w.MustCall(t, mark, "write anything but tags", 0, faultproxy.And(faultproxy.Writes(), faultproxy.Not(TagWrites())))
		mustAgree(t, w, "drift")
		w.Plan(ctx).MustBeEmpty(t)
		for address, tags := range tagsOf(t, w) {
			if tags["theirs"] != "kept" || tags["aws:createdBy"] != "kept" && !strings.HasPrefix(address, "estate_s3_bucket.") {
				t.Errorf("%s has the tags %v", address, tags)
			}
		}

		happen(t, w, taken)
		before := tagsOf(t, w)
		mark = w.Proxy.Mark()
		refused := w.Plan(ctx).MustFail(t, "was not changed")
		for address, id := range held {
			if !slices.ContainsFunc(refused.Errors(), func(d Diagnostic) bool { return strings.Contains(d.Detail, address+" ("+id+")") }) {
				t.Errorf("no error is about %s (%s)", address, id)
			}
		}
		w.Destroy(ctx, "-refresh=false").MustFail(t, "was not deleted")
		w.MustNotWrite(t, mark)
		if now := tagsOf(t, w); !maps.EqualFunc(now, before, maps.Equal[map[string]string, map[string]string]) {
			t.Errorf("the tags were %v and are %v", before, now)
		}
		if now := ids(t, w); !maps.Equal(now, held) {
			t.Errorf("the state held %v and holds %v", held, now)
		}
	})
}
