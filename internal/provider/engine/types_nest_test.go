package engine

import (
	"context"
	"fmt"
	"iter"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// nest is a Marked type with every kind of nesting. Its service gives each part a uid, keeps it while a part of the
// same name exists, says "auto" where a note was left out, and answers sets in another order.
type nest struct {
	Title   types.String    `tfsdk:"title"`
	One     *part           `tfsdk:"one"`
	Items   []part          `tfsdk:"items"`
	Members []part          `tfsdk:"members"`
	Table   map[string]part `tfsdk:"table"`
	Auto    *hue            `tfsdk:"auto"`

	Words []string          `tfsdk:"words"`
	Names []string          `tfsdk:"names"`
	Pairs map[string]string `tfsdk:"pairs"`
	Zones []string          `tfsdk:"zones"`

	Conf   *nestConf `tfsdk:"conf"`
	Rules  []rule    `tfsdk:"rules"`
	Grants []part    `tfsdk:"grants"`
}

type part struct {
	Name types.String `tfsdk:"name"`
	Note types.String `tfsdk:"note"`
	Text folded       `tfsdk:"text"`
	UID  types.String `tfsdk:"uid"`
}

type hue struct {
	Shade types.String `tfsdk:"shade"`
	Tint  types.String `tfsdk:"tint"`
}

type nestConf struct {
	Mode  types.String `tfsdk:"mode"`
	Level types.String `tfsdk:"level"`
	Text  folded       `tfsdk:"text"`
	UID   types.String `tfsdk:"uid"`
	Inner []part       `tfsdk:"inner"`
}

type rule struct {
	Name  types.String `tfsdk:"name"`
	Text  folded       `tfsdk:"text"`
	UID   types.String `tfsdk:"uid"`
	Ports []int64      `tfsdk:"ports"`
	Inner []part       `tfsdk:"inner"`
}

func partAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name": schema.StringAttribute{Required: true, MarkdownDescription: doc("Name")},
		"note": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: doc("Note")},
		"text": schema.StringAttribute{Optional: true, CustomType: foldedType{}, MarkdownDescription: doc("Text")},
		"uid":  schema.StringAttribute{Computed: true, MarkdownDescription: doc("Id")},
	}
}

func nestType(w *world) ResourceType[nest] {
	partObject := schema.NestedAttributeObject{Attributes: partAttributes()}
	partBlock := schema.NestedBlockObject{Attributes: partAttributes()}
	return ResourceType[nest]{
		Name: "nest", Service: "Test", Doc: doc("A nest"), Tier: Marked,
		Tags: worldTagger{w: w, kind: "nest", limit: 50, place: inRegion},
		Attrs: map[string]schema.Attribute{
			"title":   schema.StringAttribute{Optional: true, MarkdownDescription: doc("Title")},
			"one":     schema.SingleNestedAttribute{Optional: true, Attributes: partAttributes(), MarkdownDescription: doc("One")},
			"items":   schema.ListNestedAttribute{Optional: true, NestedObject: partObject, MarkdownDescription: doc("Items")},
			"members": schema.SetNestedAttribute{Optional: true, NestedObject: partObject, MarkdownDescription: doc("Members")},
			"table":   schema.MapNestedAttribute{Optional: true, NestedObject: partObject, MarkdownDescription: doc("Table")},
			"auto": schema.SingleNestedAttribute{
				Optional: true, Computed: true, MarkdownDescription: doc("AWS's where unset"),
				Attributes: map[string]schema.Attribute{
					"shade": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: doc("Shade")},
					"tint":  schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: doc("Tint")},
				},
			},
			"words": schema.ListAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: doc("Words")},
			"names": schema.SetAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: doc("Names")},
			"pairs": schema.MapAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: doc("Pairs")},
			"zones": schema.ListAttribute{Optional: true, Computed: true, ElementType: types.StringType, MarkdownDescription: doc("Zones")},
		},
		Blocks: map[string]schema.Block{
			"conf": schema.SingleNestedBlock{
				Attributes: map[string]schema.Attribute{
					"mode":  schema.StringAttribute{Optional: true, MarkdownDescription: doc("Mode, immutable")},
					"level": schema.StringAttribute{Optional: true, MarkdownDescription: doc("Level")},
					"text":  schema.StringAttribute{Optional: true, CustomType: foldedType{}, MarkdownDescription: doc("Text")},
					"uid":   schema.StringAttribute{Computed: true, MarkdownDescription: doc("Id")},
				},
				Blocks: map[string]schema.Block{"inner": schema.ListNestedBlock{NestedObject: partBlock}},
			},
			"rules": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{
				Attributes: map[string]schema.Attribute{
					"name":  schema.StringAttribute{Required: true, MarkdownDescription: doc("Name")},
					"text":  schema.StringAttribute{Optional: true, CustomType: foldedType{}, MarkdownDescription: doc("Text")},
					"uid":   schema.StringAttribute{Computed: true, MarkdownDescription: doc("Id")},
					"ports": schema.SetAttribute{Optional: true, ElementType: types.Int64Type, MarkdownDescription: doc("Ports")},
				},
				Blocks: map[string]schema.Block{"inner": schema.SetNestedBlock{NestedObject: partBlock}},
			}},
			"grants": schema.SetNestedBlock{NestedObject: partBlock},
		},
		Get: func(_ context.Context, s *cloud.Session, k Key) (l Live[nest], err error) {
			return l, w.call("nest.Get", s.Region, k.String(), func() error {
				th, err := w.findLocked("nest", s.Region, k[0], true)
				if err == nil {
					l = liveOf[nest](th)
				}
				return err
			})
		},
		List: func(_ context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[Live[nest], error] {
			return listing[nest](w, "nest", s.Region, f, false)
		},
		Create: func(_ context.Context, s *cloud.Session, plan *nest, tags markers.Tags, token Token) (k Key, err error) {
			return k, w.call("nest.Create", s.Region, "", func() error {
				is := w.answerNest(&nest{}, plan)
				k = Key{w.addLocked(&thing{kind: "nest", region: s.Region, model: is, tags: maps.Clone(tags), token: token})}
				return nil
			})
		},
		Updates: []Update[nest]{{
			Attrs: []string{
				"title", "one", "items", "members", "table", "auto", "words", "names", "pairs", "zones", "rules", "grants",
				"conf.level", "conf.text", "conf.inner",
			},
			Apply: func(_ context.Context, s *cloud.Session, k Key, _, plan *nest) error {
				return w.call("nest.Update", s.Region, k.String(), func() error {
					th, err := w.findLocked("nest", s.Region, k[0], false)
					if err == nil {
						th.model = w.answerNest(modelOf[nest](th), plan)
					}
					return err
				})
			},
		}},
		Delete: func(_ context.Context, s *cloud.Session, k Key, _ *nest) error {
			return w.call("nest.Delete", s.Region, k.String(), func() error {
				delete(w.things, thingKey("nest", s.Region, k[0]))
				return nil
			})
		},
		Exists: alreadyExists, Busy: isBusy,
	}
}

func (w *world) uid(old map[string]types.String, name types.String) types.String {
	if uid, ok := old[name.ValueString()]; ok {
		return uid
	}
	w.serial++
	return types.StringValue(fmt.Sprintf("u-%d", w.serial))
}

func (w *world) answerParts(old, plan []part, reversed bool) []part {
	if plan == nil {
		return nil
	}
	uids := map[string]types.String{}
	for _, p := range old {
		if _, ok := uids[p.Name.ValueString()]; !ok {
			uids[p.Name.ValueString()] = p.UID
		}
		uids[p.Name.ValueString()+" "+p.Note.ValueString()] = p.UID
	}
	out := make([]part, len(plan))
	for i, p := range plan {
		p.Text = p.Text.answer()
		if p.Note.IsNull() {
			p.Note = types.StringValue("auto")
		}
		both := types.StringValue(p.Name.ValueString() + " " + p.Note.ValueString())
		if _, ok := uids[both.ValueString()]; ok {
			p.UID = w.uid(uids, both)
		} else {
			p.UID = w.uid(uids, p.Name)
			delete(uids, p.Name.ValueString())
		}
		if reversed {
			out[len(plan)-1-i] = p
		} else {
			out[i] = p
		}
	}
	return out
}

// answerNest is what the service makes of a request.
func (w *world) answerNest(old, plan *nest) *nest {
	is := *plan
	if plan.One != nil {
		is.One = &w.answerParts(nil, []part{*plan.One}, false)[0]
		if old.One != nil {
			is.One.UID = old.One.UID // a part that cannot be told from another keeps its uid
		}
	}
	is.Items = w.answerParts(old.Items, plan.Items, false)
	is.Members = w.answerParts(old.Members, plan.Members, true)
	if is.Grants = w.answerParts(old.Grants, plan.Grants, true); is.Grants == nil {
		is.Grants = []part{}
	}
	is.Names = append(append([]string(nil), plan.Names[len(plan.Names)/2:]...), plan.Names[:len(plan.Names)/2]...)
	if plan.Table != nil {
		is.Table = map[string]part{}
		for key, p := range plan.Table {
			var was []part
			if o, ok := old.Table[key]; ok {
				was = []part{o}
			}
			is.Table[key] = w.answerParts(was, []part{p}, false)[0]
		}
	}
	if plan.Auto == nil || plan.Auto.Shade.IsNull() || plan.Auto.Tint.IsNull() {
		is.Auto = &hue{types.StringValue("dark"), types.StringValue("blue")}
		if plan.Auto != nil && !plan.Auto.Shade.IsNull() {
			is.Auto.Shade = plan.Auto.Shade
		}
		if plan.Auto != nil && !plan.Auto.Tint.IsNull() {
			is.Auto.Tint = plan.Auto.Tint
		}
	}
	if plan.Zones == nil {
		is.Zones = []string{"a", "b"}
	}
	if plan.Conf != nil {
		c := *plan.Conf
		c.Text, c.UID = c.Text.answer(), types.StringValue("conf-"+c.Mode.ValueString())
		var was []part
		if old.Conf != nil {
			was = old.Conf.Inner
		}
		if c.Inner = w.answerParts(was, plan.Conf.Inner, false); c.Inner == nil {
			c.Inner = []part{}
		}
		is.Conf = &c
	}
	is.Rules = []rule{}
	for _, r := range plan.Rules {
		uids := map[string]types.String{}
		var was []part
		for _, o := range old.Rules {
			uids[o.Name.ValueString()] = o.UID
			if o.Name.Equal(r.Name) {
				was = o.Inner
			}
		}
		r.Text, r.UID = r.Text.answer(), w.uid(uids, r.Name)
		if r.Inner = w.answerParts(was, r.Inner, true); r.Inner == nil {
			r.Inner = []part{}
		}
		is.Rules = append(is.Rules, r)
	}
	return &is
}
