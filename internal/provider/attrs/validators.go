package attrs

import (
	"context"
	"fmt"
	"net/netip"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// OneOf accepts the given values, such as those of an SDK enumeration.
func OneOf[S ~string](values ...S) validator.String {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	return stringvalidator.OneOf(texts...)
}

// Length accepts strings of least to most characters.
func Length(least, most int) validator.String { return stringvalidator.UTF8LengthBetween(least, most) }

// Matches accepts strings that pattern matches; rule says in words what the pattern asks for.
func Matches(pattern *regexp.Regexp, rule string) validator.String {
	return stringvalidator.RegexMatches(pattern, rule)
}

// NotMatches refuses strings that pattern matches; rule says in words what they must not be.
func NotMatches(pattern *regexp.Regexp, rule string) validator.String { return refusal{pattern, rule} }

type refusal struct {
	pattern *regexp.Regexp
	rule    string
}

// Description implements validator.Describer.
func (r refusal) Description(context.Context) string { return r.rule }

// MarkdownDescription implements validator.Describer.
func (r refusal) MarkdownDescription(context.Context) string { return r.rule }

// ValidateString implements validator.String.
func (r refusal) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if v := req.ConfigValue; !v.IsNull() && !v.IsUnknown() && r.pattern.MatchString(v.ValueString()) {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid Attribute Value",
			fmt.Sprintf("Attribute %s %s, got: %s", req.Path, r.rule, v.ValueString()))
	}
}

// NotEmpty refuses "", which hashicorp/aws took for nothing: AWS would show nothing, and every plan a change back.
func NotEmpty() validator.String {
	return stringvalidator.RegexMatches(regexp.MustCompile(`.`), "must not be empty; null leaves it out")
}

// Between accepts numbers from least to most.
func Between(least, most int64) validator.Int64 { return int64validator.Between(least, most) }

// OneOfInt64 accepts the given numbers.
func OneOfInt64(values ...int64) validator.Int64 { return int64validator.OneOf(values...) }

// IPv4 accepts IPv4 ranges with a prefix of least to most bits.
func IPv4(least, most int) validator.String { return family{"IPv4", least, most} }

// IPv6 accepts IPv6 ranges with a prefix of least to most bits.
func IPv6(least, most int) validator.String { return family{"IPv6", least, most} }

// family checks the address family and size of a range. What is no range at all is left to the CIDR type.
type family struct {
	name        string
	least, most int
}

// Description implements validator.Describer.
func (f family) Description(context.Context) string {
	if f.least == f.most {
		return fmt.Sprintf("must be an %s range of /%d", f.name, f.least)
	}
	return fmt.Sprintf("must be an %s range between /%d and /%d", f.name, f.least, f.most)
}

// MarkdownDescription implements validator.Describer.
func (f family) MarkdownDescription(ctx context.Context) string { return f.Description(ctx) }

// ValidateString implements validator.String.
func (f family) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	p, err := netip.ParsePrefix(req.ConfigValue.ValueString())
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || err != nil {
		return
	}
	if p.Addr().Is4() != (f.name == "IPv4") || p.Bits() < f.least || p.Bits() > f.most {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid CIDR block",
			fmt.Sprintf("%s is %s; it %s.", req.Path, p, f.Description(ctx)))
	}
}
