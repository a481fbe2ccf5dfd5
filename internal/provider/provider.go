// Package provider is the provider as OpenTofu and Terraform see it: its schema, what Configure makes of the
// provider block, the list of resource types, and the server around them. What a resource does is in the engine,
// how AWS is reached in cloud. Each resource type has a data source of the same name.
// Functions are in package functions.
package provider

import (
	"context"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/functions"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/inventory"
)

// TypeName is the prefix of all resource types.
const TypeName = "estate"

// Provider implements the framework's provider.Provider. One Provider serves one process; each Configure begins a
// new walk.
type Provider struct {
	version string
	walk    atomic.Pointer[engine.Walk]
}

var (
	_ provider.Provider                   = (*Provider)(nil)
	_ provider.ProviderWithValidateConfig = (*Provider)(nil)
	_ provider.ProviderWithFunctions      = (*Provider)(nil)
)

// New returns an unconfigured Provider; version goes into the user agent.
func New(version string) *Provider { return &Provider{version: version} }

// Metadata implements provider.Provider.
func (p *Provider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName, resp.Version = TypeName, p.version
}

// Schema implements provider.Provider.
func (p *Provider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = configSchema()
}

// Resources implements provider.Provider.
func (p *Provider) Resources(context.Context) []func() resource.Resource {
	all := make([]func() resource.Resource, len(resourceTypes))
	for i, t := range resourceTypes {
		all[i] = t.Resource
	}
	return all
}

// DataSources implements provider.Provider.
func (p *Provider) DataSources(context.Context) []func() datasource.DataSource {
	all := make([]func() datasource.DataSource, len(resourceTypes))
	for i, t := range resourceTypes {
		all[i] = t.DataSource
	}
	return append(all, inventory.DataSources(resourceTypes, verifiers...)...)
}

// Functions implements provider.ProviderWithFunctions.
func (p *Provider) Functions(context.Context) []func() function.Function { return functions.All() }
