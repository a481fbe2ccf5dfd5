package functions

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// buildAddress writes an address from its parts.
var buildAddress = &pure{
	name: "address",
	definition: function.Definition{
		Summary: "The address of a resource instance, from its parts",
		MarkdownDescription: "Writes the address of a managed resource instance as the CLI does, so that nobody has to quote keys by hand. " +
			"A key that is a number becomes an index of `count`, a string one of `for_each`, whatever it looks like.",
		Parameters: []function.Parameter{
			text("module_path", "The address of the module that the block stands in, such as `module.net[\"a\"]`, with or without a dot at its end. "+
				"Empty in the root module."),
			text("type", "The resource type, such as `aws_subnet`."),
			text("name", "The name of the block."),
		},
		VariadicParameter: function.DynamicParameter{
			Name:                "key",
			MarkdownDescription: "For a member of `count` or `for_each`, at most one key: `count.index` or `each.key`.",
		},
		Return: function.StringReturn{},
	},
	run: func(ctx context.Context, args function.ArgumentsData) (any, *function.FuncError) {
		var path, typ, name string
		var keys []types.Dynamic
		if err := args.Get(ctx, &path, &typ, &name, &keys); err != nil {
			return nil, err
		}
		if path = strings.TrimSuffix(path, "."); path != "" {
			path += "."
		}
		block := path + typ + "." + name
		parsed, err := markers.Parse(block)
		if err != nil {
			return nil, function.NewFuncError(fmt.Sprintf("%s: %s", block, err))
		}
		if parsed.Index.Kind != markers.NoIndex {
			return nil, wrong(2, errors.New("the name holds an index; give it as the key"))
		}
		parsed.Index, err = indexOf(keys)
		if err != nil {
			return nil, wrong(3, err)
		}
		// Once more, with the key: whether it may be one, and the length.
		if _, err := markers.Parse(parsed.String()); err != nil {
			return nil, wrong(3, err)
		}
		return parsed.String(), nil
	},
}

// indexOf reads the optional key.
func indexOf(keys []types.Dynamic) (markers.Index, error) {
	if len(keys) == 0 {
		return markers.Index{}, nil
	}
	if len(keys) > 1 {
		return markers.Index{}, fmt.Errorf("%d keys were given, and an instance has one", len(keys))
	}
	switch key := keys[0].UnderlyingValue().(type) {
	case types.String:
		return markers.Index{Kind: markers.KeyIndex, Key: key.ValueString()}, markers.CheckKey(key.ValueString())
	case types.Number:
		number := key.ValueBigFloat()
		index, exact := number.Uint64()
		if !number.IsInt() || exact != big.Exact || index > math.MaxInt64 {
			return markers.Index{}, fmt.Errorf("the index %s is no whole number from 0 to %d", number.Text('g', -1), math.MaxInt64)
		}
		return markers.Index{Kind: markers.CountIndex, Number: index}, nil
	}
	return markers.Index{}, errors.New("a key is a number or a string")
}

// step is a module of a path, instance what parse_address returns. Null is what an address does not have.
type (
	step struct {
		Name    string  `tfsdk:"name"`
		Key     *string `tfsdk:"key"`
		KeyType *string `tfsdk:"key_type"`
	}
	instance struct {
		Module  []step  `tfsdk:"module"`
		Mode    string  `tfsdk:"mode"`
		Type    string  `tfsdk:"type"`
		Name    string  `tfsdk:"name"`
		Key     *string `tfsdk:"key"`
		KeyType *string `tfsdk:"key_type"`
	}
)

// parseAddress takes an address apart.
var parseAddress = &pure{
	name: "parse_address",
	definition: function.Definition{
		Summary: "The parts of the address of a resource instance",
		MarkdownDescription: "Takes an address apart, and is an error for what is none. The result is an object:\n\n" +
			"- `module`: the modules from the root on, each with `name`, `key` and `key_type`\n" +
			"- `mode`: `managed`, `data` or `ephemeral`; only managed objects carry markers\n" +
			"- `type`, `name`\n" +
			"- `key`: the index as a string, null without one; `key_type`: `number`, `string` or null",
		Parameters: []function.Parameter{text("address", "The address, such as `module.net[\"a\"].aws_subnet.this[0]`.")},
		Return: function.ObjectReturn{AttributeTypes: map[string]attr.Type{
			"module": types.ListType{ElemType: types.ObjectType{AttrTypes: map[string]attr.Type{
				"name": types.StringType, "key": types.StringType, "key_type": types.StringType,
			}}},
			"mode": types.StringType, "type": types.StringType, "name": types.StringType,
			"key": types.StringType, "key_type": types.StringType,
		}},
	},
	run: func(ctx context.Context, args function.ArgumentsData) (any, *function.FuncError) {
		var address string
		if err := args.Get(ctx, &address); err != nil {
			return nil, err
		}
		mode, parsed, err := markers.ParseInstance(address)
		if err != nil {
			return nil, wrong(0, err)
		}
		out := instance{Module: []step{}, Mode: string(mode), Type: parsed.Type, Name: parsed.Name}
		out.Key, out.KeyType = keyOf(parsed.Index)
		for _, s := range parsed.Module {
			key, typ := keyOf(s.Index)
			out.Module = append(out.Module, step{Name: s.Name, Key: key, KeyType: typ})
		}
		return out, nil
	},
}

// keyOf returns an index as text, and what it was.
func keyOf(i markers.Index) (key, typ *string) {
	number, word := "number", "string"
	switch i.Kind {
	case markers.CountIndex:
		text := fmt.Sprint(i.Number)
		return &text, &number
	case markers.KeyIndex:
		return &i.Key, &word
	}
	return nil, nil
}

// addressCovers says whether a target selects an instance.
var addressCovers = &pure{
	name: "address_covers",
	definition: function.Definition{
		Summary: "Whether a target selects a resource instance",
		MarkdownDescription: "Tells whether a target, as `-target` takes it, selects a managed resource instance: a module selects all that is " +
			"in it and below, a block or module without an index all its instances. Tags do not tell a number from its " +
			"digits, so that `[0]` and `[\"0\"]` are one index here; `aws_x` and `estate_x` are one type.",
		Parameters: []function.Parameter{
			text("target", "A module, a block or an instance."),
			text("address", "The address of an instance."),
		},
		Return: function.BoolReturn{},
	},
	run: func(ctx context.Context, args function.ArgumentsData) (any, *function.FuncError) {
		var target, address string
		if err := args.Get(ctx, &target, &address); err != nil {
			return nil, err
		}
		selects, err := markers.ParseTarget(target)
		if err != nil {
			return nil, wrong(0, err)
		}
		parsed, err := markers.Parse(address)
		if err != nil {
			return nil, wrong(1, err)
		}
		return selects.Covers(parsed), nil
	},
}
