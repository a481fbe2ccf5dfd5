package acceptance

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// The assertions of this package decide whether every other test means anything, so they are tested by what they must
// not let pass.

// verdict is a T that notes the failure instead of ending the test.
type verdict struct{ failure string }

func (v *verdict) Helper()             {}
func (v *verdict) Logf(string, ...any) {}
func (v *verdict) Fatalf(format string, _ ...any) {
	if v.failure == "" {
		v.failure = format
	}
}

func TestPlanAssertions(t *testing.T) {
	const shown = `{
  "resource_changes": [
    {"address": "estate_vpc.a", "change": {"actions": ["no-op"], "before": {"id": "vpc-1"}, "after": {"id": "vpc-1"}, "after_unknown": {}}},
    {"address": "estate_vpc.b", "change": {"actions": ["update"], "before": {"id": "vpc-2"}, "after": {"id": "vpc-2"}, "after_unknown": {"x": true}}},
    {"address": "estate_vpc.c", "change": {"actions": ["create", "delete"], "before": {}, "after": {}, "after_unknown": {}}},
    {"address": "estate_vpc.d", "change": {"actions": ["no-op"], "before": {}, "after": {}, "after_unknown": false, "importing": {"id": "vpc-4"}}}
  ],
  "output_changes": {"o": {"actions": ["create"]}, "p": {"actions": ["no-op"]}}
}`
	var p Plan
	if err := p.read([]byte(shown)); err != nil {
		t.Fatal(err)
	}
	const want = "update estate_vpc.b, replace estate_vpc.c, import estate_vpc.d, output o"
	if p.Summary() != want || p.Empty() {
		t.Errorf("summary %q, want %q", p.Summary(), want)
	}
	if p.Change("estate_vpc.b").After["id"] != "vpc-2" || !p.Change("estate_vpc.d").Importing {
		t.Errorf("changes: %+v", p.Changes)
	}
	refuses := map[string]func(T){
		"empty":           func(v T) { p.MustBeEmpty(v) },
		"only updates":    func(v T) { p.MustOnly(v, Update, "estate_vpc.b") },
		"another address": func(v T) { p.MustOnly(v, Update, "estate_vpc.a") },
		"no destroy":      func(v T) { p.MustDestroyNothing(v) },
		"failed":          func(v T) { Plan{Result: Result{Err: os.ErrInvalid}}.MustBeEmpty(v) },
	}
	for name, assert := range refuses {
		v := &verdict{}
		if assert(v); v.failure == "" {
			t.Errorf("%s: the assertion let %q pass", name, p.Summary())
		}
	}
	v := &verdict{}
	if (Plan{}).MustBeEmpty(v); v.failure != "" {
		t.Errorf("a plan without changes is refused: %s", v.failure)
	}
}

func TestResultText(t *testing.T) {
	lines := `{"@level":"info","type":"version"}
{"@level":"error","type":"diagnostic","diagnostic":{"severity":"error","summary":"Object is not ours","detail":"vpc-1 belongs\nto prod","address":"estate_vpc.a"}}
{"@level":"warn","type":"diagnostic","diagnostic":{"severity":"warning","summary":"Adopted","detail":"vpc-2"}}
`
	r := Result{Exit: 1, Err: os.ErrInvalid, Stdout: lines, Diagnostics: diagnosticsOf(lines)}
	if len(r.Errors()) != 1 || len(r.Warnings()) != 1 {
		t.Fatalf("diagnostics: %+v", r.Diagnostics)
	}
	v := &verdict{}
	if r.MustFail(v, "vpc-1 belongs to prod", "Adopted"); v.failure != "" {
		t.Errorf("refused: %s in %q", v.failure, r.Text())
	}
	for name, assert := range map[string]func(T){
		"success":        func(v T) { r.Must(v) },
		"another phrase": func(v T) { r.MustFail(v, "vpc-3") },
		"no failure":     func(v T) { Result{}.MustFail(v) },
	} {
		v := &verdict{}
		if assert(v); v.failure == "" {
			t.Errorf("%s: the assertion passed", name)
		}
	}
	framed := Result{Stderr: "╷\n│ Error: taken\n│ \n│ by another\n│ estate\n╵\n"}
	if got := framed.Text(); got != "Error: taken by another estate" {
		t.Errorf("text %q", got)
	}
}

func TestStateInstances(t *testing.T) {
	w := &Workspace{Dir: t.TempDir()}
	must(t, w.SetStateText(`{"version": 4, "resources": [
  {"mode": "managed", "type": "estate_eip", "name": "e", "module": "module.m[\"k\"]", "instances": [
    {"index_key": 0, "attributes": {"id": "eip-0"}}, {"index_key": 1, "status": "tainted", "attributes": {"id": "eip-1"}}]},
  {"mode": "managed", "type": "estate_vpc", "name": "v", "instances": [
    {"index_key": "a", "attributes": {"id": "vpc-1"}}, {"index_key": "a", "deposed": "00", "attributes": {"id": "vpc-0"}}]},
  {"mode": "data", "type": "estate_vpc", "name": "v", "instances": [{"attributes": {}}]}]}`))
	got := map[string]string{}
	for address, i := range w.MustState(t) {
		got[address] = i.ID()
	}
	want := map[string]string{
		`module.m["k"].estate_eip.e[0]`: "eip-0", `module.m["k"].estate_eip.e[1]`: "eip-1", `estate_vpc.v["a"]`: "vpc-1",
	}
	if !maps.Equal(got, want) {
		t.Errorf("state %v, want %v", got, want)
	}
	all, err := w.State()
	must(t, err)
	if len(all) != 4 {
		t.Errorf("%d instances with the deposed one, want 4", len(all))
	}
	must(t, w.ForgetState())
	if left := w.MustState(t); len(left) > 0 {
		t.Errorf("left of a forgotten state: %v", left)
	}
}

func TestJournalMatches(t *testing.T) {
	cases := []struct {
		action                string
		creates, tags, delete bool
	}{
		{"CreateVpc", true, false, false},
		{"AllocateAddress", true, false, false},
		{"PutRolePolicy", true, false, false},
		{"CreateTags", false, true, false},
		{"DeleteTags", false, true, false},
		{"UntagRole", false, true, false},
		{"ReleaseAddress", false, false, true},
		{"DeleteRolePolicy", false, false, true},
		{"ModifyVpcAttribute", false, false, false},
	}
	for _, c := range cases {
		call := faultproxy.Call{Action: c.action, Write: true}
		if Creates()(call) != c.creates || TagWrites()(call) != c.tags || Deletes()(call) != c.delete {
			t.Errorf("%s: creates %v, tags %v, deletes %v", c.action, Creates()(call), TagWrites()(call), Deletes()(call))
		}
	}
	if Creates()(faultproxy.Call{Action: "CreateVpc"}) {
		t.Error("a call that writes nothing counts as a create")
	}
}

func TestProcessLine(t *testing.T) {
	table, err := procTable()
	if err != nil {
		t.Skipf("no /proc here: %v", err)
	}
	for line := range strings.Lines(string(table)) {
		if pid, parent, command := processLine(line); pid == os.Getpid() {
			if parent != os.Getppid() || !strings.Contains(command, "acceptance") {
				t.Errorf("this process is %q, parent %d, want %d", command, parent, os.Getppid())
			}
			return
		}
	}
	t.Error("this process is not in its own table")
}

func TestEdited(t *testing.T) {
	const text = `resource "estate_iam_role" "r" {
  name = "x"
}

resource "estate_vpc" "v" {
  cidr_block = "10.0.0.0/16"
  timeouts {
    create = "1m"
  }
}
`
	got, err := edited(text, "estate_vpc", edit{Attr: "timeouts.create", Value: `"2m"`, Without: []string{"cidr_block"}})
	must(t, err)
	if strings.Contains(got, "cidr_block") || !strings.Contains(got, `create = "2m"`) || !strings.Contains(got, `name = "x"`) {
		t.Errorf("edited:\n%s", got)
	}
	names := map[string]bool{}
	must(t, argumentsOf(text, "main.tf", "estate_vpc", names))
	if !maps.Equal(names, map[string]bool{"cidr_block": true, "timeouts.create": true}) {
		t.Errorf("arguments %v", names)
	}
}

func TestVersions(t *testing.T) {
	for version, want := range map[string]bool{"1.12.6": true, "1.13.0-rc1": true, "2.0.0": true, "1.11.4": false, "": false} {
		if got := atLeast(version, 1, 12); got != want {
			t.Errorf("%q is at least 1.12: %v", version, got)
		}
	}
}

// TestSandbox shows that two accounts do not see each other, and that only calls through the proxy are in its journal.
func TestSandbox(t *testing.T) {
	if harness == nil {
		t.Skip("needs the emulator that make test prepares")
	}
	var sandboxes [2]*Sandbox
	for i := range sandboxes {
		s, err := harness.NewSandbox()
		must(t, err)
		t.Cleanup(s.Close)
		sandboxes[i] = s
	}
	ctx := t.Context()
	for _, kind := range Kinds {
		if kind.Make == nil {
			continue
		}
		id, err := kind.Make(ctx, sandboxes[0].AWS, "here", map[string]string{TagEstate: "e"})
		must(t, err)
		sandboxes[0].AWS.MustHold(ctx, t, "e", kind.Type, 1)
		sandboxes[1].AWS.MustHold(ctx, t, "e", kind.Type, 0)
		exists, err := kind.Exists(ctx, sandboxes[1].AWS, id)
		must(t, err)
		if exists {
			t.Errorf("%s %s is seen from another account", kind.Type, id)
		}
		must(t, kind.Tag(ctx, sandboxes[0].AWS, id, map[string]string{TagEstate: "f"}))
		sandboxes[0].AWS.MustHold(ctx, t, "f", kind.Type, 1)
		must(t, kind.Untag(ctx, sandboxes[0].AWS, id, TagEstate))
		sandboxes[0].AWS.MustHold(ctx, t, "f", kind.Type, 0)
	}
	sandboxes[0].MustNotWrite(t, 0)
	_, err := makeVpc(ctx, newAWS(sandboxes[0].Proxy.URL()), "", nil)
	must(t, err)
	sandboxes[0].MustCall(t, 0, "create", 1, Creates())
	v := &verdict{}
	if sandboxes[0].MustNotCreate(v, 0); v.failure == "" {
		t.Error("MustNotCreate let a create pass")
	}
}
