package attrs

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// OptionalStringSet returns a set of strings that may be left out.
func OptionalStringSet(doc string, v ...validator.Set) schema.SetAttribute {
	return schema.SetAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: doc, Validators: v}
}

// ComputedStringList returns a list of strings that only AWS decides.
func ComputedStringList(doc string) schema.ListAttribute {
	return schema.ListAttribute{ElementType: types.StringType, Computed: true, MarkdownDescription: doc}
}

// OneBlock returns a block that may be written once.
func OneBlock(doc string, attributes map[string]schema.Attribute, v ...validator.List) schema.ListNestedBlock {
	return schema.ListNestedBlock{
		MarkdownDescription: doc,
		NestedObject:        schema.NestedBlockObject{Attributes: attributes},
		Validators:          append([]validator.List{listvalidator.SizeAtMost(1)}, v...),
	}
}

// StringSet returns what AWS answered as a set; null where there is nothing.
func StringSet(values []string) types.Set {
	if len(values) == 0 {
		return types.SetNull(types.StringType)
	}
	return types.SetValueMust(types.StringType, textValues(values))
}

// StringList returns what AWS answered as a list; null where there is nothing.
func StringList(values []string) types.List {
	if len(values) == 0 {
		return types.ListNull(types.StringType)
	}
	return types.ListValueMust(types.StringType, textValues(values))
}

// Strings returns the known elements of a list or set of strings.
func Strings(v interface{ Elements() []attr.Value }) []string {
	var out []string
	for _, e := range v.Elements() {
		if s, ok := e.(types.String); ok && !s.IsNull() && !s.IsUnknown() {
			out = append(out, s.ValueString())
		}
	}
	return out
}

func textValues(values []string) []attr.Value {
	out := make([]attr.Value, len(values))
	for i, v := range values {
		out[i] = types.StringValue(v)
	}
	return out
}
