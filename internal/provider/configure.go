package provider

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"

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
	c := p.configuration(ctx, b, req.TerraformVersion, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	walk := engine.NewWalk(c)
	p.walk.Store(walk)
	resp.ResourceData, resp.DataSourceData = walk, walk
}

// configuration checks the block and opens AWS; cli is the version of OpenTofu or Terraform.
func (p *Provider) configuration(ctx context.Context, b block, cli string, diags *diag.Diagnostics) engine.Configuration {
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
	settings := b.access(diags)
	settings.Version, settings.CLIVersion = p.version, cli
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
	for _, warning := range settings.Warnings() {
		diags.AddAttributeWarning(path.Root(warning.Argument), warning.Summary, warning.Detail())
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
