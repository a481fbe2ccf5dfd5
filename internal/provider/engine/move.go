package engine

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// This file is `moved` across types: from hashicorp/aws's type of the same name, and from types that the descriptor names.

const (
	awsPrefix = "aws_"
	ourPrefix = "estate_"
)

// MoveState implements resource.ResourceWithMoveState. It runs before Configure, in Terraform in a process of its own, so
// that it works from the raw state alone. What it cannot tell from that is left to the Read that follows.
func (r *managed) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{StateMover: r.move}}
}

// move takes a state that is this type's to take, by type and by the provider's own part of its address: registries and
// mirrors differ. Anything else is left to the framework's error.
func (r *managed) move(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	named := func(prefix string) bool {
		return req.SourceTypeName == prefix+r.name ||
			strings.HasPrefix(req.SourceTypeName, prefix) && slices.Contains(r.movesFrom, req.SourceTypeName)
	}
	var take func(context.Context, resource.MoveStateRequest, *resource.MoveStateResponse) error
	switch {
	case named(awsPrefix) && strings.HasSuffix(req.SourceProviderAddress, "/hashicorp/aws"):
		take = r.moveFromAWS
	case named(ourPrefix) && strings.HasSuffix(req.SourceProviderAddress, "/estate"):
		take = r.moveOurs
	default:
		return
	}
	if err := take(ctx, req, resp); err != nil {
		resp.Diagnostics.Append(moveUnreadable(subject{kind: r.fullName()}, req.SourceTypeName, err.Error()))
	}
}

// moveOurs takes over a state of this provider. Binding and private state come along: the entry is the same, and the next
// plan shows a change of address, as for any rename.
func (r *managed) moveOurs(_ context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) error {
	source, err := rawAttributes(req.SourceRawState)
	if err != nil {
		return err
	}
	if source, err = r.upgraded(source, req.SourceSchemaVersion); err != nil {
		return err
	}
	target, err := r.decodeState(source)
	if err != nil {
		return err
	}
	resp.TargetState.Raw = target.value(resp.TargetState.Raw.Type())
	resp.TargetPrivate = req.SourcePrivate
	return nil
}

// moveFromAWS takes over a state of hashicorp/aws, of any of its versions. There is no binding, so that the next plan takes
// over openly, by one change of tags.
func (r *managed) moveFromAWS(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) error {
	source, err := rawAttributes(req.SourceRawState)
	if err != nil {
		return err
	}
	for name := range source {
		if engineAttribute(name) && !slices.Contains(sharedAttributes, name) {
			delete(source, name)
		}
	}
	target, _ := r.decodeAttributes(source) // an attribute of another shape is left to the refresh
	r.settleMoved(ctx, target)
	if err := r.rekey(target); err != nil {
		return err
	}
	account, region := placeInARN(source)
	if v, ok := target[attrRegion]; ok && text(v) == "" { // before v6
		target[attrRegion] = str(region)
	}
	if r.tagged() {
		e := expectedOf(markers.Observe(movedTags(target), r.foldsCase()))
		e.Account, e.Region = account, text(target[attrRegion])
		r.stripMoved(target)
		resp.Diagnostics.Append(writeExpectation(ctx, resp.TargetPrivate, e)...)
	}
	resp.TargetState.Raw = target.value(resp.TargetState.Raw.Type())
	return nil
}

// sharedAttributes are those of the engine's that hashicorp/aws has too.
var sharedAttributes = []string{attrID, attrRegion, attrTags, attrTagsAll, attrTimeouts}

// settleMoved says what hashicorp/aws says in other words. It writes "" and 0 for what nobody configured, which an attribute
// that AWS never shows would keep for ever, and which is no CIDR block and no ARN; it lacks attributes of other versions, for
// which their default stands; and timeouts of which none is set are none.
func (r *managed) settleMoved(ctx context.Context, target object) {
	target.put(withoutEmpty(r.ownType(), r.ownPart(target)))
	for name, a := range r.attrs {
		v, free := target[name], a.IsOptional() && !a.IsComputed()
		if v.Type().Is(tftypes.String) && text(v) == "" && !hasDefault(a) || free && isZero(v) {
			target[name] = none(v)
		}
		if target[name].IsNull() {
			target[name] = r.settingDefault(ctx, name, target[name])
		}
	}
	if v, ok := target[attrTimeouts]; ok && identityEmpty(v) {
		target[attrTimeouts] = none(v)
	}
}

// withoutEmpty returns v with null in place of empty texts of a grammar, wherever an attribute holds one.
func withoutEmpty(t attr.Type, v tftypes.Value) tftypes.Value {
	if v.IsNull() {
		return v
	}
	switch shapeOf(t) {
	case objectShape:
		out := object{}
		for name, child := range objectOf(v) {
			of := childType(t, name)
			if out[name] = withoutEmpty(of, child); child.Type().Is(tftypes.String) && text(child) == "" && !of.Equal(basetypes.StringType{}) {
				out[name] = none(child)
			}
		}
		return out.value(v.Type())
	case listShape, setShape:
		out := elements(v)
		for i, e := range out {
			out[i] = withoutEmpty(childType(t, ""), e)
		}
		return tftypes.NewValue(v.Type(), out)
	}
	return v
}

// isZero tells whether v is the number 0. A false is left alone: somebody may have said it.
func isZero(v tftypes.Value) bool {
	var n *big.Float
	return v.Type().Is(tftypes.Number) && v.As(&n) == nil && n != nil && n.Sign() == 0
}

// movedTags are all tags of a state that was moved in; one of before tags_all has tags alone.
func movedTags(target object) map[string]string {
	if target[attrTagsAll].IsNull() {
		return knownTags(target[attrTags])
	}
	return knownTags(target[attrTagsAll])
}

// stripMoved takes the markers out of the tags. tags_all is never null: Read would take the state for an import.
func (r *managed) stripMoved(target object) {
	target[attrTagsAll] = rawTags(movedTags(target))
	for _, name := range []string{attrTags, attrTagsAll} {
		if !target[name].IsNull() {
			target[name] = rawTags(markers.Strip(knownTags(target[name]), r.foldsCase()))
		}
	}
}

// accountID is the form of an account in an ARN; AWS's own objects have none.
var accountID = regexp.MustCompile(`^\d{12}$`)

// placeInARN is where the object's ARN says that it is; "" for what it does not say, as for objects of IAM and Route 53.
func placeInARN(source map[string]json.RawMessage) (account, region string) {
	var arn string
	if json.Unmarshal(source["arn"], &arn) != nil {
		return "", ""
	}
	parts := strings.SplitN(arn, ":", 6) // arn:partition:service:region:account:resource
	if len(parts) != 6 || parts[0] != "arn" {
		return "", ""
	}
	if accountID.MatchString(parts[4]) {
		account = parts[4]
	}
	return account, parts[3]
}

// rawAttributes takes a raw state apart. States of before Terraform 0.12 are no JSON.
func rawAttributes(state *tfprotov6.RawState) (map[string]json.RawMessage, error) {
	if state == nil || len(state.JSON) == 0 {
		return nil, errors.New("it is empty, or written by Terraform 0.11")
	}
	var source map[string]json.RawMessage
	if err := json.Unmarshal(state.JSON, &source); err != nil {
		return nil, err
	}
	return source, nil
}

// HeldBy returns the object that a raw state holds: its id, and its region where the state tells it.
func HeldBy(state *tfprotov6.RawState) (id, region string) {
	source, err := rawAttributes(state)
	if err != nil || json.Unmarshal(source[attrID], &id) != nil {
		return "", ""
	}
	if json.Unmarshal(source[attrRegion], &region) != nil || region == "" {
		_, region = placeInARN(source)
	}
	return id, region
}

// expectedOf is what the markers in a raw state say of its object.
func expectedOf(o markers.Observed) expectation {
	e := expectation{Estate: o.Estate, Seen: o.Binding}
	if o.Decoded {
		e.Address, e.Slot = o.Address.String(), o.Slot
	}
	return e
}
