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

// This file holds what the fake types lack, as changes of them.

// uniqueWidget is a widget whose label is unique in its region.
func uniqueWidget(w *world) ResourceType[widget] {
	d := widgetType(w)
	d.Natural = func(_ context.Context, s *cloud.Session, plan *widget) (k Key, err error) {
		return k, w.call("widget.Natural", s.Region, plan.Label.ValueString(), func() error {
			for _, th := range w.listLocked("widget", s.Region) {
				if !plan.Label.IsNull() && modelOf[widget](th).Label.Equal(plan.Label) {
					k = Key{th.id}
					return nil
				}
			}
			return ErrNotFound
		})
	}
	return d
}

// likeWidget is a widget that is told from others by its label, which need not be unique.
func likeWidget(w *world) ResourceType[widget] {
	d := widgetType(w)
	d.Alike = []string{"label"}
	return d
}

// clearedWidget is a widget whose service clears failed ones away.
func clearedWidget(w *world) ResourceType[widget] {
	d := widgetType(w)
	d.ClearsFailed = true
	return d
}

// restorableGadget is a gadget that can be taken out of scheduled deletion.
func restorableGadget(w *world) ResourceType[gadget] {
	d := gadgetType(w)
	d.Restore = func(_ context.Context, _ *cloud.Session, k Key) error {
		return w.call("gadget.Restore", "", k.String(), func() error {
			th, err := w.findLocked("gadget", "", k[0], false)
			if err == nil {
				th.state = Ready
			}
			return err
		})
	}
	return d
}

// carelessGadget is a gadget whose create call succeeds on an existing name and changes nothing, as SQS does.
func carelessGadget(w *world) ResourceType[gadget] {
	d := gadgetType(w)
	create := d.Create
	d.Create = func(ctx context.Context, s *cloud.Session, plan *gadget, tags markers.Tags, token Token) (Key, error) {
		k, err := create(ctx, s, plan, tags, token)
		if alreadyExists(err) {
			return k, nil
		}
		return k, err
	}
	return d
}

// untaggedWidget is a widget whose service forgets the tags of a create call.
func untaggedWidget(w *world) ResourceType[widget] {
	d := widgetType(w)
	create := d.Create
	d.Create = func(ctx context.Context, s *cloud.Session, plan *widget, _ markers.Tags, token Token) (Key, error) {
		return create(ctx, s, plan, markers.Tags{}, token)
	}
	return d
}

// partialWidget is a widget that each read leaves the model out of.
func partialWidget(w *world) ResourceType[widget] {
	d := widgetType(w)
	get, list := d.Get, d.List
	blank := func(l Live[widget]) Live[widget] {
		l.Partial, l.Model = true, widget{}
		return l
	}
	d.Get = func(ctx context.Context, s *cloud.Session, k Key) (Live[widget], error) {
		l, err := get(ctx, s, k)
		return blank(l), err
	}
	d.List = func(ctx context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[Live[widget], error] {
		return func(yield func(Live[widget], error) bool) {
			for l, err := range list(ctx, s, f) {
				if !yield(blank(l), err) {
					return
				}
			}
		}
	}
	d.FillOne = func(_ context.Context, s *cloud.Session, l *Live[widget]) error {
		return w.call("widget.FillOne", s.Region, l.Key.String(), func() error {
			th, err := w.findLocked("widget", s.Region, l.Key[0], false)
			if err == nil {
				l.Model = *modelOf[widget](th)
			}
			return err
		})
	}
	return d
}

// taglessGadget is a gadget whose listing tells no tags: Fill brings them.
func taglessGadget(w *world) ResourceType[gadget] {
	d := gadgetType(w)
	list, fill := d.List, d.Fill
	d.List = func(ctx context.Context, s *cloud.Session, _ markers.Filter) iter.Seq2[Live[gadget], error] {
		return func(yield func(Live[gadget], error) bool) {
			for l, err := range list(ctx, s, markers.Filter{}) {
				if l.Tags = nil; !yield(l, err) {
					return
				}
			}
		}
	}
	d.Fill = func(ctx context.Context, s *cloud.Session, lives []*Live[gadget]) error {
		if err := fill(ctx, s, lives); err != nil {
			return err
		}
		for _, l := range lives {
			l.Tags = map[string]string{}
			if th := w.thing("gadget", l.Key[0]); th != nil {
				l.Tags = th.tags
			}
		}
		return nil
	}
	return d
}

// hook is a Composed type whose last part may be generated, like a permission of a function.
type hook struct {
	Gadget types.String `tfsdk:"gadget"`
	SID    types.String `tfsdk:"sid"`
	Prefix types.String `tfsdk:"sid_prefix"`
	Action types.String `tfsdk:"action"`
}

func hookType(w *world) ResourceType[hook] {
	return ResourceType[hook]{
		Name: "hook", Service: "Test", Doc: doc("A hook"), Tier: Composed, Global: true,
		Identity: []Part{{Attr: "gadget"}, {Attr: "sid", Prefix: "sid_prefix", MaxLength: 64}},
		Attrs: map[string]schema.Attribute{
			"gadget":     schema.StringAttribute{Required: true, MarkdownDescription: doc("Gadget")},
			"sid":        schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: doc("Statement")},
			"sid_prefix": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: doc("Prefix")},
			"action":     schema.StringAttribute{Required: true, MarkdownDescription: doc("Action, immutable")},
		},
		Get: func(_ context.Context, _ *cloud.Session, k Key) (l Live[hook], err error) {
			return l, w.call("hook.Get", "", k.String(), func() error {
				th, err := w.findLocked("hook", "", k.String(), true)
				if err == nil {
					l = liveOf[hook](th)
					l.Key, l.Tags = k, nil
				}
				return err
			})
		},
		Create: func(_ context.Context, _ *cloud.Session, plan *hook, _ markers.Tags, _ Token) (Key, error) {
			k := Key{plan.Gadget.ValueString(), plan.SID.ValueString()}
			return k, w.call("hook.Create", "", k.String(), func() error {
				if _, ok := w.things[thingKey("hook", "", k.String())]; ok {
					return errExists
				}
				is := *plan
				is.Prefix = prefixIn(k[1])
				w.addLocked(&thing{kind: "hook", id: k.String(), model: &is})
				return nil
			})
		},
		Delete: func(_ context.Context, _ *cloud.Session, k Key, _ *hook) error {
			return w.call("hook.Delete", "", k.String(), func() error {
				delete(w.things, thingKey("hook", "", k.String()))
				return nil
			})
		},
		Parents: gadgetParent(w, "hook.Parents"), Exists: alreadyExists,
	}
}

// pagedWidget is a widget whose listing breaks behind the first page while *broken is not nil, and whose last page is
// empty.
func pagedWidget(w *world, broken *error) ResourceType[widget] {
	d := widgetType(w)
	list := d.List
	d.List = func(ctx context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[Live[widget], error] {
		return func(yield func(Live[widget], error) bool) {
			n := 0
			for l, err := range list(ctx, s, f) {
				if n++; *broken != nil && n > 1 {
					break
				}
				if !yield(l, err) {
					return
				}
			}
			if *broken != nil {
				yield(Live[widget]{}, fmt.Errorf("page 2: %w", *broken))
			}
		}
	}
	return d
}

// watchedWidget is a widget of which an adoption tells what hangs on it, and whose create call shows its token.
func watchedWidget(w *world, tokens *[]Token) ResourceType[widget] {
	d := widgetType(w)
	create := d.Create
	d.Create = func(ctx context.Context, s *cloud.Session, plan *widget, tags markers.Tags, token Token) (Key, error) {
		*tokens = append(*tokens, token)
		return create(ctx, s, plan, maps.Clone(tags), token)
	}
	d.Dependants = func(l *Live[widget]) []string { return []string{"a cog of " + l.Key.String()} }
	return d
}
