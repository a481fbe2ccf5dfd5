package provider

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
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
	if req != nil {
		w.sees(req.TypeName, req.RawState)
	}
	return w.ProviderServer.UpgradeResourceState(ctx, req)
}

// MoveResourceState implements tfprotov6.ResourceServer: OpenTofu sends an entry that moves across types here instead.
func (w *watcher) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (
	*tfprotov6.MoveResourceStateResponse, error,
) {
	if req != nil {
		w.sees(req.TargetTypeName, req.SourceState)
	}
	return w.ProviderServer.MoveResourceState(ctx, req)
}

// nothing is a null value of whatever type, in MessagePack.
var nothing = []byte{0xc0}

// CallFunction implements tfprotov6.FunctionServer. OpenTofu 1.12 sends a null argument as a value without data, which the
// framework takes for a broken request.
func (w *watcher) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	if req != nil {
		whole := *req
		whole.Arguments = slices.Clone(req.Arguments)
		for i, argument := range whole.Arguments {
			if argument == nil || len(argument.MsgPack) == 0 && len(argument.JSON) == 0 {
				whole.Arguments[i] = &tfprotov6.DynamicValue{MsgPack: nothing}
			}
		}
		req = &whole
	}
	return w.ProviderServer.CallFunction(ctx, req)
}

// sees notes what a raw state holds. One that does not decode is the engine's to complain of.
func (w *watcher) sees(typeName string, state *tfprotov6.RawState) {
	if id, region := engine.HeldBy(state); id != "" {
		w.saw(typeName, id, region)
	}
}

// saw passes on to the walk what the state holds. Terraform upgrades states in processes that it never configures;
// those have no walk, and nothing to remember for it.
func (p *Provider) saw(typeName, id, region string) {
	if walk := p.walk.Load(); walk != nil {
		walk.SeenInState(typeName, id, region)
	}
}
