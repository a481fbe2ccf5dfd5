package engine

import (
	"context"
	"iter"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// A parent's entry is lost while the child, whose reference replaces it, is still in the state: the plan knows the
// parent's id, so that the child stays.
func TestLostParentDoesNotReplaceItsChildren(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	kind := twigType(w)
	c := newCore(t, w, Of(widgetType(w)), Of(kind))
	c.set(atA, conf{"size": 1, "color": "red"})
	c.mustApply()
	id := c.id(atA)
	c.set("estate_twig.c", conf{"parent": id})
	c.mustApply()
	kid := c.id("estate_twig.c")
	c.lose(atA)
	w.forget()
	p := c.plan()
	p.want(atA, creates)
	p.wantText(atA, "id", id)
	p.wantText(atA, "arn", text(p.attr(atA, "arn")))
	// What the child refers to is what the plan says of the parent.
	c.set("estate_twig.c", conf{"parent": text(p.attr(atA, "id"))})
	p = c.plan()
	p.want("estate_twig.c", noop)
	c.apply(p).wantNone(t)
	c.wantOwn(atA, "widget", id)
	c.wantOwn("estate_twig.c", "twig", kid)
	w.wantNever("widget.Create")
	w.wantNever("twig.Delete")
	c.mustBeClean()

	// The other way round: were the id unknown, core would replace the child. That is what the known id prevents.
	c.set("estate_twig.c", conf{"parent": notYet})
	c.plan().want("estate_twig.c", replaces)
}

// twig is a Marked type with a reference that cannot be changed.
type twig struct {
	Parent types.String `tfsdk:"parent"`
}

func twigType(w *world) ResourceType[twig] {
	f := finisherType(w)
	return ResourceType[twig]{
		Name: "twig", Service: "Test", Doc: doc("A twig"), Tier: Marked, Tags: worldTagger{w: w, kind: "twig", limit: 50, place: inRegion},
		Attrs: map[string]schema.Attribute{"parent": schema.StringAttribute{Required: true, MarkdownDescription: doc("Parent, immutable")}},
		Get: func(_ context.Context, s *cloud.Session, k Key) (l Live[twig], err error) {
			return l, w.call("twig.Get", s.Region, k.String(), func() error {
				th, err := w.findLocked("twig", s.Region, k[0], true)
				if err == nil {
					l = liveOf[twig](th)
				}
				return err
			})
		},
		List: func(_ context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[Live[twig], error] {
			return listing[twig](w, "twig", s.Region, f, false)
		},
		Create: func(_ context.Context, s *cloud.Session, plan *twig, tags markers.Tags, token Token) (k Key, err error) {
			return k, w.call("twig.Create", s.Region, "", func() error {
				is := *plan
				k = Key{w.addLocked(&thing{kind: "twig", region: s.Region, model: &is, tags: tags, token: token})}
				return nil
			})
		},
		Delete: func(_ context.Context, s *cloud.Session, k Key, _ *twig) error {
			return w.call("twig.Delete", s.Region, k.String(), func() error {
				delete(w.things, thingKey("twig", s.Region, k[0]))
				return nil
			})
		},
		Exists: f.Exists, Busy: f.Busy,
	}
}

// Between plan and apply the candidate vanishes, changes or is marked by another: nothing is changed, an error says so.
func TestCandidateChangesBetweenPlanAndApply(t *testing.T) {
	t.Parallel()
	resize := func(th *thing) {
		is := *modelOf[widget](th)
		is.Size = types.Int64Value(2)
		th.model = &is
	}
	for name, tt := range map[string]struct {
		happens func(w *world, id string)
		want    []string
	}{
		"gone":              {func(w *world, id string) { w.erase("widget", id) }, []string{"Provider produced inconsistent final plan"}},
		"terminated":        {func(w *world, id string) { w.setState("widget", id, Gone, "") }, []string{"Provider produced inconsistent final plan"}},
		"another size":      {func(w *world, id string) { w.edit("widget", id, resize) }, []string{"Provider produced inconsistent final plan"}},
		"another address's": {func(w *world, id string) { w.retag("widget", id, marked(atB, aBinding)) }, []string{"Provider produced inconsistent final plan"}},
		"another estate's": {
			func(w *world, id string) {
				w.retag("widget", id, map[string]string{"tofu-estate": "dev", "tofu-address": atA})
			},
			[]string{"Provider produced inconsistent final plan"},
		},
		"malformed": {func(w *world, id string) { w.retag("widget", id, marked("nonsense", aBinding)) }, []string{"Malformed marker in the way", "widget-1"}},
		"a second one": {
			func(w *world, _ string) { w.addWidget(1, marked(atA, aBinding)) }, []string{"Two objects with one address", "widget-1", "widget-2"},
		},
		"failed": {func(w *world, id string) { w.setState("widget", id, Failed, "broken") }, []string{"Failed object", "broken"}},
	} {
		t.Run(name, func(t *testing.T) {
			w, c, id := appliedWidget(t)
			c.lose(atA)
			w.forget()
			p := c.plan()
			p.wantText(atA, "id", id)
			tt.happens(w, id)
			c.apply(p).wantError(t, append(tt.want, atA)...)
			w.wantNoWrites()
			c.wantGone(atA)
		})
	}
	// A core that plans nothing anew: the create itself refuses to act on another object than the plan showed.
	for name, happens := range map[string]func(w *world){
		"gone":     func(w *world) { w.erase("gadget", "g") },
		"replaced": func(w *world) { w.retag("gadget", "g", map[string]string{"tofu-estate": "dev", "tofu-address": atG}) },
	} {
		t.Run("in the create, "+name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(gadgetType(w)))
			c.set(atG, conf{"name": "g"})
			w.addGadget("g", marked(atG, aBinding))
			p := c.plan()
			p.wantText(atG, "id", "g")
			n := 0
			w.on("gadget.Get", func(call) error {
				if n++; n == 1 { // the plan call of the apply is served by the listing
					happens(w)
				}
				return nil
			})
			r := c.apply(p)
			if name == "gone" {
				r.wantError(t, "Planned object gone", atG, "Nothing was changed", "tofu apply")
			} else {
				r.wantError(t, "Object of another owner", `"dev"`)
			}
			w.wantNoWrites()
			c.wantGone(atG)
		})
	}
}

// What appears between plan and apply is adopted, not doubled.
func TestObjectAppearsBetweenPlanAndApply(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	c.set(atA, conf{"size": 1})
	p := c.plan()
	p.wantUnknown(atA, "id")
	id := w.addWidget(1, marked(atA, aBinding))
	c.apply(p).wantWarningOnly(t, "Existing estate_widget will be adopted", id)
	c.wantOwn(atA, "widget", id)
}

// Values that an update of the adoption changes stay unknown, and everything else is what the object shows.
func TestPlannedValuesOfAnAdoption(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	id := w.addWidget(1, marked(atA, aBinding))
	c.set(atA, conf{"size": 1, "label": "x"})
	p := c.plan()
	p.wantUnknown(atA, "fingerprint", "tofu_binding")
	p.wantText(atA, "id", id)
	p.wantText(atA, "arn", "arn:widget/found")
	p.wantText(atA, "color", "grey")
	c.apply(p).wantNone(t)
	c.mustBeClean()
}
