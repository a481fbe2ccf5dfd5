// Package attrs builds the schema attributes of resource types and the values that they hold.
//
// It holds constructors for attributes (schema.go), validators (validators.go, relations.go), value types that
// compare by meaning (text.go) and the conversions between framework values and what the AWS SDK takes and
// gives (this file). With it a service package needs nothing of the framework but resource/schema and types.
//
// It lacks plan modifiers: what a change of an attribute means is derived by the engine from the type's Updates.
package attrs

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Ptr returns the string for a request, or nil when v is null, unknown or empty: AWS takes an absent parameter as
// "not said", and an empty one mostly as an error.
func Ptr(v interface {
	IsNull() bool
	IsUnknown() bool
	ValueString() string
}) *string {
	s := v.ValueString()
	if v.IsNull() || v.IsUnknown() || s == "" {
		return nil
	}
	return &s
}

// BoolPtr returns the bool for a request, or nil when v is null or unknown.
func BoolPtr(v types.Bool) *bool {
	if v.IsNull() || v.IsUnknown() {
		return nil
	}
	return v.ValueBoolPointer()
}

// Int32Ptr returns the number for a request, or nil when v is null, unknown or beyond 32 bits, which validators
// are expected to have refused.
func Int32Ptr(v types.Int64) *int32 {
	n := v.ValueInt64()
	i := int32(n) // #nosec G115 -- compared below
	if v.IsNull() || v.IsUnknown() || int64(i) != n {
		return nil
	}
	return &i
}

// String returns what AWS answered; null for nil and for "", with which EC2 and IAM say that there is nothing.
func String[S ~string](p *S) types.String {
	if p == nil || *p == "" {
		return types.StringNull()
	}
	return types.StringValue(string(*p))
}

// Int64 returns what AWS answered; null for nil.
func Int64(p *int32) types.Int64 {
	if p == nil {
		return types.Int64Null()
	}
	return types.Int64Value(int64(*p))
}

// generatedName ends in the 26 characters of a generated suffix: ours are base 32, those of hashicorp/aws
// hexadecimal.
var generatedName = regexp.MustCompile(`^(.*)([a-z2-7]{26}|[0-9a-f]{26})$`)

// PrefixOf returns the prefix that name was generated from, null when it does not look generated. Like in
// hashicorp/aws, a name_prefix is so known after an import, and asks for no replacement.
func PrefixOf(name string) types.String {
	if m := generatedName.FindStringSubmatch(name); m != nil && m[1] != "" {
		return types.StringValue(m[1])
	}
	return types.StringNull()
}
