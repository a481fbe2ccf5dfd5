package engine

import (
	"maps"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Exactly one way, each in its own form; unknown arguments are no error before they are known.
func TestDataArguments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(searchable(w)), Of(gadgetType(w)), Of(jointType(w)), Of(pairType(w)))
	const kind = "estate_widget"
	for name, tt := range map[string]struct {
		kind string
		says conf
		want []string
	}{
		"none":             {kind, conf{}, []string{"No object asked for", `tofu_address = "estate_widget.NAME"`, `id = "…"`, "tags = {", "filter {"}},
		"none, no filters": {"estate_gadget", conf{"tags": conf{}}, []string{"No object asked for", `name = "…"`}},
		"address and key":  {kind, conf{"tofu_address": atA, "id": "x"}, []string{"several ways", "id, by tofu_address"}},
		"address and tags": {kind, conf{"tofu_address": atA, "tags": conf{"a": "b"}}, []string{"several ways", "tofu_address", "tags"}},
		"key and filter": {
			kind, conf{"id": "x", "filter": []any{conf{"name": "a", "values": []any{"b"}}}}, []string{"several ways", "id, by filter"},
		},
		"another type":        {kind, conf{"tofu_address": atG}, []string{"Bad tofu_address", "estate_gadget", `tofu_address = "estate_widget.NAME"`}},
		"no address":          {kind, conf{"tofu_address": "widget"}, []string{"Bad tofu_address"}},
		"two keys":            {kind, conf{"tofu_address": atA + "[1]", "tofu_key": "2"}, []string{"Bad tofu_key", `tofu_key = "KEY"`}},
		"bad estate":          {kind, conf{"tofu_address": atA, "tofu_estate": "Prod"}, []string{"Bad tofu_estate", `tofu_estate = "ESTATE"`}},
		"key without address": {kind, conf{"id": "x", "tofu_key": "1"}, []string{"Useless tofu_key", `tofu_address = "…"`}},
		"tags with tofu_key":  {kind, conf{"tags": conf{"a": "b"}, "tofu_key": "1"}, []string{"Useless tofu_key"}},
		"estate without use":  {kind, conf{"id": "x", "tofu_estate": "prod"}, []string{"Useless tofu_estate"}},
		"marker in tags":      {kind, conf{"tags": conf{"tofu-address": "x"}}, []string{"Marker key in tags", `Remove "tofu-address"`}},
		"folded marker":       {"estate_gadget", conf{"tags": conf{"Tofu-Address": "x"}}, []string{"Marker key in tags"}},
		"empty id":            {kind, conf{"id": ""}, []string{"id", "at least 1"}},
		"empty estate":        {kind, conf{"tofu_address": atA, "tofu_estate": ""}, []string{"tofu_estate", "at least 1"}},
		"half a key":          {"estate_pair", conf{"left": "x"}, []string{"Incomplete key", "left, right"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.data(tt.kind, tt.says)
			got.wantError(t, tt.want...)
		})
	}
	for name, says := range map[string]conf{
		"address": {"tofu_address": notYet}, "key": {"tofu_address": atA, "tofu_key": notYet}, "estate": {"tofu_address": atA, "tofu_estate": notYet},
		"id": {"id": notYet}, "id beside an address": {"id": notYet, "tofu_address": atA}, "tags": {"tags": notYet}, "a tag": {"tags": conf{"a": notYet}},
		"filter": {"filter": notYet}, "values": {"filter": []any{conf{"name": "a", "values": notYet}}},
	} {
		var m messages
		if c.start(false).validateData(&m, kind, says); len(m.list) > 0 {
			t.Errorf("unknown %s: %v", name, m.list)
		}
	}
	var m messages
	if c.start(false).validateData(&m, "estate_joint", conf{"gadget": notYet, "name": "j"}); len(m.list) > 0 {
		t.Errorf("an unknown part of a key: %v", m.list)
	}
	if n := w.count("widget.") + w.count("gadget."); n > 0 {
		t.Errorf("%d calls", n)
	}
}

// pairType is a Named type with two parts in its key, of which none is generated.
func pairType(w *world) ResourceType[pairModel] {
	d := ResourceType[pairModel]{
		Name: "pair", Service: "Test", Doc: doc("A pair"), Tier: Named, Global: true, Identity: []Part{{Attr: "left"}, {Attr: "right"}},
		Tags: worldTagger{w: w, kind: "pair", limit: 50, place: nowhere}, Attrs: maps.Clone(jointType(w).Attrs),
	}
	d.Attrs["left"], d.Attrs["right"] = d.Attrs["gadget"], d.Attrs["name"]
	for _, name := range []string{"gadget", "name", "policy", "weight"} {
		delete(d.Attrs, name)
	}
	return d
}

type pairModel struct {
	Left  types.String `tfsdk:"left"`
	Right types.String `tfsdk:"right"`
}
