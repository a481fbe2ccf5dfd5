package attrs_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
)

// An unknown string's own pointer points to "", which would reach AWS.
func TestPointers(t *testing.T) {
	for _, v := range []types.String{types.StringNull(), types.StringUnknown(), types.StringValue("")} {
		if p := attrs.Ptr(v); p != nil {
			t.Errorf("%s: got %q, want nil", v, *p)
		}
	}
	if p := attrs.Ptr(attrs.NewCIDR(aws.String("10.0.0.0/16"))); p == nil || *p != "10.0.0.0/16" {
		t.Errorf("a CIDR: got %v", p)
	}
	if attrs.BoolPtr(types.BoolNull()) != nil || attrs.BoolPtr(types.BoolUnknown()) != nil {
		t.Error("null and unknown bools are not said")
	}
	if p := attrs.BoolPtr(types.BoolValue(false)); p == nil || *p {
		t.Errorf("false: got %v", p)
	}
	for _, v := range []types.Int64{types.Int64Null(), types.Int64Unknown(), types.Int64Value(1 << 40)} {
		if p := attrs.Int32Ptr(v); p != nil {
			t.Errorf("%s: got %d, want nil", v, *p)
		}
	}
	if p := attrs.Int32Ptr(types.Int64Value(0)); p == nil || *p != 0 {
		t.Errorf("0: got %v", p)
	}
}

func TestAnswers(t *testing.T) {
	if !attrs.String[string](nil).IsNull() || !attrs.String(aws.String("")).IsNull() {
		t.Error("nothing and empty are null")
	}
	if got := attrs.String(aws.String("a")); got.ValueString() != "a" {
		t.Errorf("got %s", got)
	}
	if !attrs.Int64(nil).IsNull() || attrs.Int64(aws.Int32(0)).IsNull() || attrs.Int64(aws.Int32(7)).ValueInt64() != 7 {
		t.Error("nil alone is null")
	}
}

func TestPrefixOf(t *testing.T) {
	tests := []struct{ name, want string }{
		{"app-abcdefghijklmnopqrstuvwx27", "app-"},
		{"terraform-20261130120000000000000001", "terraform-"},
		{"app-abcdefghijklmnopqrstuvwxy", ""},
		{"app-ABCDEFGHIJKLMNOPQRSTUVWXYZ", ""},
		{"abcdefghijklmnopqrstuvwxyz", ""},
		{"app", ""},
	}
	for _, tt := range tests {
		if got := attrs.PrefixOf(tt.name); got.ValueString() != tt.want || got.IsNull() != (tt.want == "") {
			t.Errorf("%s: got %s, want %q", tt.name, got, tt.want)
		}
	}
}
