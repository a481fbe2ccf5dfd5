package functions

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// TestTableHasAllFunctions compares our names with those of both CLIs.
func TestTableHasAllFunctions(t *testing.T) {
	table, cli := Table(Scope{}), recordedNames(t)
	all := map[string]bool{}
	for _, name := range slices.Concat(cli.OpenTofu, cli.Terraform) {
		all[name] = true
		if _, ok := table[name]; !ok {
			t.Errorf("%s is not in the table", name)
		}
	}
	if len(cli.OpenTofu) < 200 || len(cli.Terraform) < 200 {
		t.Errorf("%d and %d names are recorded", len(cli.OpenTofu), len(cli.Terraform))
	}
	for name := range table {
		if !all[name] {
			t.Errorf("no CLI has %s", name)
		}
	}
	for name, reason := range unsettled {
		if !all[name] || reason == "" {
			t.Errorf("%s is unsettled for the reason %q; a CLI has it: %v", name, reason, all[name])
		}
	}
}

// TestTableIsTheCallers shows that two tables have nothing in common that a caller could change.
func TestTableIsTheCallers(t *testing.T) {
	first := Table(Scope{})
	delete(first, "upper")
	if _, ok := Table(Scope{})["upper"]; !ok {
		t.Error("a change to one table is in the next")
	}
}

// TestEachFunctionIsInAnExpression holds that none goes untested.
func TestEachFunctionIsInAnExpression(t *testing.T) {
	called := map[string]bool{}
	for _, e := range expressions(t) {
		for _, name := range callNames(parse(t, e.text)) {
			called[strings.TrimPrefix(name, core)] = true
		}
	}
	for name := range Table(Scope{}) {
		if !called[strings.TrimPrefix(name, core)] {
			t.Errorf("no expression calls %s", name)
		}
	}
}

// TestUnsettledFunctions shows that the result is unknown whatever they are given, and as marked as that.
func TestUnsettledFunctions(t *testing.T) {
	table := Table(Scope{})
	given := []cty.Value{cty.NullVal(cty.DynamicPseudoType), cty.DynamicVal, cty.StringVal("x").Mark(Sensitive), cty.EmptyObjectVal}
	for _, name := range slices.Sorted(maps.Keys(unsettled)) {
		for _, f := range []string{name, core + name} {
			v, err := table[f].Call(given)
			if err != nil || v.IsWhollyKnown() || !v.HasMark(Sensitive) {
				t.Errorf("%s: %#v, %v", f, v, err)
			}
			if v, err := table[f].Call(nil); err != nil || !v.RawEquals(cty.DynamicVal) {
				t.Errorf("%s of nothing: %#v, %v", f, v, err)
			}
		}
	}
}

// TestUnknownArguments calls each function with nothing but unknown arguments: there is nothing to complain of, and nothing
// known in what comes out.
func TestUnknownArguments(t *testing.T) {
	for name, f := range Table(Scope{}) {
		ctx := &hcl.EvalContext{Functions: Table(Scope{}), Variables: map[string]cty.Value{}}
		var typed, untyped []string
		for i, p := range slices.Concat(f.Params(), variadic(f)) {
			kind := p.Type
			if kind == customdecode.ExpressionClosureType {
				kind = cty.String
			}
			variable := fmt.Sprintf("v%d", i)
			ctx.Variables[variable] = cty.UnknownVal(kind)
			typed, untyped = append(typed, variable), append(untyped, "any")
		}
		ctx.Variables["any"] = cty.DynamicVal
		for _, args := range [][]string{typed, untyped} {
			text := name + "(" + strings.Join(args, ", ") + ")"
			if v, diags := parse(t, text).Value(ctx); diags.HasErrors() || v.IsKnown() {
				t.Errorf("%s of unknowns: %#v %v", text, v, diags)
			}
		}
	}
}

func variadic(f function.Function) []function.Parameter {
	if p := f.VarParam(); p != nil {
		return []function.Parameter{*p}
	}
	return nil
}

// TestTypesTellLengths shows what is known of unknown values: how many elements a tuple or an object has.
func TestTypesTellLengths(t *testing.T) {
	length := Table(Scope{})["length"]
	for _, v := range []cty.Value{
		cty.UnknownVal(cty.Tuple([]cty.Type{cty.String, cty.Number})),
		cty.UnknownVal(cty.Object(map[string]cty.Type{"a": cty.String, "b": cty.String})),
	} {
		n, err := length.Call([]cty.Value{v.Mark(Ephemeral)})
		if err != nil || !n.RawEquals(cty.NumberIntVal(2).Mark(Ephemeral)) {
			t.Errorf("length of %#v: %#v, %v", v, n, err)
		}
	}
}

// TestEphemeral shows that both marks are apart: one is replaced by null, in each place, and the other stays.
func TestEphemeral(t *testing.T) {
	table := Table(Scope{})
	secret := cty.StringVal("x").Mark(Sensitive)
	both := cty.ObjectVal(map[string]cty.Value{
		"a": secret.Mark(Ephemeral), "b": secret, "c": cty.UnknownVal(cty.String).Mark(Ephemeral), "d": cty.NumberIntVal(1),
	})
	v, err := table["ephemeralasnull"].Call([]cty.Value{both})
	want := cty.ObjectVal(map[string]cty.Value{
		"a": cty.NullVal(cty.String).Mark(Sensitive), "b": secret, "c": cty.UnknownVal(cty.String), "d": cty.NumberIntVal(1),
	})
	if err != nil || !v.RawEquals(want) {
		t.Errorf("ephemeralasnull: %#v, %v, want %#v", v, err, want)
	}
	v, err = table["nonsensitive"].Call([]cty.Value{secret.Mark(Ephemeral)})
	if err != nil || !v.RawEquals(cty.StringVal("x").Mark(Ephemeral)) {
		t.Errorf("nonsensitive: %#v, %v", v, err)
	}
	v, err = table["issensitive"].Call([]cty.Value{cty.StringVal("x").Mark(Ephemeral)})
	if err != nil || !v.RawEquals(cty.False) {
		t.Errorf("issensitive of something ephemeral: %#v, %v", v, err)
	}
}

// TestPartlyUnknown shows what is left open where part of an argument is unknown.
func TestPartlyUnknown(t *testing.T) {
	unknown, object := cty.UnknownVal(cty.String), cty.Object(map[string]cty.Type{"b": cty.String})
	ctx := &hcl.EvalContext{Functions: Table(Scope{}), Variables: map[string]cty.Value{
		"u": unknown, "any": cty.DynamicVal, "object": cty.UnknownVal(object), "present": cty.UnknownVal(object).RefineNotNull(),
		"bool": cty.UnknownVal(cty.Bool), "list": cty.UnknownVal(cty.List(cty.String)),
	}}
	two := cty.NumberIntVal(2)
	for text, want := range map[string]cty.Value{
		`alltrue([bool, false])`:                    cty.False,
		`alltrue([bool, true])`:                     cty.UnknownVal(cty.Bool).RefineNotNull(),
		`anytrue([bool, true])`:                     cty.True,
		`anytrue([bool, false])`:                    cty.UnknownVal(cty.Bool).RefineNotNull(),
		`index(["a", u], "a")`:                      cty.Zero,
		`index([u, "a"], "a")`:                      cty.UnknownVal(cty.Number).RefineNotNull(),
		`coalesce("", "a", u)`:                      cty.StringVal("a"),
		`coalesce(any, "a")`:                        cty.DynamicVal,
		`lookup({a = u, b = "x"}, "b")`:             cty.StringVal("x"),
		`lookup(tomap({a = any}), "b", "7")`:        cty.DynamicVal,
		`matchkeys(["a"], ["x"], [u])`:              cty.UnknownVal(cty.List(cty.String)).RefineNotNull(),
		`length(merge({a = 1}, present))`:           two,
		`length(merge({a = 1}, object))`:            cty.UnknownVal(cty.Number).RefineNotNull(),
		`formatlist("%s%s", [u, "b"], ["x", "y"])`:  cty.DynamicVal,
		`reverse(toset(["a", u]))`:                  cty.UnknownVal(cty.List(cty.String)),
		`one(toset([u, "a"]))`:                      cty.UnknownVal(cty.String),
		`contains(["a", u], "a")`:                   cty.True,
		`sum([1, tonumber(u)])`:                     cty.UnknownVal(cty.Number).RefineNotNull(),
		`issensitive(u)`:                            cty.UnknownVal(cty.Bool).RefineNotNull(),
		`distinct([u, "a"])`:                        cty.UnknownVal(cty.List(cty.String)).RefineNotNull(),
		`templatestring(any, {})`:                   cty.DynamicVal,
		`fileset(u, "*")`:                           cty.UnknownVal(cty.Set(cty.String)).RefineNotNull(),
		`cidrsubnets("10.0.0.0/8", tonumber(u), 1)`: cty.UnknownVal(cty.List(cty.String)).RefineNotNull(),
	} {
		v, diags := parse(t, text).Value(ctx)
		if diags.HasErrors() || !v.RawEquals(want) {
			t.Errorf("%s: %#v, want %#v %v", text, v, want, diags)
		}
	}
}
