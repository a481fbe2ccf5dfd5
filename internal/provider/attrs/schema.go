package attrs

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// The first sentence of every description says what the attribute is; the default follows where there is one.
// The constructors are named for who decides the value: Required and Optional by the user, OptionalComputed by the
// user or else by AWS, Default by the user or else by hashicorp/aws's default, Computed by AWS.

// RequiredString returns a string attribute that must be given.
func RequiredString(doc string, v ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{Required: true, MarkdownDescription: doc, Validators: v}
}

// OptionalString returns a string attribute that may be left out.
func OptionalString(doc string, v ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{Optional: true, MarkdownDescription: doc, Validators: v}
}

// OptionalComputedString returns a string attribute that AWS decides when it is left out.
func OptionalComputedString(doc string, v ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: doc, Validators: v}
}

// DefaultString returns a string attribute with a default. A default of "" stands for attributes that AWS keeps
// empty when they are left out, so that "" and nothing mean the same.
func DefaultString(value, doc string, v ...validator.String) schema.StringAttribute {
	a := OptionalComputedString(doc, v...)
	a.Default = stringdefault.StaticString(value)
	return a
}

// ComputedString returns a string attribute that only AWS decides.
func ComputedString(doc string) schema.StringAttribute {
	return schema.StringAttribute{Computed: true, MarkdownDescription: doc}
}

// RequiredPolicy returns an attribute that holds a Policy and must be given.
func RequiredPolicy(doc string, v ...validator.String) schema.StringAttribute {
	return of[policy](RequiredString(doc, v...))
}

// RequiredARN returns an attribute that holds an ARN and must be given.
func RequiredARN(doc string, v ...validator.String) schema.StringAttribute {
	return of[amazonName](RequiredString(doc, v...))
}

// OptionalComputedCIDR returns an attribute that holds a CIDR, which AWS decides when it is left out.
func OptionalComputedCIDR(doc string, v ...validator.String) schema.StringAttribute {
	return of[cidr](OptionalComputedString(doc, v...))
}

// OptionalARN returns an attribute that holds an ARN, "" when it is left out.
func OptionalARN(doc string, v ...validator.String) schema.StringAttribute {
	return of[amazonName](DefaultString("", doc, v...))
}

func of[G Grammar](a schema.StringAttribute) schema.StringAttribute {
	a.CustomType = TextType[G]{}
	return a
}

// OptionalComputedBool returns a bool attribute that AWS decides when it is left out.
func OptionalComputedBool(doc string, v ...validator.Bool) schema.BoolAttribute {
	return schema.BoolAttribute{Optional: true, Computed: true, MarkdownDescription: doc, Validators: v}
}

// DefaultBool returns a bool attribute with a default.
func DefaultBool(value bool, doc string, v ...validator.Bool) schema.BoolAttribute {
	a := OptionalComputedBool(doc, v...)
	a.Default = booldefault.StaticBool(value)
	return a
}

// OptionalInt64 returns a number attribute that may be left out.
func OptionalInt64(doc string, v ...validator.Int64) schema.Int64Attribute {
	return schema.Int64Attribute{Optional: true, MarkdownDescription: doc, Validators: v}
}

// DefaultInt64 returns a number attribute with a default.
func DefaultInt64(value int64, doc string, v ...validator.Int64) schema.Int64Attribute {
	return schema.Int64Attribute{
		Optional: true, Computed: true, MarkdownDescription: doc, Validators: v, Default: int64default.StaticInt64(value),
	}
}
