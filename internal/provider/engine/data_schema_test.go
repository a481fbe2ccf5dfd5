package engine

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	data "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// The schema follows the resource's: what is shown is computed, and only look-ups may be given.
func TestDataSchema(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tt := range []struct {
		typ                Type
		optional, required []string
	}{
		{Of(widgetType(w)), []string{"id", "region", "tags", "tofu_address", "tofu_estate", "tofu_key"}, nil},
		{Of(gadgetType(w)), []string{"name", "tags", "tofu_address", "tofu_estate", "tofu_key"}, nil},
		{Of(jointType(w)), nil, []string{"gadget", "name"}},
		{Of(knobType(w)), nil, []string{"gadget"}},
		{Of(nestType(w)), []string{"id", "region", "tags", "tofu_address", "tofu_estate", "tofu_key"}, nil},
	} {
		k := kindOf(t, tt.typ)
		var optional, required []string
		for _, name := range sortedKeys(k.data.Attributes) {
			a := k.data.Attributes[name]
			switch {
			case a.IsRequired():
				required = append(required, name)
			case !a.IsComputed():
				t.Errorf("%s.%s is not computed", k.name, name)
			case a.IsOptional():
				optional = append(optional, name)
			}
			if !strings.HasSuffix(a.GetMarkdownDescription(), ".") && k.blocks[name] == nil {
				t.Errorf("%s.%s: the description %q is no sentence", k.name, name, a.GetMarkdownDescription())
			}
		}
		if !slices.Equal(optional, tt.optional) || !slices.Equal(required, tt.required) {
			t.Errorf("%s: optional %v, required %v", k.name, optional, required)
		}
		if len(k.data.Blocks) > 0 {
			t.Errorf("%s has blocks: %v", k.name, k.data.Blocks)
		}
	}
	k := kindOf(t, Of(nestType(w)))
	rules, ok := k.data.Attributes["rules"].(data.ListNestedAttribute)
	if !ok {
		t.Fatalf("rules is a %T", k.data.Attributes["rules"])
	}
	inner, ok := rules.NestedObject.Attributes["inner"].(data.SetNestedAttribute)
	if !ok || inner.NestedObject.Attributes["uid"].GetMarkdownDescription() != "Id." || !inner.NestedObject.Attributes["name"].IsComputed() {
		t.Errorf("the inner block is %v", rules.NestedObject.Attributes["inner"])
	}
	if _, ok := kindOf(t, Of(searchable(w))).data.Blocks[attrFilter]; !ok {
		t.Error("a type with Search has no filter")
	}
}

// Every kind of attribute and block keeps its type, its secrecy and its description; what is write-only goes.
func TestDataAttributeKinds(t *testing.T) {
	t.Parallel()
	inner := map[string]schema.Attribute{
		"text": schema.StringAttribute{Optional: true, CustomType: foldedType{}}, "secret": schema.StringAttribute{Optional: true, Sensitive: true},
		"told": schema.StringAttribute{Optional: true, WriteOnly: true},
	}
	object := schema.NestedAttributeObject{Attributes: inner}
	block := schema.NestedBlockObject{Attributes: inner}
	shownObject := types.ObjectType{AttrTypes: map[string]attr.Type{"text": foldedType{}, "secret": types.StringType}}
	const doc = "What it is."
	attributes := map[string]schema.Attribute{
		"bool": schema.BoolAttribute{Required: true, Sensitive: true, MarkdownDescription: doc}, "float32": schema.Float32Attribute{Required: true, Sensitive: true, MarkdownDescription: doc},
		"float64": schema.Float64Attribute{Required: true, Sensitive: true, MarkdownDescription: doc}, "int32": schema.Int32Attribute{Required: true, Sensitive: true, MarkdownDescription: doc},
		"int64": schema.Int64Attribute{Required: true, Sensitive: true, MarkdownDescription: doc}, "number": schema.NumberAttribute{Required: true, Sensitive: true, MarkdownDescription: doc},
		"string": schema.StringAttribute{Required: true, Sensitive: true, MarkdownDescription: doc, CustomType: foldedType{}},
		"list":   schema.ListAttribute{Required: true, Sensitive: true, MarkdownDescription: doc, ElementType: types.Int64Type},
		"map":    schema.MapAttribute{Required: true, Sensitive: true, MarkdownDescription: doc, ElementType: types.BoolType},
		"set":    schema.SetAttribute{Required: true, Sensitive: true, MarkdownDescription: doc, ElementType: foldedType{}},
		"object": schema.ObjectAttribute{Required: true, Sensitive: true, MarkdownDescription: doc, AttributeTypes: map[string]attr.Type{"a": types.StringType}},
	}
	nested := map[string]schema.Attribute{
		"lists": schema.ListNestedAttribute{Required: true, Sensitive: true, MarkdownDescription: doc, NestedObject: object}, "one": schema.SingleNestedAttribute{Required: true, Sensitive: true, MarkdownDescription: doc, Attributes: inner},
		"maps": schema.MapNestedAttribute{Required: true, Sensitive: true, MarkdownDescription: doc, NestedObject: object}, "sets": schema.SetNestedAttribute{Required: true, Sensitive: true, MarkdownDescription: doc, NestedObject: object},
	}
	blocks := map[string]schema.Block{
		"list": schema.ListNestedBlock{MarkdownDescription: doc, NestedObject: block}, "set": schema.SetNestedBlock{MarkdownDescription: doc, NestedObject: block},
		"single": schema.SingleNestedBlock{MarkdownDescription: doc, Attributes: inner},
	}
	want := map[string]attr.Type{
		"lists": types.ListType{ElemType: shownObject}, "one": shownObject, "maps": types.MapType{ElemType: shownObject}, "sets": types.SetType{ElemType: shownObject},
		"list": types.ListType{ElemType: shownObject}, "set": types.SetType{ElemType: shownObject}, "single": shownObject,
	}
	check := func(name string, is data.Attribute, typ attr.Type, secret bool) {
		t.Helper()
		if is == nil || !is.GetType().Equal(typ) || !is.IsComputed() || is.IsRequired() || is.IsSensitive() != secret || is.GetMarkdownDescription() != doc {
			t.Errorf("%s becomes %#v", name, is)
		}
	}
	for name, a := range dataAttributes(attributes, nil) {
		check(name, a, attributes[name].GetType(), true)
	}
	if n := len(dataAttributes(attributes, nil)); n != len(attributes) {
		t.Errorf("%d of %d attributes are shown", n, len(attributes))
	}
	for name, a := range dataAttributes(nested, nil) {
		check(name, a, want[name], true)
	}
	for name, a := range dataAttributes(nil, blocks) {
		check(name, a, want[name], false)
	}
	if dataAttribute(schema.DynamicAttribute{}) != nil {
		t.Error("a dynamic attribute is shown, and nobody has tried it")
	}
}

// What only a resource has goes from values too, at any depth.
func TestProject(t *testing.T) {
	t.Parallel()
	narrow := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"a": tftypes.String}}
	wide := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"a": tftypes.String, "told": tftypes.String}}
	one, want := object{"a": str("x"), "told": str("y")}.value(wide), object{"a": str("x")}.value(narrow)
	for name, tt := range map[string]struct{ is, want tftypes.Value }{
		"object":  {one, want},
		"list":    {tftypes.NewValue(tftypes.List{ElementType: wide}, []tftypes.Value{one}), tftypes.NewValue(tftypes.List{ElementType: narrow}, []tftypes.Value{want})},
		"set":     {tftypes.NewValue(tftypes.Set{ElementType: wide}, []tftypes.Value{one}), tftypes.NewValue(tftypes.Set{ElementType: narrow}, []tftypes.Value{want})},
		"map":     {object{"k": one}.value(tftypes.Map{ElementType: wide}), object{"k": want}.value(tftypes.Map{ElementType: narrow})},
		"null":    {tftypes.NewValue(wide, nil), tftypes.NewValue(narrow, nil)},
		"unknown": {tftypes.NewValue(wide, tftypes.UnknownValue), tftypes.NewValue(narrow, nil)},
		"nothing": {tftypes.NewValue(tftypes.List{ElementType: wide}, []tftypes.Value{}), tftypes.NewValue(tftypes.List{ElementType: narrow}, []tftypes.Value{})},
		"text":    {str("x"), str("x")},
	} {
		if got := project(tt.is, tt.want.Type()); !got.Equal(tt.want) {
			t.Errorf("%s becomes %s", name, got)
		}
	}
}

// vault is a Composed type with something write-only inside of a block.
type vault struct {
	Name  types.String `tfsdk:"name"`
	Login []login      `tfsdk:"login"`
}

type login struct {
	User     types.String `tfsdk:"user"`
	Password types.String `tfsdk:"password"`
}

func TestDataHasNoWriteOnlyValues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(ResourceType[vault]{
		Name: "vault", Service: "Test", Doc: doc("A vault"), Tier: Composed, Global: true, Identity: []Part{{Attr: "name"}},
		Attrs: map[string]schema.Attribute{"name": schema.StringAttribute{Required: true, MarkdownDescription: doc("Name")}},
		Blocks: map[string]schema.Block{"login": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
			"user": schema.StringAttribute{Optional: true}, "password": schema.StringAttribute{Optional: true, WriteOnly: true},
		}}}},
		Get: func(_ context.Context, _ *cloud.Session, k Key) (Live[vault], error) {
			return Live[vault]{Key: k, Model: vault{types.StringValue(k[0]), []login{{User: types.StringValue("me")}}}}, nil
		},
	}))
	logins := elements(c.data("estate_vault", conf{"name": "v"}).attr("login"))
	if len(logins) != 1 || len(objectOf(logins[0])) != 1 || text(objectOf(logins[0])["user"]) != "me" {
		t.Errorf("the logins are %v", logins)
	}
}

// What a configuration may write, and what stands for what it leaves out, is not said of a value that is only shown.
func TestShownDoc(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		"Name of it, up to 64 characters. Generated when unset.": "Name of it, up to 64 characters.",
		"Range, such as 10.0.0.0/16. `x` when unset.":            "Range, such as 10.0.0.0/16.",
		"Port, incl. zero.":                    "Port, incl. zero.",
		"Ports, e.g. the first. Default none.": "Ports, e.g. the first.",
	} {
		if got := shownDoc(schema.StringAttribute{Optional: true, MarkdownDescription: doc}); got != want {
			t.Errorf("%q becomes %q", doc, got)
		}
		if got := shownDoc(schema.StringAttribute{Computed: true, MarkdownDescription: doc}); got != doc {
			t.Errorf("the computed %q becomes %q", doc, got)
		}
	}
}

// The self-check names what a data source could not show or look up.
func TestCheckFindsWhatADataSourceCannotShow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for want, change := range map[string]func(*ResourceType[widget]){
		"attribute extra is of a kind":  func(d *ResourceType[widget]) { d.Attrs["extra"] = schema.DynamicAttribute{Computed: true} },
		"Search needs the name filter":  func(d *ResourceType[widget]) { d.Attrs["filter"] = d.Attrs["label"] },
		"the key part size is no text":  func(d *ResourceType[widget]) { d.Identity = []Part{{Attr: "size"}} },
		"Search is for types with tags": func(d *ResourceType[widget]) { d.Tags = nil },
	} {
		d := searchable(w)
		change(&d)
		if err := Of(d).Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("wanted %q in %v", want, err)
		}
	}
	if err := Of(searchable(w)).Check(); err != nil {
		t.Error(err)
	}
}
