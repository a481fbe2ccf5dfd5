package attrs

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/boolvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Relation is a rule between top-level attributes and blocks. It stands among the validators of one of them, whatever its
// type: string, bool, number, list or set. Unknown values are given the benefit of the doubt.
type Relation struct {
	text  validator.String
	truth validator.Bool
	whole validator.Int64
	list  validator.List
	set   validator.Set
}

var (
	_ validator.String = Relation{}
	_ validator.Bool   = Relation{}
	_ validator.Int64  = Relation{}
	_ validator.List   = Relation{}
	_ validator.Set    = Relation{}
)

// Conflicts refuses the attribute where one of the named ones is configured too.
func Conflicts(names ...string) Relation {
	e := roots(names)
	return Relation{
		stringvalidator.ConflictsWith(e...), boolvalidator.ConflictsWith(e...), int64validator.ConflictsWith(e...),
		listvalidator.ConflictsWith(e...), setvalidator.ConflictsWith(e...),
	}
}

// Requires refuses the attribute where one of the named ones is not configured.
func Requires(names ...string) Relation {
	e := roots(names)
	return Relation{
		stringvalidator.AlsoRequires(e...), boolvalidator.AlsoRequires(e...), int64validator.AlsoRequires(e...),
		listvalidator.AlsoRequires(e...), setvalidator.AlsoRequires(e...),
	}
}

// AtLeastOneOf asks for the attribute or one of the named ones.
func AtLeastOneOf(names ...string) Relation {
	e := roots(names)
	return Relation{
		stringvalidator.AtLeastOneOf(e...), boolvalidator.AtLeastOneOf(e...), int64validator.AtLeastOneOf(e...),
		listvalidator.AtLeastOneOf(e...), setvalidator.AtLeastOneOf(e...),
	}
}

// ExactlyOneOf asks for either the attribute or one of the named ones.
func ExactlyOneOf(names ...string) Relation {
	e := roots(names)
	return Relation{
		stringvalidator.ExactlyOneOf(e...), boolvalidator.ExactlyOneOf(e...), int64validator.ExactlyOneOf(e...),
		listvalidator.ExactlyOneOf(e...), setvalidator.ExactlyOneOf(e...),
	}
}

func roots(names []string) []path.Expression {
	out := make([]path.Expression, len(names))
	for i, n := range names {
		out[i] = path.MatchRoot(n)
	}
	return out
}

// Description implements validator.Describer.
func (r Relation) Description(ctx context.Context) string { return r.text.Description(ctx) }

// MarkdownDescription implements validator.Describer.
func (r Relation) MarkdownDescription(ctx context.Context) string {
	return r.text.MarkdownDescription(ctx)
}

// ValidateString implements validator.String.
func (r Relation) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	r.text.ValidateString(ctx, req, resp)
}

// ValidateBool implements validator.Bool.
func (r Relation) ValidateBool(ctx context.Context, req validator.BoolRequest, resp *validator.BoolResponse) {
	r.truth.ValidateBool(ctx, req, resp)
}

// ValidateInt64 implements validator.Int64.
func (r Relation) ValidateInt64(ctx context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	r.whole.ValidateInt64(ctx, req, resp)
}

// ValidateList implements validator.List. A block that nobody wrote comes as null.
func (r Relation) ValidateList(ctx context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	r.list.ValidateList(ctx, req, resp)
}

// ValidateSet implements validator.Set. A block that nobody wrote comes as null.
func (r Relation) ValidateSet(ctx context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	r.set.ValidateSet(ctx, req, resp)
}

// ZeroWhere refuses a number other than 0 where the named top-level string has the value; why says the reason. An
// unknown value is given the benefit of the doubt.
func ZeroWhere(name, value, why string) validator.Int64 { return zeroWhere{name, value, why} }

type zeroWhere struct{ name, value, why string }

// Description implements validator.Describer.
func (z zeroWhere) Description(context.Context) string {
	return fmt.Sprintf("must be 0 or left out where %s is %q: %s", z.name, z.value, z.why)
}

// MarkdownDescription implements validator.Describer.
func (z zeroWhere) MarkdownDescription(ctx context.Context) string { return z.Description(ctx) }

// ValidateInt64 implements validator.Int64.
func (z zeroWhere) ValidateInt64(ctx context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	if req.ConfigValue.ValueInt64() == 0 { // null and unknown, too
		return
	}
	var other types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root(z.name), &other)...)
	if other.ValueString() == z.value {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid combination of arguments",
			fmt.Sprintf("%s is %d; it %s.", req.Path, req.ConfigValue.ValueInt64(), z.Description(ctx)))
	}
}
