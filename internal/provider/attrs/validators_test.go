package attrs_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
)

func TestStringValidators(t *testing.T) {
	type color string
	name := attrs.Matches(regexp.MustCompile(`^[a-z]+$`), "must be small letters")
	tail := attrs.NotMatches(regexp.MustCompile(`-$`), "must not end in a hyphen")
	tests := []struct {
		validator validator.String
		value     types.String
		says      string
	}{
		{attrs.OneOf(color("red"), color("blue")), types.StringValue("red"), ""},
		{attrs.OneOf(color("red"), color("blue")), types.StringValue("green"), `"red" "blue"`},
		{attrs.Length(1, 3), types.StringValue("äöü"), ""},
		{attrs.Length(1, 3), types.StringValue("abcd"), "between 1 and 3"},
		{attrs.NotEmpty(), types.StringValue(""), "null leaves it out"},
		{attrs.NotEmpty(), types.StringValue("a"), ""},
		{attrs.NotEmpty(), types.StringNull(), ""},
		{name, types.StringValue("abc"), ""},
		{name, types.StringValue("ABC"), "must be small letters"},
		{tail, types.StringValue("a-b"), ""},
		{tail, types.StringValue("a-"), "must not end in a hyphen, got: a-"},
		{tail, types.StringNull(), ""},
		{attrs.IPv4(16, 28), types.StringValue("10.0.0.0/16"), ""},
		{attrs.IPv4(16, 28), types.StringValue("10.0.0.0/15"), "must be an IPv4 range between /16 and /28"},
		{attrs.IPv4(16, 28), types.StringValue("2600::/20"), "must be an IPv4 range"},
		{attrs.IPv4(16, 28), types.StringValue("what"), ""}, // the CIDR type says so
		{attrs.IPv4(16, 28), types.StringUnknown(), ""},
		{attrs.IPv6(56, 56), types.StringValue("2600::/56"), ""},
		{attrs.IPv6(56, 56), types.StringValue("2600::/57"), "must be an IPv6 range of /56"},
	}
	for _, tt := range tests {
		var resp validator.StringResponse
		tt.validator.ValidateString(t.Context(), validator.StringRequest{Path: path.Root("a"), ConfigValue: tt.value}, &resp)
		if tt.says == "" && resp.Diagnostics.HasError() {
			t.Errorf("%s: %v", tt.value, resp.Diagnostics)
		}
		if tt.says != "" && (len(resp.Diagnostics) != 1 || !strings.Contains(resp.Diagnostics[0].Detail(), tt.says)) {
			t.Errorf("%s: got %v, want a word on %q", tt.value, resp.Diagnostics, tt.says)
		}
	}
}

func TestNumberValidators(t *testing.T) {
	tests := []struct {
		validator validator.Int64
		value     int64
		fails     bool
	}{
		{attrs.Between(16, 28), 16, false},
		{attrs.Between(16, 28), 29, true},
		{attrs.OneOfInt64(44, 48), 48, false},
		{attrs.OneOfInt64(44, 48), 46, true},
	}
	for _, tt := range tests {
		var resp validator.Int64Response
		tt.validator.ValidateInt64(t.Context(), validator.Int64Request{Path: path.Root("a"), ConfigValue: types.Int64Value(tt.value)}, &resp)
		if resp.Diagnostics.HasError() != tt.fails {
			t.Errorf("%d: got %v", tt.value, resp.Diagnostics)
		}
	}
}

func TestRelations(t *testing.T) {
	none, unknown := any(nil), any(tftypes.UnknownValue)
	tests := []struct {
		name     string
		relation attrs.Relation
		own, b   any
		fails    bool
	}{
		{"both", attrs.Conflicts("b"), true, "x", true},
		{"one", attrs.Conflicts("b"), true, none, false},
		{"the other", attrs.Conflicts("b"), none, "x", false},
		{"one and unknown", attrs.Conflicts("b"), true, unknown, false},
		{"needed and there", attrs.Requires("b"), true, "x", false},
		{"needed and missing", attrs.Requires("b"), true, none, true},
		{"not needed", attrs.Requires("b"), none, none, false},
		{"none of them", attrs.AtLeastOneOf("b"), none, none, true},
		{"one of them", attrs.AtLeastOneOf("b"), none, "x", false},
		{"both of them", attrs.AtLeastOneOf("b"), true, "x", false},
		{"perhaps one", attrs.AtLeastOneOf("b"), none, unknown, false},
		{"exactly one", attrs.ExactlyOneOf("b"), true, none, false},
		{"exactly none", attrs.ExactlyOneOf("b"), none, none, true},
		{"exactly both", attrs.ExactlyOneOf("b"), true, "x", true},
	}
	for _, tt := range tests {
		for _, kind := range []tftypes.Type{tftypes.Bool, tftypes.String, tftypes.Number} {
			own := tt.own
			if own == true {
				own = map[string]any{"bool": true, "string": "x", "number": 1}[strings.ToLower(strings.TrimPrefix(kind.String(), "tftypes."))]
			}
			if got := related(t, tt.relation, kind, own, tt.b); got != tt.fails {
				t.Errorf("%s, %s: fails is %t, want %t", tt.name, kind, got, tt.fails)
			}
		}
	}
	if d := attrs.Conflicts("b"); d.Description(t.Context()) == "" || d.MarkdownDescription(t.Context()) == "" {
		t.Error("a relation has no description")
	}
}

func TestZeroWhere(t *testing.T) {
	v := attrs.ZeroWhere("b", "x", "it is so")
	object := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"b": tftypes.String}}
	s := schema.Schema{Attributes: map[string]schema.Attribute{"b": schema.StringAttribute{Optional: true}}}
	for _, tt := range []struct {
		own   types.Int64
		b     any
		fails bool
	}{
		{types.Int64Value(7), "x", true},
		{types.Int64Value(7), "y", false},
		{types.Int64Value(7), nil, false},
		{types.Int64Value(7), tftypes.UnknownValue, false},
		{types.Int64Value(0), "x", false},
		{types.Int64Null(), "x", false},
		{types.Int64Unknown(), "x", false},
	} {
		var resp validator.Int64Response
		v.ValidateInt64(t.Context(), validator.Int64Request{
			Path: path.Root("a"), ConfigValue: tt.own,
			Config: tfsdk.Config{Schema: s, Raw: tftypes.NewValue(object, map[string]tftypes.Value{"b": tftypes.NewValue(tftypes.String, tt.b)})},
		}, &resp)
		if resp.Diagnostics.HasError() != tt.fails {
			t.Errorf("%s beside %v: got %v", tt.own, tt.b, resp.Diagnostics)
		}
	}
	if d := v.MarkdownDescription(t.Context()); !strings.Contains(d, "where b is \"x\": it is so") {
		t.Errorf("the rule reads %q", d)
	}
}

// related runs a relation on attribute "a" of the given kind beside a string "b".
func related(t *testing.T, r attrs.Relation, kind tftypes.Type, a, b any) bool {
	t.Helper()
	s := schema.Schema{Attributes: map[string]schema.Attribute{"b": schema.StringAttribute{Optional: true}}}
	var run func(context.Context, tfsdk.Config) bool
	own, expression := path.Root("a"), path.MatchRoot("a")
	switch {
	case kind.Is(tftypes.Bool):
		s.Attributes["a"] = schema.BoolAttribute{Optional: true}
		run = func(ctx context.Context, c tfsdk.Config) bool {
			var v types.Bool
			c.GetAttribute(ctx, own, &v)
			var resp validator.BoolResponse
			r.ValidateBool(ctx, validator.BoolRequest{Path: own, PathExpression: expression, Config: c, ConfigValue: v}, &resp)
			return resp.Diagnostics.HasError()
		}
	case kind.Is(tftypes.Number):
		s.Attributes["a"] = schema.Int64Attribute{Optional: true}
		run = func(ctx context.Context, c tfsdk.Config) bool {
			var v types.Int64
			c.GetAttribute(ctx, own, &v)
			var resp validator.Int64Response
			r.ValidateInt64(ctx, validator.Int64Request{Path: own, PathExpression: expression, Config: c, ConfigValue: v}, &resp)
			return resp.Diagnostics.HasError()
		}
	default:
		s.Attributes["a"] = schema.StringAttribute{Optional: true}
		run = func(ctx context.Context, c tfsdk.Config) bool {
			var v types.String
			c.GetAttribute(ctx, own, &v)
			var resp validator.StringResponse
			r.ValidateString(ctx, validator.StringRequest{Path: own, PathExpression: expression, Config: c, ConfigValue: v}, &resp)
			return resp.Diagnostics.HasError()
		}
	}
	object := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"a": kind, "b": tftypes.String}}
	return run(t.Context(), tfsdk.Config{Schema: s, Raw: tftypes.NewValue(object, map[string]tftypes.Value{
		"a": tftypes.NewValue(kind, a), "b": tftypes.NewValue(tftypes.String, b),
	})})
}
