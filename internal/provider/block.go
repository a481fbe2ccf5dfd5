package provider

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// block is the provider block as the configuration writes it.
type block struct {
	Estate          types.String `tfsdk:"estate"`
	PreviousEstates types.Set    `tfsdk:"previous_estates"`
	OnExisting      types.String `tfsdk:"on_existing"`

	Region                    types.String `tfsdk:"region"`
	Profile                   types.String `tfsdk:"profile"`
	AccessKey                 types.String `tfsdk:"access_key"`
	SecretKey                 types.String `tfsdk:"secret_key"`
	Token                     types.String `tfsdk:"token"`
	SharedConfigFiles         types.List   `tfsdk:"shared_config_files"`
	SharedCredentialsFiles    types.List   `tfsdk:"shared_credentials_files"`
	AllowedAccountIDs         types.Set    `tfsdk:"allowed_account_ids"`
	ForbiddenAccountIDs       types.Set    `tfsdk:"forbidden_account_ids"`
	MaxRetries                types.Int64  `tfsdk:"max_retries"`
	RetryMode                 types.String `tfsdk:"retry_mode"`
	SkipCredentialsValidation types.Bool   `tfsdk:"skip_credentials_validation"`
	SkipMetadataAPICheck      types.String `tfsdk:"skip_metadata_api_check"`
	SkipRegionValidation      types.Bool   `tfsdk:"skip_region_validation"`
	SkipRequestingAccountID   types.Bool   `tfsdk:"skip_requesting_account_id"`
	S3UsePathStyle            types.Bool   `tfsdk:"s3_use_path_style"`
	S3USEast1Endpoint         types.String `tfsdk:"s3_us_east_1_regional_endpoint"`
	STSRegion                 types.String `tfsdk:"sts_region"`
	UseFIPSEndpoint           types.Bool   `tfsdk:"use_fips_endpoint"`
	UseDualStackEndpoint      types.Bool   `tfsdk:"use_dualstack_endpoint"`
	MetadataEndpoint          types.String `tfsdk:"ec2_metadata_service_endpoint"`
	MetadataEndpointMode      types.String `tfsdk:"ec2_metadata_service_endpoint_mode"`
	CustomCABundle            types.String `tfsdk:"custom_ca_bundle"`
	Insecure                  types.Bool   `tfsdk:"insecure"`
	HTTPProxy                 types.String `tfsdk:"http_proxy"`
	HTTPSProxy                types.String `tfsdk:"https_proxy"`
	NoProxy                   types.String `tfsdk:"no_proxy"`
	TokenBucketCapacity       types.Int64  `tfsdk:"token_bucket_rate_limiter_capacity"`
	UserAgent                 types.List   `tfsdk:"user_agent"`

	AssumeRole                types.List `tfsdk:"assume_role"`
	AssumeRoleWithWebIdentity types.List `tfsdk:"assume_role_with_web_identity"`
	DefaultTags               types.List `tfsdk:"default_tags"`
	IgnoreTags                types.List `tfsdk:"ignore_tags"`
	Endpoints                 types.Set  `tfsdk:"endpoints"`

	// unknown names the arguments whose values are not known yet, sorted.
	unknown []string
}

// readBlock decodes the configuration; unknown values stay what they are.
func readBlock(ctx context.Context, config tfsdk.Config) (block, diag.Diagnostics) {
	var b block
	diags := config.Get(ctx, &b)
	names := map[string]bool{}
	err := tftypes.Walk(config.Raw, func(p *tftypes.AttributePath, v tftypes.Value) (bool, error) {
		if !v.IsKnown() {
			names[argument(p)] = true
		}
		return v.IsKnown(), nil
	})
	if err != nil {
		diags.AddError("Unreadable provider configuration", fmt.Sprintf("Looking for unknown values failed: %s.", err))
	}
	b.unknown = slices.Sorted(maps.Keys(names))
	return b, diags
}

// argument writes a path as the configuration does, such as assume_role[0].role_arn. The members of a set have no
// name, so that a path into one names the set's own attributes.
func argument(p *tftypes.AttributePath) string {
	var b strings.Builder
	for _, step := range p.Steps() {
		switch s := step.(type) {
		case tftypes.AttributeName:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(string(s))
		case tftypes.ElementKeyInt:
			fmt.Fprintf(&b, "[%d]", int64(s))
		case tftypes.ElementKeyString:
			fmt.Fprintf(&b, "[%q]", string(s))
		}
	}
	return b.String()
}

// collection is a list or set.
type collection interface{ Elements() []attr.Value }

// known returns the elements that are known and not null.
func known(c collection) []string {
	var out []string
	for _, v := range c.Elements() {
		if s, ok := v.(types.String); ok && !s.IsNull() && !s.IsUnknown() {
			out = append(out, s.ValueString())
		}
	}
	return out
}

// member returns an attribute of an object in a nested block, the zero value of T where it is missing.
func member[T attr.Value](o attr.Value, name string) T {
	v, ok := attributes(o)[name].(T)
	if !ok {
		var zero T
		return zero
	}
	return v
}

// attributes returns a copy of the attributes of an object in a nested block.
func attributes(o attr.Value) map[string]attr.Value {
	object, ok := o.(types.Object)
	if !ok {
		return nil
	}
	return object.Attributes()
}

// first returns the only object of a block that may stand once, nil when it does not stand.
func first(l types.List) attr.Value {
	if len(l.Elements()) == 0 {
		return nil
	}
	return l.Elements()[0]
}
