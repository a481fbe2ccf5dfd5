package engine

import (
	"context"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

const widgetAddress = "estate_widget.a"

// newWidget has one widget created, and an empty journal.
func newWidget(t *testing.T, says conf, kinds ...Type) (*world, *core) {
	t.Helper()
	w := newWorld(t)
	if len(kinds) == 0 {
		kinds = []Type{Of(widgetType(w))}
	}
	return w, bareWidget(t, w, says, kinds...)
}

func bareWidget(t *testing.T, w *world, says conf, kinds ...Type) *core {
	t.Helper()
	c := newCore(t, w, kinds...)
	c.set(widgetAddress, says)
	c.mustApply()
	c.mustBeClean()
	w.forget()
	return c
}

// wantCalls fails the test unless exactly these calls changed something.
func (w *world) wantCalls(want ...string) {
	w.t.Helper()
	if got := w.writes(); !slices.Equal(got, want) {
		w.t.Errorf("calls %v, wanted %v", got, want)
	}
}

func TestComputedValuesAreKept(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		says    conf
		unknown []string
		calls   []string
	}{
		"one attribute":            {conf{"size": 1, "color": "red", "label": "l"}, nil, []string{"widget.Color"}},
		"one that recomputes":      {conf{"size": 1, "label": "m"}, []string{"fingerprint"}, []string{"widget.Label"}},
		"removed, and recomputes":  {conf{"size": 1}, []string{"fingerprint"}, []string{"widget.Label"}},
		"two, in the type's order": {conf{"size": 1, "label": "m", "color": "red"}, []string{"fingerprint"}, []string{"widget.Color", "widget.Label"}},
		"tags":                     {conf{"size": 1, "label": "l", "tags": conf{"a": "b"}}, nil, []string{"tags.Write"}},
		"optional and computed":    {conf{"size": 1, "label": "l", "late": true}, nil, []string{"widget.Late"}},
	} {
		t.Run(name, func(t *testing.T) {
			w, c := newWidget(t, conf{"size": 1, "label": "l"})
			c.set(widgetAddress, tt.says)
			p := c.plan()
			p.want(widgetAddress, updates)
			for _, name := range []string{"id", "arn", "fingerprint", "color", "late", "region", "tofu_binding", "tofu_estate", "tofu_slot"} {
				if known := p.attr(widgetAddress, name).IsKnown(); known == slices.Contains(tt.unknown, name) {
					t.Errorf("%s is planned as %s", name, p.attr(widgetAddress, name))
				}
			}
			c.apply(p).wantNone(t)
			w.wantCalls(tt.calls...)
			c.mustBeClean()
		})
	}
}

// An attribute that AWS may recompute stays where the configuration gives it.
func TestRecomputesSparesWhatIsConfigured(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := widgetType(w)
	d.Updates[1].Recomputes = []string{"fingerprint", "color"}
	c := bareWidget(t, w, conf{"size": 1, "color": "red"}, Of(d))
	c.set(widgetAddress, conf{"size": 1, "color": "red", "label": "l"})
	p := c.plan()
	p.wantText(widgetAddress, "color", "red")
	c.apply(p).wantNone(t)
	c.set(widgetAddress, conf{"size": 1, "label": "m"})
	p = c.plan()
	p.wantUnknown(widgetAddress, "color", "fingerprint")
	c.apply(p).wantNone(t)
	c.mustBeClean()
}

func TestReplacement(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before, after conf
		want          action
		replace       []string
	}{
		"in no update":              {conf{"size": 1}, conf{"size": 2}, replaces, []string{"size"}},
		"with a mutable one":        {conf{"size": 1}, conf{"size": 2, "color": "red"}, replaces, []string{"size"}},
		"by value":                  {conf{"size": 1, "label": "fixed"}, conf{"size": 1, "label": "other"}, replaces, []string{"label"}},
		"not by another value":      {conf{"size": 1, "label": "free"}, conf{"size": 1, "label": "other"}, updates, nil},
		"unknown immutable":         {conf{"size": 1}, conf{"size": notYet}, replaces, []string{"size"}},
		"unknown value-dependent":   {conf{"size": 1, "label": "fixed"}, conf{"size": 1, "label": notYet}, updates, nil},
		"same value, other calls":   {conf{"size": 1}, conf{"size": 1, "label": "l"}, updates, nil},
		"region given as it is":     {conf{"size": 1}, conf{"size": 1, "region": testRegion}, noop, nil},
		"region given as another":   {conf{"size": 1}, conf{"size": 1, "region": otherPlace}, replaces, []string{"region"}},
		"region known only at last": {conf{"size": 1}, conf{"size": 1, "region": notYet}, replaces, []string{"region"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			d := widgetType(w)
			d.Replaces = func(prior, plan *widget) []string {
				if prior.Label.ValueString() == "fixed" && !plan.Label.Equal(prior.Label) {
					return []string{"label"}
				}
				return nil
			}
			c := bareWidget(t, w, tt.before, Of(d))
			c.set(widgetAddress, tt.after)
			p := c.plan()
			p.want(widgetAddress, tt.want)
			if got := p.changes[widgetAddress].replace; !slices.Equal(got, tt.replace) {
				t.Errorf("replaced for %v, wanted %v", got, tt.replace)
			}
		})
	}
}

// What only the configuration and the state know is changed without a call, reads included.
func TestWordsOfTheConfigurationMakeNoCall(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ before, after conf }{
		"timeouts":        {conf{}, conf{"timeouts": conf{"create": "5m"}}},
		"on_existing":     {conf{}, conf{"on_existing": "error"}},
		"tofu_on_destroy": {conf{}, conf{"tofu_on_destroy": "keep"}},
		"adopt_unmarked":  {conf{}, conf{"adopt_unmarked": true}},
		"a setting":       {conf{"force": true}, conf{}},
		"key into address": {
			conf{"tofu_address": "estate_widget.a", "tofu_key": "k"}, conf{"tofu_address": `estate_widget.a["k"]`},
		},
		"decimal key into address": {
			conf{"tofu_address": "estate_widget.a", "tofu_key": "2"}, conf{"tofu_address": `estate_widget.a[2]`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, c := newWidget(t, with(tt.before, conf{"size": 1}))
			c.set(widgetAddress, with(tt.after, conf{"size": 1}))
			p := c.plan()
			p.want(widgetAddress, updates)
			w.forget()
			c.apply(p).wantNone(t)
			if len(w.journal) > 0 {
				t.Errorf("calls %v", w.journal)
			}
			c.mustBeClean()
		})
	}
}

// A text in other words is no change at all.
func TestSameMeaningIsNoChange(t *testing.T) {
	t.Parallel()
	w, c := newWidget(t, conf{"size": 1, "rule": "Allow  ALL"})
	c.set(widgetAddress, conf{"size": 1, "rule": "allow all"})
	c.mustBeClean()
	c.set(widgetAddress, conf{"size": 1, "rule": "allow ALL", "color": "red"})
	p := c.plan()
	p.wantText(widgetAddress, "rule", "Allow  ALL")
	c.apply(p).wantNone(t)
	w.wantCalls("widget.Color")
	c.set(widgetAddress, conf{"size": 1, "rule": "deny", "color": "red"})
	c.mustApply()
	w.wantCalls("widget.Color", "widget.Rule")
	c.mustBeClean()
}

func TestWriteOnlyAndItsVersion(t *testing.T) {
	t.Parallel()
	w, c := newWidget(t, conf{"size": 1, "secret": "one", "secret_version": 1})
	id := c.id(widgetAddress)
	secret := func(want string) {
		t.Helper()
		if got := w.thing("widget", id).secret; got != want {
			t.Errorf("AWS has the secret %q, wanted %q", got, want)
		}
		if !c.attr(widgetAddress, "secret").IsNull() {
			t.Error("the secret is in state")
		}
	}
	secret("one")
	c.set(widgetAddress, conf{"size": 1, "secret": "two", "secret_version": 1})
	c.mustBeClean()
	c.set(widgetAddress, conf{"size": 1, "secret": "two", "secret_version": 2})
	c.mustApply()
	w.wantCalls("widget.Secret")
	secret("two")
	c.mustBeClean()
}

// Settings are kept in state though AWS never returns them, and the last known ones reach Delete.
func TestSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := widgetType(w)
	remove, forced := d.Delete, false
	d.Delete = func(ctx context.Context, s *cloud.Session, k Key, prior *widget) error {
		forced = prior.Force.ValueBool()
		return remove(ctx, s, k, prior)
	}
	c := bareWidget(t, w, conf{"size": 1}, Of(d))
	if v := c.attr(widgetAddress, "force"); v.IsNull() || flag(v) {
		t.Errorf("force is %s", v)
	}
	c.set(widgetAddress, conf{"size": 1, "force": true})
	c.mustApply()
	c.refreshOnly()
	if !flag(c.attr(widgetAddress, "force")) {
		t.Error("a refresh lost the setting")
	}
	c.remove(widgetAddress)
	c.mustApply()
	if !forced {
		t.Error("Delete was not told")
	}
}

// A setting that no Update names forces replacement, but not for the first plan after an import: nobody knows its value.
func TestSettingWithoutUpdate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := widgetType(w)
	d.Updates = slices.DeleteFunc(d.Updates, func(u Update[widget]) bool { return u.Attrs[0] == "force" })
	c := bareWidget(t, w, conf{"size": 1, "force": true}, Of(d))
	id := c.id(widgetAddress)
	c.set(widgetAddress, conf{"size": 1})
	c.plan().want(widgetAddress, replaces)
	c.set(widgetAddress, conf{"size": 1, "force": true})
	c.lose(widgetAddress)
	c.importID(widgetAddress, id, nil).wantNone(t)
	p := c.plan()
	p.want(widgetAddress, updates)
	c.apply(p).wantNone(t)
	c.mustBeClean()
	if c.id(widgetAddress) != id {
		t.Error("it was replaced")
	}
}

// After an import settings have their default, and all that is planned is the new binding.
func TestPlanAfterImport(t *testing.T) {
	t.Parallel()
	w, c := newWidget(t, conf{"size": 1, "rule": "A B", "tags": conf{"Name": "n"}})
	id := c.id(widgetAddress)
	c.lose(widgetAddress)
	c.importID(widgetAddress, id, nil).wantNone(t)
	if !c.attr(widgetAddress, "tofu_binding").IsNull() {
		t.Error("the import took the binding")
	}
	p := c.plan()
	p.want(widgetAddress, updates)
	p.wantUnknown(widgetAddress, "tofu_binding")
	for _, d := range p.diff(widgetAddress) {
		if d[:len("tofu_binding")] != "tofu_binding" && d[:len("rule")] != "rule" {
			t.Errorf("planned %s", d)
		}
	}
	c.apply(p).wantNone(t)
	w.wantCalls("tags.Write")
	c.mustBeClean()
}

// Adoption with a mutable attribute that is not known yet plans it unknown, and everything else as it is.
func TestAdoptionWithUnknownValue(t *testing.T) {
	t.Parallel()
	w, c := newWidget(t, conf{"size": 1, "color": "red", "rule": "A B"})
	id := c.id(widgetAddress)
	c.lose(widgetAddress)
	c.set(widgetAddress, conf{"size": 1, "color": notYet, "rule": "a b", "label": "l"})
	p := c.plan()
	p.want(widgetAddress, creates)
	p.wantText(widgetAddress, "id", id)
	p.wantText(widgetAddress, "rule", "a b")
	p.wantUnknown(widgetAddress, "color", "fingerprint", "tofu_binding")
	c.set(widgetAddress, conf{"size": 1, "color": "blue", "rule": "a b", "label": "l"})
	c.apply(p).wantNone(t)
	w.wantCalls("tags.Write", "widget.Color", "widget.Label")
	c.mustBeClean()
}

// With an immutable attribute unknown nobody can say yet whether the object fits.
func TestAdoptionWithUnknownImmutable(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 2} {
		w, c := newWidget(t, conf{"size": 1})
		c.lose(widgetAddress)
		c.set(widgetAddress, conf{"size": notYet})
		p := c.plan()
		p.wantNone(t)
		p.wantWarning(t, "decided at apply")
		p.wantUnknown(widgetAddress, "id", "arn")
		c.set(widgetAddress, conf{"size": size})
		c.apply(p).wantNone(t)
		c.refreshOnly()
		if n := len(w.ids("widget")); n != size {
			t.Errorf("size %d: %d widgets exist", size, n)
		}
	}
}

// The region of an object is its own, whatever the provider's default is now.
func TestRegions(t *testing.T) {
	t.Parallel()
	t.Run("default of the provider", func(t *testing.T) {
		_, c := newWidget(t, conf{"size": 1})
		if got := c.text(widgetAddress, "region"); got != testRegion {
			t.Errorf("region %q", got)
		}
		c.region(otherPlace)
		c.plan().wantError(t, "Changed provider region", testRegion, otherPlace)
		c.set(widgetAddress, conf{"size": 1, "region": testRegion})
		c.mustBeClean()
	})
	t.Run("argument", func(t *testing.T) {
		w, c := newWidget(t, conf{"size": 1, "region": otherPlace})
		for _, c := range w.journal {
			if c.region != otherPlace {
				t.Errorf("call %v", c)
			}
		}
		c.set(widgetAddress, conf{"size": 1, "region": otherPlace, "color": "red"})
		c.mustApply()
		c.set(widgetAddress, conf{"size": 1, "region": testRegion, "color": "red"})
		p := c.plan()
		p.want(widgetAddress, replaces)
		c.apply(p).wantNone(t)
		c.mustBeClean()
		if th := w.thing("widget", c.id(widgetAddress)); th.region != testRegion || len(w.ids("widget")) != 1 {
			t.Errorf("the object is in %s", th.region)
		}
	})
	t.Run("argument that is unset keeps the region", func(t *testing.T) {
		_, c := newWidget(t, conf{"size": 1, "region": otherPlace})
		c.set(widgetAddress, conf{"size": 1})
		c.plan().wantError(t, "Changed provider region", testRegion, otherPlace)
	})
	t.Run("deletion", func(t *testing.T) {
		w, c := newWidget(t, conf{"size": 1})
		c.region(otherPlace)
		c.remove(widgetAddress)
		c.mustApply()
		if len(w.ids("widget")) > 0 {
			t.Error("the object is still there")
		}
	})
	t.Run("unknown", func(t *testing.T) {
		w := newWorld(t)
		c := newCore(t, w)
		c.set(widgetAddress, conf{"size": 1, "region": notYet})
		p := c.plan()
		p.wantUnknown(widgetAddress, "region", "id")
		c.set(widgetAddress, conf{"size": 1, "region": otherPlace})
		c.apply(p).wantNone(t)
		c.mustBeClean()
	})
	t.Run("global type", func(t *testing.T) {
		c := newCore(t, newWorld(t))
		c.set("estate_gadget.g", conf{"name": "g"})
		c.mustApply()
		c.region(otherPlace)
		c.mustBeClean()
	})
}

// While the provider's configuration is unknown nothing is read, and what there is to find is left to the apply.
func TestUnknownConfiguration(t *testing.T) {
	t.Parallel()
	for name, unknown := range map[string]func(*Configuration){
		"access": func(p *Configuration) { p.Session, p.Unknown = nil, []string{"region"} },
		"access and estate": func(p *Configuration) {
			p.Session, p.Unknown, p.Estate = nil, []string{"region", "estate"}, types.StringUnknown()
		},
		"estate": func(p *Configuration) { p.Estate, p.Unknown = types.StringUnknown(), []string{"estate"} },
	} {
		t.Run(name, func(t *testing.T) {
			w, c := newWidget(t, conf{"size": 1, "color": "red"})
			const other = "estate_widget.b"
			c.set(other, conf{"size": 1})
			c.set("estate_gadget.g", conf{"name": "g"})
			c.types = append(c.types, Of(gadgetType(w)))
			c.levels = nil
			known := c.provider
			unknown(&c.provider)
			p := c.plan()
			p.wantNone(t)
			p.wantUnknown(other, "id", "arn", "tofu_binding")
			p.want("estate_gadget.g", creates)
			p.wantWarning(t, other, "decided at apply")
			if known.Session != c.provider.Session {
				p.wantWarning(t, widgetAddress, "Existing objects not checked")
				if len(w.journal) > 0 {
					t.Errorf("calls %v", w.journal)
				}
			}
			if r := c.apply(p); !has(r.errors(), "Provider configuration unknown") || len(w.writes()) > 0 {
				t.Errorf("an apply with an unknown configuration said %v", r.list)
			}
			c.provider = known
			c.apply(p).wantNone(t)
			c.mustBeClean()
		})
	}
}
