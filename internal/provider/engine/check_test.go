package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

func TestCheckPassesSoundDescriptors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, kind := range newCore(t, w).types {
		if err := kind.Check(); err != nil {
			t.Errorf("%s: %v", kind.Name(), err)
		}
	}
}

// slip breaks a descriptor; Check must say want.
type slip[M any] struct {
	name, want string
	do         func(*ResourceType[M])
}

func checkSlips[M any](t *testing.T, sound func(*world) ResourceType[M], slips []slip[M]) {
	t.Helper()
	for _, tt := range slips {
		d := sound(newWorld(t))
		tt.do(&d)
		switch err := Of(d).Check(); {
		case err == nil:
			t.Errorf("%s: not found", tt.name)
		case !strings.Contains(err.Error(), tt.want):
			t.Errorf("%s: said %v, wanted %q", tt.name, err, tt.want)
		}
	}
}

func TestCheckFindsSlipsOfMarkedTypes(t *testing.T) {
	t.Parallel()
	computed := schema.StringAttribute{Computed: true, MarkdownDescription: doc("D")}
	checkSlips(t, widgetType, []slip[widget]{
		{"no name", "Name, Service and a Doc", func(d *ResourceType[widget]) { d.Name = "" }},
		{"no service", "Name, Service and a Doc", func(d *ResourceType[widget]) { d.Service = "" }},
		{"no full stop", "full stop", func(d *ResourceType[widget]) { d.Doc = "A widget" }},
		{"attribute without description", "the description of arn", func(d *ResourceType[widget]) {
			d.Attrs["arn"] = schema.StringAttribute{Computed: true}
		}},
		{"attribute of the engine", "tags is the engine's own", func(d *ResourceType[widget]) { d.Attrs["tags"] = computed }},
		{"attribute that may become the engine's", "tofu_mood is the engine's own", func(d *ResourceType[widget]) { d.Attrs["tofu_mood"] = computed }},
		{"no tier", "Tier is needed", func(d *ResourceType[widget]) { d.Tier = 0 }},
		{"no get", "Get, Create and Delete", func(d *ResourceType[widget]) { d.Get = nil }},
		{"no create", "Get, Create and Delete", func(d *ResourceType[widget]) { d.Create = nil }},
		{"no delete", "Get, Create and Delete", func(d *ResourceType[widget]) { d.Delete = nil }},
		{"no tagger", "have a Tagger", func(d *ResourceType[widget]) { d.Tags = nil }},
		{"no list", "need List", func(d *ResourceType[widget]) { d.List = nil }},
		{"parents", "have Parents", func(d *ResourceType[widget]) {
			d.Parents = func(context.Context, *cloud.Session, Key) ([]Parent, error) { return nil, nil }
		}},
		{"another key than the id", "the key of a Marked type", func(d *ResourceType[widget]) { d.Identity = []Part{{Attr: "arn"}} }},
		{"update of nothing", "needs Attrs", func(d *ResourceType[widget]) { d.Updates[0].Attrs = nil }},
		{"update of an unknown attribute", "the Update of colour", func(d *ResourceType[widget]) { d.Updates[0].Attrs = []string{"colour"} }},
		{"update of a computed attribute", "the Update of arn", func(d *ResourceType[widget]) { d.Updates[0].Attrs = []string{"arn"} }},
		{"update without a call", "without Apply", func(d *ResourceType[widget]) { d.Updates[0].Apply = nil }},
		{"recomputes what is not computed", "Recomputes label", func(d *ResourceType[widget]) { d.Updates[0].Recomputes = []string{"label"} }},
		{"recomputes an unknown attribute", "Recomputes print", func(d *ResourceType[widget]) { d.Updates[1].Recomputes = []string{"print"} }},
		{"unknown setting", "the Setting farce", func(d *ResourceType[widget]) { d.Settings = append(d.Settings, "farce") }},
		{"keeps by what is no Setting", "Keeps names no bool", func(d *ResourceType[widget]) { d.Keeps = "late" }},
		{"keeps by what is no bool", "Keeps names no bool", func(d *ResourceType[widget]) { d.Keeps = "secret_version" }},
		{"computed setting", "the Setting arn", func(d *ResourceType[widget]) { d.Settings = append(d.Settings, "arn") }},
		{"attribute without field", "reading the model", func(d *ResourceType[widget]) { d.Attrs["more"] = computed }},
		{"field without attribute", "reading the model", func(d *ResourceType[widget]) { delete(d.Attrs, "arn") }},
		{"field of another type", "reading the model", func(d *ResourceType[widget]) {
			d.Attrs["size"] = schema.StringAttribute{Required: true, MarkdownDescription: doc("D")}
		}},
		{"default of what is not computed", "Default", func(d *ResourceType[widget]) {
			d.Attrs["label"] = schema.StringAttribute{Optional: true, Default: stringdefault.StaticString("x"), MarkdownDescription: doc("D")}
		}},
	})
}

func TestCheckFindsSlipsOfNamedTypes(t *testing.T) {
	t.Parallel()
	checkSlips(t, gadgetType, []slip[gadget]{
		{"natural", "Natural is for Marked", func(d *ResourceType[gadget]) {
			d.Natural = func(context.Context, *cloud.Session, *gadget) (Key, error) { return nil, nil }
		}},
		{"a derived name beside a key", "Generates is for Marked types", func(d *ResourceType[gadget]) {
			d.Generates = &Part{Attr: "name", Prefix: "name_prefix", MaxLength: 64}
		}},
		{"look-alikes", "Alike is for Marked", func(d *ResourceType[gadget]) { d.Alike = []string{"purpose"} }},
		{"overwrites", "Overwrites names no bool among the Settings", func(d *ResourceType[gadget]) { d.Overwrites = "purpose" }},
		{"late tags of a type without tags", "TagsAfterCreate is for types with tags", func(d *ResourceType[gadget]) {
			d.Tags, d.TagsAfterCreate = nil, true
		}},
		{"no identity", "the key part id is no attribute", func(d *ResourceType[gadget]) { d.Identity = nil }},
		{"key part of another name", "the key part nom is no attribute", func(d *ResourceType[gadget]) { d.Identity[0].Attr = "nom" }},
		{"mutable key part", "the key part name has an Update", func(d *ResourceType[gadget]) { d.Updates[0].Attrs = []string{"name"} }},
		{"optional key part", "neither required, optional nor generated", func(d *ResourceType[gadget]) { d.Identity[0].Prefix = "" }},
		{"generated and required", "is not optional and computed", func(d *ResourceType[gadget]) {
			d.Attrs["name"] = schema.StringAttribute{Required: true, MarkdownDescription: doc("D")}
		}},
		{"prefix that is not there", "the prefix pre is not optional", func(d *ResourceType[gadget]) { d.Identity[0].Prefix = "pre" }},
		{"prefix that is not computed", "the prefix name_prefix", func(d *ResourceType[gadget]) {
			d.Attrs["name_prefix"] = schema.StringAttribute{Optional: true, MarkdownDescription: doc("D")}
		}},
		{"no room for a generated name", "needs a MaxLength", func(d *ResourceType[gadget]) { d.Identity[0].MaxLength = generatedLength }},
		{"several parts, one generated", "cannot generate names", func(d *ResourceType[gadget]) {
			d.Attrs["path"] = schema.StringAttribute{Required: true, MarkdownDescription: doc("D")}
			d.Identity = append(d.Identity, Part{Attr: "path"})
		}},
	})
}

func TestCheckFindsSlipsOfComposedTypesAndSettings(t *testing.T) {
	t.Parallel()
	checkSlips(t, jointType, []slip[joint]{
		{"no parents", "have Parents", func(d *ResourceType[joint]) { d.Parents = nil }},
		{"tagger", "have a Tagger", func(d *ResourceType[joint]) { d.Tags = worldTagger{} }},
		{"failed objects", "ClearsFailed", func(d *ResourceType[joint]) { d.ClearsFailed = true }},
		{"optional part that is not said to be", "neither required", func(d *ResourceType[joint]) {
			d.Attrs["name"] = schema.StringAttribute{Optional: true, MarkdownDescription: doc("D")}
		}},
	})
	checkSlips(t, knobType, []slip[knob]{
		{"no parents", "have Parents", func(d *ResourceType[knob]) { d.Parents = nil }},
		{"listed tier", "have a Tagger", func(d *ResourceType[knob]) { d.Tier = Named }},
	})
}

func TestCheckFindsSlipsInNestedSchemas(t *testing.T) {
	t.Parallel()
	checkSlips(t, nestType, []slip[nest]{
		{"update of a nested attribute that is not there", "the Update of conf.lvl", func(d *ResourceType[nest]) { d.Updates[0].Attrs = []string{"conf.lvl"} }},
		{"update of a nested computed attribute", "the Update of conf.uid", func(d *ResourceType[nest]) { d.Updates[0].Attrs = []string{"conf.uid"} }},
		{"nested setting", "the Setting conf.mode", func(d *ResourceType[nest]) { d.Settings = []string{"conf.mode"} }},
		{"recomputes a nested attribute", "Recomputes conf.uid", func(d *ResourceType[nest]) { d.Updates[0].Recomputes = []string{"conf.uid"} }},
		{"block without field", "reading the model", func(d *ResourceType[nest]) {
			d.Blocks["extra"] = schema.SingleNestedBlock{Attributes: map[string]schema.Attribute{}}
		}},
		{"nested attribute of another type", "reading the model", func(d *ResourceType[nest]) {
			d.Attrs["words"] = schema.ListAttribute{Optional: true, ElementType: types.Int64Type, MarkdownDescription: doc("D")}
		}},
		{"nested attribute without field", "the model", func(d *ResourceType[nest]) {
			b, ok := d.Blocks["conf"].(schema.SingleNestedBlock)
			if !ok {
				t.Fatal("conf is no single block")
			}
			b.Attributes["more"] = schema.StringAttribute{Optional: true}
		}},
		{"nested attribute without description", "the description of one.note", func(d *ResourceType[nest]) {
			partAttributes := partAttributes()
			partAttributes["note"] = schema.StringAttribute{Optional: true, Computed: true}
			d.Attrs["one"] = schema.SingleNestedAttribute{Optional: true, Attributes: partAttributes, MarkdownDescription: doc("D")}
		}},
	})
}
