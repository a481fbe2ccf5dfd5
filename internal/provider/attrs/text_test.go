package attrs_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
)

func TestMeaning(t *testing.T) {
	policy := func(s string) basetypes.StringValuableWithSemanticEquals { return attrs.NewPolicy(&s) }
	cidr := func(s string) basetypes.StringValuableWithSemanticEquals { return attrs.NewCIDR(&s) }
	arn := func(s string) basetypes.StringValuableWithSemanticEquals { return attrs.NewARN(&s) }
	const one = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["s3:Get","s3:Put"],"Resource":"*"}]}`
	tests := []struct {
		name string
		a, b basetypes.StringValuableWithSemanticEquals
		want bool
	}{
		{"a policy in another order", policy(one), policy(`{"Statement":{"Resource":["*"],"Action":["s3:Put","s3:Get"],"Effect":"Allow"}, "Version":"2012-10-17"}`), true},
		{"another policy", policy(one), policy(strings.Replace(one, "Allow", "Deny", 1)), false},
		{"no policy", policy(one), policy("x"), false},
		{"null and a policy", attrs.Policy{}, policy(one), false},
		{"null and null", attrs.Policy{}, attrs.NewPolicy(aws.String("")), true},
		{"IPv6 in another spelling", cidr("2600:0DB8::/56"), cidr("2600:db8:0::/56"), true},
		{"the same IPv4 range", cidr("10.0.0.0/16"), cidr("10.0.0.0/16"), true},
		{"another size", cidr("10.0.0.0/16"), cidr("10.0.0.0/17"), false},
		{"a CIDR and a policy", cidr("10.0.0.0/16"), policy("10.0.0.0/16"), false},
		{"ARNs are exact", arn("arn:aws:iam::1:role/a"), arn("arn:aws:iam::1:role/A"), false},
		{"no ARN", attrs.NewARN(nil), arn(""), true},
	}
	for _, tt := range tests {
		got, diags := tt.a.StringSemanticEquals(t.Context(), tt.b)
		back, _ := tt.b.StringSemanticEquals(t.Context(), tt.a)
		if got != tt.want || back != tt.want || diags.HasError() {
			t.Errorf("%s: got %t and %t, want %t (%v)", tt.name, got, back, tt.want, diags)
		}
	}
}

func TestValidation(t *testing.T) {
	tests := []struct {
		value xattr.ValidateableAttribute
		// says is a part of the error; "" for none.
		says string
	}{
		{attrs.NewPolicy(aws.String(`{"Version":"2012-10-17"}`)), ""},
		{attrs.NewPolicy(aws.String("  {}\n")), ""},
		{attrs.NewPolicy(aws.String(`{"a":1,}`)), "jsonencode"},
		{attrs.NewPolicy(aws.String(`{} {}`)), "exactly one JSON object"},
		{attrs.NewPolicy(aws.String(`null`)), "exactly one JSON object"},
		{attrs.NewPolicy(aws.String(`[]`)), "JSON object"},
		{attrs.Policy{StringValue: types.StringValue("")}, "JSON object"},
		{attrs.Policy{}, ""},
		{attrs.Policy{StringValue: types.StringUnknown()}, ""},
		{attrs.NewCIDR(aws.String("10.0.0.0/16")), ""},
		{attrs.NewCIDR(aws.String("2600:db8::/56")), ""},
		{attrs.NewCIDR(aws.String("10.0.0.1/16")), "10.0.0.0/16 is the range"},
		{attrs.NewCIDR(aws.String("10.0.0.0")), "CIDR block"},
		{attrs.NewARN(aws.String("")), ""},
		{attrs.NewARN(aws.String("arn:aws:iam::aws:policy/X")), ""},
		{attrs.NewARN(aws.String("ReadOnlyAccess")), "no ARN"},
		{attrs.NewPolicy(aws.String(strings.Repeat("x", 500))), "x…"},
	}
	for _, tt := range tests {
		var resp xattr.ValidateAttributeResponse
		tt.value.ValidateAttribute(t.Context(), xattr.ValidateAttributeRequest{Path: path.Root("a")}, &resp)
		if tt.says == "" {
			if resp.Diagnostics.HasError() {
				t.Errorf("%v: %v", tt.value, resp.Diagnostics)
			}
			continue
		}
		if len(resp.Diagnostics) != 1 || !strings.Contains(resp.Diagnostics[0].Detail(), tt.says) {
			t.Errorf("%v: got %v, want a word on %q", tt.value, resp.Diagnostics, tt.says)
		}
	}
}

func TestTextType(t *testing.T) {
	kinds := []attr.Type{attrs.Policy{}.Type(t.Context()), attrs.CIDR{}.Type(t.Context()), attrs.ARN{}.Type(t.Context()), types.StringType}
	for i, a := range kinds {
		for j, b := range kinds {
			if a.Equal(b) != (i == j) {
				t.Errorf("%s and %s: equal is %t", a, b, a.Equal(b))
			}
		}
	}
	for _, raw := range []any{nil, tftypes.UnknownValue, "10.0.0.0/16"} {
		v, err := kinds[1].ValueFromTerraform(t.Context(), tftypes.NewValue(tftypes.String, raw))
		if err != nil {
			t.Fatal(err)
		}
		back, err := v.ToTerraformValue(t.Context())
		if err != nil || !back.Equal(tftypes.NewValue(tftypes.String, raw)) || !v.Type(t.Context()).Equal(kinds[1]) {
			t.Errorf("%v comes back as %v (%v)", raw, back, err)
		}
	}
	if !(attrs.CIDR{}).IsNull() || (attrs.CIDR{}).Equal(attrs.Policy{}) || !(attrs.CIDR{}).Equal(attrs.CIDR{}) {
		t.Error("the zero value is null, and equal to its own kind alone")
	}
	if _, err := kinds[1].ValueFromTerraform(t.Context(), tftypes.NewValue(tftypes.Bool, true)); err == nil {
		t.Error("a bool is taken for a CIDR block")
	}
}
