package engine

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// An estate is renamed by one tag write for each object, and goes on where it was interrupted.
func TestEstateRename(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)), Of(gadgetType(w)))
	c.set(atA, conf{"size": 1})
	c.set(atB, conf{"size": 1})
	c.set(atG, conf{"name": "g"})
	c.mustApply()
	was := map[string]string{atA: c.id(atA), atB: c.id(atB)}
	c.provider.Estate = types.StringValue("live")

	// Without the old name everything is refused.
	c.plan().wantError(t, "Object of another estate", c.id(atA), `"prod"`, "previous_estates", "removed")
	c.refresh = false
	c.config[atA]["label"], c.config[atB]["label"], c.config[atG]["purpose"] = "x", "x", "x"
	r := c.apply(c.plan())
	for _, a := range []string{atA, atB, atG} {
		r.wantError(t, "Object of another estate", a, "was not changed")
	}
	r = c.destroy()
	for _, a := range []string{atA, atB, atG} {
		r.wantError(t, "Object of another estate", a, "was not deleted")
	}
	delete(c.config[atA], "label")
	delete(c.config[atB], "label")
	delete(c.config[atG], "purpose")
	c.refresh = true
	w.forget()

	c.provider.PreviousEstates = []string{"older", testEstate}
	w.on("tags.Write", func(call call) error {
		if call.id == was[atB] {
			return throttled()
		}
		return nil
	})
	p := c.plan()
	p.wantNone(t)
	for _, a := range []string{atA, atB, atG} {
		p.want(a, updates)
		p.wantText(a, attrEstate, "live")
	}
	c.apply(p).wantError(t, atB, "Throttling")
	w.calm()
	w.forget()
	p = c.plan()
	p.want(atA, noop)
	p.want(atG, noop)
	p.want(atB, updates)
	c.apply(p).wantNone(t)
	if got := w.writes(); !slices.Equal(got, []string{"tags.Write"}) {
		t.Errorf("calls: %v", got)
	}
	for _, a := range []string{atA, atB} {
		if w.tag("widget", c.id(a), "tofu-estate") != "live" || c.id(a) != was[a] {
			t.Errorf("%s: %v", a, w.thing("widget", c.id(a)))
		}
		c.wantOwn(a, "widget", was[a])
	}
	c.provider.PreviousEstates = nil
	c.mustBeClean()
}

// Look-ups, imports and deletions know the previous names too.
func TestPreviousEstates(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T) (*world, *core, string) {
		w, c, id := appliedWidget(t)
		c.provider.Estate, c.provider.PreviousEstates = types.StringValue("live"), []string{testEstate}
		return w, c, id
	}
	t.Run("adoption", func(t *testing.T) {
		w, c, id := start(t)
		c.lose(atA)
		c.mustApply()
		c.wantOwn(atA, "widget", id)
		if w.tag("widget", id, "tofu-estate") != "live" || w.count("widget.Create") > 0 {
			t.Errorf("calls: %v", w.writes())
		}
	})
	t.Run("import", func(t *testing.T) {
		_, c, id := start(t)
		c.lose(atA)
		c.importID(atA, atA, nil).wantNone(t)
		c.mustApply()
		c.wantOwn(atA, "widget", id)
	})
	t.Run("deletion", func(t *testing.T) {
		w, c, _ := start(t)
		c.refresh = false
		c.destroy().wantNone(t)
		w.wantIDs("widget")
	})
	t.Run("adoption without the name", func(t *testing.T) {
		w, c, id := start(t)
		c.provider.PreviousEstates = nil
		c.lose(atA)
		c.mustApply()
		if c.id(atA) == id || w.tag("widget", id, "tofu-estate") != testEstate {
			t.Error("another estate's object was taken")
		}
	})
}

// Another account than the one that the object is in: an error in every operation, before any call.
func TestWrongAccount(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	c.config[atA]["label"] = "x"
	change := c.plan()
	c.remove(atA)
	deletion := c.plan()
	c.set(atA, conf{"size": 1, "label": "x"})
	w.forget()
	c.account(foreignAccountID)
	words := []string{"Wrong AWS account", atA, id, testAccount, foreignAccountID}
	c.refreshOnly().wantError(t, words...)
	c.plan().wantError(t, words...)
	c.apply(change).wantError(t, words...)
	c.apply(deletion).wantError(t, words...)
	c.destroy().wantError(t, words...)
	if !c.holds(atA) || len(w.journal) > 0 {
		t.Errorf("calls: %v", w.journal)
	}
	// The check is off where the account is not asked for.
	c.account("")
	c.mustApply()
	if !w.called("widget.Label", id) {
		t.Error("nothing was changed")
	}
}

// A changed provider region is an error that names both; a changed argument is a replacement, and the old object is
// deleted where it is.
func TestRegionOfAnObject(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	c.region(otherPlace)
	c.plan().wantError(t, "Changed provider region", id, testRegion, otherPlace, `region = "`+testRegion+`"`)
	w.wantNoWrites()
	c.config[atA]["region"] = testRegion
	c.mustBeClean()
	c.config[atA]["region"] = otherPlace
	p := c.plan()
	p.want(atA, replaces)
	c.apply(p).wantNone(t)
	if w.thing("widget", id) != nil || w.thing("widget", c.id(atA)).region != otherPlace {
		t.Errorf("living: %v", w.ids("widget"))
	}
	c.mustBeClean()
	c.region(testRegion)
	c.mustBeClean()
	c.destroy().wantNone(t)
	w.wantIDs("widget")
}

// What a destroy does is said by the state, so that it holds when the block is gone.
func TestOnDestroy(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"release", "keep", "refuse", "delete"} {
		t.Run(mode, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(widgetType(w)))
			c.set(atA, conf{"size": 1, "tofu_on_destroy": mode, "tags": conf{"Name": "a"}})
			c.mustApply()
			id := c.id(atA)
			before := w.thing("widget", id).tags
			w.forget()
			c.remove(atA)
			p := c.plan()
			if mode == "refuse" {
				p.wantError(t, "Destroy refused", id, `tofu_on_destroy is "refuse"`, `tofu_on_destroy = "delete"`)
				w.wantNoWrites()
				c.set(atA, conf{"size": 1, "tofu_on_destroy": "refuse"})
				c.destroy().wantError(t, "Destroy refused", id)
				w.wantNoWrites()
				return
			}
			c.apply(p).wantQuiet(t)
			c.wantGone(atA)
			switch th := w.thing("widget", id); {
			case mode == "delete" && th != nil:
				t.Error("it was not deleted")
			case mode == "keep" && (th == nil || th.tags["tofu-binding"] != before["tofu-binding"] || len(w.writes()) > 0):
				t.Errorf("it was touched: %v", th)
			case mode == "release" && (th == nil || len(th.tags) != 1 || th.tags["Name"] != "a"):
				t.Errorf("it was not released: %v", th)
			}
		})
	}
}

// refuse holds in Delete itself, whatever was planned; release lets go only of what is ours.
func TestOnDestroyAtApply(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	c.remove(atA)
	p := c.plan()
	st := p.entries[atA].current
	o := objectOf(st.value)
	o[attrOnDestroy] = str(onDestroyRefuse)
	st.value = o.value(st.value.Type())
	c.apply(p).wantError(t, "Destroy refused", id)
	w.wantNoWrites()
	o[attrOnDestroy] = str(onDestroyRelease)
	st.value = o.value(st.value.Type())
	w.retag("widget", id, tagsWith(w.thing("widget", id).tags, "tofu-estate", "dev"))
	c.apply(p).wantError(t, "Object of another estate", id)
	w.wantNoWrites()
}

// A replacement that would leave two holders, or a taken name, is an error at plan.
func TestReplacementOfAKeptObject(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		address, mode string
		refused       []string
	}{
		{atA, "keep", []string{"Replacement of a kept object", `"keep"`}}, {atG, "keep", []string{"Replacement of a kept object"}},
		{atG, "release", []string{"Replacement of a kept object", `"release"`}}, {atA, "refuse", []string{"Destroy refused"}}, {atA, "release", nil},
	} {
		t.Run(tt.address+" "+tt.mode, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(widgetType(w)), Of(gadgetType(w)))
			c.set(atA, conf{"size": 1})
			c.set(atG, conf{"name": "g"})
			c.config[tt.address]["tofu_on_destroy"] = tt.mode
			c.mustApply()
			id := c.id(tt.address)
			w.forget()
			if tt.address == atA {
				c.config[atA]["size"] = 2
			} else {
				c.config[atG]["path"] = "/new/"
			}
			p := c.plan()
			if tt.refused != nil {
				p.wantError(t, append(tt.refused, tt.address, id)...)
				w.wantNoWrites()
				return
			}
			c.apply(p).wantNone(t)
			if got := w.thing("widget", id); got == nil || len(got.tags) > 0 || c.id(atA) == id {
				t.Errorf("it was not released: %v", got)
			}
		})
	}
}

// An empty region is no region: it would be the provider's for the calls, and another object's place for the registers. Nor is
// one that AWS has not: an endpoint that answers for every name would show it empty.
func TestNoRegion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	for _, region := range []string{"", "eu-nowhere-9"} {
		c.set(atA, conf{"size": 1, "region": region})
		c.plan().wantError(t, atA, "region")
		w.wantNoWrites()
	}
	c.config[atA]["region"] = nil
	c.mustApply()
	c.config[atA]["region"] = "eu-nowhere-9"
	c.plan().wantError(t, atA, "Unknown AWS region", "eu-nowhere-9", "skip_region_validation")
}

// -replace of an object that its destruction leaves where it is: the first call of such a plan knows nothing of it.
func TestForcedReplacementOfAKeptObject(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		address, mode string
		refused       []string
	}{
		{atA, "keep", []string{"Replacement of a kept object", `"keep"`}}, {atG, "keep", []string{"Replacement of a kept object", `"keep"`}},
		{atG, "release", []string{"Replacement of a kept object", `"release"`}}, {atA, "refuse", []string{"Destroy refused"}},
		{atA, "release", nil}, {atG, "delete", nil},
	} {
		for _, cbd := range []bool{false, true} {
			t.Run(tt.address+" "+tt.mode, func(t *testing.T) {
				w := newWorld(t)
				c := newCore(t, w, Of(widgetType(w)), Of(gadgetType(w)))
				c.set(atA, conf{"size": 1})
				c.set(atG, conf{"name": "g"})
				c.config[tt.address]["tofu_on_destroy"] = tt.mode
				c.mustApply()
				w.forget()
				c.force[tt.address], c.cbd[tt.address] = true, cbd
				p := c.plan()
				if w.wantNoWrites(); tt.refused == nil {
					p.wantNone(t)
					p.want(tt.address, replaces)
					return
				}
				p.wantError(t, append(tt.refused, tt.address)...)
			})
		}
	}
}
