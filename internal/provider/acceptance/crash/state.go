package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// read upgrades and refreshes one object of the state; nil is one that is gone.
func (i *instance) read(p *process, o *object) (*object, error) {
	value, err := i.upgrade(p, o)
	if err != nil {
		return nil, err
	}
	state, err := dynamic(value)
	if err != nil {
		return nil, err
	}
	resp, err := call(p, func(ctx context.Context) (*tfprotov6.ReadResourceResponse, error) {
		return p.server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
			TypeName: i.typ, CurrentState: state, Private: o.private, CurrentIdentity: o.identity,
		})
	})
	if err != nil {
		return nil, err
	}
	if err := i.heed(resp.Diagnostics); err != nil {
		return nil, err
	}
	now := &object{private: resp.Private, identity: resp.NewIdentity, tainted: o.tainted}
	if now.value, err = i.kind.unpack(resp.NewState); err != nil || now.value.IsNull() {
		return nil, err
	}
	return now, nil
}

// upgrade sends an object through UpgradeResourceState, as every walk does with what the state holds.
func (i *instance) upgrade(p *process, o *object) (tftypes.Value, error) {
	plain, err := stateJSON(o.value)
	if err != nil {
		return tftypes.Value{}, err
	}
	state, err := json.Marshal(plain)
	if err != nil {
		return tftypes.Value{}, err
	}
	resp, err := call(p, func(ctx context.Context) (*tfprotov6.UpgradeResourceStateResponse, error) {
		return p.server.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{
			TypeName: i.typ, Version: i.kind.version, RawState: &tfprotov6.RawState{JSON: state},
		})
	})
	if err != nil {
		return tftypes.Value{}, err
	}
	if err := i.heed(resp.Diagnostics); err != nil {
		return tftypes.Value{}, err
	}
	return i.kind.unpack(resp.UpgradedState)
}

// take imports an object by its id.
func (i *instance) take(ctx context.Context, id string) error {
	p, err := newProcess(ctx, i.site, i.attempts)
	if err != nil {
		return err
	}
	defer p.interrupt()
	resp, err := call(p, func(ctx context.Context) (*tfprotov6.ImportResourceStateResponse, error) {
		return p.server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: i.typ, ID: id})
	})
	if err != nil {
		return err
	}
	if err := i.heed(resp.Diagnostics); err != nil {
		return err
	}
	if len(resp.ImportedResources) != 1 {
		return fmt.Errorf("%d objects were imported", len(resp.ImportedResources))
	}
	got := resp.ImportedResources[0]
	o := &object{private: got.Private, identity: got.Identity}
	if o.value, err = i.kind.unpack(got.State); err != nil {
		return err
	}
	i.current, err = i.read(p, o)
	return err
}
