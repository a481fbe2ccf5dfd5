package attrs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"

	"github.com/aws/aws-sdk-go-v2/aws/arn"
	awspolicy "github.com/hashicorp/awspolicyequivalence"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Grammar is what a kind of text means: which texts are well-formed, and which two say the same.
type Grammar interface {
	// title names the kind in messages, such as "CIDR block".
	title() string
	// check returns what is wrong with s.
	check(s string) error
	// same compares two well-formed texts by meaning.
	same(a, b string) bool
}

// Text is a string value of grammar G: checked in the configuration, and compared by meaning, so that the user's
// spelling stays where AWS answers in another one. The zero value is null.
type Text[G Grammar] struct{ basetypes.StringValue }

// TextType is the attribute type of Text[G].
type TextType[G Grammar] struct{ basetypes.StringType }

type (
	// Policy is an IAM policy document, compared by what it allows: order, white space and lists of one do not
	// count.
	Policy = Text[policy]
	// CIDR is a range of IPv4 or IPv6 addresses, such as "10.0.0.0/16", without host bits.
	CIDR = Text[cidr]
	// ARN is an Amazon Resource Name, or "" for none.
	ARN = Text[amazonName]
)

var (
	_ basetypes.StringTypable                    = TextType[policy]{}
	_ basetypes.StringValuableWithSemanticEquals = Policy{}
	_ xattr.ValidateableAttribute                = Policy{}
)

// NewText returns what AWS answered as a Text; null for nil and for "".
func NewText[G Grammar](p *string) Text[G] { return Text[G]{String(p)} }

// NewPolicy returns a policy as AWS answered it; null for nil and for "".
func NewPolicy(p *string) Policy { return NewText[policy](p) }

// NewCIDR returns a range as AWS answered it; null for nil and for "".
func NewCIDR(p *string) CIDR { return NewText[cidr](p) }

// NewARN returns an ARN as AWS answered it; "" for nil, which is how an ARN attribute says that there is none.
func NewARN(p *string) ARN {
	if p == nil {
		return ARN{basetypes.NewStringValue("")}
	}
	return ARN{basetypes.NewStringValue(*p)}
}

// Type implements attr.Value.
func (t Text[G]) Type(context.Context) attr.Type { return TextType[G]{} }

// Equal implements attr.Value: equal to the byte.
func (t Text[G]) Equal(other attr.Value) bool {
	o, ok := other.(Text[G])
	return ok && t.StringValue.Equal(o.StringValue)
}

// StringSemanticEquals implements basetypes.StringValuableWithSemanticEquals.
func (t Text[G]) StringSemanticEquals(_ context.Context, other basetypes.StringValuable) (bool, diag.Diagnostics) {
	o, ok := other.(Text[G])
	if !ok || t.IsNull() || t.IsUnknown() || o.IsNull() || o.IsUnknown() {
		return t.Equal(other), nil
	}
	var g G
	return t.ValueString() == o.ValueString() || g.same(t.ValueString(), o.ValueString()), nil
}

// ValidateAttribute implements xattr.ValidateableAttribute.
func (t Text[G]) ValidateAttribute(_ context.Context, req xattr.ValidateAttributeRequest, resp *xattr.ValidateAttributeResponse) {
	if t.IsNull() || t.IsUnknown() {
		return
	}
	var g G
	if err := g.check(t.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid "+g.title(),
			fmt.Sprintf("%s holds %q, which is no %s: %s.", req.Path, shorten(t.ValueString()), g.title(), err))
	}
}

// shorten keeps a message readable when a whole file was given.
func shorten(s string) string {
	const most = 120
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// String implements attr.Type.
func (TextType[G]) String() string {
	var g G
	return "attrs.TextType[" + g.title() + "]"
}

// Equal implements attr.Type.
func (TextType[G]) Equal(other attr.Type) bool {
	_, ok := other.(TextType[G])
	return ok
}

// ValueType implements attr.Type.
func (TextType[G]) ValueType(context.Context) attr.Value { return Text[G]{} }

// ValueFromString implements basetypes.StringTypable.
func (TextType[G]) ValueFromString(_ context.Context, v basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return Text[G]{v}, nil
}

// ValueFromTerraform implements attr.Type.
func (t TextType[G]) ValueFromTerraform(ctx context.Context, raw tftypes.Value) (attr.Value, error) {
	v, err := t.StringType.ValueFromTerraform(ctx, raw)
	if err != nil {
		return nil, err
	}
	s, ok := v.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("a string was expected, got %T", v)
	}
	return Text[G]{s}, nil
}

type policy struct{}

func (policy) title() string { return "policy document" }

func (policy) check(s string) error {
	var object map[string]json.RawMessage
	d := json.NewDecoder(bytes.NewBufferString(s))
	if err := d.Decode(&object); err != nil {
		return fmt.Errorf("a JSON object is needed, as jsonencode or a policy data source writes it (%w)", err)
	}
	if object == nil || d.More() {
		return errors.New("exactly one JSON object is needed, as jsonencode or a policy data source writes it")
	}
	return nil
}

func (policy) same(a, b string) bool {
	same, err := awspolicy.PoliciesAreEquivalent(a, b)
	return err == nil && same
}

type cidr struct{}

func (cidr) title() string { return "CIDR block" }

func (cidr) check(s string) error {
	p, err := netip.ParsePrefix(s)
	if err != nil {
		return err
	}
	if p != p.Masked() {
		return fmt.Errorf("its host bits are set; %s is the range that holds it", p.Masked())
	}
	return nil
}

func (cidr) same(a, b string) bool {
	x, errX := netip.ParsePrefix(a)
	y, errY := netip.ParsePrefix(b)
	return errX == nil && errY == nil && x.Masked() == y.Masked()
}

type amazonName struct{}

func (amazonName) title() string { return "ARN" }

func (amazonName) check(s string) error {
	if s == "" {
		return nil
	}
	_, err := arn.Parse(s)
	return err
}

func (amazonName) same(a, b string) bool { return a == b }
