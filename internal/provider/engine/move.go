package engine

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// MoveState implements resource.ResourceWithMoveState: `moved` from hashicorp/aws's type of the same name. It runs before
// Configure, in Terraform in a process of its own, so that it works from the raw state alone.
func (r *managed) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{StateMover: r.moveFromAWS}}
}

func (r *managed) moveFromAWS(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	if req.SourceTypeName != "aws_"+r.name || !strings.HasSuffix(req.SourceProviderAddress, "/hashicorp/aws") {
		return
	}
	about := subject{kind: r.fullName()}
	if req.SourceRawState == nil {
		resp.Diagnostics.Append(moveUnreadable(about, "the state of the source is empty"))
		return
	}
	var source map[string]json.RawMessage
	if err := json.Unmarshal(req.SourceRawState.JSON, &source); err != nil {
		resp.Diagnostics.Append(moveUnreadable(about, err.Error()))
		return
	}
	target := object{}
	for name, t := range objectTypes(resp.TargetState.Raw) {
		target[name] = tftypes.NewValue(t, nil)
		if _, isBlock := r.schema.Blocks[name]; isBlock {
			target[name] = emptyBlock(t)
		}
		raw, ok := source[name]
		if !ok || strings.HasPrefix(name, "tofu_") || name == attrTimeouts {
			continue
		}
		// An attribute whose shape changed between the providers is left to the refresh.
		if v, err := tftypes.ValueFromJSONWithOpts(raw, t, tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true}); err == nil { //nolint:staticcheck // the raw state of another provider has no schema here
			target[name] = v
		}
	}
	id := text(target[attrID])
	if id == "" {
		resp.Diagnostics.Append(moveUnreadable(about, "it has no id"))
		return
	}
	if r.tagged() {
		all := knownTags(target[attrTagsAll])
		for _, name := range []string{attrTags, attrTagsAll} {
			if !target[name].IsNull() {
				target[name] = rawTags(markers.Strip(knownTags(target[name]), r.foldsCase()))
			}
		}
		resp.Diagnostics.Append(writeExpectation(ctx, resp.TargetPrivate, expectedOf(markers.Observe(all, r.foldsCase()), text(target[attrRegion])))...)
	}
	resp.TargetState.Raw = target.value(resp.TargetState.Raw.Type())
}

// expectedOf is what the markers in a raw state say of its object. There is no binding: the next plan takes over openly.
func expectedOf(o markers.Observed, region string) expectation {
	e := expectation{Estate: o.Estate, Region: region}
	if o.Decoded {
		e.Address, e.Slot = o.Address.String(), o.Slot
	}
	return e
}
