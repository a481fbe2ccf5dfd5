package attrs_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
)

func TestCanonicalName(t *testing.T) {
	for name, want := range map[string]string{
		"www.Example.COM.":      "www.example.com",
		"www":                   "www",
		".":                     ".",
		"":                      "",
		"*.example.com":         "*.example.com",
		`\052.example.com.`:     "*.example.com",
		"*":                     "*",
		"a.*.example.com":       `a.\052.example.com`,
		"*a.example.com":        `\052a.example.com`,
		`\101.example.com`:      "a.example.com",
		"a@b.example.com":       `a\100b.example.com`,
		`a\100b.example.com`:    `a\100b.example.com`,
		`a\056b.example.com`:    `a\056b.example.com`,
		`a\b.example.com`:       `a\134b.example.com`,
		`a\134b.example.com`:    `a\134b.example.com`,
		`a\999.example.com`:     `a\134999.example.com`,
		"_dmarc.example.com":    "_dmarc.example.com",
		"\u00e4.example.com":    `\303\244.example.com`,
		`\303\244.example.com.`: `\303\244.example.com`,
		`\777.example.com`:      `\134777.example.com`,
	} {
		if got := attrs.CanonicalName(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestDNSName(t *testing.T) {
	if !attrs.NewDNSName(nil).IsNull() || !attrs.NewDNSName(aws.String("")).IsNull() {
		t.Error("nothing and empty are null")
	}
	answered := attrs.NewDNSName(aws.String(`\052.Example.com.`))
	if answered.ValueString() != "*.example.com" {
		t.Errorf("got %s", answered)
	}
	for other, want := range map[string]bool{"*.EXAMPLE.com.": true, "*.example.org": false, "www": false} {
		got, diags := answered.StringSemanticEquals(t.Context(), attrs.DNSName{StringValue: types.StringValue(other)})
		if got != want || diags.HasError() {
			t.Errorf("%s: got %t, %v", other, got, diags)
		}
	}
	for name, says := range map[string]string{
		"www.example.com.": "", ".": "", "": "", "a..b": "between two of its dots", ".a": "between two of its dots",
		strings.Repeat("a.", 513): "longer than 1024",
	} {
		var resp xattr.ValidateAttributeResponse
		attrs.DNSName{StringValue: types.StringValue(name)}.ValidateAttribute(t.Context(), xattr.ValidateAttributeRequest{Path: path.Root("a")}, &resp)
		switch {
		case says == "" && resp.Diagnostics.HasError():
			t.Errorf("%s: %v", name, resp.Diagnostics)
		case says != "" && (!resp.Diagnostics.HasError() || !strings.Contains(resp.Diagnostics[0].Detail(), says)):
			t.Errorf("%s: got %v, want %q", name, resp.Diagnostics, says)
		}
	}
	if a := attrs.RequiredDNSName("Doc."); !a.Required || a.GetType() != answered.Type(t.Context()) {
		t.Errorf("the attribute is %+v", a)
	}
}
