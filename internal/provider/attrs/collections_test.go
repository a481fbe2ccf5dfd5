package attrs_test

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
)

func TestCollections(t *testing.T) {
	if a := attrs.OptionalStringSet("Doc."); !a.Optional || a.Computed || a.ElementType != types.StringType {
		t.Errorf("the set is %+v", a)
	}
	if a := attrs.ComputedStringList("Doc."); a.Optional || !a.Computed || a.ElementType != types.StringType {
		t.Errorf("the list is %+v", a)
	}
	if !attrs.StringSet(nil).IsNull() || !attrs.StringList(nil).IsNull() {
		t.Error("nothing is not null")
	}
	for _, got := range [][]string{attrs.Strings(attrs.StringSet([]string{"b", "a"})), attrs.Strings(attrs.StringList([]string{"b", "a"}))} {
		if !slices.Equal(got, []string{"b", "a"}) {
			t.Errorf("got %q", got)
		}
	}
	mixed := types.SetValueMust(types.StringType, []attr.Value{types.StringUnknown(), types.StringNull(), types.StringValue("a")})
	if got := attrs.Strings(mixed); !slices.Equal(got, []string{"a"}) {
		t.Errorf("got %q of unknown and null elements", got)
	}
}

// TestBlockRelations holds relations on lists and sets, and the size of a block that may be written once.
func TestBlockRelations(t *testing.T) {
	object := types.ObjectType{AttrTypes: map[string]attr.Type{"c": types.StringType}}
	element := types.ObjectValueMust(object.AttrTypes, map[string]attr.Value{"c": types.StringValue("x")})
	block := attrs.OneBlock("Doc.", map[string]schema.Attribute{"c": attrs.OptionalString("Doc.")}, attrs.ExactlyOneOf("b"))
	whole := schema.Schema{
		Attributes: map[string]schema.Attribute{"b": attrs.OptionalStringSet("Doc.", attrs.Conflicts("a"))},
		Blocks:     map[string]schema.Block{"a": block},
	}
	set := func(n int) types.Set { return attrs.StringSet(make([]string, n)) }
	for _, tt := range []struct {
		name     string
		a        types.List
		b        types.Set
		list     bool
		conflict bool
	}{
		{"the block alone", types.ListValueMust(object, []attr.Value{element}), set(0), false, false},
		{"the set alone", types.ListNull(object), set(1), false, false},
		{"both", types.ListValueMust(object, []attr.Value{element}), set(1), true, true},
		{"neither", types.ListNull(object), set(0), true, false},
		{"the block twice", types.ListValueMust(object, []attr.Value{element, element}), set(0), true, false},
		{"a block that is unknown", types.ListUnknown(object), set(1), false, false},
	} {
		a, _ := tt.a.ToTerraformValue(t.Context())
		b, _ := tt.b.ToTerraformValue(t.Context())
		config := tfsdk.Config{Schema: whole, Raw: tftypes.NewValue(whole.Type().TerraformType(t.Context()), map[string]tftypes.Value{"a": a, "b": b})}
		var list validator.ListResponse
		for _, v := range block.Validators {
			v.ValidateList(t.Context(), validator.ListRequest{Path: path.Root("a"), PathExpression: path.MatchRoot("a"), Config: config, ConfigValue: tt.a}, &list)
		}
		var conflict validator.SetResponse
		attrs.Conflicts("a").ValidateSet(t.Context(), validator.SetRequest{Path: path.Root("b"), PathExpression: path.MatchRoot("b"), Config: config, ConfigValue: tt.b}, &conflict)
		if list.Diagnostics.HasError() != tt.list || conflict.Diagnostics.HasError() != tt.conflict {
			t.Errorf("%s: the list says %v, the set %v", tt.name, list.Diagnostics, conflict.Diagnostics)
		}
	}
}
