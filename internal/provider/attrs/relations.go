package attrs

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/boolvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// Relation is a rule between top-level attributes. It stands among the validators of one of them, whatever its type:
// string, bool or number. Unknown values are given the benefit of the doubt.
type Relation struct {
	text  validator.String
	truth validator.Bool
	whole validator.Int64
}

var (
	_ validator.String = Relation{}
	_ validator.Bool   = Relation{}
	_ validator.Int64  = Relation{}
)

// Conflicts refuses the attribute where one of the named ones is configured too.
func Conflicts(names ...string) Relation {
	e := roots(names)
	return Relation{
		stringvalidator.ConflictsWith(e...), boolvalidator.ConflictsWith(e...), int64validator.ConflictsWith(e...),
	}
}

// Requires refuses the attribute where one of the named ones is not configured.
func Requires(names ...string) Relation {
	e := roots(names)
	return Relation{
		stringvalidator.AlsoRequires(e...), boolvalidator.AlsoRequires(e...), int64validator.AlsoRequires(e...),
	}
}

// AtLeastOneOf asks for the attribute or one of the named ones.
func AtLeastOneOf(names ...string) Relation {
	e := roots(names)
	return Relation{
		stringvalidator.AtLeastOneOf(e...), boolvalidator.AtLeastOneOf(e...), int64validator.AtLeastOneOf(e...),
	}
}

// ExactlyOneOf asks for either the attribute or one of the named ones.
func ExactlyOneOf(names ...string) Relation {
	e := roots(names)
	return Relation{
		stringvalidator.ExactlyOneOf(e...), boolvalidator.ExactlyOneOf(e...), int64validator.ExactlyOneOf(e...),
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
