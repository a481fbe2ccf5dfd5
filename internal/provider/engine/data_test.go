package engine

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// of marks an object as another estate's.
func of(estate string, tags map[string]string) map[string]string {
	return tagsWith(tags, "tofu-estate", estate)
}

// searchable is a widget whose listing takes filters on the color.
func searchable(w *world) ResourceType[widget] {
	d := widgetType(w)
	d.Search = func(_ context.Context, s *cloud.Session, filters []Filter) iter.Seq2[Live[widget], error] {
		return func(yield func(Live[widget], error) bool) {
			var found []Live[widget]
			err := w.call("widget.Search", s.Region, fmt.Sprint(filters), func() error {
				for _, th := range w.listLocked("widget", s.Region) {
					l := liveOf[widget](th)
					if !slices.ContainsFunc(filters, func(f Filter) bool {
						return f.Name != "color" || !slices.Contains(f.Values, l.Model.Color.ValueString())
					}) {
						found = append(found, l)
					}
				}
				return nil
			})
			for _, l := range found {
				if !yield(l, nil) {
					return
				}
			}
			if err != nil {
				yield(Live[widget]{}, err)
			}
		}
	}
	return d
}

// A data source shows what the resource's own state shows, and what is on the object besides.
func TestDataShowsTheObject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	c.set("estate_widget.a[1]", conf{
		"size": 1, "label": "x", "rule": "Allow All", "secret": "hunter2", "secret_version": 1, "tags": conf{"Name": "a", "Skip": "b"},
	})
	c.mustApply()
	id, binding := c.id("estate_widget.a[1]"), c.text("estate_widget.a[1]", attrBinding)
	c.provider.IgnoreKeys = []string{"Skip"}
	for name, says := range map[string]conf{
		"by key":     {"id": id},
		"by address": {"tofu_address": atA, "tofu_key": "1"},
		"by tags":    {"tags": conf{"Name": "a"}},
	} {
		w.forget()
		got := c.data("estate_widget", says)
		got.wantNone(t)
		is, state := objectOf(got.value), objectOf(c.current("estate_widget.a[1]").value)
		for _, name := range []string{"arn", "color", "fingerprint", "label", "late", "size", "id", "region", "tofu_estate", "tofu_slot", "tofu_binding"} {
			if !is[name].Equal(state[name]) {
				t.Errorf("%s: %s is %s, the resource's is %s", name, name, showValue(is[name]), showValue(state[name]))
			}
		}
		got.wantText("rule", "allowall")
		got.wantText("tofu_binding", binding)
		if tags := knownTags(is["tags"]); !maps.Equal(tags, map[string]string{"Name": "a"}) {
			t.Errorf("%s: the tags are %v", name, tags)
		}
		for _, name := range []string{"secret", "secret_version", "force", "timeouts", "tags_all", "on_existing", "adopt_unmarked", "tofu_on_destroy", "filter"} {
			if _, there := is[name]; there {
				t.Errorf("the data source has %s", name)
			}
		}
		w.wantNoWrites()
	}
	if got := c.data("estate_widget", conf{"id": id}); text(got.attr("tofu_address")) != "estate_widget.a[1]" || !got.attr("tofu_key").IsNull() {
		t.Errorf("the address by key is %s and %s", got.attr("tofu_address"), got.attr("tofu_key"))
	}
	got := c.data("estate_widget", conf{"tofu_address": atA, "tofu_key": "1"})
	got.wantText("tofu_address", atA)
	got.wantText("tofu_key", "1")
}

// Nested attributes and blocks keep their shape and lose what only a resource has.
func TestDataShowsNestedValues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(nestType(w)))
	one := conf{"name": "n"}
	c.set("estate_nest.n", conf{
		"title": "t", "one": one, "items": []any{one}, "members": []any{one}, "table": conf{"k": one}, "words": []any{"w"}, "pairs": conf{"a": "b"},
		"conf": conf{"mode": "m", "inner": []any{one}}, "rules": []any{conf{"name": "r", "ports": []any{1, 2}, "inner": []any{one}}}, "grants": []any{one},
	})
	c.mustApply()
	got := c.data("estate_nest", conf{"id": c.id("estate_nest.n")})
	state := objectOf(c.current("estate_nest.n").value)
	for _, name := range []string{"title", "one", "items", "members", "table", "auto", "words", "names", "pairs", "zones", "conf", "rules", "grants"} {
		if is := got.attr(name); !is.Equal(state[name]) {
			t.Errorf("%s is %s, the resource's is %s", name, showValue(is), showValue(state[name]))
		}
	}
}

// Another estate's object is found by its address, exactly.
func TestDataOfAnotherEstate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	ours := w.addWidget(1, marked(atA, aBinding))
	theirs := w.addWidget(2, of("network", marked(atA, otherBinding)))
	keyed := w.addWidget(3, of("network", marked(`module.m["x"].estate_widget.a["k:1"]`, aBinding)))
	aws := w.addWidget(4, of("network", map[string]string{"tofu-address": "aws_widget.w"}))
	oldest := w.addWidget(5, of("network", map[string]string{"tofu-address": "estate_widget.o:10.0.0.0/16"}))
	w.addWidget(6, of("network2", marked(atB, aBinding)))
	for want, says := range map[string]conf{
		ours:   {"tofu_address": atA},
		theirs: {"tofu_address": atA, "tofu_estate": "network"},
		keyed:  {"tofu_address": `module.m["x"].estate_widget.a`, "tofu_key": "k:1", "tofu_estate": "network"},
		aws:    {"tofu_address": "estate_widget.w", "tofu_estate": "network"},
		oldest: {"tofu_address": `estate_widget.o["10.0.0.0/16"]`, "tofu_estate": "network"},
	} {
		got := c.data("estate_widget", says)
		got.wantText("id", want)
		got.wantText("tofu_address", says["tofu_address"].(string))
	}
	c.data("estate_widget", conf{"tofu_address": "aws_widget.w", "tofu_estate": "network"}).wantText("id", aws)
	c.data("estate_widget", conf{"tofu_address": atA, "tofu_estate": testEstate}).wantText("id", ours)

	none := c.data("estate_widget", conf{"tofu_address": atB, "tofu_estate": "network"})
	none.wantError(t, "Object not found", `"network"`, testRegion, atB, "tofu state list", "tofu apply")

	// Names of the estate count with our own address only.
	c.provider.Estate, c.provider.PreviousEstates = types.StringValue("live"), []string{testEstate}
	c.data("estate_widget", conf{"tofu_address": atA}).wantText("id", ours)
	c.data("estate_widget", conf{"tofu_address": atA, "tofu_estate": testEstate}).wantText("id", ours)
	c.data("estate_widget", conf{"tofu_address": atB, "tofu_estate": "other"}).wantError(t, "Object not found", `"other"`)
	w.wantNoWrites()
}

// What is dead, another account's or in another region is no answer; what cannot be read is named.
func TestDataPassesOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	tags := func() map[string]string { return tagsWith(of("network", marked(atA, aBinding)), "Name", "n") }
	dead, foreign := w.addWidget(1, tags()), w.addWidget(1, tags())
	far := w.add(thing{kind: "widget", region: otherPlace, tags: tags(), model: &widget{Size: types.Int64Value(1)}})
	w.setState("widget", dead, Gone, "terminated")
	w.edit("widget", foreign, func(th *thing) { th.owner = foreignAccountID })
	damaged := w.addWidget(1, map[string]string{"tofu-estate": "network"})
	asked := conf{"tofu_address": atA, "tofu_estate": "network"}
	c.data("estate_widget", asked).wantError(t, "Object not found", "cannot be read", damaged)
	c.data("estate_widget", conf{"tags": conf{"Name": "n"}}).wantError(t, "Object not found", `Name = "n"`, testRegion)
	c.data("estate_widget", conf{"id": dead}).wantError(t, "Object not found", dead, "terminated")
	c.data("estate_widget", conf{"id": foreign}).wantError(t, "Object of another account", foreignAccountID, testAccount, "provider = estate.ALIAS")
	c.data("estate_widget", conf{"id": far}).wantError(t, "Object not found", far, testRegion)

	got := c.data("estate_widget", conf{"tofu_address": atA, "tofu_estate": "network", "region": otherPlace})
	got.wantText("id", far)
	got.wantText("region", otherPlace)
	c.data("estate_widget", conf{"id": far, "region": otherPlace}).wantText("id", far)

	living := w.addWidget(1, tags())
	c.data("estate_widget", asked).wantText("id", living)
	c.data("estate_widget", conf{"tags": conf{"Name": "n"}}).wantText("id", living)
	twin := w.addWidget(1, tags())
	c.data("estate_widget", asked).wantError(t, "Several objects found", atA, `"network"`, living, twin)
	c.data("estate_widget", conf{"tags": conf{"Name": "n"}}).wantError(t, "Several objects found", living, twin)
	w.wantNoWrites()
}

// By tags: all of them, on anybody's object, or on one estate's.
func TestDataByTags(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	bare := w.addWidget(1, map[string]string{"Name": "n", "Team": "red"})
	ours := w.addWidget(1, tagsWith(marked(atA, aBinding), "Name", "n"))
	theirs := w.addWidget(1, tagsWith(of("network", marked(atA, aBinding)), "Name", "n"))
	got := c.data("estate_widget", conf{"tags": conf{"Name": "n", "Team": "red"}})
	got.wantText("id", bare)
	got.wantText("tofu_address", "")
	got.wantText("tofu_estate", "")
	c.data("estate_widget", conf{"tags": conf{"Name": "n"}, "tofu_estate": "network"}).wantText("id", theirs)
	c.data("estate_widget", conf{"tags": conf{"Name": "n"}, "tofu_estate": testEstate}).wantText("id", ours)
	c.data("estate_widget", conf{"tags": conf{"Name": "n"}}).wantError(t, "Several objects found", bare, ours, theirs)
	c.data("estate_widget", conf{"tags": conf{"Name": "N"}}).wantError(t, "Object not found")

	w.addGadget("g", map[string]string{"name": "n"})
	c.data("estate_gadget", conf{"tags": conf{"Name": "n"}}).wantText("id", "g") // a service that folds case
}

// By filters of the service's own, with tags beside them.
func TestDataByFilter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(searchable(w)))
	red := w.addWidget(1, map[string]string{"Name": "n"})
	w.addWidget(1, map[string]string{"Name": "m"})
	w.edit("widget", red, func(th *thing) {
		m := *modelOf[widget](th)
		m.Color = types.StringValue("red")
		th.model = &m
	})
	color := func(values ...any) conf { return conf{"name": "color", "values": values} }
	w.forget()
	got := c.data("estate_widget", conf{"filter": []any{color("red", "blue")}})
	got.wantText("id", red)
	if n := len(elements(got.attr("filter"))); n != 1 || w.count("widget.List") != 0 || w.count("widget.Search") != 1 {
		t.Errorf("%d filters are shown; the calls are %v", n, w.journal)
	}
	c.data("estate_widget", conf{"filter": []any{color("red", "grey")}, "tags": conf{"Name": "n"}}).wantText("id", red)
	c.data("estate_widget", conf{"filter": []any{color("red", "grey")}}).wantError(t, "Several objects found", `color among ["red" "grey"]`)
	c.data("estate_widget", conf{"filter": []any{color("blue")}}).wantError(t, "Object not found", `color among ["blue"]`)
	c.data("estate_widget", conf{"filter": []any{color("red")}, "tofu_estate": "network"}).wantError(t, "Object not found", `"network"`)
	w.deny("widget.Search")
	c.data("estate_widget", conf{"filter": []any{color("red")}}).wantError(t, "AWS call failed", "AccessDenied")
	w.wantNoWrites()
}

// Named, Composed and Setting objects are read by their keys.
func TestDataByKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	c.set(atG, conf{"name": "g", "purpose": "p"})
	c.set(atJ, conf{"gadget": "g", "name": "j", "policy": "Allow"})
	c.set(atK, conf{"gadget": "g", "level": "high"})
	c.order = []string{atG}
	c.mustApply()
	got := c.data("estate_gadget", conf{"name": "g"})
	got.wantText("purpose", "p")
	got.wantText("tofu_address", atG)
	c.data("estate_gadget", conf{"tofu_address": atG}).wantText("name", "g")
	got = c.data("estate_joint", conf{"gadget": "g", "name": "j"})
	got.wantText("id", "g:j")
	got.wantText("policy", "allow")
	c.data("estate_knob", conf{"gadget": "g"}).wantText("level", "high")
	c.data("estate_joint", conf{"gadget": "g", "name": "x"}).wantError(t, "Object not found", "g:x", "this account")
	c.data("estate_gadget", conf{"name": "x"}).wantError(t, "Object not found", "data.estate_gadget (x)")
	w.deny("gadget.Get")
	c.data("estate_gadget", conf{"name": "x"}).wantError(t, "AWS call failed", "AccessDenied")
}
