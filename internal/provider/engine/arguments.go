package engine

import (
	"context"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// This file lists the attributes that the engine brings to every type. None of the tofu_ ones reaches AWS as an
// attribute of the object.

// Names of the engine's attributes.
const (
	attrID            = "id"
	attrRegion        = "region"
	attrTags          = "tags"
	attrTagsAll       = "tags_all"
	attrTimeouts      = "timeouts"
	attrAddress       = "tofu_address"
	attrKey           = "tofu_key"
	attrEstate        = "tofu_estate"
	attrSlot          = "tofu_slot"
	attrBinding       = "tofu_binding"
	attrOnDestroy     = "tofu_on_destroy"
	attrOnExisting    = "on_existing"
	attrAdoptUnmarked = "adopt_unmarked"
	attrRestore       = "restore"
	attrAccountID     = "account_id"
)

// Values of tofu_on_destroy.
const (
	onDestroyDelete  = "delete"
	onDestroyRelease = "release"
	onDestroyKeep    = "keep"
	onDestroyRefuse  = "refuse"
)

// wholeSchema adds the engine's attributes to the type's own.
func (k *kind) wholeSchema() schema.Schema {
	s := schema.Schema{
		MarkdownDescription: k.doc,
		Version:             int64(len(k.upgrades)),
		Attributes:          map[string]schema.Attribute{},
		Blocks:              map[string]schema.Block{},
	}
	for name, a := range k.attrs {
		s.Attributes[name] = a
	}
	for name, b := range k.blocks {
		s.Blocks[name] = b
	}
	s.Attributes[attrID] = schema.StringAttribute{Computed: true, MarkdownDescription: "Identifier of the object."}
	if !k.global {
		s.Attributes[attrRegion] = schema.StringAttribute{
			Optional: true, Computed: true,
			Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			MarkdownDescription: "Region of the object; the provider's when unset. Changing this forces a new object.",
		}
	}
	s.Attributes[attrOnExisting] = schema.StringAttribute{
		Optional: true,
		Validators: []validator.String{
			stringvalidator.OneOf(string(Adopt), string(Refuse), string(Beside)),
		},
		MarkdownDescription: "What a create does with an object of ours that exists already: `adopt`, `error` or `create` " +
			"(a new one beside it). Overrides the provider's `on_existing`.",
	}
	destroy := []string{onDestroyDelete, onDestroyKeep, onDestroyRefuse}
	if k.tagged() {
		destroy = append(destroy, onDestroyRelease)
		k.markerAttributes(s.Attributes)
	}
	s.Attributes[attrOnDestroy] = schema.StringAttribute{
		Optional:            true,
		Validators:          []validator.String{stringvalidator.OneOf(destroy...)},
		MarkdownDescription: "What a destroy does: `" + strings.Join(destroy, "`, `") + "`. Default `delete`. It lives in state.",
	}
	if k.restore != nil {
		s.Attributes[attrRestore] = schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether a create takes an object of ours back that is scheduled for deletion.",
		}
	}
	if opts, any := k.timeoutOptions(); any {
		s.Blocks[attrTimeouts] = timeouts.Block(context.Background(), opts)
	}
	return s
}

// markerAttributes adds what types with tags have.
func (k *kind) markerAttributes(to map[string]schema.Attribute) {
	to[attrAddress] = schema.StringAttribute{
		Required: true,
		MarkdownDescription: "Address of the block, such as `" + k.fullName() + ".main`, behind the module's own path " +
			"where it stands in one: `${var.tofu_module}" + k.fullName() + ".main`. It is written on the object.",
	}
	to[attrKey] = schema.StringAttribute{
		Optional:            true,
		MarkdownDescription: "Instance key: `each.key` under `for_each`, `count.index` under `count`.",
	}
	to[attrAdoptUnmarked] = schema.BoolAttribute{
		Optional:            true,
		MarkdownDescription: "Whether a create takes over an unmarked object that holds its name or range.",
	}
	to[attrEstate] = schema.StringAttribute{
		Computed: true, MarkdownDescription: "Estate that the object's marker names.",
	}
	to[attrBinding] = schema.StringAttribute{
		Computed: true, MarkdownDescription: "Binding that this state entry gave the object; another one on the object means that another state holds it.",
	}
	to[attrSlot] = schema.Int64Attribute{
		Computed: true, MarkdownDescription: "Stable number of a `count` member.",
	}
	to[attrTags] = schema.MapAttribute{
		Optional: true, ElementType: types.StringType,
		MarkdownDescription: "Tags of the object. Keys that others put on it are left alone.",
	}
	to[attrTagsAll] = schema.MapAttribute{
		Computed: true, ElementType: types.StringType,
		MarkdownDescription: "Tags of the object with the provider's `default_tags`, without the marker.",
	}
}

func (k *kind) timeoutOptions() (timeouts.Opts, bool) {
	t := k.timeouts
	opts := timeouts.Opts{Create: t.Create > 0, Read: t.Read > 0, Update: t.Update > 0, Delete: t.Delete > 0}
	return opts, opts != timeouts.Opts{}
}

// defaultTimeout holds where neither the configuration nor v6 says a limit.
const defaultTimeout = 10 * time.Minute

// timeout returns the limit of an operation ("create", "read", ...) as whole says it.
func (k *kind) timeout(whole object, operation string) time.Duration {
	limit := map[string]time.Duration{
		"create": k.timeouts.Create, "read": k.timeouts.Read, "update": k.timeouts.Update, "delete": k.timeouts.Delete,
	}[operation]
	if limit == 0 {
		limit = defaultTimeout
	}
	if block, ok := whole[attrTimeouts]; ok {
		if d, err := time.ParseDuration(text(objectOf(block)[operation])); err == nil && d > 0 {
			return d
		}
	}
	return limit
}

// identityVersion is above every identity version of hashicorp/aws, whose highest is 1: OpenTofu hands the identity of a
// moved entry on as it is, would misread it by our schema, and asks UpgradeIdentity only where the version is higher.
const identityVersion = 16

// identitySchema is the resource identity: the key's parts, and where the object is. A type that takes over states of its
// older names has a version above theirs, for the same reason.
func (k *kind) identitySchema() identityschema.Schema {
	s := identityschema.Schema{Version: identityVersion + int64(len(k.movesFrom)), Attributes: map[string]identityschema.Attribute{
		attrAccountID: identityschema.StringAttribute{OptionalForImport: true, Description: "Account of the object."},
	}}
	if !k.global {
		s.Attributes[attrRegion] = identityschema.StringAttribute{OptionalForImport: true, Description: "Region of the object."}
	}
	for _, p := range k.identity {
		s.Attributes[p.Attr] = identityschema.StringAttribute{
			RequiredForImport: !p.Optional, OptionalForImport: p.Optional, Description: "Part of the object's key.",
		}
	}
	return s
}

// identityValue is the raw identity of an object.
func (k *kind) identityValue(account, region string, key Key) tftypes.Value {
	o := object{attrAccountID: str(account)}
	if !k.global {
		o[attrRegion] = str(region)
	}
	for i, p := range k.identity {
		v := ""
		if i < len(key) {
			v = key[i]
		}
		o[p.Attr] = str(v)
	}
	return o.value(k.identitySchema().Type().TerraformType(context.Background()))
}

// keyIn reads the key from a whole raw value; ok is false while a part of it is unknown or missing.
func (k *kind) keyIn(whole object) (key Key, ok bool) {
	for _, p := range k.identity {
		v, present := whole[p.Attr]
		if !present || !v.IsKnown() {
			return nil, false
		}
		if v.IsNull() && !p.Optional {
			return nil, false
		}
		key = append(key, text(v))
	}
	return key, true
}

// idOf is the id attribute of an object with this key.
func (k *kind) idOf(key Key) string {
	parts := make([]string, 0, len(key))
	for _, p := range key {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, k.separator)
}

// regionIn is the region that a whole raw value names, "" for global types.
func (k *kind) regionIn(whole object) string {
	if k.global {
		return ""
	}
	return text(whole[attrRegion])
}
