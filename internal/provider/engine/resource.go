package engine

import (
	"context"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// managed is the framework resource of a kind: the engine acting on one instance.
type managed struct {
	*kind
	walk *Walk
}

var (
	_ resource.ResourceWithConfigure       = (*managed)(nil)
	_ resource.ResourceWithValidateConfig  = (*managed)(nil)
	_ resource.ResourceWithModifyPlan      = (*managed)(nil)
	_ resource.ResourceWithImportState     = (*managed)(nil)
	_ resource.ResourceWithMoveState       = (*managed)(nil)
	_ resource.ResourceWithIdentity        = (*managed)(nil)
	_ resource.ResourceWithUpgradeIdentity = (*managed)(nil)
)

// Resource implements Type.
func (k *kind) Resource() resource.Resource { return &managed{kind: k} }

// Metadata implements resource.Resource.
func (r *managed) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.name
}

// Schema implements resource.Resource.
func (r *managed) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.schema
}

// IdentitySchema implements resource.ResourceWithIdentity.
func (r *managed) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = r.identitySchema()
}

// UpgradeIdentity implements resource.ResourceWithUpgradeIdentity. A lower version is that of another type, which OpenTofu
// hands over after a move; the next Read fills the identity.
func (r *managed) UpgradeIdentity(context.Context) map[int64]resource.IdentityUpgrader {
	empty := func(_ context.Context, _ resource.UpgradeIdentityRequest, resp *resource.UpgradeIdentityResponse) {
		o := object{}
		for name := range r.identitySchema().Attributes {
			o[name] = str("")
		}
		resp.Identity.Raw = o.value(r.identitySchema().Type().TerraformType(context.Background()))
	}
	upgraders := map[int64]resource.IdentityUpgrader{}
	for version := range r.identitySchema().Version {
		upgraders[version] = resource.IdentityUpgrader{IdentityUpgrader: empty}
	}
	return upgraders
}

// Configure implements resource.ResourceWithConfigure.
func (r *managed) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	if req.ProviderData == nil {
		return // the validate walk
	}
	walk, ok := req.ProviderData.(*Walk)
	if !ok {
		resp.Diagnostics.Append(internalError("configuring "+r.fullName(), fmt.Errorf("unexpected provider data %T", req.ProviderData)))
		return
	}
	r.walk = walk
}

// resolve joins tofu_address and tofu_key. unknown names the attribute whose value is not known.
func (r *managed) resolve(whole object) (a markers.Address, unknown string, err error) {
	for _, name := range []string{attrAddress, attrKey} {
		if !whole[name].IsKnown() {
			return a, name, nil
		}
	}
	if whole[attrAddress].IsNull() {
		return a, "", nil
	}
	if a, err = markers.Parse(text(whole[attrAddress])); err != nil {
		return a, "", &attributeError{attrAddress, err}
	}
	if a.Type != r.fullName() {
		return a, "", &attributeError{attrAddress, fmt.Errorf("it names the type %s, and this block is of the type %s", a.Type, r.fullName())}
	}
	if whole[attrKey].IsNull() {
		return a, "", nil
	}
	if a, err = a.WithKey(text(whole[attrKey])); err != nil {
		return a, "", &attributeError{attrKey, err}
	}
	return a, "", nil
}

// attributeError is an error of one attribute.
type attributeError struct {
	name string
	err  error
}

func (e *attributeError) Error() string { return e.name + ": " + e.err.Error() }
func (e *attributeError) Unwrap() error { return e.err }

// stateAddress is the address that a state shows; "" where it shows none.
func (r *managed) stateAddress(whole object) string {
	base := text(whole[attrAddress])
	a, err := markers.Parse(base)
	if err != nil {
		return base
	}
	if key := text(whole[attrKey]); key != "" {
		if keyed, err := a.WithKey(key); err == nil {
			a = keyed
		}
	}
	return a.String()
}

// subject is how messages call an instance and its object.
func (r *managed) subject(whole object, id string) subject {
	s := subject{kind: r.fullName(), address: r.stateAddress(whole), id: id}
	if s.id == "" {
		s.id = text(whole[attrID])
	}
	return s
}

// session returns AWS access in a region.
func (r *managed) session(region string) *cloud.Session { return r.walk.Session.In(region) }

// account is the account of the session, "" where the check is off.
func (r *managed) account() string {
	if r.walk.Session == nil {
		return ""
	}
	return r.walk.Session.Account
}

// expected reads what is believed of an object, and refuses a session of another account.
func (r *managed) expected(ctx context.Context, private privateReader, about subject) (*expectation, diag.Diagnostic) {
	e, err := readExpectation(ctx, private)
	if err != nil {
		return nil, stateUnreadable(about, err)
	}
	return e, r.checkAccount(e, about)
}

// checkAccount refuses a session of another account than the expected one.
func (r *managed) checkAccount(e *expectation, about subject) diag.Diagnostic {
	if e == nil || e.Account == "" || r.account() == "" || e.Account == r.account() {
		return nil
	}
	return otherAccount(about, e.Account, r.account())
}

// needSession is the error of an operation that needs AWS while the provider's configuration is unknown.
func (r *managed) needSession(about subject) diag.Diagnostic {
	switch {
	case r.walk == nil:
		return internalError("using the provider", fmt.Errorf("it is not configured"))
	case r.walk.Session == nil || r.walk.Estate.IsUnknown():
		return configurationUnknown(about, r.walk.Unknown)
	}
	return nil
}

// onExisting is what a create does with an existing object; named says that somebody asked for it by name.
func (r *managed) onExisting(whole object) (mode OnExisting, named bool) {
	if v := text(whole[attrOnExisting]); v != "" {
		return OnExisting(v), true
	}
	if r.overwrites != "" && flag(whole[r.overwrites]) {
		return Adopt, true
	}
	if r.walk.OnExisting != "" {
		return r.walk.OnExisting, true
	}
	return Adopt, false
}

// flag reads a bool attribute; false for null and unknown.
func flag(v tftypes.Value) bool {
	var b bool
	if v.Type() != nil && v.IsKnown() && !v.IsNull() {
		_ = v.As(&b) // a value of another type reads as false
	}
	return b
}

// slotIn reads tofu_slot.
func slotIn(v tftypes.Value) *uint32 {
	if v.Type() == nil || !v.IsKnown() || v.IsNull() {
		return nil
	}
	var n *big.Float
	if err := v.As(&n); err != nil || n == nil {
		return nil
	}
	u, accuracy := n.Uint64()
	if accuracy != big.Exact || u > markers.MaxSlot {
		return nil
	}
	slot := uint32(u)
	return &slot
}

// rawSlot makes a raw tofu_slot.
func rawSlot(slot *uint32) tftypes.Value {
	if slot == nil {
		return tftypes.NewValue(tftypes.Number, nil)
	}
	return tftypes.NewValue(tftypes.Number, int64(*slot))
}

// unknown makes an unknown value like v.
func unknown(v tftypes.Value) tftypes.Value { return tftypes.NewValue(v.Type(), tftypes.UnknownValue) }

// setIdentity writes the identity where the client asks for one.
func (r *managed) setIdentity(identity *tfsdk.ResourceIdentity, region string, key Key) {
	if identity != nil {
		identity.Raw = r.identityValue(r.account(), region, key)
	}
}

// numberText renders a number for a message.
func numberText(v tftypes.Value) string {
	var n *big.Float
	if v.As(&n) != nil || n == nil {
		return "not set"
	}
	return n.Text('f', -1)
}

// settingDefault is the schema default of an attribute that AWS never returns, as an import leaves it.
func (r *managed) settingDefault(ctx context.Context, name string, like tftypes.Value) tftypes.Value {
	var v attr.Value
	switch a := r.attrs[name].(type) {
	case schema.BoolAttribute:
		if a.Default != nil {
			var resp defaults.BoolResponse
			a.Default.DefaultBool(ctx, defaults.BoolRequest{}, &resp)
			v = resp.PlanValue
		}
	case schema.StringAttribute:
		if a.Default != nil {
			var resp defaults.StringResponse
			a.Default.DefaultString(ctx, defaults.StringRequest{}, &resp)
			v = resp.PlanValue
		}
	case schema.Int64Attribute:
		if a.Default != nil {
			var resp defaults.Int64Response
			a.Default.DefaultInt64(ctx, defaults.Int64Request{}, &resp)
			v = resp.PlanValue
		}
	}
	if v == nil {
		return none(like)
	}
	raw, err := v.ToTerraformValue(ctx)
	if err != nil {
		return none(like)
	}
	return raw
}

// hasDefault tells whether the schema gives an attribute a value where the configuration does not.
func hasDefault(a schema.Attribute) bool {
	switch a := a.(type) {
	case schema.BoolAttribute:
		return a.Default != nil
	case schema.Float64Attribute:
		return a.Default != nil
	case schema.Int64Attribute:
		return a.Default != nil
	case schema.NumberAttribute:
		return a.Default != nil
	case schema.StringAttribute:
		return a.Default != nil
	case schema.ListAttribute:
		return a.Default != nil
	case schema.MapAttribute:
		return a.Default != nil
	case schema.ObjectAttribute:
		return a.Default != nil
	case schema.SetAttribute:
		return a.Default != nil
	case schema.ListNestedAttribute:
		return a.Default != nil
	case schema.MapNestedAttribute:
		return a.Default != nil
	case schema.SetNestedAttribute:
		return a.Default != nil
	case schema.SingleNestedAttribute:
		return a.Default != nil
	}
	return false
}
