package command

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
)

// providerFunctions returns the functions of our own provider under the names that a configuration calls them by, such as
// provider::estate::address. The local name is what required_providers of the calling module names the provider.
//
// They are run by the provider's server in this process, which is not configured: functions need no settings.
func providerFunctions(localName string) (map[string]function.Function, error) {
	server := provider.Server("")()
	resp, err := server.GetFunctions(context.Background(), &tfprotov6.GetFunctionsRequest{})
	if err != nil {
		return nil, fmt.Errorf("the provider's functions: %w", err)
	}
	for _, d := range resp.Diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			return nil, fmt.Errorf("the provider's functions: %s: %s", d.Summary, d.Detail)
		}
	}
	out := make(map[string]function.Function, len(resp.Functions))
	for name, signature := range resp.Functions {
		f, err := remote(server, name, signature)
		if err != nil {
			return nil, fmt.Errorf("the provider's function %s: %w", name, err)
		}
		out["provider::"+localName+"::"+name] = f
	}
	return out, nil
}

// remote makes a function that a provider runs.
func remote(server tfprotov6.ProviderServer, name string, signature *tfprotov6.Function) (function.Function, error) {
	result, err := typeOf(signature.Return.Type)
	if err != nil {
		return function.Function{}, err
	}
	spec := &function.Spec{Description: signature.Summary, Type: function.StaticReturnType(result)}
	for _, declared := range signature.Parameters {
		p, err := parameter(declared)
		if err != nil {
			return function.Function{}, err
		}
		spec.Params = append(spec.Params, p)
	}
	if signature.VariadicParameter != nil {
		p, err := parameter(signature.VariadicParameter)
		if err != nil {
			return function.Function{}, err
		}
		spec.VarParam = &p
	}
	spec.Impl = func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		req := &tfprotov6.CallFunctionRequest{Name: name}
		for i, arg := range args {
			p := spec.VarParam
			if i < len(spec.Params) {
				p = &spec.Params[i]
			}
			// What is unknown within an argument counts as much.
			if !p.AllowUnknown && !arg.IsWhollyKnown() {
				return cty.UnknownVal(result), nil
			}
			packed, err := msgpack.Marshal(arg, p.Type)
			if err != nil {
				return cty.NilVal, function.NewArgError(i, err)
			}
			req.Arguments = append(req.Arguments, &tfprotov6.DynamicValue{MsgPack: packed})
		}
		return answer(server, req, result)
	}
	return function.New(spec), nil
}

func answer(server tfprotov6.ProviderServer, req *tfprotov6.CallFunctionRequest, result cty.Type) (cty.Value, error) {
	resp, err := server.CallFunction(context.Background(), req)
	switch {
	case err != nil:
		return cty.NilVal, err
	case resp.Error != nil && resp.Error.FunctionArgument != nil:
		return cty.NilVal, function.NewArgErrorf(int(*resp.Error.FunctionArgument), "%s", resp.Error.Text)
	case resp.Error != nil:
		return cty.NilVal, fmt.Errorf("%s", resp.Error.Text)
	case resp.Result.MsgPack != nil:
		return msgpack.Unmarshal(resp.Result.MsgPack, result)
	}
	return ctyjson.Unmarshal(resp.Result.JSON, result)
}

func parameter(declared *tfprotov6.FunctionParameter) (function.Parameter, error) {
	t, err := typeOf(declared.Type)
	return function.Parameter{
		Name:         declared.Name,
		Description:  declared.Description,
		Type:         t,
		AllowNull:    declared.AllowNullValue,
		AllowUnknown: declared.AllowUnknownValues,
		// The type of null is of no matter to the provider.
		AllowDynamicType: declared.AllowNullValue,
	}, err
}

// typeOf passes a type from one library to the other by the JSON that both write for it.
func typeOf(t tftypes.Type) (cty.Type, error) {
	//nolint:staticcheck // the method is for exchange with other code, which is what this is
	packed, err := t.MarshalJSON()
	if err != nil {
		return cty.NilType, err
	}
	return ctyjson.UnmarshalType(packed)
}
