package acceptance

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// TestLive takes the published example of each type through its life in a live AWS account, one after the other: apply,
// an empty plan, a lost state and its recovery, destroy. `make testacc` runs it.
func TestLive(t *testing.T) {
	if live == nil {
		t.Skip("runs in an AWS account: make testacc")
	}
	s, err := OpenLive(t.Context(), os.Getenv(AccountVariable), cloud.Config{Version: "testacc"})
	must(t, err)
	run := NewRun()
	t.Logf("account %s, %s, estates %s-*", s.Account, s.Region, run)
	for _, l := range lifecycles {
		t.Run(l.Type, func(t *testing.T) {
			for _, cli := range live.CLIs {
				t.Run(cli.Name, func(t *testing.T) {
					t.Cleanup(func() { count(t, cli) })
					l.liveExample(t, live.LiveSandbox(s, LiveSettings()).NewWorkspace(cli, t.TempDir()), run)
				})
			}
		})
	}
}

// TestLiveOnTheEmulator keeps TestLive alive: a small part of it, with the emulator for the account.
func TestLiveOnTheEmulator(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		url := w.account.URL
		s := openSandbox(t, w.Sandbox)
		settings := slices.Clone(w.settings)
		for i, v := range settings {
			if strings.HasPrefix(v, "AWS_ENDPOINT_URL=") {
				settings[i] = "AWS_ENDPOINT_URL=" + url // past the proxy
			}
		}
		run := NewRun()
		for _, l := range lifecycles {
			if slices.Contains([]string{"estate_vpc", "estate_iam_role_policy"}, l.Type) {
				l.liveExample(t, w.LiveSandbox(s, settings).NewWorkspace(w.CLI, t.TempDir()), run)
			}
		}
		w.MustNotWrite(t, 0) // the proxy is for the emulator alone
	})
}

// openSandbox opens a sandbox of the emulator as live accounts are opened.
func openSandbox(t *testing.T, s *Sandbox) *cloud.Session {
	t.Helper()
	session, err := OpenLive(t.Context(), s.Account, sandboxConfig(s))
	must(t, err)
	return session
}

func sandboxConfig(s *Sandbox) cloud.Config {
	c := cloud.Config{Region: Region, AccessKey: accessKey, SecretKey: secretKey, Endpoints: map[string]string{}}
	for _, name := range cloud.EndpointNames() {
		c.Endpoints[name] = s.account.URL
	}
	return c
}

// words are variables of examples that take any word; the others take objects.
var words = []string{"organization"}

// liveExample takes one example through its life. Its names get a suffix, because names of others and of other runs are
// there too, and AWS may hold the name of a deleted object for a while.
func (l lifecycle) liveExample(t *testing.T, w *Workspace, run string) {
	t.Helper()
	suffix := newSuffix()
	text, err := os.ReadFile(filepath.Join(exampleDir(l.Type), "resource.tf"))
	must(t, err)
	open, err := openVariables(string(text))
	must(t, err)
	for _, name := range open {
		if !slices.Contains(words, name) {
			t.Skipf("the example takes objects that are made elsewhere: %q", open)
		}
		w.Env = append(w.Env, "TF_VAR_"+name+"="+suffix)
	}
	example, err := suffixed(string(text), suffix)
	must(t, err)
	ctx := t.Context()
	estate := run + "-" + strings.ReplaceAll(strings.TrimPrefix(l.Type, "estate_"), "_", "-")
	start(t, w, estate, example)
	defer func() {
		if t.Failed() {
			r := w.Destroy(ctx)
			t.Logf("destroying what is in the state: %v; make sweep removes the rest", r.Err)
		}
	}()
	w.Apply(ctx).Must(t)
	w.Plan(ctx).MustBeEmpty(t)
	instances := w.MustState(t)
	before := ids(t, w)

	must(t, w.ForgetState())
	p := w.Plan(ctx).MustOnly(t, Create, slices.Sorted(maps.Keys(before))...)
	for address, id := range before {
		if got := p.Change(address).After["id"]; got != id {
			t.Errorf("the plan for %s shows the id %v, want %s", address, got, id)
		}
	}
	w.ApplyPlan(ctx).Must(t)
	if after := ids(t, w); !maps.Equal(after, before) {
		t.Fatalf("the state held %v and holds %v", before, after)
	}
	w.Plan(ctx).MustBeEmpty(t)

	w.Destroy(ctx).Must(t)
	for _, i := range instances {
		kind, err := KindOf(i.Type)
		must(t, err)
		exists, err := kind.Exists(ctx, w.AWS, i.ID())
		must(t, err)
		if exists {
			t.Errorf("%s lives after destroy", i.ID())
		}
	}
}

func TestSuffixed(t *testing.T) {
	const text = `resource "estate_iam_role" "example" {
  tofu_address = "estate_iam_role.example"
  name         = "example"
  path         = "/${var.example}/example/"
  policy = jsonencode({
    Resource = "arn:aws:s3:::example-bucket"
  })
  dns {
    name = "www.example.com"
  }
}
`
	got, err := suffixed(text, "x1")
	must(t, err)
	want := strings.NewReplacer(
		`name         = "example"`, `name         = "example-x1"`, `}/example/"`, `}/example-x1/"`,
		":::example-bucket", ":::example-x1-bucket", "www.example.com", "www.example-x1.com",
	).Replace(text)
	if got != want {
		t.Errorf("suffixed:\n%s\nwant:\n%s", got, want)
	}
	open, err := openVariables("variable \"a\" {\n  type = string\n}\nvariable \"b\" {\n  default = 1\n}\n")
	must(t, err)
	if !slices.Equal(open, []string{"a"}) {
		t.Errorf("variables without a default: %q", open)
	}
}

// TestOpenLive: no account but the named one is opened.
func TestOpenLive(t *testing.T) {
	_, err := OpenLive(t.Context(), "", cloud.Config{})
	if err == nil || !strings.Contains(err.Error(), AccountVariable+" is not set") {
		t.Errorf("without an account: %v", err)
	}
	if harness == nil {
		t.Skip("the rest needs the emulator that make test prepares")
	}
	sandbox, err := harness.NewSandbox()
	must(t, err)
	t.Cleanup(sandbox.Close)
	if s := openSandbox(t, sandbox); s.Account != sandbox.Account {
		t.Errorf("opened %s, want %s", s.Account, sandbox.Account)
	}
	const other = "999999999999"
	if _, err = OpenLive(t.Context(), other, sandboxConfig(sandbox)); err == nil || !strings.Contains(err.Error(), "nothing was touched") ||
		!strings.Contains(err.Error(), other) {
		t.Errorf("the wrong account: %v", err)
	}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "AWS_") {
			t.Setenv(name, "")
		}
	}
	t.Setenv("HOME", t.TempDir())
	c, away := sandboxConfig(sandbox), true
	c.AccessKey, c.SecretKey, c.SkipMetadataAPICheck = "", "", &away
	if _, err = OpenLive(t.Context(), sandbox.Account, c); err == nil || !strings.Contains(err.Error(), "no access to the account") ||
		!strings.Contains(strings.ToLower(err.Error()), "credential") {
		t.Errorf("without credentials: %v", err)
	}
	run := NewRun()
	if again := NewRun(); again == run || !strings.HasPrefix(run, engine.SweepPrefix) {
		t.Errorf("two runs are named %s and %s", run, again)
	}
}
