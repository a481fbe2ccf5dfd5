package functions

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// escapeAddress is the contract's escaping, a function on text.
var escapeAddress = &pure{
	name: "escape_address",
	definition: function.Definition{
		Summary: "The text of an address as it stands in a tag value",
		MarkdownDescription: "Escapes the text of an address for tag values, before it is cut into parts of 256 characters. It is a " +
			"function on text and checks nothing: a text without `[` comes back as it is. `parse_address` checks, and `marker_tags` " +
			"writes whole markers.",
		Parameters: []function.Parameter{text("address", "The text, such as `aws_eip.nat[0]`.")},
		Return:     function.StringReturn{},
	},
	run: func(ctx context.Context, args function.ArgumentsData) (any, *function.FuncError) {
		var address string
		err := args.Get(ctx, &address)
		return markers.Escape(address), err
	},
}

// unescapeAddress is the contract's decoding, for lists and messages.
var unescapeAddress = &pure{
	name: "unescape_address",
	definition: function.Definition{
		Summary: "The address that an escaped tag value stands for",
		MarkdownDescription: "Decodes an escaped address, the parts joined, for lists and messages. To find out whether an object " +
			"belongs to a known address, escape the address and compare. A value without the shape of an address is an error; what the " +
			"shape holds is not checked.",
		Parameters: []function.Parameter{text("value", "The value, such as `aws_eip.nat:0`.")},
		Return:     function.StringReturn{},
	},
	run: func(ctx context.Context, args function.ArgumentsData) (any, *function.FuncError) {
		var value string
		if err := args.Get(ctx, &value); err != nil {
			return nil, err
		}
		address, ok := markers.Unescape(value)
		if !ok {
			return nil, wrong(0, errors.New("the value is no escaped address; one looks like module.net:a.aws_subnet.this:0"))
		}
		return address, nil
	},
}
