package engine

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// folded is a string value that means the same in any case and with any white space; AWS answers it in lower case.
type folded struct{ basetypes.StringValue }

type foldedType struct{ basetypes.StringType }

var _ basetypes.StringValuableWithSemanticEquals = folded{}

func foldText(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "")) }

func (folded) Type(context.Context) attr.Type { return foldedType{} }

func (f folded) Equal(other attr.Value) bool {
	o, ok := other.(folded)
	return ok && f.StringValue.Equal(o.StringValue)
}

func (f folded) StringSemanticEquals(_ context.Context, other basetypes.StringValuable) (bool, diag.Diagnostics) {
	o, ok := other.(folded)
	return ok && foldText(f.ValueString()) == foldText(o.ValueString()), nil
}

func (foldedType) Equal(other attr.Type) bool { _, ok := other.(foldedType); return ok }

func (foldedType) ValueType(context.Context) attr.Value { return folded{} }

func (foldedType) ValueFromString(_ context.Context, v basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return folded{v}, nil
}

func (t foldedType) ValueFromTerraform(ctx context.Context, raw tftypes.Value) (attr.Value, error) {
	v, err := t.StringType.ValueFromTerraform(ctx, raw)
	if err != nil {
		return nil, err
	}
	s, ok := v.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("unexpected %T", v)
	}
	return folded{s}, nil
}

// answer is the text as AWS gives it back.
func (f folded) answer() folded {
	if f.IsNull() || f.IsUnknown() {
		return folded{basetypes.NewStringNull()}
	}
	return folded{basetypes.NewStringValue(foldText(f.ValueString()))}
}

// worldTagger writes tags in a world.
type worldTagger struct {
	w     *world
	kind  string
	limit int
	folds bool
	place func(*cloud.Session) string
}

func (g worldTagger) FoldsCase() bool { return g.folds }

func (g worldTagger) Limit() int { return g.limit }

func (g worldTagger) Write(_ context.Context, s *cloud.Session, k Key, set markers.Tags, remove []string) error {
	return g.w.call("tags.Write", g.place(s), k.String(), func() error {
		th, err := g.w.findLocked(g.kind, g.place(s), k[0], false)
		if err != nil {
			return err
		}
		th.tags = maps.Clone(th.tags) // a live object of an earlier read keeps its own
		for _, key := range remove {
			delete(th.tags, key)
		}
		if g.folds { // a key that differs only in case is replaced, as IAM does it
			maps.DeleteFunc(th.tags, func(have, _ string) bool {
				return slices.ContainsFunc(sortedKeys(set), func(key string) bool { return strings.EqualFold(have, key) })
			})
		}
		maps.Copy(th.tags, set)
		return nil
	})
}

func inRegion(s *cloud.Session) string { return s.Region }
func nowhere(*cloud.Session) string    { return "" }

// widget is a Marked, regional type with one of everything that is flat.
type widget struct {
	ARN           types.String `tfsdk:"arn"`
	Color         types.String `tfsdk:"color"`
	Fingerprint   types.String `tfsdk:"fingerprint"`
	Force         types.Bool   `tfsdk:"force"`
	Label         types.String `tfsdk:"label"`
	Late          types.Bool   `tfsdk:"late"`
	Rule          folded       `tfsdk:"rule"`
	Secret        types.String `tfsdk:"secret"`
	SecretVersion types.Int64  `tfsdk:"secret_version"`
	Size          types.Int64  `tfsdk:"size"`
}

func doc(s string) string { return s + "." }

func widgetType(w *world) ResourceType[widget] {
	tagger := worldTagger{w: w, kind: "widget", limit: 50, place: inRegion}
	edit := func(op string, change func(is, plan *widget)) func(context.Context, *cloud.Session, Key, *widget, *widget) error {
		return func(_ context.Context, s *cloud.Session, k Key, _, plan *widget) error {
			return w.call("widget."+op, s.Region, k.String(), func() error {
				th, err := w.findLocked("widget", s.Region, k[0], false)
				if err != nil {
					return err
				}
				is := *modelOf[widget](th)
				change(&is, plan)
				th.model = &is
				return nil
			})
		}
	}
	return ResourceType[widget]{
		Name: "widget", Service: "Test", Doc: doc("A widget"), Tier: Marked, Tags: tagger,
		Attrs: map[string]schema.Attribute{
			"arn":         schema.StringAttribute{Computed: true, MarkdownDescription: doc("ARN")},
			"color":       schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: doc("Color")},
			"fingerprint": schema.StringAttribute{Computed: true, MarkdownDescription: doc("Changes with label")},
			"force": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false), MarkdownDescription: doc("Never told to AWS"),
			},
			"label":          schema.StringAttribute{Optional: true, MarkdownDescription: doc("Label")},
			"late":           schema.BoolAttribute{Optional: true, Computed: true, MarkdownDescription: doc("Set after create")},
			"rule":           schema.StringAttribute{Optional: true, CustomType: foldedType{}, MarkdownDescription: doc("Rule")},
			"secret":         schema.StringAttribute{Optional: true, WriteOnly: true, MarkdownDescription: doc("Secret")},
			"secret_version": schema.Int64Attribute{Optional: true, MarkdownDescription: doc("Writes the secret")},
			"size":           schema.Int64Attribute{Required: true, MarkdownDescription: doc("Size")},
		},
		Settings: []string{"force", "secret_version"},
		Timeouts: Timeouts{Create: time.Minute, Update: time.Minute, Delete: time.Minute},
		Get: func(_ context.Context, s *cloud.Session, k Key) (l Live[widget], err error) {
			return l, w.call("widget.Get", s.Region, k.String(), func() error {
				th, err := w.findLocked("widget", s.Region, k[0], true)
				if err == nil {
					l = liveOf[widget](th)
				}
				return err
			})
		},
		List: func(_ context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[Live[widget], error] {
			return listing[widget](w, "widget", s.Region, f, false)
		},
		Create: func(_ context.Context, s *cloud.Session, plan *widget, tags markers.Tags, token Token) (k Key, err error) {
			return k, w.call("widget.Create", s.Region, "", func() error {
				for _, th := range w.things {
					if th.kind == "widget" && th.region == s.Region && th.token == token {
						return errExists // as a service that compares the parameters of a repeated token
					}
				}
				is := widget{
					Size: plan.Size, Color: plan.Color, Label: plan.Label, Rule: plan.Rule.answer(),
					Late: types.BoolValue(false), ARN: types.StringValue(fmt.Sprintf("arn:widget/%d", w.serial+1)),
					Fingerprint: types.StringValue("fp-" + plan.Label.ValueString()),
				}
				if is.Color.IsNull() {
					is.Color = types.StringValue("grey")
				}
				k = Key{w.addLocked(&thing{
					kind: "widget", region: s.Region, model: &is, tags: maps.Clone(tags), token: token, secret: plan.Secret.ValueString(),
				})}
				return nil
			})
		},
		Updates: []Update[widget]{
			{Attrs: []string{"color"}, Apply: edit("Color", func(is, plan *widget) { is.Color = plan.Color })},
			{Attrs: []string{"label"}, Recomputes: []string{"fingerprint"}, Apply: edit("Label", func(is, plan *widget) {
				is.Label, is.Fingerprint = plan.Label, types.StringValue("fp-"+plan.Label.ValueString())
			})},
			{Attrs: []string{"late"}, Apply: edit("Late", func(is, plan *widget) { is.Late = plan.Late })},
			{Attrs: []string{"rule"}, Apply: edit("Rule", func(is, plan *widget) { is.Rule = plan.Rule.answer() })},
			{Attrs: []string{"secret_version"}, Apply: func(_ context.Context, s *cloud.Session, k Key, _, plan *widget) error {
				return w.call("widget.Secret", s.Region, k.String(), func() error {
					th, err := w.findLocked("widget", s.Region, k[0], false)
					if err == nil {
						th.secret = plan.Secret.ValueString()
					}
					return err
				})
			}},
			{Attrs: []string{"force"}},
		},
		Delete: func(_ context.Context, s *cloud.Session, k Key, _ *widget) error {
			return w.call("widget.Delete", s.Region, k.String(), func() error {
				if _, err := w.findLocked("widget", s.Region, k[0], false); err != nil {
					return err
				}
				delete(w.things, thingKey("widget", s.Region, k[0]))
				return nil
			})
		},
		Exists: alreadyExists, Busy: isBusy,
	}
}

// modelOf is a thing's model.
func modelOf[M any](th *thing) *M {
	m, ok := th.model.(*M)
	if !ok {
		panic(fmt.Sprintf("%s holds a %T", th.id, th.model)) // a test that mixes up types
	}
	return m
}

func liveOf[M any](th *thing) Live[M] {
	state, reason := th.shown()
	return Live[M]{
		Key: Key{th.id}, Owner: th.owner, Tags: maps.Clone(th.tags), State: state, Reason: reason, Created: th.created,
		Model: *modelOf[M](th),
	}
}

// listing yields the objects of a kind in the order of their creation. Like EC2's filters it may over-deliver.
func listing[M any](w *world, kind, region string, f markers.Filter, partial bool) iter.Seq2[Live[M], error] {
	return func(yield func(Live[M], error) bool) {
		var lives []Live[M]
		op := kind + ".List"
		if f.Address != "" {
			op = kind + ".Find" // narrow, and about one instance
		}
		err := w.call(op, region, "", func() error {
			for _, th := range w.listLocked(kind, region) {
				if !f.Admits(th.tags, false) && th.tags["over-deliver"] == "" {
					continue
				}
				l := liveOf[M](th)
				if partial {
					var none M
					l.Partial, l.Model = true, none
				}
				lives = append(lives, l)
			}
			return nil
		})
		for _, l := range lives {
			if !yield(l, nil) {
				return
			}
		}
		if err != nil {
			yield(Live[M]{}, err) // a lost answer breaks the listing behind its first page
		}
	}
}
