package functions

import (
	"context"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// markerTags writes the marker of an instance as a map of tags.
var markerTags = &pure{
	name: "marker_tags",
	definition: function.Definition{
		Summary: "The tags that mark an object as an instance of an estate",
		MarkdownDescription: "Returns the tags that say whose an object is, to be merged into the `tags` of a resource of any " +
			"provider. Resources of this provider write their marker themselves. What the contract refuses is an error: the name of an " +
			"estate that is none, an address that is none or does not fit in its tags, a slot on what is no member of a `count`.",
		Parameters: []function.Parameter{
			text("estate", "The name of the estate: a lower-case letter, then lower-case letters, digits and hyphens, at most 128 characters."),
			text("address", "The address of the instance, with its index."),
		},
		VariadicParameter: function.NumberParameter{
			Name: "slot",
			MarkdownDescription: "For a member of a `count`, at most one number that no other living member has. `count.index` will do, " +
				"as members are only added and removed at the end.",
		},
		Return: function.MapReturn{ElementType: types.StringType},
	},
	run: func(ctx context.Context, args function.ArgumentsData) (any, *function.FuncError) {
		var estate, address string
		var slots []*big.Float
		if err := args.Get(ctx, &estate, &address, &slots); err != nil {
			return nil, err
		}
		if err := markers.CheckEstate(estate); err != nil {
			return nil, wrong(0, err)
		}
		parsed, err := markers.Parse(address)
		if err != nil {
			return nil, wrong(1, err)
		}
		slot, err := slotOf(slots)
		if err != nil {
			return nil, wrong(2, err)
		}
		tags, err := markers.Marker{Estate: estate, Address: parsed, Slot: slot}.Tags()
		if err != nil {
			return nil, wrong(2, err)
		}
		return map[string]string(tags), nil
	},
}

// slotOf reads the optional slot.
func slotOf(numbers []*big.Float) (*uint32, error) {
	switch {
	case len(numbers) == 0:
		return nil, nil //nolint:nilnil // No slot is an answer.
	case len(numbers) > 1:
		return nil, fmt.Errorf("%d slots were given, and an object has one", len(numbers))
	}
	slot, _ := numbers[0].Uint64()
	if !numbers[0].IsInt() || numbers[0].Sign() < 0 || slot > markers.MaxSlot {
		return nil, fmt.Errorf("the slot %s is no whole number from 0 to %d", numbers[0].Text('g', -1), markers.MaxSlot)
	}
	out := uint32(slot) //nolint:gosec // G115: at most MaxSlot.
	return &out, nil
}

// marker is what parse_marker returns. Null is what the tags do not say.
type marker struct {
	Status  string  `tfsdk:"status"`
	Estate  *string `tfsdk:"estate"`
	Address *string `tfsdk:"address"`
	Slot    *int64  `tfsdk:"slot"`
	Binding *string `tfsdk:"binding"`
	Problem *string `tfsdk:"problem"`
}

// parseMarker reads tags, whosever they are.
var parseMarker = &pure{
	name: "parse_marker",
	definition: function.Definition{
		Summary: "What the tags of an object say about whose it is",
		MarkdownDescription: "Reads the marker in the tags of an object, whosever it is. The result is an object:\n\n" +
			"- `status`: `unmarked` without an estate, `malformed` with an estate and an address that cannot be read, else `marked`\n" +
			"- `estate`, `address`, `slot`, `binding`: what the tags say, null where they do not\n" +
			"- `problem`: what is wrong with a malformed marker or with a slot, else null\n\n" +
			"Keys are compared with their case. IAM folds the case of keys, and shows them as they were first written.",
		Parameters: []function.Parameter{function.MapParameter{
			Name: "tags", ElementType: types.StringType, AllowNullValue: true,
			MarkdownDescription: "All tags of the object. Null is no tags.",
		}},
		Return: function.ObjectReturn{AttributeTypes: map[string]attr.Type{
			"status": types.StringType, "estate": types.StringType, "address": types.StringType, "slot": types.Int64Type,
			"binding": types.StringType, "problem": types.StringType,
		}},
	},
	run: func(ctx context.Context, args function.ArgumentsData) (any, *function.FuncError) {
		var given map[string]*string
		if err := args.Get(ctx, &given); err != nil {
			return nil, err
		}
		tags := map[string]string{}
		for key, v := range given {
			if v != nil { // a null tag is one that hashicorp/aws leaves out
				tags[key] = *v
			}
		}
		return read(markers.Observe(tags, false)), nil
	},
}

// read translates what tags say.
func read(o markers.Observed) marker {
	m := marker{Estate: said(o.Estate), Binding: said(o.Binding), Problem: said(o.Problem)}
	if o.Slot != nil {
		slot := int64(*o.Slot)
		m.Slot = &slot
	}
	switch o.Status {
	case markers.StatusMarked:
		m.Status = "marked"
	case markers.StatusMalformed:
		m.Status = "malformed"
	case markers.StatusUnmarked:
		m.Status = "unmarked"
	}
	switch {
	case o.Decoded:
		m.Address = said(o.Address.String())
	case o.Status == markers.StatusMarked:
		m.Problem = said("the tags hold no address that can be read back")
	}
	if m.Problem == nil {
		m.Problem = said(o.SlotProblem)
	}
	return m
}

// said is null for what was not said.
func said(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
