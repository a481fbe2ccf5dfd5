package functions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// texts work on strings.
var texts = map[string]function.Function{
	"chomp":       stdlib.ChompFunc,
	"endswith":    compares(strings.HasSuffix, "str", "suffix"),
	"format":      formats(stdlib.FormatFunc, nullish),
	"formatlist":  formats(stdlib.FormatListFunc, func(args []cty.Value) bool { return nullish(args) || partial(args) }),
	"indent":      stdlib.IndentFunc,
	"join":        stdlib.JoinFunc,
	"lower":       stdlib.LowerFunc,
	"regex":       stdlib.RegexFunc,
	"regexall":    stdlib.RegexAllFunc,
	"replace":     ofText(replace, "str", "substr", "replace"),
	"split":       stdlib.SplitFunc,
	"startswith":  compares(strings.HasPrefix, "str", "prefix"),
	"strcontains": compares(strings.Contains, "str", "substr"),
	"strrev":      stdlib.ReverseFunc,
	"substr":      stdlib.SubstrFunc,
	"title":       stdlib.TitleFunc,
	"trim":        stdlib.TrimFunc,
	"trimprefix":  stdlib.TrimPrefixFunc,
	"trimspace":   stdlib.TrimSpaceFunc,
	"trimsuffix":  stdlib.TrimSuffixFunc,
	"upper":       stdlib.UpperFunc,
}

// compares makes a function that tells something of two strings.
func compares(holds func(a, b string) bool, params ...string) function.Function {
	return of(cty.Bool, stringParams(params...), func(args []cty.Value) (cty.Value, error) {
		return cty.BoolVal(holds(args[0].AsString(), args[1].AsString())), nil
	})
}

// nullish says whether an argument is null without a type. What it looks like Terraform knows neither before an apply nor after.
func nullish(args []cty.Value) bool {
	return slices.ContainsFunc(args, func(v cty.Value) bool { return v.Type() == cty.DynamicPseudoType })
}

// partial says whether an argument, or what it holds, is unknown. go-cty then counts lists from different places.
func partial(args []cty.Value) bool {
	return slices.ContainsFunc(args, func(v cty.Value) bool { return !v.IsWhollyKnown() })
}

// formats is a function of go-cty that formats, but for arguments of which nothing is to be said.
func formats(f function.Function, open func(args []cty.Value) bool) function.Function {
	return function.New(&function.Spec{
		Params:   f.Params(),
		VarParam: f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if open(args) {
				return cty.DynamicPseudoType, nil
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if open(args) {
				return cty.DynamicVal, nil
			}
			return f.Call(args)
		},
	})
}

// replace takes what stands between two slashes for a regular expression.
func replace(args []string) (string, error) {
	text, what, with := args[0], args[1], args[2]
	if len(what) < 2 || !strings.HasPrefix(what, "/") || !strings.HasSuffix(what, "/") {
		return strings.ReplaceAll(text, what, with), nil
	}
	pattern, err := regexp.Compile(what[1 : len(what)-1])
	if err != nil {
		return "", function.NewArgErrorf(1, "this is no regular expression")
	}
	return pattern.ReplaceAllString(text, with), nil
}
