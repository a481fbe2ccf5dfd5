package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// errInconsistent is core's own error about a provider that breaks the word of its plan; it names a bug of the provider.
var errInconsistent = errors.New("provider produced inconsistent result after apply")

// apply does what was planned, step by step; each step that ends is in the state, and the first that fails ends the run.
func (i *instance) apply(p *process, what *planned, to target) error {
	switch what.action {
	case creates, updates:
		if err := i.change(p, what, to, i.current); err != nil {
			return err
		}
	case destroys:
		if err := i.remove(p, i.current, what.private); err != nil {
			return err
		}
		i.current = nil
	case replaces:
		if err := i.replace(p, what, to); err != nil {
			return err
		}
	}
	return i.removeDeposed(p)
}

// replace makes the new object before or after the old one is deleted.
func (i *instance) replace(p *process, what *planned, to target) error {
	if !to.cbd {
		if _, err := i.upgrade(p, i.current); err != nil {
			return err
		}
		if err := i.remove(p, i.current, what.private); err != nil {
			return err
		}
		i.current = nil
		return i.change(p, what, to, nil)
	}
	old := i.current
	i.deposed, i.current = append(i.deposed, old), nil
	err := i.change(p, what, to, nil)
	if err != nil && i.current == nil {
		i.deposed = slices.DeleteFunc(i.deposed, func(o *object) bool { return o == old })
		i.current = old
	}
	return err
}

// removeDeposed deletes what replacements have left over.
func (i *instance) removeDeposed(p *process) error {
	for len(i.deposed) > 0 {
		d := i.deposed[0]
		if _, err := i.upgrade(p, d); err != nil {
			return err
		}
		what, err := i.planCall(p, d, nil)
		if err != nil {
			return err
		}
		if err := i.remove(p, d, what.private); err != nil {
			return err
		}
		i.deposed = i.deposed[1:]
	}
	return nil
}

// change plans once more with what is known now, compares, and creates or updates.
func (i *instance) change(p *process, what *planned, to target, prior *object) error {
	before := &object{value: i.kind.null()}
	if prior != nil {
		value, err := i.upgrade(p, prior)
		if err != nil {
			return err
		}
		before = &object{value: value, private: prior.private, identity: prior.identity}
	}
	if err := i.validate(p, to.config); err != nil {
		return err
	}
	again, err := i.planCall(p, before, to.config)
	if err != nil {
		return err
	}
	if b := broken("", what.value, again.value); b != "" {
		return fmt.Errorf("provider produced inconsistent final plan: %s", b)
	}
	config, err := raw(i.kind.value, i.kind.fields, to.config)
	if err != nil {
		return err
	}
	resp, err := i.applyCall(p, before, again, config)
	if err != nil {
		return err
	}
	failed := i.heed(resp.Diagnostics)
	value, err := i.kind.unpack(resp.NewState)
	switch {
	case err != nil:
		return err
	case value.IsNull() && failed == nil:
		return fmt.Errorf("%w: no object and no error", errInconsistent)
	case value.IsNull():
		return failed // what was in the state stays
	case !value.IsFullyKnown():
		return fmt.Errorf("%w: unknown values in the state: %s", errInconsistent, value)
	}
	i.current = &object{value: value, private: resp.Private, identity: resp.NewIdentity, tainted: failed != nil && prior == nil}
	if b := broken("", again.value, value); b != "" && failed == nil {
		return fmt.Errorf("%w: %s", errInconsistent, b)
	}
	return failed
}

// remove deletes an object. Where that fails, the state keeps it.
func (i *instance) remove(p *process, o *object, private []byte) error {
	gone := &planned{value: i.kind.null(), private: private, id: o.identity}
	resp, err := i.applyCall(p, o, gone, i.kind.null())
	if err != nil {
		return err
	}
	return i.heed(resp.Diagnostics)
}

func (i *instance) applyCall(p *process, prior *object, what *planned, config tftypes.Value) (*tfprotov6.ApplyResourceChangeResponse, error) {
	var errs [3]error
	req := &tfprotov6.ApplyResourceChangeRequest{TypeName: i.typ, PlannedPrivate: what.private, PlannedIdentity: what.id}
	req.PriorState, errs[0] = dynamic(prior.value)
	req.PlannedState, errs[1] = dynamic(what.value)
	req.Config, errs[2] = dynamic(config)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return call(p, func(ctx context.Context) (*tfprotov6.ApplyResourceChangeResponse, error) {
		return p.server.ApplyResourceChange(ctx, req)
	})
}
