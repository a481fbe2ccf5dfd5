package provider

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Address is the provider's address in the registries, as a debugger shows it.
const Address = "registry.terraform.io/tofu-estate/estate"

// Server returns what main serves: a factory of servers, each with a Provider of its own.
func Server(version string) func() tfprotov6.ProviderServer {
	return func() tfprotov6.ProviderServer { return New(version).server() }
}

func (p *Provider) server() tfprotov6.ProviderServer {
	return &watcher{ProviderServer: providerserver.NewProtocol6(p)(), saw: p.saw}
}

// watcher tells saw which objects the state holds. Core sends each state entry through UpgradeResourceState before
// anything else, also with -refresh=false, when no Read says so.
//
// The embedded interface hides what a newer protocol adds to the framework's server (list resources, actions); the
// provider has none of it.
type watcher struct {
	tfprotov6.ProviderServer
	saw func(typeName, id, region string)
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (w *watcher) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (
	*tfprotov6.UpgradeResourceStateResponse, error,
) {
	var entry struct {
		ID     string `json:"id"`
		Region string `json:"region"`
	}
	// State that does not decode is the framework's to complain of.
	if req != nil && req.RawState != nil && json.Unmarshal(req.RawState.JSON, &entry) == nil && entry.ID != "" {
		w.saw(req.TypeName, entry.ID, entry.Region)
	}
	return w.ProviderServer.UpgradeResourceState(ctx, req)
}

// saw passes on to the walk what the state holds. Terraform upgrades states in processes that it never configures;
// those have no walk, and nothing to remember for it.
func (p *Provider) saw(typeName, id, region string) {
	if walk := p.walk.Load(); walk != nil {
		walk.SeenInState(typeName, id, region)
	}
}
