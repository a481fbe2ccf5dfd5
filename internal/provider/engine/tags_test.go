package engine

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// defaultTags makes default_tags; notYet is an unknown value.
func defaultTags(t *testing.T, of conf) types.Map {
	t.Helper()
	m := map[string]attr.Value{}
	for key, v := range of {
		if s, ok := v.(string); ok {
			m[key] = types.StringValue(s)
		} else {
			m[key] = types.StringUnknown()
		}
	}
	return types.MapValueMust(types.StringType, m)
}

// wantTags fails the test unless the object carries exactly these user tags, and the state shows tags and tags_all.
func (c *core) wantTags(address string, onObject map[string]string, tags, all conf) {
	c.t.Helper()
	kind := c.typeOf(address)[len("estate_"):]
	th := c.world.thing(kind, c.id(address))
	if got := markers.Strip(th.tags, false); !maps.Equal(got, onObject) {
		c.t.Errorf("the object carries %v, wanted %v", got, onObject)
	}
	for name, want := range map[string]conf{"tags": tags, "tags_all": all} {
		w := tftypes.NewValue(tagMapType, nil)
		if want != nil {
			w = configured(c.t, nil, tagMapType, want)
		}
		if got := c.attr(address, name); !got.Equal(w) {
			c.t.Errorf("%s is %s, wanted %s", name, showValue(got), showValue(w))
		}
	}
}

func TestTagsComeAndGo(t *testing.T) {
	t.Parallel()
	w, c := newWidget(t, conf{"size": 1, "tags": conf{"a": "1", "b": "2"}})
	id := c.id(widgetAddress)
	w.edit("widget", id, func(th *thing) { th.tags["cost-centre"] = "42" })
	c.mustBeClean()
	c.set(widgetAddress, conf{"size": 1, "tags": conf{"b": "3", "c": "4"}})
	c.mustApply()
	w.wantCalls("tags.Write")
	c.wantTags(widgetAddress, map[string]string{"b": "3", "c": "4", "cost-centre": "42"}, conf{"b": "3", "c": "4"}, conf{"b": "3", "c": "4"})
	c.set(widgetAddress, conf{"size": 1})
	c.mustApply()
	c.wantTags(widgetAddress, map[string]string{"cost-centre": "42"}, nil, conf{})
	c.mustBeClean()
	c.set(widgetAddress, conf{"size": 1, "tags": conf{}})
	c.mustApply()
	c.mustBeClean()
}

// Drift of our own keys is shown and repaired.
func TestTagDrift(t *testing.T) {
	t.Parallel()
	w, c := newWidget(t, conf{"size": 1, "tags": conf{"a": "1", "b": "2"}})
	w.edit("widget", c.id(widgetAddress), func(th *thing) { th.tags["a"] = "x"; delete(th.tags, "b") })
	p := c.plan()
	p.want(widgetAddress, updates)
	if got := attribute(t, p.entries[widgetAddress].current.value, "tags"); !got.Equal(configured(t, nil, tagMapType, conf{"a": "x"})) {
		t.Errorf("the refresh shows %s", showValue(got))
	}
	c.apply(p).wantNone(t)
	c.wantTags(widgetAddress, map[string]string{"a": "1", "b": "2"}, conf{"a": "1", "b": "2"}, conf{"a": "1", "b": "2"})
}

func TestDefaultTags(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	c.provider.DefaultTags = defaultTags(t, conf{"team": "a", "both": "default"})
	c.set(widgetAddress, conf{"size": 1, "tags": conf{"Name": "n", "both": "mine"}})
	c.mustApply()
	all := conf{"team": "a", "both": "mine", "Name": "n"}
	c.wantTags(widgetAddress, map[string]string{"team": "a", "both": "mine", "Name": "n"}, conf{"Name": "n", "both": "mine"}, all)
	c.mustBeClean()

	// A changed default changes tags_all alone: it is no diff of the user's own tags.
	c.provider.DefaultTags = defaultTags(t, conf{"team": "b", "new": "x"})
	p := c.plan()
	p.want(widgetAddress, updates)
	if !p.attr(widgetAddress, "tags").Equal(attribute(t, p.entries[widgetAddress].current.value, "tags")) {
		t.Errorf("a diff of tags: %v", p.diff(widgetAddress))
	}
	c.apply(p).wantNone(t)
	all = conf{"team": "b", "both": "mine", "Name": "n", "new": "x"}
	c.wantTags(widgetAddress, map[string]string{"team": "b", "both": "mine", "Name": "n", "new": "x"}, conf{"Name": "n", "both": "mine"}, all)
	c.mustBeClean()

	// Without defaults their keys go, and the user's stay.
	c.provider.DefaultTags = types.MapNull(types.StringType)
	c.mustApply()
	c.wantTags(widgetAddress, map[string]string{"both": "mine", "Name": "n"}, conf{"Name": "n", "both": "mine"}, conf{"Name": "n", "both": "mine"})
	c.mustBeClean()
}

// What is unknown of tags at plan is known at apply; what is known already is promised.
func TestUnknownTags(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		tags     any
		defaults conf
		unknown  bool
		all      conf // of the plan
	}{
		"value":                   {conf{"a": notYet, "b": "2"}, nil, false, conf{"a": notYet, "b": "2"}},
		"map":                     {notYet, nil, true, nil},
		"map with defaults":       {notYet, conf{"d": "1"}, true, nil},
		"value of a default":      {conf{"b": "2"}, conf{"d": notYet}, false, conf{"b": "2", "d": notYet}},
		"default that is covered": {conf{"d": "2"}, conf{"d": notYet}, false, conf{"d": "2"}},
		"value over a default":    {conf{"d": notYet}, conf{"d": "1"}, false, conf{"d": notYet}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, before := range []bool{false, true} {
				w := newWorld(t)
				c := newCore(t, w, Of(widgetType(w)))
				if before {
					c.set(widgetAddress, conf{"size": 1, "tags": conf{"old": "1"}})
					c.mustApply()
				}
				c.set(widgetAddress, conf{"size": 1, "tags": tt.tags})
				if tt.defaults != nil {
					c.provider.DefaultTags = defaultTags(t, tt.defaults)
				}
				p := c.plan()
				p.wantNone(t)
				if all := p.attr(widgetAddress, "tags_all"); tt.unknown && all.IsKnown() || !tt.unknown && !all.Equal(configured(t, nil, tagMapType, tt.all)) {
					t.Errorf("tags_all is planned as %s", showValue(all))
				}
				c.set(widgetAddress, conf{"size": 1, "tags": settled(tt.tags)})
				if tt.defaults != nil {
					c.provider.DefaultTags = defaultTags(t, settled(tt.defaults).(conf))
				}
				c.apply(p).wantNone(t)
				c.mustBeClean()
				if th := w.thing("widget", c.id(widgetAddress)); slices.Contains(slices.Collect(maps.Values(th.tags)), "") {
					t.Errorf("an empty tag was written: %v", th.tags)
				}
			}
		})
	}
}

// settled is a map with its unknown values known.
func settled(v any) any {
	m, ok := v.(conf)
	if !ok {
		return conf{"late": "map"}
	}
	out := conf{}
	for key, v := range m {
		if out[key] = v; v == any(notYet) {
			out[key] = "late"
		}
	}
	return out
}

// default_tags that are unknown as a whole leave tags_all open.
func TestUnknownDefaultTags(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	c.set(widgetAddress, conf{"size": 1, "tags": conf{"a": "1"}})
	c.provider.DefaultTags = types.MapUnknown(types.StringType)
	p := c.plan()
	p.wantUnknown(widgetAddress, "tags_all")
	c.provider.DefaultTags = defaultTags(t, conf{"d": "2"})
	c.apply(p).wantNone(t)
	c.wantTags(widgetAddress, map[string]string{"a": "1", "d": "2"}, conf{"a": "1"}, conf{"a": "1", "d": "2"})
	c.mustBeClean()
}

// A null value is no tag: it is not written, and stays null in tags.
func TestNullTagValue(t *testing.T) {
	t.Parallel()
	_, c := newWidget(t, conf{"size": 1, "tags": conf{"a": "1", "none": nil}})
	c.wantTags(widgetAddress, map[string]string{"a": "1"}, conf{"a": "1", "none": nil}, conf{"a": "1"})
	c.set(widgetAddress, conf{"size": 1, "tags": conf{"a": nil}})
	c.mustApply()
	c.wantTags(widgetAddress, map[string]string{}, conf{"a": nil}, conf{})
	c.mustBeClean()
}

func TestForbiddenTagKeys(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		address, key string
		words        []string
	}{
		"marker":                {widgetAddress, "tofu-address-2", []string{"Marker key in tags", "tofu-address-2"}},
		"marker in another way": {"estate_gadget.g", "TOFU-Estate", []string{"Marker key in tags", "TOFU-Estate"}},
		"AWS's own":             {widgetAddress, "aws:x", []string{"Reserved tag key", "aws:x"}},
		"ignored":               {widgetAddress, "skip", []string{"Ignored tag key", "skip"}},
		"ignored by prefix":     {widgetAddress, "kubernetes.io/x", []string{"Ignored tag key", "kubernetes.io/x"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w)
			c.provider.IgnoreKeys, c.provider.IgnorePrefixes = []string{"skip"}, []string{"kubernetes.io/"}
			says := conf{"tags": conf{tt.key: "v"}}
			if c.typeOf(tt.address) == "estate_widget" {
				says["size"] = 1
			}
			c.set(tt.address, says)
			c.plan().wantError(t, tt.words...)
			if len(w.journal) > 0 {
				t.Errorf("calls %v", w.journal)
			}
		})
	}
	// Where the service tells keys apart by case, another case is another key.
	_, c := newWidget(t, conf{"size": 1, "tags": conf{"TOFU-Estate": "v"}})
	c.mustBeClean()
}

// An import takes all user tags into tags, but those that a default says already, that are ignored, or AWS's own.
func TestTagsOfAnImport(t *testing.T) {
	t.Parallel()
	w, c := newWidget(t, conf{"size": 1, "tags": conf{"Name": "n"}})
	id := c.id(widgetAddress)
	w.edit("widget", id, func(th *thing) {
		maps.Copy(th.tags, map[string]string{"team": "a", "env": "other", "aws:stack": "s", "skip": "1", "found": "f"})
	})
	c.lose(widgetAddress)
	c.provider.DefaultTags = defaultTags(t, conf{"team": "a", "env": "prod"})
	c.provider.IgnoreKeys = []string{"skip"}
	c.importID(widgetAddress, id, nil).wantNone(t)
	if got, want := c.attr(widgetAddress, "tags"), configured(t, nil, tagMapType, conf{"Name": "n", "env": "other", "found": "f"}); !got.Equal(want) {
		t.Errorf("tags are %s", showValue(got))
	}
	c.set(widgetAddress, conf{"size": 1, "tags": conf{"Name": "n"}})
	c.mustApply()
	c.mustBeClean()
	got := markers.Strip(w.thing("widget", id).tags, false)
	if want := map[string]string{"Name": "n", "team": "a", "env": "prod", "aws:stack": "s", "skip": "1"}; !maps.Equal(got, want) {
		t.Errorf("the object carries %v", got)
	}
}

// More tags than AWS takes are an error of the plan, and of the apply that finds foreign tags on the object.
func TestTooManyTags(t *testing.T) {
	t.Parallel()
	many := conf{}
	for i := range 47 {
		many[fmt.Sprintf("k%d", i)] = "v"
	}
	w, c := newWidget(t, conf{"size": 1, "tags": many})
	c.set(widgetAddress, conf{"size": 1, "tags": with(many, conf{"one": "more"})})
	c.plan().wantError(t, "Too many tags", "51 tags", "AWS takes 50")
	c.set("estate_widget.b[0]", conf{"size": 1, "tags": many}) // a slot is one more
	c.set(widgetAddress, conf{"size": 1, "tags": many})
	c.plan().wantError(t, "estate_widget.b[0]", "Too many tags")
	c.remove("estate_widget.b[0]")

	id := c.id(widgetAddress)
	w.edit("widget", id, func(th *thing) { th.tags["foreign"] = "x" })
	c.set(widgetAddress, conf{"size": 1, "tags": with(many, conf{"k1": "w"})})
	c.plan().wantError(t, "Too many tags", id, "51 tags", "AWS takes 50", "or from the object")

	// A tag that is put on it after the plan is met before the write.
	w.edit("widget", id, func(th *thing) { delete(th.tags, "foreign") })
	p := c.plan()
	w.edit("widget", id, func(th *thing) { th.tags["foreign"] = "x" })
	w.forget()
	c.apply(p).wantError(t, "51 tags", "AWS takes 50")
	w.wantCalls()
}

// What others have put on an object that would be adopted, or whose marker is to be repaired, counts at plan already.
func TestTooManyTagsOfOthers(t *testing.T) {
	t.Parallel()
	theirs := func(n int, more map[string]string) map[string]string {
		tags := maps.Clone(more)
		for i := range n {
			tags[fmt.Sprintf("theirs%d", i)] = "x"
		}
		return tags
	}
	marker := map[string]string{"tofu-estate": "prod", "tofu-address": widgetAddress}
	w, c := newWidget(t, conf{"size": 1})
	id, binding := c.id(widgetAddress), c.text(widgetAddress, "tofu_binding")
	w.retag("widget", id, theirs(49, map[string]string{"tofu-binding": binding}))
	w.forget()
	c.plan().wantError(t, "Too many tags", id, "52 tags", "AWS takes 50", "Remove 2")

	c.lose(widgetAddress)
	w.retag("widget", id, theirs(48, marker)) // a binding is one more
	c.plan().wantError(t, "Too many tags", id, "51 tags", "AWS takes 50", "Remove 1")
	w.wantNoWrites()

	w.retag("widget", id, theirs(47, marker))
	p := c.plan()
	p.wantNone(t)
	c.apply(p).wantNone(t)
	c.wantOwn(widgetAddress, "widget", id)
}

// A service that folds case has one key where the configuration changes its spelling.
func TestTagsOfAServiceThatFoldsCase(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(gadgetType(w)))
	const address = "estate_gadget.g"
	c.set(address, conf{"name": "g", "tags": conf{"Team": "a"}})
	c.mustApply()
	w.edit("gadget", "g", func(th *thing) { delete(th.tags, "Team"); th.tags["TEAM"] = "a" })
	c.mustBeClean()
	c.set(address, conf{"name": "g"})
	c.mustApply()
	if th := w.thing("gadget", "g"); len(markers.Strip(th.tags, true)) > 0 {
		t.Errorf("the object carries %v", th.tags)
	}
	c.mustBeClean()
}
