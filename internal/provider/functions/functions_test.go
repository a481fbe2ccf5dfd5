package functions

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// call runs a function as the framework's server does, and returns its result in the framework's own spelling, or the error.
func call(t *testing.T, name string, args ...any) string {
	t.Helper()
	for _, make := range All() {
		f := make()
		var meta function.MetadataResponse
		f.Metadata(t.Context(), function.MetadataRequest{}, &meta)
		if meta.Name != name {
			continue
		}
		var def function.DefinitionResponse
		f.Definition(t.Context(), function.DefinitionRequest{}, &def)
		result, err := def.Definition.Return.NewResultData(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		resp := function.RunResponse{Result: result}
		f.Run(t.Context(), function.RunRequest{Arguments: arguments(t, def.Definition, args)}, &resp)
		if resp.Error != nil {
			return "error: " + resp.Error.Text
		}
		return resp.Result.Value().String()
	}
	t.Fatalf("there is no function %s", name)
	return ""
}

// arguments packs the arguments, those of a variadic parameter as a tuple.
func arguments(t *testing.T, def function.Definition, args []any) function.ArgumentsData {
	t.Helper()
	values := make([]attr.Value, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case string:
			values[i] = types.StringValue(a)
		case int:
			values[i] = types.NumberValue(big.NewFloat(float64(a)))
		case float64:
			values[i] = types.NumberValue(big.NewFloat(a))
		case attr.Value:
			values[i] = a
		default:
			t.Fatalf("an argument of type %T", a)
		}
	}
	fixed := len(def.Parameters)
	if def.VariadicParameter == nil {
		return function.NewArgumentsData(values)
	}
	rest, kinds := values[fixed:], make([]attr.Type, 0, len(values)-fixed)
	for i, v := range rest {
		if _, ok := def.VariadicParameter.(function.DynamicParameter); ok {
			rest[i] = types.DynamicValue(v)
		}
		kinds = append(kinds, rest[i].Type(t.Context()))
	}
	return function.NewArgumentsData(append(values[:fixed:fixed], types.TupleValueMust(kinds, rest)))
}

func TestFunctions(t *testing.T) {
	long := strings.Repeat("k", 300)
	for _, c := range []struct {
		name string
		args []any
		want string
	}{
		{"marker_tags", []any{"prod", "aws_vpc.main"}, `{"tofu-address":"aws_vpc.main","tofu-estate":"prod"}`},
		{"marker_tags", []any{"prod", "aws_eip.nat[2]", 2}, `{"tofu-address":"aws_eip.nat:2","tofu-estate":"prod","tofu-slot":"2"}`},
		{"marker_tags", []any{"prod", "aws_eip.nat[2]"}, `{"tofu-address":"aws_eip.nat:2","tofu-estate":"prod"}`},
		{"marker_tags", []any{"prod", `aws_vpc.this["` + long + `"]`}, fmt.Sprintf(`{"tofu-address":"aws_vpc.this:%s","tofu-address-2":"%s","tofu-estate":"prod"}`, long[:243], long[243:])},
		{"marker_tags", []any{"Prod", "aws_vpc.main"}, "error: the estate"},
		{"marker_tags", []any{"prod", "data.aws_vpc.main"}, "error: data addresses"},
		{"marker_tags", []any{"prod", "aws_vpc.main", 0}, "error: aws_vpc.main is no count member"},
		{"marker_tags", []any{"prod", "aws_eip.nat[2]", 1.5}, "error: the slot 1.5 is no whole number"},
		{"marker_tags", []any{"prod", "aws_eip.nat[2]", -1}, "error: the slot -1 is no whole number"},
		{"marker_tags", []any{"prod", "aws_eip.nat[2]", 4294967296}, "error: the slot 4.294967296e+09 is no whole number"},
		{"marker_tags", []any{"prod", "aws_eip.nat[2]", 1, 2}, "error: 2 slots were given"},

		{"address", []any{"", "aws_vpc", "main"}, `"aws_vpc.main"`},
		{"address", []any{"", "aws_vpc", "main", 0}, `"aws_vpc.main[0]"`},
		{"address", []any{"", "aws_vpc", "main", "0"}, `"aws_vpc.main[\"0\"]"`},
		{"address", []any{`module.net["a"].module.b`, "aws_vpc", "main", "x y"}, `"module.net[\"a\"].module.b.aws_vpc.main[\"x y\"]"`},
		{"address", []any{`module.net.`, "aws_vpc", "main"}, `"module.net.aws_vpc.main"`},
		{"address", []any{"", "aws_vpc", "main", 1.5}, "error: the index 1.5 is no whole number"},
		{"address", []any{"", "aws_vpc", "main", -1}, "error: the index -1 is no whole number"},
		{"address", []any{"", "aws_vpc", "main", 1e30}, "error: the index 1e+30 is no whole number from 0 to 9223372036854775807"},
		{"address", []any{"", "aws_vpc", "main", `a"b`}, "error: the key"},
		{"address", []any{"", "aws_vpc", "main", ""}, "error: the key"},
		{"address", []any{"", "aws_vpc", "main", types.BoolValue(true)}, "error: a key is a number or a string"},
		{"address", []any{"", "aws_vpc", "main", 1, 2}, "error: 2 keys were given"},
		{"address", []any{"", "aws_vpc", "main[0]"}, "error: the name holds an index"},
		{"address", []any{"net", "aws_vpc", "main"}, "error: net.aws_vpc.main: "},
		{"address", []any{"", "aws_vpc", "main", strings.Repeat("k", 1024)}, "error: the address is 1037 characters long"},

		{"grant_policy", []any{"prod", types.ListValueMust(types.StringType, []attr.Value{types.StringValue("ec2:DescribeVpcs"), types.StringNull()})},
			"error: the element 1 of the list, counted from 0, is null"},
		{"protect_policy", []any{types.ListValueMust(types.StringType, []attr.Value{types.StringNull()})},
			"error: the element 0 of the list, counted from 0, is null"},

		{"parse_address", []any{"aws_vpc.main"}, `{"key":<null>,"key_type":<null>,"mode":"managed","module":[],"name":"main","type":"aws_vpc"}`},
		{"parse_address", []any{`module.a["k"].module.b[1].data.aws_ami.x[0]`}, `{"key":"0","key_type":"number","mode":"data","module":[` +
			`{"key":"k","key_type":"string","name":"a"},{"key":"1","key_type":"number","name":"b"}],"name":"x","type":"aws_ami"}`},
		{"parse_address", []any{`ephemeral.aws_x.y["0"]`}, `{"key":"0","key_type":"string","mode":"ephemeral","module":[],"name":"y","type":"aws_x"}`},
		{"parse_address", []any{"module.a"}, "error: the address ends in a module"},
		{"parse_address", []any{"data.data.x.y"}, "error: data addresses"},
		{"parse_address", []any{""}, "error: the address is empty"},

		{"address_covers", []any{"aws_vpc.main", "aws_vpc.main[3]"}, "true"},
		{"address_covers", []any{"module.foo", `module.foo[0].module.bar["a"].aws_x.y`}, "true"},
		{"address_covers", []any{"aws_vpc.main", "module.a.aws_vpc.main"}, "false"},
		{"address_covers", []any{"aws_vpc.main[1]", "aws_vpc.main[10]"}, "false"},
		{"address_covers", []any{"aws_vpc.", "aws_vpc.main[10]"}, "error: the address ends with a dot"},
		{"address_covers", []any{"aws_vpc.main", "module.a"}, "error: the address ends in a module"},

		{"escape_address", []any{`aws_subnet.this["a.b(c"]`}, `"aws_subnet.this:a@db+000028c"`},
		{"escape_address", []any{"anything at all"}, `"anything at all"`},
		{"unescape_address", []any{"aws_subnet.this:a@db+000028c"}, `"aws_subnet.this[\"a.b(c\"]"`},
		{"unescape_address", []any{"aws_subnet.this:"}, "error: the value is no escaped address"},
	} {
		got := call(t, c.name, c.args...)
		if got != c.want && (!strings.HasPrefix(c.want, "error: ") || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s(%v)\n got %s\nwant %s", c.name, c.args, got, c.want)
		}
	}
}

func TestParseMarker(t *testing.T) {
	for _, c := range []struct {
		name string
		tags map[string]attr.Value
		want string
	}{
		{"null", nil, `{"address":<null>,"binding":<null>,"estate":<null>,"problem":<null>,"slot":<null>,"status":"unmarked"}`},
		{"unmarked", tags("Name", "a", "tofu-address", "aws_vpc.a"),
			`{"address":"aws_vpc.a","binding":<null>,"estate":<null>,"problem":<null>,"slot":<null>,"status":"unmarked"}`},
		{"marked", tags("tofu-estate", "prod", "tofu-address", "aws_eip.a:1", "tofu-slot", "7", "tofu-binding", "b"),
			`{"address":"aws_eip.a[1]","binding":"b","estate":"prod","problem":<null>,"slot":7,"status":"marked"}`},
		{"no address", tags("tofu-estate", "prod"),
			`{"address":<null>,"binding":<null>,"estate":"prod","problem":"tofu-address is missing or empty","slot":<null>,"status":"malformed"}`},
		{"bad slot", tags("tofu-estate", "prod", "tofu-address", "aws_eip.a:1", "tofu-slot", "07"),
			`{"address":"aws_eip.a[1]","binding":<null>,"estate":"prod","problem":"the slot \"07\" is not a decimal number without leading zeros","slot":<null>,"status":"marked"}`},
		{"undecodable", tags("tofu-estate", "prod", "tofu-address", "module.a.aws_vpc"),
			`{"address":<null>,"binding":<null>,"estate":"prod","problem":"the tags hold no address that can be read back","slot":<null>,"status":"marked"}`},
		{"a null value", map[string]attr.Value{"tofu-estate": types.StringNull()},
			`{"address":<null>,"binding":<null>,"estate":<null>,"problem":<null>,"slot":<null>,"status":"unmarked"}`},
	} {
		given := types.MapNull(types.StringType)
		if c.tags != nil {
			given = types.MapValueMust(types.StringType, c.tags)
		}
		if got := call(t, "parse_marker", given); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func tags(pairs ...string) map[string]attr.Value {
	out := map[string]attr.Value{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = types.StringValue(pairs[i+1])
	}
	return out
}
