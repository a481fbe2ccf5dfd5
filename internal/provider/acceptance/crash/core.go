package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// instance is one resource instance as a CLI's core holds it: its objects in the state, and what becomes of them in plans
// and applies. It does what core does for one instance, and nothing else.
type instance struct {
	site *site
	typ  string
	kind kind
	// current and deposed are the state.
	current *object
	deposed []*object
	// attempts is how often the SDK makes one call.
	attempts int64
	// warnings are the summaries and details of the newest plan and apply, said those of all.
	warnings, said []string
}

// object is one object in a state.
type object struct {
	value    tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
	tainted  bool
}

// target is what a run is to reach. A target without a configuration is a destroy.
type target struct {
	config conf
	// cbd is create_before_destroy.
	cbd bool
}

// action is what a plan does with an instance.
type action string

const (
	nothing  action = "no-op"
	creates  action = "create"
	updates  action = "update"
	replaces action = "replace"
	destroys action = "delete"
)

// planned is what a plan says, and the refreshed state that it was made from.
type planned struct {
	action  action
	value   tftypes.Value
	private []byte
	id      *tfprotov6.ResourceIdentityData
	// refreshed says that the refresh changed the state.
	refreshed bool
}

// run plans and applies, in a process each.
func (i *instance) run(ctx context.Context, to target) error {
	p, err := i.plan(ctx, to)
	if err != nil {
		return err
	}
	process, err := newProcess(ctx, i.site, i.attempts)
	if err != nil {
		return err
	}
	defer process.interrupt()
	return i.apply(process, p, to)
}

// plan refreshes the state and plans, in a process of its own. Where it fails the state stays as it was.
func (i *instance) plan(ctx context.Context, to target) (*planned, error) {
	i.warnings = nil
	p, err := newProcess(ctx, i.site, i.attempts)
	if err != nil {
		return nil, err
	}
	defer p.interrupt()
	current, deposed := i.current, slices.Clone(i.deposed)
	for n, d := range deposed {
		if deposed[n], err = i.read(p, d); err != nil {
			return nil, err
		}
	}
	if current != nil {
		if current, err = i.read(p, current); err != nil {
			return nil, err
		}
	}
	deposed = slices.DeleteFunc(deposed, func(o *object) bool { return o == nil })
	for _, d := range deposed {
		if _, err := i.planCall(p, d, nil); err != nil {
			return nil, err
		}
	}
	out, err := i.planFor(p, current, to)
	if err != nil {
		return nil, err
	}
	out.refreshed = (current == nil) != (i.current == nil) || current != nil && !current.value.Equal(i.current.value)
	i.current, i.deposed = current, deposed
	return out, nil
}

// planFor is core's plan of one instance, with the second call of a replacement.
func (i *instance) planFor(p *process, current *object, to target) (*planned, error) {
	switch {
	case to.config == nil && current == nil:
		return &planned{action: nothing, value: i.kind.null()}, nil
	case to.config == nil:
		return i.planCall(p, current, nil)
	}
	if err := i.validate(p, to.config); err != nil {
		return nil, err
	}
	if current != nil && current.tainted {
		out, err := i.planCall(p, nil, to.config)
		if err == nil {
			out.action = replaces
		}
		return out, err
	}
	out, err := i.planCall(p, current, to.config)
	if err != nil || out.action != replaces {
		return out, err
	}
	// The second call looks like a create, but the private state of the first comes with it.
	return i.planAgain(p, out, to)
}

func (i *instance) planAgain(p *process, first *planned, to target) (*planned, error) {
	kept := i.warnings
	again, err := i.planCall(p, &object{value: i.kind.null(), private: first.private}, to.config)
	i.warnings = kept // core drops the second call's
	if err == nil {
		again.action = replaces
	}
	return again, err
}

// planCall is one PlanResourceChange.
func (i *instance) planCall(p *process, prior *object, config conf) (*planned, error) {
	if prior == nil {
		prior = &object{value: i.kind.null()}
	}
	req := &tfprotov6.PlanResourceChangeRequest{TypeName: i.typ, PriorPrivate: prior.private, PriorIdentity: prior.identity}
	says := i.kind.null()
	if config != nil {
		var err error
		if says, err = raw(i.kind.value, i.kind.fields, config); err != nil {
			return nil, err
		}
	}
	var errs [3]error
	req.PriorState, errs[0] = dynamic(prior.value)
	req.Config, errs[1] = dynamic(says)
	req.ProposedNewState, errs[2] = dynamic(i.kind.fields.propose(prior.value, says))
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	resp, err := call(p, func(ctx context.Context) (*tfprotov6.PlanResourceChangeResponse, error) {
		return p.server.PlanResourceChange(ctx, req)
	})
	if err != nil {
		return nil, err
	}
	if err := i.heed(resp.Diagnostics); err != nil {
		return nil, err
	}
	out := &planned{private: resp.PlannedPrivate, id: resp.PlannedIdentity}
	if out.value, err = i.kind.unpack(resp.PlannedState); err != nil {
		return nil, err
	}
	out.action = planAction(prior.value, out.value, resp.RequiresReplace)
	return out, nil
}

func planAction(prior, planned tftypes.Value, replace []*tftypes.AttributePath) action {
	switch {
	case planned.IsNull():
		return destroys
	case prior.IsNull():
		return creates
	case slices.ContainsFunc(replace, func(path *tftypes.AttributePath) bool {
		name, ok := path.Steps()[0].(tftypes.AttributeName)
		return ok && !members(prior)[string(name)].Equal(members(planned)[string(name)])
	}):
		return replaces
	case planned.Equal(prior):
		return nothing
	}
	return updates
}

// validate asks about the configuration, once in each walk.
func (i *instance) validate(p *process, says conf) error {
	value, err := raw(i.kind.value, i.kind.fields, says)
	if err != nil {
		return err
	}
	config, err := dynamic(value)
	if err != nil {
		return err
	}
	resp, err := call(p, func(ctx context.Context) (*tfprotov6.ValidateResourceConfigResponse, error) {
		return p.server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: i.typ, Config: config})
	})
	if err != nil {
		return err
	}
	return i.heed(resp.Diagnostics)
}

// heed keeps warnings and returns the errors.
func (i *instance) heed(diags []*tfprotov6.Diagnostic) error {
	for _, d := range diags {
		if d.Severity == tfprotov6.DiagnosticSeverityWarning {
			i.warnings = append(i.warnings, d.Summary+": "+d.Detail)
			i.said = append(i.said, d.Detail)
		}
	}
	return failures(diags)
}

// warned tells whether the newest run gave a warning with the words.
func (i *instance) warned(words string) bool {
	return slices.ContainsFunc(i.warnings, func(w string) bool { return strings.Contains(w, words) })
}

// named tells whether a warning of any run has named an object.
func (i *instance) named(id string) bool {
	return slices.ContainsFunc(i.said, func(w string) bool { return strings.Contains(w, id) })
}

// id is that of the object in the state, "" where there is none.
func (i *instance) id() string {
	if i.current == nil {
		return ""
	}
	return text(i.current.value, "id")
}

// forget loses the state.
func (i *instance) forget() { i.current, i.deposed = nil, nil }
