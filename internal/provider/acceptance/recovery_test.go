package acceptance

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// The tests of this file and of recovery_aws_test.go play the guide Recovery: each section has a configuration in
// examples/recovery, and what the guide says that the user sees is compared with what the CLI says.

// recoveryGuide is the guide's source.
const recoveryGuide = "../../../templates/guides/recovery.md.tmpl"

// recoveryExample is the folder of a section's configuration.
func recoveryExample(name string) string {
	return filepath.Join("..", "..", "..", "examples", "recovery", name)
}

// transcript is what the commands of a section say, as a user sees it.
type transcript struct{ said strings.Builder }

// add notes what a command says, and fails the test where that lacks one of the phrases. It must have run without -json.
func (s *transcript) add(t *testing.T, r Result, phrases ...string) {
	t.Helper()
	r.MustSay(t, phrases...)
	s.said.WriteString(r.Stdout + r.Stderr)
}

// fail is add for a command that has to fail.
func (s *transcript) fail(t *testing.T, r Result, phrases ...string) {
	t.Helper()
	r.MustFail(t, phrases...)
	s.said.WriteString(r.Stdout + r.Stderr)
}

// mustBeQuoted fails the test unless each line that the section of the guide quotes was said. The guide quotes OpenTofu; Terraform's
// words are compared by the phrases alone.
func (s *transcript) mustBeQuoted(t *testing.T, w *Workspace, section string) {
	t.Helper()
	if w.CLI.Name != OpenTofu {
		return
	}
	guide, err := os.ReadFile(recoveryGuide)
	must(t, err)
	_, text, ok := strings.Cut(string(guide), "\n## "+section+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	if !ok {
		t.Fatalf("the guide has no section %q", section)
	}
	said := map[string]bool{}
	for line := range strings.Lines(s.said.String()) {
		said[plainLine(line)] = true
	}
	quoted := 0
	for i, block := range strings.Split(text, "```text\n") {
		if i == 0 {
			continue
		}
		block, _, _ = strings.Cut(block, "```")
		for line := range strings.Lines(block) {
			if line = plainLine(line); line == "" || line == "…" {
				continue
			}
			if quoted++; !said[line] {
				t.Errorf("the guide quotes %q, which no command of the section says:\n%s", line, s.said.String())
			}
		}
	}
	if quoted == 0 {
		t.Errorf("the section %q quotes nothing", section)
	}
}

// changing are the parts of an output that differ from run to run: ids, bindings, accounts and times.
var changing = regexp.MustCompile(`\b(vpc|subnet|vol|eipalloc)-[0-9a-f]+|\b01[0-9a-z]{24}\b|\b[0-9]{12}\b|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|\d+(\.\d+){3}`)

// plainLine is a line of an output without frames, indentation and what changes.
func plainLine(line string) string {
	line = strings.NewReplacer("│", " ", "╷", " ", "╵", " ").Replace(line)
	return changing.ReplaceAllString(strings.Join(strings.Fields(line), " "), "${1}X")
}

// recoverable copies a section's configuration into the workspace and initialises it.
func recoverable(t *testing.T, w *Workspace, name string) {
	t.Helper()
	must(t, w.CopyEstate(recoveryExample(name)))
	w.Init(t.Context()).Must(t)
}

// mustHaveIDs fails the test unless the state holds exactly these objects.
func mustHaveIDs(t *testing.T, w *Workspace, want map[string]string) {
	t.Helper()
	if got := ids(t, w); !maps.Equal(got, want) {
		t.Fatalf("the state holds %v, want %v", got, want)
	}
}

// TestRecoveryOfLostState plays the first section: types of this provider, and no state.
func TestRecoveryOfLostState(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx, told := t.Context(), &transcript{}
		recoverable(t, w, "lost-state")
		w.Apply(ctx).Must(t)
		before := ids(t, w)
		must(t, w.ForgetState())

		mark := w.Proxy.Mark()
		told.add(t, w.Run(ctx, "plan"), "Plan: 5 to add, 0 to change, 0 to destroy.", "Warning: Existing estate_vpc will be adopted",
			"exists already and carries this address; it is adopted, not created")
		p := w.Plan(ctx).MustOnly(t, Create, keysOf(before)...)
		for address, id := range before {
			if got := p.Change(address).After["id"]; got != id {
				t.Errorf("%s is planned as %v, want %s", address, got, id)
			}
		}
		w.MustNotWrite(t, mark)
		told.add(t, w.Run(ctx, "apply", "-auto-approve"), "Apply complete! Resources: 5 added, 0 changed, 0 destroyed.")
		w.MustNotCreate(t, mark)
		w.MustCall(t, mark, "write tags", len(before), faultproxy.Writes())
		mustHaveIDs(t, w, before)
		mustAgree(t, w, "shop-prod")
		told.add(t, w.Run(ctx, "plan"), "No changes.")

		// An empty state destroys nothing, and says that it succeeded.
		must(t, w.ForgetState())
		told.add(t, w.Run(ctx, "destroy", "-auto-approve"), "Resources: 0 destroyed.")
		if n := len(w.AWS.MustEstate(ctx, t, "shop-prod")); n != len(before) {
			t.Errorf("%d objects are left, want %d", n, len(before))
		}
		told.mustBeQuoted(t, w, "The state is gone")
	})
}

// TestRecoveryByMoved plays the section on moved blocks: what hashicorp/aws manages becomes this provider's in its state. The state
// is one that hashicorp/aws 6 writes, as TestMovedFromAWS has it for each type.
func TestRecoveryByMoved(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx, told := t.Context(), &transcript{}
		values := map[string]string{"host": w.CLI.registry(), "account": w.Account, "region": Region}
		vpc := movedEntry(t, w, values, "estate_vpc", "main", "main")
		nat := movedEntry(t, w, values, "estate_eip", "nat", "nat-0")
		first := values["eip_id"]
		another := movedEntry(t, w, values, "estate_eip", "nat", "nat-1")
		nat.Instances = append(nat.Instances, another.Instances...)
		for i, instance := range nat.Instances {
			instance["index_key"] = i
		}
		text, err := json.Marshal(map[string]any{
			"version": 4, "terraform_version": "1.8.0", "serial": 1, "lineage": "5d18f1c2-882d-4cba-de4c-346484457f89", "outputs": map[string]any{},
			"resources": []any{vpc, nat},
		})
		must(t, err)
		must(t, w.SetStateText(string(text)))
		recoverable(t, w, "moved")
		want := map[string]string{"estate_vpc.main": values["vpc_id"], "estate_eip.nat[0]": first, "estate_eip.nat[1]": values["eip_id"]}

		told.add(t, w.Run(ctx, "plan"), "Plan: 0 to add, 3 to change, 0 to destroy.", "(moved from aws_vpc.main)")
		p := w.Plan(ctx).MustOnly(t, Update, keysOf(want)...)
		for address := range want {
			onlyMarks(t, p.Change(address))
		}
		mark := w.Proxy.Mark()
		w.ApplyPlan(ctx).Must(t)
		w.MustCall(t, mark, "write", len(want), faultproxy.Writes())
		w.MustCall(t, mark, "write tags", len(want), TagWrites())
		mustHaveIDs(t, w, want)
		mustAgree(t, w, "shop-prod")
		w.Plan(ctx).MustBeEmpty(t)
		told.mustBeQuoted(t, w, "From hashicorp/aws to this provider")
	})
}

// stateEntry is a resource of a state file, as far as its parts have to be put together.
type stateEntry struct {
	Mode      string           `json:"mode"`
	Type      string           `json:"type"`
	Name      string           `json:"name"`
	Provider  string           `json:"provider"`
	Instances []map[string]any `json:"instances"`
}

// movedEntry makes an object and returns the entry of the state that hashicorp/aws 6 writes of it. Its id is then in values.
func movedEntry(t *testing.T, w *Workspace, values map[string]string, resourceType, block, name string) stateEntry {
	t.Helper()
	i := slices.IndexFunc(movedTypes, func(m moved) bool { return m.Type == resourceType })
	tags := map[string]string{"Name": name}
	movedTypes[i].Make(t.Context(), t, w.AWS, tags, values)
	text, err := json.Marshal(tags)
	must(t, err)
	values["tags"] = string(text)
	var state struct {
		Resources []stateEntry `json:"resources"`
	}
	must(t, json.Unmarshal(fill(t, filepath.Join("v6", movedTypes[i].source()+".json"), values), &state))
	if len(state.Resources) != 1 {
		t.Fatalf("the state of %s has %d entries", resourceType, len(state.Resources))
	}
	entry := state.Resources[0]
	entry.Name = block
	return entry
}

// TestRecoveryOfUnmarked plays the section on objects that nobody has marked: one plan imports them over an inventory, and one apply
// marks them.
func TestRecoveryOfUnmarked(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx, told := t.Context(), &transcript{}
		want := map[string]string{}
		for _, name := range []string{"nat-a", "nat-b", "nat-c"} {
			id, err := makeEip(ctx, w.AWS, "", map[string]string{"Name": name})
			must(t, err)
			want[fmt.Sprintf("estate_eip.nat[%q]", name)] = id
		}
		// None of these is to be touched: one is not asked for, one is another estate's, and one has no name.
		stranger, err := makeEip(ctx, w.AWS, "", map[string]string{"Name": "not-mine"})
		must(t, err)
		other := markerOf(t, "others", "aws_eip.nat", nil)
		other["Name"] = "nat-a"
		_, err = makeEip(ctx, w.AWS, "", other)
		must(t, err)
		_, err = makeEip(ctx, w.AWS, "", nil) // without a name
		must(t, err)

		recoverable(t, w, "unmarked")
		mark := w.Proxy.Mark()
		told.add(t, w.Run(ctx, "plan"), "Plan: 3 to import, 0 to add, 3 to change, 0 to destroy.")
		p := w.Plan(ctx).MustOnly(t, Update, keysOf(want)...)
		for address := range want {
			if c := p.Change(address); !c.Importing || c.Before["id"] != want[address] {
				t.Errorf("%s: %+v", address, c)
			}
			onlyMarks(t, p.Change(address))
		}
		w.MustNotWrite(t, mark)
		told.add(t, w.Run(ctx, "apply", planFile), "Resources: 3 imported, 0 added, 3 changed, 0 destroyed.")
		w.MustCall(t, mark, "write", len(want), faultproxy.Writes())
		w.MustCall(t, mark, "write tags", len(want), TagWrites())
		mustHaveIDs(t, w, want)
		mustAgree(t, w, "shop-prod")
		w.Plan(ctx).MustBeEmpty(t)
		if tags := objectsByID(t, w)["estate_eip "+stranger].Tags; len(tags) != 1 {
			t.Errorf("an object that nobody asked for carries %v", tags)
		}
		told.mustBeQuoted(t, w, "Objects that nobody has marked")
	})
}

// TestRecoveryByHandOver plays the section on handing a part of an estate to another: the first state forgets it, and the second one
// adopts it. The provider is killed in the middle, the second state is lost with it, and the next apply goes on.
func TestRecoveryByHandOver(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx, told := t.Context(), &transcript{}
		must(t, w.CopyEstate(recoveryExample("hand-over")))
		network := w.NewWorkspace(w.CLI, filepath.Join(w.Dir, "network"))
		shop := w.NewWorkspace(w.CLI, filepath.Join(w.Dir, "shop"))
		network.Init(ctx).Must(t)
		network.Apply(ctx).Must(t)
		older, err := network.StateText()
		must(t, err)
		all := ids(t, network)
		site := maps.Clone(all)
		delete(site, "estate_vpc.core")

		mark := w.Proxy.Mark()
		must(t, network.CopyFile(filepath.Join(recoveryExample("hand-over"), "network", "steps", "handed-over", "site.tf"), "site.tf"))
		told.add(t, network.Run(ctx, "plan"), "Plan: 0 to add, 0 to change, 0 to destroy", "but will not be destroyed")
		network.Plan(ctx).MustOnly(t, Forget, keysOf(site)...)
		network.ApplyPlan(ctx).Must(t)
		mustHaveIDs(t, network, map[string]string{"estate_vpc.core": all["estate_vpc.core"]})
		w.MustNotWrite(t, mark)

		// What no state holds now is listed, and the old configuration would take it back.
		must(t, network.Write("listed.tf", `
data "estate_inventory" "site" { target = "module.site" }
output "site" { value = data.estate_inventory.site }
`))
		network.Apply(ctx).Must(t)
		if listed := output[takenStock](t, network, "site").Objects; len(listed) != len(site) {
			t.Errorf("the inventory lists %+v, want %v", listed, site)
		}
		must(t, network.Remove("listed.tf"))
		must(t, network.CopyFile(filepath.Join(recoveryExample("hand-over"), "network", "site.tf"), "site.tf"))
		back := network.Plan(ctx).MustOnly(t, Create, keysOf(site)...)
		for address, id := range site {
			if got := back.Change(address).After["id"]; got != id {
				t.Errorf("the old configuration plans %s as %v, want %s", address, got, id)
			}
		}
		must(t, network.CopyFile(filepath.Join(recoveryExample("hand-over"), "network", "steps", "handed-over", "site.tf"), "site.tf"))
		network.Apply(ctx).Must(t) // drops the output
		w.MustNotWrite(t, mark)

		shop.Init(ctx).Must(t)
		told.add(t, shop.Run(ctx, "plan"), "Plan: 5 to add, 0 to change, 0 to destroy.", "will be adopted")
		p := follow(shop)
		shop.Proxy.On(TagWrites(), faultproxy.Run(func(faultproxy.Call) { p.kill() })).After(2).Times(1)
		killed := shop.Run(ctx, "apply", "-auto-approve", "-parallelism=1")
		p.mustHaveDied(t, killed, 1)
		told.fail(t, killed, "Plugin did not respond")
		w.Proxy.ClearRules()
		must(t, shop.ForgetState())
		if n := len(w.AWS.MustEstate(ctx, t, "shop-prod")); n != 3 {
			t.Errorf("%d objects are handed over by the killed apply, want 3", n)
		}
		told.add(t, shop.Run(ctx, "apply", "-auto-approve"), "Apply complete! Resources: 5 added, 0 changed, 0 destroyed.")
		w.MustNotCreate(t, mark)
		w.MustCall(t, mark, "delete", 0, Deletes())
		mustHaveIDs(t, shop, site)
		mustAgree(t, shop, "shop-prod")
		mustAgree(t, network, "network-prod")
		network.Plan(ctx).MustBeEmpty(t)

		// While the first estate counts as this one's, a block with an address of it would take that object too.
		must(t, shop.Write("core.tf", vpcCore))
		if got := shop.Plan(ctx).MustOnly(t, Create, "estate_vpc.core").Change("estate_vpc.core").After["id"]; got != all["estate_vpc.core"] {
			t.Errorf("the plan for an address of the other estate shows %v, want %s", got, all["estate_vpc.core"])
		}
		main := filepath.Join(shop.Dir, "main.tf")
		text, err := os.ReadFile(main)
		must(t, err)
		lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return strings.Contains(line, "previous_estates") })
		must(t, os.WriteFile(main, []byte(strings.Join(lines, "\n")), 0o644))
		if got := shop.Plan(ctx).MustOnly(t, Create, "estate_vpc.core").Change("estate_vpc.core").After["id"]; got != nil {
			t.Errorf("without previous_estates the plan still adopts %v", got)
		}
		must(t, shop.Remove("core.tf"))
		shop.Plan(ctx).MustBeEmpty(t)

		// An old copy of the first state takes nothing back.
		must(t, network.SetStateText(older))
		must(t, network.CopyFile(filepath.Join(recoveryExample("hand-over"), "network", "site.tf"), "site.tf"))
		mark = w.Proxy.Mark()
		told.fail(t, network.Run(ctx, "apply", "-auto-approve"), "Object of another estate", "shop-prod")
		w.MustNotWrite(t, mark)
		told.mustBeQuoted(t, w, "A part of an estate for another estate")
	})
}

// vpcCore has the address of an object that stays with the first estate.
const vpcCore = `
resource "estate_vpc" "core" {
  tofu_address = "estate_vpc.core"
  cidr_block   = "10.0.0.0/16"
}
`

// TestRecoveryByRelease plays the section on letting go: a destroy that takes the marker off, and a removed block that leaves it.
func TestRecoveryByRelease(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx, told := t.Context(), &transcript{}
		recoverable(t, w, "release")
		w.Apply(ctx).Must(t)
		id := ids(t, w)["estate_eip.old"]
		must(t, w.CopyFile(filepath.Join(recoveryExample("release"), "old.tf"), "kept"))

		// Forgotten, the object keeps its marker, and its block takes it back.
		mark := w.Proxy.Mark()
		must(t, w.CopyFile(filepath.Join(recoveryExample("release"), "steps", "forgotten", "old.tf"), "old.tf"))
		told.add(t, w.Run(ctx, "plan"), "but will not be destroyed")
		w.Apply(ctx).Must(t)
		w.MustNotWrite(t, mark)
		mustHaveIDs(t, w, map[string]string{})
		w.AWS.MustHold(ctx, t, "shop-prod", "estate_eip", 1)
		must(t, w.CopyFile(filepath.Join(w.Dir, "kept"), "old.tf"))
		w.Apply(ctx).Must(t)
		mustHaveIDs(t, w, map[string]string{"estate_eip.old": id})
		w.MustNotCreate(t, mark)

		// Released, it loses its marker and nothing else.
		mark = w.Proxy.Mark()
		must(t, w.Remove("old.tf"))
		told.add(t, w.Run(ctx, "plan"), "Plan: 0 to add, 0 to change, 1 to destroy.")
		told.add(t, w.Run(ctx, "apply", "-auto-approve"), "Apply complete! Resources: 0 added, 0 changed, 1 destroyed.")
		w.MustCall(t, mark, "delete", 0, Deletes())
		w.MustCall(t, mark, "write tags", 1, faultproxy.Writes())
		if tags := objectsByID(t, w)["estate_eip "+id].Tags; !maps.Equal(tags, map[string]string{"Name": "old"}) {
			t.Errorf("the released object carries %v", tags)
		}
		mustHaveIDs(t, w, map[string]string{})
		// A block with the old address makes another object now: nobody's is not taken back.
		must(t, w.CopyFile(filepath.Join(w.Dir, "kept"), "old.tf"))
		if got := w.Plan(ctx).MustOnly(t, Create, "estate_eip.old").Change("estate_eip.old").After["id"]; got != nil {
			t.Errorf("the plan takes %v back", got)
		}
		told.mustBeQuoted(t, w, "Letting go of an object")
	})
}
