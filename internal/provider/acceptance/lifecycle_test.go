package acceptance

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// lifecycles has one entry for each resource type of the provider, in a file for each service.
var lifecycles = slices.Concat(ec2Lifecycles, iamLifecycles, logsLifecycles, route53Lifecycles, s3Lifecycles)

// lifecycle is what the shared test needs to know of a type beyond its published examples.
type lifecycle struct {
	// Type is the resource type.
	Type string
	// Edits change one argument of an example each.
	Edits []edit
	// Setup makes the objects of types that the provider lacks and returns the values of the variables by which the
	// examples take them. Optional.
	Setup func(ctx context.Context, t *testing.T, a *AWS) map[string]string
	// Unchanged are configurable attributes that no edit can change here, with the reason. Where that is what the
	// emulator answers, tests of the type's request and of a canned answer stand in.
	Unchanged map[string]string
	// Unapplied are example files that cannot be applied to the emulator, with what it answers.
	Unapplied map[string]string
	// Unread are arguments of a type without tags that no read shows, so that the plan after an import brings them.
	Unread []string
}

// edit changes one argument of the first block of the type in an example, and then puts the example back.
type edit struct {
	// Attr is the argument, or block.argument.
	Attr string
	// Value is the new expression, "" removes the argument; "setup:x" is the value x that Setup returned.
	Value string
	// In is the example's file name; resource.tf when empty.
	In string
	// Without are arguments that have to go with the change.
	Without []string
	// Replaces says that the change makes a new object. The way back does too, but where Keeps says that it does not.
	Replaces, Keeps bool
}

// TestLifecycle takes every published example of every type through the life of its objects.
func TestLifecycle(t *testing.T) {
	for _, l := range lifecycles {
		for _, file := range exampleFiles(t, l.Type) {
			if _, skip := l.Unapplied[file]; skip {
				continue
			}
			t.Run(l.Type+"/"+file, func(t *testing.T) {
				eachCLI(t, func(t *testing.T, w *Workspace) { l.live(t, w, file) })
			})
		}
	}
}

// TestEdits changes each argument of each type, and puts it back.
func TestEdits(t *testing.T) {
	for _, l := range lifecycles {
		for _, file := range exampleFiles(t, l.Type) {
			if slices.ContainsFunc(l.Edits, func(e edit) bool { return e.file() == file }) {
				t.Run(l.Type+"/"+file, func(t *testing.T) {
					eachCLI(t, func(t *testing.T, w *Workspace) { l.edit(t, w, file) })
				})
			}
		}
	}
}

// exampleFiles returns the names of a type's example configurations: resource*.tf, which the registry shows, and
// full*.tf, which together set every attribute.
func exampleFiles(t *testing.T, resourceType string) []string {
	t.Helper()
	entries, err := os.ReadDir(exampleDir(resourceType))
	must(t, err)
	var out []string
	for _, e := range entries {
		name := e.Name()
		if filepath.Ext(name) == ".tf" && (strings.HasPrefix(name, "resource") || strings.HasPrefix(name, "full")) {
			out = append(out, name)
		}
	}
	if !slices.Contains(out, "resource.tf") {
		t.Errorf("%s has no resource.tf", resourceType)
	}
	return out
}

func exampleDir(resourceType string) string {
	return filepath.Join("..", "..", "..", "examples", "resources", resourceType)
}

// begin puts an example into the workspace, applies it, and returns its text and what Setup made.
func (l lifecycle) begin(t *testing.T, w *Workspace, file string) (string, map[string]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(exampleDir(l.Type), file))
	must(t, err)
	var made map[string]string
	if l.Setup != nil && w.Env == nil {
		made = l.Setup(t.Context(), t, w.AWS)
		for name, value := range made {
			w.Env = append(w.Env, "TF_VAR_"+name+"="+value)
		}
	}
	start(t, w, "lifecycle", string(text))
	w.Apply(t.Context()).Must(t)
	mustAgree(t, w, "lifecycle")
	return string(text), made
}

// subjects are the instances of the type, sorted by address.
func (l lifecycle) subjects(t *testing.T, w *Workspace) []Instance {
	t.Helper()
	var out []Instance
	state := w.MustState(t)
	for _, address := range slices.Sorted(maps.Keys(state)) {
		if state[address].Type == l.Type {
			out = append(out, state[address])
		}
	}
	if len(out) == 0 {
		t.Fatalf("the example has no %s", l.Type)
	}
	return out
}

func (l lifecycle) live(t *testing.T, w *Workspace, file string) {
	ctx := t.Context()
	kind, err := KindOf(l.Type)
	must(t, err)
	l.begin(t, w, file)
	w.Plan(ctx).MustBeEmpty(t)
	w.Plan(ctx, "-refresh-only").MustBeEmpty(t)

	l.forget(t, w)
	for _, i := range l.subjects(t, w) {
		l.imports(t, w, i)
	}
	if kind.Untag == nil {
		t.Logf("%s carries no tags: an import plans no marker write, and there is no marker to strip", l.Type)
	} else {
		l.strip(t, w, kind)
	}

	gone := l.subjects(t, w)
	w.Destroy(ctx).Must(t)
	for _, i := range gone {
		exists, err := kind.Exists(ctx, w.AWS, i.ID())
		must(t, err)
		if exists {
			t.Errorf("%s lives after destroy", i.ID())
		}
	}
	if left := w.AWS.MustEstate(ctx, t, "lifecycle"); len(left) > 0 {
		t.Errorf("left after destroy: %v", left)
	}
}

// forget takes the instances out of the state: the plan shows their known ids, and the apply takes them back.
func (l lifecycle) forget(t *testing.T, w *Workspace) {
	t.Helper()
	before := ids(t, w)
	var lost []string
	for _, i := range l.subjects(t, w) {
		lost = append(lost, i.Address)
	}
	w.StateRm(t.Context(), lost...).Must(t)
	p := w.Plan(t.Context()).MustDestroyNothing(t).MustOnly(t, Create, lost...)
	for _, address := range lost {
		if got := p.Change(address).After["id"]; got != before[address] {
			t.Errorf("the plan for %s shows the id %v, want %s", address, got, before[address])
		}
	}
	mark := w.Proxy.Mark()
	w.ApplyPlan(t.Context()).Must(t)
	w.MustNotCreate(t, mark)
	if after := ids(t, w); !maps.Equal(after, before) {
		t.Fatalf("the state held %v and holds %v", before, after)
	}
	mustAgree(t, w, "lifecycle")
	w.Plan(t.Context()).MustBeEmpty(t)
}

// imports imports one instance in every way that there is.
func (l lifecycle) imports(t *testing.T, w *Workspace, i Instance) {
	t.Helper()
	by := func(id string) {
		t.Helper()
		w.StateRm(t.Context(), i.Address).Must(t)
		w.Import(t.Context(), i.Address, id).Must(t)
		l.takesOver(t, w, i, w.Plan(t.Context()))
	}
	by(i.ID())
	if i.Text("tofu_address") != "" {
		by(i.Address)
	}
	if !w.CLI.StoresIdentity() {
		return
	}
	if len(i.Identity) == 0 {
		t.Fatalf("%s has no identity in the state", i.Address)
	}
	w.StateRm(t.Context(), i.Address).Must(t)
	must(t, w.Write("import.tf", importBlock(i)))
	p := w.Plan(t.Context()).Must(t)
	if !p.Change(i.Address).Importing {
		t.Fatalf("the plan does not import by identity: %s", p.Summary())
	}
	l.takesOver(t, w, i, p)
	must(t, w.Remove("import.tf"))
}

// takesOver fails the test unless the plan for an imported instance is exactly one in-place update, which writes tags
// and nothing else, and the next plan is empty. For a type without tags nothing is written: its plan shows no more
// than the engine's arguments, which no import can know.
func (l lifecycle) takesOver(t *testing.T, w *Workspace, i Instance, p Plan) {
	t.Helper()
	kind, err := KindOf(l.Type)
	must(t, err)
	marks := kind.Untag != nil
	c := p.Must(t).Change(i.Address)
	if marks || c.Action != NoOp {
		p.MustOnly(t, Update, i.Address)
	}
	for _, name := range attributesOf(c) {
		changed := fmt.Sprint(c.Before[name]) != fmt.Sprint(c.After[name])
		if !marks && changed && !slices.Contains(engineArguments, name) && !slices.Contains(l.Unread, name) {
			t.Errorf("after the import the plan changes %s", name)
		}
	}
	mark := w.Proxy.Mark()
	w.ApplyPlan(t.Context()).Must(t)
	w.MustCall(t, mark, "write anything but tags", 0, faultproxy.And(faultproxy.Writes(), faultproxy.Not(TagWrites())))
	if written := len(faultproxy.Select(w.Proxy.Since(mark), TagWrites())) > 0; written != marks {
		t.Errorf("the apply after the import wrote tags: %v, want %v", written, marks)
	}
	if got := w.MustState(t)[i.Address].ID(); got != i.ID() {
		t.Fatalf("imported %s, want %s", got, i.ID())
	}
	w.Plan(t.Context()).MustBeEmpty(t)
	mustAgree(t, w, "lifecycle")
}

// importBlock is an import block by the identity that the state holds.
func importBlock(i Instance) string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(i.Identity)) {
		if i.Identity[name] != nil {
			lines = append(lines, fmt.Sprintf("    %s = %q", name, i.Identity[name]))
		}
	}
	return fmt.Sprintf("import {\n  to = %s\n  identity = {\n%s\n  }\n}\n", i.Address, strings.Join(lines, "\n"))
}

// strip takes the markers off the objects: the plan shows it, and the apply writes them again.
func (l lifecycle) strip(t *testing.T, w *Workspace, kind Kind) {
	t.Helper()
	var stripped []string
	before := map[string]Instance{}
	for _, i := range l.subjects(t, w) {
		must(t, kind.Untag(t.Context(), w.AWS, i.ID(), TagEstate, TagAddress, TagSlot, TagBinding))
		stripped = append(stripped, i.Address)
		before[i.Address] = i
	}
	w.Plan(t.Context()).MustOnly(t, Update, stripped...)
	mark := w.Proxy.Mark()
	w.ApplyPlan(t.Context()).Must(t)
	w.MustCall(t, mark, "write anything but tags", 0, faultproxy.And(faultproxy.Writes(), faultproxy.Not(TagWrites())))
	w.Plan(t.Context()).MustBeEmpty(t)
	mustAgree(t, w, "lifecycle")
	for address, i := range w.MustState(t) {
		if was, ok := before[address]; ok && (i.ID() != was.ID() || fmt.Sprint(i.Attributes["tofu_slot"]) != fmt.Sprint(was.Attributes["tofu_slot"])) {
			t.Errorf("%s was %s in slot %v, and is %s in slot %v",
				address, was.ID(), was.Attributes["tofu_slot"], i.ID(), i.Attributes["tofu_slot"])
		}
	}
}

// edit makes the edits of one example and takes each back; the plan is what the edit says, and empty after each apply.
func (l lifecycle) edit(t *testing.T, w *Workspace, file string) {
	original, made := l.begin(t, w, file)
	for _, e := range l.Edits {
		if e.file() != file {
			continue
		}
		if name, ok := strings.CutPrefix(e.Value, "setup:"); ok {
			e.Value = strconv.Quote(made[name])
		}
		if e.Attr == "region" {
			w.AWS.Regions = append(w.AWS.Regions, strings.Trim(e.Value, `"`))
		}
		changed, err := edited(original, l.Type, e)
		must(t, err)
		l.change(t, w, changed, e.Replaces, fmt.Sprintf("%s = %s", e.Attr, e.Value))
		l.change(t, w, original, e.Replaces && !e.Keeps, e.Attr+" back")
	}
	w.Destroy(t.Context()).Must(t)
}

func (e edit) file() string {
	if e.In == "" {
		return "resource.tf"
	}
	return e.In
}

// change applies a configuration in which one argument of the type differs.
func (l lifecycle) change(t *testing.T, w *Workspace, configuration string, replaces bool, what string) {
	t.Helper()
	before := l.subjects(t, w)
	must(t, w.Write("main.tf", configuration))
	p := w.Plan(t.Context()).Must(t)
	for _, i := range before {
		switch action := p.Change(i.Address).Action; {
		case replaces && action != Replace:
			t.Fatalf("%s: the plan should replace %s: %q\n%s", what, i.Address, p.Summary(), p.explain())
		case !replaces && action != Update && action != NoOp:
			t.Fatalf("%s: the plan should keep %s: %q\n%s", what, i.Address, p.Summary(), p.explain())
		case !replaces && action == NoOp && !strings.HasSuffix(what, " back"):
			t.Fatalf("%s: the plan does nothing with %s", what, i.Address)
		}
	}
	if r := w.ApplyPlan(t.Context()); r.Err != nil {
		t.Fatalf("%s: %v\n%s", what, r.Err, r.explain())
	}
	if p = w.Plan(t.Context()).Must(t); !p.Empty() {
		t.Fatalf("%s: the plan after the apply should be empty: %s\n%s", what, p.Summary(), p.differences())
	}
	mustAgree(t, w, "lifecycle")
}
