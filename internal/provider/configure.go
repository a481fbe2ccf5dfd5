package provider

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// ValidateConfig implements provider.ProviderWithValidateConfig: it calls nothing and needs no environment.
func (p *Provider) ValidateConfig(ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse) {
	b, diags := readBlock(ctx, req.Config)
	resp.Diagnostics.Append(diags...)
	if !diags.HasError() {
		resp.Diagnostics.Append(b.check()...)
	}
}

// Configure implements provider.Provider. It hands an *engine.Walk to the resources. Where a value that AWS access
// or the judgement of objects needs is unknown, the walk has no Session.
func (p *Provider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	b, diags := readBlock(ctx, req.Config)
	resp.Diagnostics.Append(diags...)
	if diags.HasError() {
		return
	}
	c := p.configuration(ctx, b, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	walk := engine.NewWalk(c)
	p.walk.Store(walk)
	resp.ResourceData, resp.DataSourceData = walk, walk
}

func (p *Provider) configuration(ctx context.Context, b block, diags *diag.Diagnostics) engine.Configuration {
	diags.Append(b.check()...)
	c := engine.Configuration{
		Unknown:         slices.DeleteFunc(slices.Clone(b.unknown), isDefaultTag),
		PreviousEstates: known(b.PreviousEstates),
		DefaultTags:     b.defaultTags(),
	}
	c.Estate, _ = b.estate()
	c.OnExisting, _ = b.onExisting()
	c.IgnoreKeys, c.IgnorePrefixes = b.ignored()
	if c.Estate.IsNull() {
		missingEstate(diags)
	}
	if diags.HasError() {
		return c
	}
	if len(c.Unknown) > 0 {
		unknownSettings(diags, c.Unknown)
	}
	if !onlyEstate(c.Unknown) {
		return c
	}
	settings := b.access(p.version, diags)
	if diags.HasError() {
		return c
	}
	session, err := cloud.Open(ctx, settings)
	if err != nil {
		noAccess(diags, err)
		return c
	}
	if settings.SkipRequestingAccountID {
		accountCheckOff(diags)
	}
	c.Session = session
	return c
}

// isDefaultTag tells whether an unknown argument is a default tag: those may come as late as any tag.
func isDefaultTag(argument string) bool {
	return argument == "default_tags" || strings.HasPrefix(argument, "default_tags[")
}

// onlyEstate tells whether nothing is unknown that AWS access, or telling our objects from others', needs.
func onlyEstate(unknown []string) bool {
	return !slices.ContainsFunc(unknown, func(argument string) bool { return argument != "estate" })
}

// access translates the settings of AWS access; all are known.
func (b block) access(version string, diags *diag.Diagnostics) cloud.Config {
	c := cloud.Config{
		Version:                   version,
		Region:                    b.Region.ValueString(),
		Profile:                   b.Profile.ValueString(),
		AccessKey:                 b.AccessKey.ValueString(),
		SecretKey:                 b.SecretKey.ValueString(),
		Token:                     b.Token.ValueString(),
		SharedConfigFiles:         known(b.SharedConfigFiles),
		SharedCredentialsFiles:    known(b.SharedCredentialsFiles),
		AllowedAccountIDs:         known(b.AllowedAccountIDs),
		ForbiddenAccountIDs:       known(b.ForbiddenAccountIDs),
		Endpoints:                 map[string]string{},
		MaxRetries:                int(b.MaxRetries.ValueInt64()),
		RetryMode:                 b.RetryMode.ValueString(),
		SkipCredentialsValidation: b.SkipCredentialsValidation.ValueBool(),
		SkipRegionValidation:      b.SkipRegionValidation.ValueBool(),
		SkipRequestingAccountID:   b.SkipRequestingAccountID.ValueBool(),
		S3UsePathStyle:            b.S3UsePathStyle.ValueBool(),
	}
	if text := b.SkipMetadataAPICheck.ValueString(); text != "" {
		skip, err := strconv.ParseBool(text)
		if err != nil {
			badMetadataCheck(diags, text)
		}
		c.SkipMetadataAPICheck = &skip
	}
	for i, o := range b.AssumeRole.Elements() {
		c.AssumeRole = append(c.AssumeRole, role(i, o, diags))
	}
	for _, o := range b.Endpoints.Elements() {
		for _, name := range cloud.EndpointNames() {
			if url := member[types.String](o, name).ValueString(); url != "" {
				c.Endpoints[name] = url
			}
		}
	}
	return c
}

// role translates one assume_role block.
func role(number int, o attr.Value, diags *diag.Diagnostics) cloud.Role {
	text := func(name string) string { return member[types.String](o, name).ValueString() }
	r := cloud.Role{
		RoleARN:           text("role_arn"),
		ExternalID:        text("external_id"),
		Policy:            text("policy"),
		PolicyARNs:        known(member[types.Set](o, "policy_arns")),
		SessionName:       text("session_name"),
		SourceIdentity:    text("source_identity"),
		TransitiveTagKeys: known(member[types.Set](o, "transitive_tag_keys")),
		Tags:              map[string]string{},
	}
	for key, v := range member[types.Map](o, "tags").Elements() {
		if s, ok := v.(types.String); ok && !s.IsNull() {
			r.Tags[key] = s.ValueString()
		}
	}
	if d := text("duration"); d != "" {
		var err error
		if r.Duration, err = time.ParseDuration(d); err != nil {
			badDuration(diags, number, d)
		}
	}
	return r
}
