package acceptance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// harness is shared by all tests of the process; nil when the parts that they need were not prepared. live is the one
// without an emulator, which only the tests of a live account get.
var harness, live *Harness

func TestMain(m *testing.M) {
	if table := os.Getenv(standInVariable); table != "" {
		if err := serveStandIn(table); err != nil {
			fmt.Fprintln(os.Stderr, "stand-in:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(withHarness(m.Run))
}

func withHarness(run func() int) int {
	started, err := startHarness(context.Background())
	switch {
	case errors.Is(err, ErrMissing) && os.Getenv("ESTATE_ACCEPTANCE") == "":
		fmt.Println("acceptance tests are skipped:", err)
		return run()
	case err != nil:
		fmt.Fprintln(os.Stderr, "acceptance:", err)
		return 1
	}
	defer func() {
		if err := started.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "acceptance:", err)
		}
	}()
	return run()
}

func startHarness(ctx context.Context) (started *Harness, err error) {
	if os.Getenv(liveVariable) != "" {
		live, err = Prepare(ctx)
		return live, err
	}
	harness, err = Start(ctx)
	return harness, err
}

// eachCLI runs f once for each CLI that is here, in a workspace and an account of its own, beside other tests.
func eachCLI(t *testing.T, f func(t *testing.T, w *Workspace)) {
	t.Helper()
	if harness == nil {
		t.Skip("needs the CLI and the emulator that make test prepares")
	}
	for _, cli := range harness.CLIs {
		t.Run(cli.Name, func(t *testing.T) {
			t.Parallel()
			t.Cleanup(func() { count(t, cli) })
			s, err := harness.NewSandbox()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.Close)
			f(t, s.NewWorkspace(cli, t.TempDir()))
		})
	}
}

// counts serialises the writers of the file that ESTATE_COUNTS names.
var counts sync.Mutex

// count adds a line for a finished test to the file from which make test prints how many tests each CLI ran.
func count(t *testing.T, cli CLI) {
	path := os.Getenv("ESTATE_COUNTS")
	if path == "" {
		return
	}
	result := "pass"
	switch {
	case t.Failed():
		result = "fail"
	case t.Skipped():
		result = "skip"
	}
	counts.Lock()
	defer counts.Unlock()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = fmt.Fprintln(file, strings.Join([]string{cli.Name, cli.Version, result, t.Name()}, "\t"))
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		t.Errorf("counting the test: %v", err)
	}
}

// must fails the test on an error that is no claim.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// start writes the provider block and a configuration, and initialises the workspace.
func start(t *testing.T, w *Workspace, estate, configuration string) {
	t.Helper()
	must(t, w.Write("provider.tf", ProviderBlock(estate)))
	must(t, w.Write("main.tf", configuration))
	w.Init(t.Context()).Must(t)
}

// mustAgree fails the test unless state and AWS show the same estate: as many live objects as instances, each
// instance's id among them, with its address and its binding on the object. Objects with the ids of strangers do not count.
func mustAgree(t *testing.T, w *Workspace, estate string, strangers ...string) {
	t.Helper()
	live := map[string]Object{}
	for _, o := range w.AWS.MustEstate(t.Context(), t, estate) {
		if !slices.Contains(strangers, o.ID) {
			live[o.Type+" "+o.ID] = o
		}
	}
	instances, err := w.State()
	must(t, err)
	held := 0
	for _, i := range instances {
		kind, err := KindOf(i.Type)
		must(t, err)
		if kind.List == nil {
			exists, err := kind.Exists(t.Context(), w.AWS, i.ID())
			must(t, err)
			if !exists {
				t.Errorf("%s holds %s, which does not exist", i.Address, i.ID())
			}
			continue
		}
		held++
		object, ok := live[i.Type+" "+i.ID()]
		switch {
		case i.Deposed != "":
			t.Errorf("%s has a deposed object, %s", i.Address, i.ID())
		case !ok:
			t.Errorf("%s holds %s, which is not among the live objects of the estate", i.Address, i.ID())
		case object.Tags[TagBinding] == "" || object.Tags[TagBinding] != i.Text("tofu_binding"):
			t.Errorf("%s holds %s by the binding %q, and the object says %q",
				i.Address, i.ID(), i.Text("tofu_binding"), object.Tags[TagBinding])
		}
	}
	if held != len(live) {
		t.Errorf("the state holds %d objects of the estate, AWS shows %d: %v", held, len(live), live)
	}
	if t.Failed() {
		t.FailNow()
	}
}

// ids returns the id of each instance in the state by address.
func ids(t *testing.T, w *Workspace) map[string]string {
	t.Helper()
	out := map[string]string{}
	for address, i := range w.MustState(t) {
		out[address] = i.ID()
	}
	return out
}
