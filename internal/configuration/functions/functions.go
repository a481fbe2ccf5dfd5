// Package functions holds the functions of the language that configurations are written in, as OpenTofu 1.12 and
// Terraform 1.11 both have them. Those of providers are a caller's to add.
//
// They are for reading a configuration before any CLI has: without credentials, without other providers, without a network.
// A function returns a value only where both CLIs return that value, and an error only where both refuse; where they differ,
// or where only an apply can tell, the result is unknown. So what is known here is what the CLIs come to, and a caller may
// rely on it, also through try and can. A function that only OpenTofu has does what OpenTofu does.
//
// Most functions are those of go-cty, which both CLIs use as well. What the CLIs add or do otherwise is written here, and
// testdata/recorded.json holds what both answered to each line of testdata/expressions.txt.
//
// Limits: the functions in unsettled are always unknown. Files are read as they are now; a pipe or a device is not read.
// Paths are those of the system that this runs on. A template that calls a function of a provider is unknown. What the mark of a value means for a diagnostic is the caller's to mind; messages written here
// hold no values except paths that are not marked.
package functions

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Scope is what functions know of the configuration that calls them.
type Scope struct {
	// Base is the working directory of the CLI, which is the directory of the root module: relative paths start there,
	// also in other modules. Empty stands for the working directory of this process.
	Base string
}

// mark is the type of our marks, so that nobody else's is equal.
type mark string

// Marks of values. A caller sets them on what a configuration declares as such; sensitive() and its like read and set them.
const (
	Sensitive = mark("sensitive")
	Ephemeral = mark("ephemeral")
)

// unsettled are the functions whose result is unknown whatever they are given, and why.
var unsettled = map[string]string{
	"base64gzip":    "the bytes depend on the release of Go that compressed",
	"bcrypt":        "the salt is random",
	"plantimestamp": "the time of the plan",
	"rsadecrypt":    "a private key has no business in a reader of configurations",
	"timestamp":     "the time of the apply",
	"uuid":          "random",
}

// Table returns the functions of the language by name, each also with the prefix core::. The map is the caller's to add to.
func Table(s Scope) map[string]function.Function {
	table := map[string]function.Function{"can": tryfunc.CanFunc, "try": tryfunc.TryFunc}
	for _, theme := range []map[string]function.Function{
		numbers, texts, collections, conversions, hashes, encodings, networks, times, pathNames, s.files(),
	} {
		maps.Copy(table, theme)
	}
	for name := range unsettled {
		table[name] = Unsettled(name)
	}
	maps.Copy(table, s.templates(maps.Clone(table)))
	for _, name := range slices.Collect(maps.Keys(table)) {
		table[core+name] = table[name]
	}
	return table
}

// core is the prefix that the language's own functions may be called with.
const core = "core::"

// Unsettled returns a function that takes any arguments, and whose result is unknown in value and type. The marks of the
// arguments are those of the result.
func Unsettled(name string) function.Function {
	return function.New(&function.Spec{
		Description: "The result of " + name + " is not known before an apply.",
		VarParam: &function.Parameter{
			Name: "args", Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowDynamicType: true,
		},
		Type: function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func([]cty.Value, cty.Type) (cty.Value, error) { return cty.DynamicVal, nil },
	})
}

// of makes a function of known arguments that returns a value of one type, never null.
func of(result cty.Type, params []function.Parameter, run func(args []cty.Value) (cty.Value, error)) function.Function {
	return function.New(&function.Spec{
		Params:       params,
		Type:         function.StaticReturnType(result),
		RefineResult: notNull,
		Impl:         func(args []cty.Value, _ cty.Type) (cty.Value, error) { return run(args) },
	})
}

// ofText makes a function from strings to a string.
func ofText(run func(args []string) (string, error), params ...string) function.Function {
	return of(cty.String, stringParams(params...), func(args []cty.Value) (cty.Value, error) {
		result, err := run(goStrings(args))
		if err != nil {
			return cty.UnknownVal(cty.String), err
		}
		return cty.StringVal(result), nil
	})
}

func notNull(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.NotNull() }

// stringParams are parameters that each take a string.
func stringParams(names ...string) []function.Parameter {
	out := make([]function.Parameter, len(names))
	for i, name := range names {
		out[i] = function.Parameter{Name: name, Type: cty.String}
	}
	return out
}

func goStrings(values []cty.Value) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v.AsString()
	}
	return out
}

// anything is a parameter that takes whatever there is.
func anything(name string) function.Parameter {
	return function.Parameter{
		Name: name, Type: cty.DynamicPseudoType,
		AllowNull: true, AllowUnknown: true, AllowDynamicType: true, AllowMarked: true,
	}
}
