package command

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration/functions"
)

// contextOf is a context with our provider's functions under a local name, and a few unknowns.
func contextOf(t *testing.T, localName string) *hcl.EvalContext {
	t.Helper()
	own, err := providerFunctions(localName)
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(own, functions.Table(functions.Scope{}))
	return &hcl.EvalContext{Functions: own, Variables: map[string]cty.Value{
		"unknown": cty.UnknownVal(cty.String), "any": cty.DynamicVal, "secret": cty.StringVal("a").Mark(functions.Sensitive),
		"none": cty.NullVal(cty.String),
	}}
}

// parse reads an expression.
func parse(t *testing.T, text string) hclsyntax.Expression {
	t.Helper()
	expression, diags := hclsyntax.ParseExpression([]byte(text), "expression", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%s: %s", text, diags)
	}
	return expression
}

func TestProviderFunctions(t *testing.T) {
	ctx := contextOf(t, "estate")
	var names []string
	for name := range ctx.Functions {
		if rest, ok := strings.CutPrefix(name, "provider::estate::"); ok {
			names = append(names, rest)
		}
	}
	slices.Sort(names)
	if want := []string{"address", "address_covers", "escape_address", "grant_policy", "marker_tags", "parse_address",
		"parse_marker", "protect_policy", "unescape_address"}; !slices.Equal(names, want) {
		t.Errorf("the functions are %q, want %q", names, want)
	}
	for text, want := range map[string]cty.Value{
		`provider::estate::address("", "aws_vpc", "main")`:                                         cty.StringVal("aws_vpc.main"),
		`provider::estate::address("", "aws_vpc", "main", 2)`:                                      cty.StringVal("aws_vpc.main[2]"),
		`provider::estate::address("module.m", "aws_vpc", "main", "k")`:                            cty.StringVal(`module.m.aws_vpc.main["k"]`),
		`provider::estate::address("", "aws_vpc", unknown)`:                                        cty.UnknownVal(cty.String),
		`provider::estate::address("", "aws_vpc", any)`:                                            cty.UnknownVal(cty.String),
		`provider::estate::address("", "aws_vpc", "main", any)`:                                    cty.DynamicVal,
		`provider::estate::address("", "aws_vpc", secret)`:                                         cty.StringVal("aws_vpc.a").Mark(functions.Sensitive),
		`provider::estate::address_covers("module.m", "module.m.aws_vpc.a")`:                       cty.True,
		`provider::estate::parse_address("aws_vpc.a[1]").key`:                                      cty.StringVal("1"),
		`provider::estate::parse_address("module.x[\"k\"].aws_vpc.a").module`:                      steps("x", "k"),
		`upper(provider::estate::address("", "aws_vpc", "main"))`:                                  cty.StringVal("AWS_VPC.MAIN"),
		`can(provider::estate::parse_address("nonsense"))`:                                         cty.False,
		`provider::estate::unescape_address(provider::estate::escape_address("aws_vpc.a[\"é\"]"))`: cty.StringVal(`aws_vpc.a["é"]`),
	} {
		v, diags := parse(t, text).Value(ctx)
		if diags.HasErrors() || !v.RawEquals(want) {
			t.Errorf("%s: %#v, want %#v %v", text, v, want, diags)
		}
	}
}

func steps(name, key string) cty.Value {
	return cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{
		"name": cty.StringVal(name), "key": cty.StringVal(key), "key_type": cty.StringVal("string"),
	})})
}

// TestProviderFunctionErrors shows that the provider's complaint arrives, with the argument that it is about.
func TestProviderFunctionErrors(t *testing.T) {
	ctx := contextOf(t, "estate")
	for text, want := range map[string]string{
		`provider::estate::address("", "aws_vpc", "a", -1)`:   "no whole number from 0",
		`provider::estate::address("", "aws_vpc", "a", 1, 2)`: "2 keys were given",
		`provider::estate::address_covers("*", "aws_vpc.a")`:  `"target"`,
		`provider::estate::address(none, "aws_vpc", "a")`:     "must not be null",
		`provider::estate::address("", "aws_vpc")`:            "Not enough function arguments",
	} {
		_, diags := parse(t, text).Value(ctx)
		if !diags.HasErrors() || !strings.Contains(diags.Error(), want) {
			t.Errorf("%s: %v, want %q", text, diags, want)
		}
	}
}

// TestLocalName shows that a configuration may call the provider by another name.
func TestLocalName(t *testing.T) {
	ctx := contextOf(t, "tags")
	v, diags := parse(t, `provider::tags::address("", "aws_vpc", "main")`).Value(ctx)
	if diags.HasErrors() || !v.RawEquals(cty.StringVal("aws_vpc.main")) {
		t.Errorf("%#v %v", v, diags)
	}
	if _, diags := parse(t, `provider::estate::address("", "aws_vpc", "main")`).Value(ctx); !diags.HasErrors() {
		t.Error("the usual name works as well")
	}
}
