package engine

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// gadget is a Named, global type whose name may be generated, whose listing tells no model, and whose service folds
// the case of tag keys.
type gadget struct {
	Name       types.String `tfsdk:"name"`
	NamePrefix types.String `tfsdk:"name_prefix"`
	Path       types.String `tfsdk:"path"`
	Purpose    types.String `tfsdk:"purpose"`
	UID        types.String `tfsdk:"uid"`
}

func gadgetType(w *world) ResourceType[gadget] {
	return ResourceType[gadget]{
		Name: "gadget", Service: "Test", Doc: doc("A gadget"), Tier: Named, Global: true,
		Identity: []Part{{Attr: "name", Prefix: "name_prefix", MaxLength: 64}},
		Tags:     worldTagger{w: w, kind: "gadget", limit: 50, folds: true, place: nowhere},
		Attrs: map[string]schema.Attribute{
			"name":        schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: doc("Name")},
			"name_prefix": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: doc("Prefix")},
			"path": schema.StringAttribute{
				Optional: true, Computed: true, Default: stringdefault.StaticString("/"), MarkdownDescription: doc("Path, immutable"),
			},
			"purpose": schema.StringAttribute{Optional: true, MarkdownDescription: doc("Purpose")},
			"uid":     schema.StringAttribute{Computed: true, MarkdownDescription: doc("Unique id")},
		},
		Get: func(_ context.Context, _ *cloud.Session, k Key) (l Live[gadget], err error) {
			return l, w.call("gadget.Get", "", k.String(), func() error {
				th, err := w.findLocked("gadget", "", k[0], true)
				if err == nil {
					l = liveOf[gadget](th)
				}
				return err
			})
		},
		List: func(_ context.Context, _ *cloud.Session, f markers.Filter) iter.Seq2[Live[gadget], error] {
			return listing[gadget](w, "gadget", "", f, true)
		},
		Fill: func(_ context.Context, _ *cloud.Session, lives []*Live[gadget]) error {
			return w.call("gadget.Fill", "", fmt.Sprint(len(lives)), func() error {
				for _, l := range lives {
					th, err := w.findLocked("gadget", "", l.Key[0], false)
					if err != nil {
						return err
					}
					l.Model = *modelOf[gadget](th)
				}
				return nil
			})
		},
		Create: func(_ context.Context, _ *cloud.Session, plan *gadget, tags markers.Tags, _ Token) (k Key, err error) {
			name := plan.Name.ValueString()
			return Key{name}, w.call("gadget.Create", "", name, func() error {
				if _, ok := w.things[thingKey("gadget", "", name)]; ok {
					return errExists
				}
				is := gadget{
					Name: plan.Name, NamePrefix: prefixIn(name), Path: plan.Path, Purpose: plan.Purpose,
					UID: types.StringValue(fmt.Sprintf("uid-%d", w.serial+1)),
				}
				w.addLocked(&thing{kind: "gadget", id: name, model: &is, tags: maps.Clone(tags)})
				return nil
			})
		},
		Updates: []Update[gadget]{{
			Attrs: []string{"purpose"},
			Apply: func(_ context.Context, _ *cloud.Session, k Key, _, plan *gadget) error {
				return w.call("gadget.Purpose", "", k.String(), func() error {
					th, err := w.findLocked("gadget", "", k[0], false)
					if err != nil {
						return err
					}
					is := *modelOf[gadget](th)
					is.Purpose = plan.Purpose
					th.model = &is
					return nil
				})
			},
		}},
		Delete: func(_ context.Context, _ *cloud.Session, k Key, _ *gadget) error {
			return w.call("gadget.Delete", "", k.String(), func() error {
				if _, err := w.findLocked("gadget", "", k[0], false); err != nil {
					return err
				}
				delete(w.things, thingKey("gadget", "", k[0]))
				return nil
			})
		},
		Exists: alreadyExists, Busy: isBusy,
	}
}

// prefixIn is the prefix of a name that looks generated.
func prefixIn(name string) types.String {
	if n := len(name) - generatedLength; n > 0 && strings.HasSuffix(name[:n], "-") {
		return types.StringValue(name[:n])
	}
	return types.StringNull()
}

// gadgetParent reads the tags of the gadget that a joint or knob belongs to.
func gadgetParent(w *world, op string) func(context.Context, *cloud.Session, Key) ([]Parent, error) {
	return func(_ context.Context, _ *cloud.Session, k Key) (ps []Parent, err error) {
		return ps, w.call(op, "", k[0], func() error {
			if th, err := w.findLocked("gadget", "", k[0], false); err == nil {
				ps = []Parent{{Type: "gadget", ID: k[0], Tags: maps.Clone(th.tags), FoldsCase: true}}
			}
			return nil
		})
	}
}

// joint is a Composed type: a named policy of a gadget.
type joint struct {
	Gadget types.String `tfsdk:"gadget"`
	Name   types.String `tfsdk:"name"`
	Policy folded       `tfsdk:"policy"`
	Weight types.Int64  `tfsdk:"weight"`
}

func jointType(w *world) ResourceType[joint] {
	put := func(op string) func(k Key, plan *joint) error {
		return func(k Key, plan *joint) error {
			return w.call(op, "", k.String(), func() error {
				is := *plan
				is.Policy = plan.Policy.answer()
				if th, ok := w.things[thingKey("joint", "", k.String())]; ok {
					th.model = &is
					return nil
				}
				w.addLocked(&thing{kind: "joint", id: k.String(), model: &is})
				return nil
			})
		}
	}
	return ResourceType[joint]{
		Name: "joint", Service: "Test", Doc: doc("A joint"), Tier: Composed, Global: true,
		Identity: []Part{{Attr: "gadget"}, {Attr: "name"}},
		Attrs: map[string]schema.Attribute{
			"gadget": schema.StringAttribute{Required: true, MarkdownDescription: doc("Gadget")},
			"name":   schema.StringAttribute{Required: true, MarkdownDescription: doc("Name")},
			"policy": schema.StringAttribute{Required: true, CustomType: foldedType{}, MarkdownDescription: doc("Policy")},
			"weight": schema.Int64Attribute{Optional: true, MarkdownDescription: doc("Weight, immutable")},
		},
		Get: func(_ context.Context, _ *cloud.Session, k Key) (l Live[joint], err error) {
			return l, w.call("joint.Get", "", k.String(), func() error {
				th, err := w.findLocked("joint", "", k.String(), true)
				if err == nil {
					l = liveOf[joint](th)
					l.Key, l.Tags = k, nil
				}
				return err
			})
		},
		Create: func(_ context.Context, _ *cloud.Session, plan *joint, _ markers.Tags, _ Token) (Key, error) {
			k := Key{plan.Gadget.ValueString(), plan.Name.ValueString()}
			return k, put("joint.Create")(k, plan)
		},
		Updates: []Update[joint]{{
			Attrs: []string{"policy"},
			Apply: func(_ context.Context, _ *cloud.Session, k Key, _, plan *joint) error {
				return put("joint.Policy")(k, plan)
			},
		}},
		Delete: func(_ context.Context, _ *cloud.Session, k Key, _ *joint) error {
			return w.call("joint.Delete", "", k.String(), func() error {
				if _, err := w.findLocked("joint", "", k.String(), false); err != nil {
					return err
				}
				delete(w.things, thingKey("joint", "", k.String()))
				return nil
			})
		},
		Parents: gadgetParent(w, "joint.Parents"),
	}
}

// knob is a Setting of a gadget, "low" until somebody turns it.
type knob struct {
	Gadget types.String `tfsdk:"gadget"`
	Level  types.String `tfsdk:"level"`
}

func knobType(w *world) ResourceType[knob] {
	put := func(op string, k Key, level types.String) error {
		return w.call(op, "", k.String(), func() error {
			if _, err := w.findLocked("gadget", "", k[0], false); err != nil {
				return err
			}
			w.things[thingKey("knob", "", k[0])] = &thing{kind: "knob", id: k[0], model: &knob{types.StringValue(k[0]), level}}
			return nil
		})
	}
	return ResourceType[knob]{
		Name: "knob", Service: "Test", Doc: doc("A knob"), Tier: Setting, Global: true, Identity: []Part{{Attr: "gadget"}},
		Attrs: map[string]schema.Attribute{
			"gadget": schema.StringAttribute{Required: true, MarkdownDescription: doc("Gadget")},
			"level":  schema.StringAttribute{Required: true, MarkdownDescription: doc("Level")},
		},
		Get: func(_ context.Context, _ *cloud.Session, k Key) (l Live[knob], err error) {
			return l, w.call("knob.Get", "", k.String(), func() error {
				if _, err := w.findLocked("gadget", "", k[0], false); err != nil {
					return err
				}
				l = Live[knob]{Key: k, Model: knob{types.StringValue(k[0]), types.StringValue("low")}}
				if th, ok := w.things[thingKey("knob", "", k[0])]; ok {
					l.Model = *modelOf[knob](th)
				}
				return nil
			})
		},
		Create: func(_ context.Context, _ *cloud.Session, plan *knob, _ markers.Tags, _ Token) (Key, error) {
			k := Key{plan.Gadget.ValueString()}
			return k, put("knob.Create", k, plan.Level)
		},
		Updates: []Update[knob]{{
			Attrs: []string{"level"},
			Apply: func(_ context.Context, _ *cloud.Session, k Key, _, plan *knob) error {
				return put("knob.Level", k, plan.Level)
			},
		}},
		Delete: func(_ context.Context, _ *cloud.Session, k Key, _ *knob) error {
			return put("knob.Delete", k, types.StringValue("low"))
		},
		Parents: gadgetParent(w, "knob.Parents"),
	}
}

// finisher is a Marked type whose create has a step that no attribute shows.
type finisher struct {
	Size types.Int64 `tfsdk:"size"`
}

func finisherType(w *world) ResourceType[finisher] {
	return ResourceType[finisher]{
		Name: "finisher", Service: "Test", Doc: doc("A finisher"), Tier: Marked,
		Tags:  worldTagger{w: w, kind: "finisher", limit: 50, place: inRegion},
		Attrs: map[string]schema.Attribute{"size": schema.Int64Attribute{Required: true, MarkdownDescription: doc("Size")}},
		Get: func(_ context.Context, s *cloud.Session, k Key) (l Live[finisher], err error) {
			return l, w.call("finisher.Get", s.Region, k.String(), func() error {
				th, err := w.findLocked("finisher", s.Region, k[0], true)
				if err == nil {
					l = liveOf[finisher](th)
				}
				return err
			})
		},
		List: func(_ context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[Live[finisher], error] {
			return listing[finisher](w, "finisher", s.Region, f, false)
		},
		Create: func(_ context.Context, s *cloud.Session, plan *finisher, tags markers.Tags, token Token) (k Key, err error) {
			return k, w.call("finisher.Create", s.Region, "", func() error {
				is := *plan
				k = Key{w.addLocked(&thing{kind: "finisher", region: s.Region, model: &is, tags: maps.Clone(tags), token: token})}
				return nil
			})
		},
		Finish: func(_ context.Context, s *cloud.Session, k Key, _ *finisher) error {
			return w.call("finisher.Finish", s.Region, k.String(), func() error { return nil })
		},
		Delete: func(_ context.Context, s *cloud.Session, k Key, _ *finisher) error {
			return w.call("finisher.Delete", s.Region, k.String(), func() error {
				delete(w.things, thingKey("finisher", s.Region, k[0]))
				return nil
			})
		},
		Exists: alreadyExists, Busy: isBusy,
	}
}
