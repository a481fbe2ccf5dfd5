package attrs_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
)

func TestConstructors(t *testing.T) {
	policy, cidr, arn := attrs.Policy{}.Type(t.Context()), attrs.CIDR{}.Type(t.Context()), attrs.ARN{}.Type(t.Context())
	tests := []struct {
		name string
		attr schema.Attribute
		// is holds r for required, o for optional, c for computed.
		is   string
		kind any
	}{
		{"RequiredString", attrs.RequiredString("Doc."), "r", types.StringType},
		{"OptionalString", attrs.OptionalString("Doc."), "o", types.StringType},
		{"OptionalComputedString", attrs.OptionalComputedString("Doc."), "oc", types.StringType},
		{"DefaultString", attrs.DefaultString("x", "Doc."), "oc", types.StringType},
		{"ComputedString", attrs.ComputedString("Doc."), "c", types.StringType},
		{"RequiredPolicy", attrs.RequiredPolicy("Doc."), "r", policy},
		{"RequiredARN", attrs.RequiredARN("Doc."), "r", arn},
		{"OptionalComputedCIDR", attrs.OptionalComputedCIDR("Doc."), "oc", cidr},
		{"OptionalARN", attrs.OptionalARN("Doc."), "oc", arn},
		{"OptionalComputedBool", attrs.OptionalComputedBool("Doc."), "oc", types.BoolType},
		{"DefaultBool", attrs.DefaultBool(true, "Doc."), "oc", types.BoolType},
		{"OptionalInt64", attrs.OptionalInt64("Doc."), "o", types.Int64Type},
		{"DefaultInt64", attrs.DefaultInt64(7, "Doc."), "oc", types.Int64Type},
	}
	for _, tt := range tests {
		var is string
		for _, f := range []struct {
			letter string
			on     bool
		}{{"r", tt.attr.IsRequired()}, {"o", tt.attr.IsOptional()}, {"c", tt.attr.IsComputed()}} {
			if f.on {
				is += f.letter
			}
		}
		if is != tt.is || tt.attr.GetType() != tt.kind || tt.attr.GetMarkdownDescription() != "Doc." {
			t.Errorf("%s: is %q of %s, %q", tt.name, is, tt.attr.GetType(), tt.attr.GetMarkdownDescription())
		}
	}
}

func TestDefaults(t *testing.T) {
	var text defaults.StringResponse
	attrs.DefaultString("x", "Doc.").Default.DefaultString(t.Context(), defaults.StringRequest{}, &text)
	var none defaults.StringResponse
	attrs.OptionalARN("Doc.").Default.DefaultString(t.Context(), defaults.StringRequest{}, &none)
	var truth defaults.BoolResponse
	attrs.DefaultBool(true, "Doc.").Default.DefaultBool(t.Context(), defaults.BoolRequest{}, &truth)
	var number defaults.Int64Response
	attrs.DefaultInt64(7, "Doc.").Default.DefaultInt64(t.Context(), defaults.Int64Request{}, &number)
	if text.PlanValue.ValueString() != "x" || none.PlanValue.IsNull() || !truth.PlanValue.ValueBool() || number.PlanValue.ValueInt64() != 7 {
		t.Errorf("got %s, %s, %s, %s", text.PlanValue, none.PlanValue, truth.PlanValue, number.PlanValue)
	}
}
