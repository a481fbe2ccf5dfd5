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

// group is a Marked type with a unique name that the engine may derive, like a security group.
type group struct {
	Name       types.String `tfsdk:"name"`
	NamePrefix types.String `tfsdk:"name_prefix"`
	Size       types.Int64  `tfsdk:"size"`
}

func groupType(w *world) ResourceType[group] {
	named := func(s *cloud.Session, name types.String) *thing {
		for _, th := range w.listLocked("group", s.Region) {
			if modelOf[group](th).Name.Equal(name) {
				return th
			}
		}
		return nil
	}
	return ResourceType[group]{
		Name: "group", Service: "Test", Doc: doc("A group"), Tier: Marked,
		Tags:      worldTagger{w: w, kind: "group", limit: 50, place: inRegion},
		Generates: &Part{Attr: "name", Prefix: "name_prefix", MaxLength: 255},
		Attrs: map[string]schema.Attribute{
			"name":        schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: doc("Name")},
			"name_prefix": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: doc("Prefix")},
			"size":        schema.Int64Attribute{Optional: true, MarkdownDescription: doc("Size, immutable")},
		},
		Get: func(_ context.Context, s *cloud.Session, k Key) (l Live[group], err error) {
			return l, w.call("group.Get", s.Region, k.String(), func() error {
				th, err := w.findLocked("group", s.Region, k[0], true)
				if err == nil {
					l = liveOf[group](th)
				}
				return err
			})
		},
		List: func(_ context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[Live[group], error] {
			return listing[group](w, "group", s.Region, f, false)
		},
		Create: func(_ context.Context, s *cloud.Session, plan *group, tags markers.Tags, _ Token) (k Key, err error) {
			return k, w.call("group.Create", s.Region, plan.Name.ValueString(), func() error {
				if plan.Name.ValueString() == "" {
					return fmt.Errorf("a name is needed")
				}
				for _, th := range w.things { // AWS knows its names before its listings do
					if th.kind == "group" && th.region == s.Region && modelOf[group](th).Name.Equal(plan.Name) {
						return errExists
					}
				}
				is := *plan
				is.NamePrefix = prefixIn(plan.Name.ValueString())
				k = Key{w.addLocked(&thing{kind: "group", region: s.Region, model: &is, tags: maps.Clone(tags)})}
				return nil
			})
		},
		Delete: func(_ context.Context, s *cloud.Session, k Key, _ *group) error {
			return w.call("group.Delete", s.Region, k.String(), func() error {
				if _, err := w.findLocked("group", s.Region, k[0], false); err != nil {
					return err
				}
				delete(w.things, thingKey("group", s.Region, k[0]))
				return nil
			})
		},
		Natural: func(_ context.Context, s *cloud.Session, plan *group) (k Key, err error) {
			return k, w.call("group.Natural", s.Region, plan.Name.ValueString(), func() error {
				th := named(s, plan.Name)
				if th == nil {
					return ErrNotFound
				}
				k = Key{th.id}
				return nil
			})
		},
		Exists: alreadyExists,
	}
}
