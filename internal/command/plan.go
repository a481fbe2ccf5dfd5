package command

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
)

var planCommand = command{
	name: "plan", arguments: "[-state FILE] [-terraform] [DIR]", summary: "says by address what a configuration would add, destroy and move",
	usage: `Compares the addresses that the configuration in DIR declares with those of a state, after its moved and removed blocks:

  + ADDRESS             is added
  - ADDRESS             is destroyed
  -/+ ADDRESS           is replaced, since it is tainted
  -> ADDRESS (was OLD)  keeps its object, which the state has at the address OLD
  . ADDRESS             is forgotten, and its object is left alone
  <= ADDRESS            is imported, as an import block says
  ? BLOCK               has instances that only an apply can tell, and nothing is said of them

What a provider would change or replace in an object that stays is not known here. The state is FILE, "-" for the standard input,
or else what a local backend keeps in DIR. With -terraform the rules are Terraform's where they differ: it destroys what a
removed block without lifecycle names, and it implies no move where a module gains or loses its count.

Returns 0 where there is nothing to do, 1 where there is, and 2 where the plan has failed.

  terraform-provider-estate plan infra
  tofu state pull | terraform-provider-estate plan -state -
  terraform-provider-estate plan -json | jq '.plan.counts'
`,
	options: func(flags *flag.FlagSet) any {
		o := &stateOptions{}
		o.declare(flags)
		return o
	},
	run: runPlan,
}

// stateOptions are those of commands that read a state.
type stateOptions struct {
	state     string
	terraform bool
}

func (o *stateOptions) declare(flags *flag.FlagSet) {
	flags.StringVar(&o.state, "state", "", "")
	flags.BoolVar(&o.terraform, "terraform", false, "")
}

func (o *stateOptions) tool() configuration.Tool {
	if o.terraform {
		return configuration.Terraform
	}
	return configuration.OpenTofu
}

// read reads the state that the options name, or the one beside the configuration.
func (o *stateOptions) read(tree *configuration.Tree, dir string) (*configuration.State, error) {
	switch o.state {
	case "":
		return tree.LocalState(workspace(dir))
	case "-":
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			return nil, err
		}
		return configuration.ParseState(text)
	}
	return configuration.ReadState(o.state)
}

// plannedChange is a change in JSON, with the names that the tools' own plans have.
type plannedChange struct {
	Action   configuration.Action `json:"action"`
	Address  string               `json:"address"`
	Previous string               `json:"previous_address,omitempty"`
	Implied  bool                 `json:"implied,omitempty"`
	Deposed  string               `json:"deposed,omitempty"`
}

type blockedMove struct {
	From string `json:"from"`
	To   string `json:"to"`
}

type undecidedBlock struct {
	Block string   `json:"block"`
	Held  []string `json:"held"`
}

type planResult struct {
	Changes   []plannedChange      `json:"changes"`
	Blocked   []blockedMove        `json:"blocked"`
	Undecided []undecidedBlock     `json:"undecided"`
	Counts    configuration.Counts `json:"counts"`
}

func runPlan(k *call) (int, error) {
	o, _ := k.own.(*stateOptions)
	e, ok := k.evaluate()
	if !ok {
		return Failed, nil
	}
	state, err := o.read(k.tree, k.dir)
	if err != nil {
		return Failed, err
	}
	plan, diags := e.Plan(state, o.tool())
	k.add(e.Diagnostics())
	k.add(diags)
	if plan == nil || k.diags.HasErrors() {
		return Failed, nil
	}
	k.result = describePlan(plan)
	k.printPlan(plan)
	if len(plan.Changes)+len(plan.Undecided) > 0 {
		return Findings, nil
	}
	return Fine, nil
}

// printPlan writes the lines of a plan, and warnings of what it could not do.
func (k *call) printPlan(plan *configuration.Plan) {
	for _, c := range plan.Changes {
		k.print("%s", c)
	}
	for _, u := range plan.Undecided {
		line := "? " + u.Block
		if len(u.Held) > 0 {
			line += fmt.Sprintf(" (%d in the state)", len(u.Held))
		}
		k.print("%s", line)
		at := u.Unknown.Range()
		k.add(hcl.Diagnostics{{
			Severity: hcl.DiagWarning, Summary: "Instances are not known",
			Detail:  fmt.Sprintf("What instances %s has depends on a value that only an apply, or the state of another object, can tell. Nothing is said of it.", u.Block),
			Subject: &at,
		}})
	}
	if len(plan.Blocked) > 0 {
		var lines []string
		for _, b := range plan.Blocked {
			lines = append(lines, "\n  - "+b.From+" to "+b.To)
		}
		k.add(hcl.Diagnostics{{
			Severity: hcl.DiagWarning, Summary: "Moves are blocked",
			Detail: "Something is already at the end of these moves, so that what was to be moved stays where it is:" + strings.Join(lines, ""),
		}})
	}
	if len(plan.Changes) == 0 && len(plan.Undecided) == 0 {
		k.print("No changes: every address of the state is declared, and every declared address is in the state.")
		return
	}
	k.print("%s", plan.Counts())
}

func describePlan(plan *configuration.Plan) planResult {
	out := planResult{Changes: []plannedChange{}, Blocked: []blockedMove{}, Undecided: []undecidedBlock{}, Counts: plan.Counts()}
	for _, c := range plan.Changes {
		out.Changes = append(out.Changes, describeChange(c))
	}
	for _, b := range plan.Blocked {
		out.Blocked = append(out.Blocked, blockedMove(b))
	}
	for _, u := range plan.Undecided {
		held := []string{}
		for _, a := range u.Held {
			held = append(held, a.String())
		}
		out.Undecided = append(out.Undecided, undecidedBlock{Block: u.Block, Held: held})
	}
	return out
}

func describeChange(c configuration.Change) plannedChange {
	return plannedChange{Action: c.Action, Address: c.Address.String(), Previous: c.Previous.String(), Implied: c.Implied, Deposed: c.Deposed}
}
