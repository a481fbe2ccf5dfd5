// Package functions are the provider's functions: the marker contract for configurations, whichever provider manages their
// objects. A function depends on its arguments alone. The CLIs call functions in a process that is never configured, and in
// several walks that have to agree, so that the estate is an argument and nothing is read from AWS or from the environment.
//
// What a marker means is package markers'; this package only translates. It finds no objects: that is what data sources do.
// Two functions write policies about markers; what AWS lets a policy say about tags is in one table, services.
package functions

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/function"
)

// All returns the constructors of all functions, in the order of the documentation.
func All() []func() function.Function {
	all := []*pure{markerTags, parseMarker, buildAddress, parseAddress, addressCovers, escapeAddress, unescapeAddress,
		grantPolicy, protectPolicy}
	out := make([]func() function.Function, len(all))
	for i, f := range all {
		out[i] = func() function.Function { return f }
	}
	return out
}

// pure is one function: what it is called, what it takes and gives, and what it does.
type pure struct {
	name       string
	definition function.Definition
	// run reads the arguments and returns the result, as the framework's reflection takes it.
	run func(ctx context.Context, args function.ArgumentsData) (any, *function.FuncError)
}

var _ function.Function = (*pure)(nil)

// Metadata implements function.Function.
func (p *pure) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = p.name
}

// Definition implements function.Function.
func (p *pure) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = p.definition
}

// Run implements function.Function.
func (p *pure) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	result, err := p.run(ctx, req.Arguments)
	if err != nil {
		resp.Error = err
		return
	}
	resp.Error = resp.Result.Set(ctx, result)
}

// wrong is the error about the argument with this number, counted from 0, which the CLI shows under the argument.
func wrong(argument int64, err error) *function.FuncError {
	return function.NewArgumentFuncError(argument, err.Error())
}

// listed reads the elements of the argument with this number, a list of strings of which none may be null.
func listed(argument int64, given []*string) ([]string, *function.FuncError) {
	out := make([]string, len(given))
	for i, element := range given {
		if element == nil {
			return nil, wrong(argument, fmt.Errorf("the element %d of the list, counted from 0, is null", i))
		}
		out[i] = *element
	}
	return out, nil
}

// text is a parameter that takes a string.
func text(name, description string) function.Parameter {
	return function.StringParameter{Name: name, MarkdownDescription: description}
}
