package command

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
)

var movedCommand = command{
	name: "moved", arguments: "[-state FILE] [-terraform] OLD NEW", summary: "proposes the moved blocks of a refactoring",
	usage: `Compares two folders, OLD with the configuration before a refactoring and NEW with the one after it, and prints the moved blocks
that keep the objects which a plan would destroy and create again. Two are taken for one where type and arguments are equal: by
value, or, for what only an apply can tell, by where the expressions come from. Which one is which has to be clear from the
arguments, names and keys; what is not is named with the reason, and left to you.

The blocks are tried out before they are printed, and the last line is the plan with them in place. A block that belongs to a
child module is printed with the folder of that module. What holds the objects is an apply of OLD, or the state FILE.

Returns 0 where nothing is left to add or destroy, 1 where something is, and 2 where no plan can be made.

  git worktree add ../before main && terraform-provider-estate moved ../before .
  terraform-provider-estate moved -state terraform.tfstate ../before/infra infra
`,
	options: func(flags *flag.FlagSet) any {
		o := &stateOptions{}
		o.declare(flags)
		return o
	},
	least: 2, most: 1,
	run: runMoved,
}

type movedFile struct {
	Dir     string       `json:"dir"`
	Modules []string     `json:"modules"`
	Blocks  []movedBlock `json:"blocks"`
	Text    string       `json:"text"`
}

type movedBlock struct {
	From string `json:"from"`
	To   string `json:"to"`
}

type leftChange struct {
	plannedChange
	Reason string `json:"reason"`
}

type movedResult struct {
	Files  []movedFile          `json:"files"`
	Left   []leftChange         `json:"left"`
	Before configuration.Counts `json:"before"`
	After  configuration.Counts `json:"after"`
}

func runMoved(k *call) (int, error) {
	o, _ := k.own.(*stateOptions)
	before, ok := k.evaluateIn(k.args[0])
	if !ok {
		return Failed, nil
	}
	var state *configuration.State
	listing := before.List()
	k.add(before.Diagnostics())
	if o.state == "" {
		state = before.StateOf()
		for _, u := range listing.Unsettled {
			k.add(u.Diagnostics())
		}
	}
	if k.diags.HasErrors() {
		return Failed, nil
	}
	after, ok := k.evaluate()
	if !ok {
		return Failed, nil
	}
	after.List()
	if k.add(after.Diagnostics()); k.diags.HasErrors() {
		return Failed, nil
	}
	if o.state != "" {
		var err error
		if state, err = o.read(k.tree, k.dir); err != nil {
			return Failed, err
		}
	}
	proposal, diags := configuration.Propose(before, after, state, o.tool())
	k.add(diags)
	if proposal == nil || k.diags.HasErrors() {
		return Failed, nil
	}
	k.result = describeProposal(proposal)
	k.printProposal(proposal)
	if len(proposal.Left)+len(proposal.After.Undecided) > 0 {
		return Findings, nil
	}
	return Fine, nil
}

// evaluateIn evaluates the configuration in another folder than the command's own.
func (k *call) evaluateIn(dir string) (*configuration.Evaluation, bool) {
	own := k.dir
	defer func() { k.dir = own }()
	k.dir = dir
	return k.evaluate()
}

func (k *call) printProposal(p *configuration.Proposal) {
	for _, f := range p.Files {
		k.print("# %s%s\n\n%s", place(f), also(f), f.Text())
	}
	for _, l := range p.Left {
		k.print("# %s: %s", l.Change, l.Reason)
	}
	for _, u := range p.After.Undecided {
		k.print("# ? %s: what instances it has only an apply can tell", u.Block)
	}
	if len(p.Files) == 0 {
		k.print("# No block is proposed.")
	}
	k.print("# Without the blocks: %s", p.Before.Counts())
	k.print("# With the blocks:    %s", p.After.Counts())
}

// place is the file that blocks are for.
func place(f configuration.ProposedFile) string {
	path := filepath.Join(f.Dir, "moved.tf")
	if wd, err := os.Getwd(); err == nil && filepath.IsAbs(path) {
		if rel, err := filepath.Rel(wd, path); err == nil && !strings.HasPrefix(rel, "..") {
			path = rel
		}
	}
	return path
}

// also names the calls of a child module.
func also(f configuration.ProposedFile) string {
	if len(f.Modules) == 0 {
		return ""
	}
	return fmt.Sprintf(", for %s", strings.Join(f.Modules, " and "))
}

func describeProposal(p *configuration.Proposal) movedResult {
	out := movedResult{Files: []movedFile{}, Left: []leftChange{}, Before: p.Before.Counts(), After: p.After.Counts()}
	for _, f := range p.Files {
		x := movedFile{Dir: f.Dir, Modules: f.Modules, Text: f.Text()}
		if x.Modules == nil {
			x.Modules = []string{}
		}
		for _, b := range f.Blocks {
			x.Blocks = append(x.Blocks, movedBlock(b))
		}
		out.Files = append(out.Files, x)
	}
	for _, l := range p.Left {
		out.Left = append(out.Left, leftChange{describeChange(l.Change), l.Reason})
	}
	return out
}
