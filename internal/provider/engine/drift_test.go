package engine

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// What AWS computes may change between a plan and its apply: that is no reason to refuse an update.
func TestComputedValueDriftsBeforeAnUpdate(t *testing.T) {
	t.Parallel()
	edit := func(w *world, id string, change func(*widget)) {
		w.edit("widget", id, func(th *thing) {
			is := *modelOf[widget](th)
			change(&is)
			th.model = &is
		})
	}
	for _, refresh := range []bool{true, false} {
		w, c, id := appliedWidget(t)
		c.refresh = refresh
		c.config[atA]["label"] = "x"
		p := c.plan()
		edit(w, id, func(is *widget) { is.ARN = types.StringValue("arn:new") })
		c.apply(p).wantNone(t)
		if !w.called("widget.Label", id) {
			t.Errorf("calls: %v", w.writes())
		}
		c.refresh = true
		c.mustApply()
		if got := c.text(atA, "arn"); got != "arn:new" {
			t.Errorf("the arn is %s", got)
		}

		// What the configuration says and no update changes is another matter.
		c.config[atA]["label"] = "y"
		p = c.plan()
		edit(w, id, func(is *widget) { is.Size = types.Int64Value(7) })
		w.forget()
		c.apply(p).wantError(t, "Object changed since the plan", "size")
		w.wantNoWrites()
	}

	// It makes no predecessor of an object either.
	w, c, id := appliedWidget(t)
	c.lose(atA)
	p := c.plan()
	p.wantText(atA, "id", id)
	edit(w, id, func(is *widget) { is.ARN = types.StringValue("arn:newer") })
	if r := c.apply(p); has(r.errors(), "Object in the way") || len(w.ids("widget")) != 1 {
		t.Errorf("living: %v, %v", w.ids("widget"), r.list)
	}
}

// AWS does not count its own tags, and IAM takes keys that differ in case for one.
func TestTagsThatDoNotCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := widgetType(w)
	d.Tags = worldTagger{w: w, kind: "widget", limit: 5, place: inRegion}
	c := newCore(t, w, Of(d))
	id := w.addWidget(1, tagsWith(tagsWith(marked(atA, aBinding), "aws:cloudformation:stack-id", "x"), "aws:cloudformation:stack-name", "y"))
	c.set(atA, conf{"size": 1, "tags": conf{"a": "1", "b": "2"}})
	c.mustApply() // an adoption
	c.wantOwn(atA, "widget", id)
	c.config[atA]["tags"] = conf{"a": "1", "c": "2"}
	c.mustApply()
	w.retag("widget", id, tagsWith(w.thing("widget", id).tags, "somebodys", "x"))
	c.config[atA]["tags"] = conf{"a": "2", "c": "2"}
	c.plan().wantError(t, atA, "6 tags", "takes 5")

	w = newWorld(t)
	g := gadgetType(w)
	g.Tags = worldTagger{w: w, kind: "gadget", limit: 5, folds: true, place: nowhere}
	c = newCore(t, w, Of(g))
	w.addGadget("g", tagsWith(tagsWith(marked(atG, aBinding), "Name", "x"), "OWNER", "y"))
	c.set(atG, conf{"name": "g", "tags": conf{"name": "a", "owner": "b"}})
	c.mustApply()
	c.wantOwn(atG, "gadget", "g")
	if n := len(w.thing("gadget", "g").tags); n != 5 {
		t.Errorf("tags: %v", w.thing("gadget", "g").tags)
	}
}

// A malformed object that an entry holds is that entry's to repair, and in nobody else's way.
func TestMalformedObjectOfAnotherEntry(t *testing.T) {
	t.Parallel()
	for _, refresh := range []bool{true, false} {
		w, c, id := appliedWidget(t)
		w.retag("widget", id, tagsWith(w.thing("widget", id).tags, "tofu-address", "rubbish"))
		c.set(atB, conf{"size": 1})
		c.readsFirst = true
		c.refresh = refresh
		p := c.plan()
		p.wantNone(t)
		p.want(atB, creates)
		if c.refresh = true; refresh { // else the apply is told of b alone, and may take the object for b's
			p.want(atA, updates) // the repair
			c.apply(p).wantNone(t)
		}
		c.mustApply()
		c.wantOwn(atA, "widget", id)
		c.wantOwn(atB, "widget", c.id(atB))
		w.wantIDs("widget", id, c.id(atB))
		c.mustBeClean()
	}
	// Without an entry it may be the one that is looked for.
	w, c, id := appliedWidget(t)
	w.retag("widget", id, tagsWith(w.thing("widget", id).tags, "tofu-address", "rubbish"))
	c.lose(atA)
	c.plan().wantError(t, "Malformed marker", id)
}
