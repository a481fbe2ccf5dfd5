//go:build unix

package acceptance

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// stop is one way to stop an apply in the middle of a create.
type stop struct {
	name   string
	signal syscall.Signal
	// group sends the signal to the provider too, as a terminal and many a CI runner do; else the CLI alone gets it.
	group bool
	// calling stops while AWS makes the object and has not answered, else it is made and waited for. twice sends a second
	// signal once the provider is at work on the first.
	calling, twice bool
	// says is how both CLIs put it.
	says string
	// then is what comes after, and says what the stop left in the state.
	then func(t *testing.T, w *Workspace, name string, r Result)
}

// stops are what the two CLIs do alike. A first signal stops in good order, if the provider lives to answer: it ignores SIGINT,
// and SIGTERM ends it like any process. A second one ends the CLI at once.
var stops = []stop{
	{name: "interrupted", signal: syscall.SIGINT, says: "Create not finished", then: remade},
	{name: "by_terminal", signal: syscall.SIGINT, group: true, calling: true, says: "Create not finished", then: untainted},
	{name: "terminated", signal: syscall.SIGTERM, says: "Create not finished", then: untainted},
	{name: "all_terminated", signal: syscall.SIGTERM, group: true, says: "Plugin did not respond", then: adopted},
	{name: "interrupted_twice", signal: syscall.SIGINT, group: true, calling: true, twice: true, says: "operation canceled", then: adopted},
	{name: "terminated_twice", signal: syscall.SIGTERM, calling: true, twice: true, says: "operation canceled", then: adopted},
}

// TestSignals stops a create by signals. Whatever the signal and whoever gets it, AWS holds one object, and the next apply
// goes on with it or replaces it.
func TestSignals(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		var pid atomic.Int64
		w.Started = func(p int) { pid.Store(int64(p)) }
		w.Process = &syscall.SysProcAttr{Setpgid: true} // or the tests would signal themselves
		var config strings.Builder
		start(t, w, "signals", "")
		for i, s := range stops {
			fmt.Fprintf(&config, "resource \"estate_vpc\" %[1]q {\n  tofu_address = \"estate_vpc.%[1]s\"\n  cidr_block = \"10.%[2]d.0.0/16\"\n  enable_dns_hostnames = true\n}\n", s.name, i)
			must(t, w.Write("main.tf", config.String()))
			r := s.strike(t, w, func() error {
				target := int(pid.Load())
				if s.group {
					target = -target
				}
				return syscall.Kill(target, s.signal)
			})
			w.AWS.MustHold(t.Context(), t, "signals", "estate_vpc", i+1)
			r.MustSay(t, s.says)
			s.then(t, w, s.name, r)
			w.AWS.MustHold(t.Context(), t, "signals", "estate_vpc", i+1)
			mustAgree(t, w, "signals")
		}
		w.Plan(t.Context()).MustBeEmpty(t)
	})
}

// strike applies, and signals when the call has come during which the stop is to happen.
func (s stop) strike(t *testing.T, w *Workspace, signal func() error) Result {
	t.Helper()
	released := make(chan struct{})
	defer w.Proxy.ClearRules()
	defer close(released)
	var failed error
	send := func() { failed = signal() }
	if s.calling {
		w.Proxy.On(faultproxy.Action("ec2:CreateVpc"), faultproxy.Run(func(faultproxy.Call) {
			if s.twice { // the provider looks for the object of the call that it has given up, and the second one meets it there
				w.Proxy.On(once(faultproxy.Action("ec2:DescribeVpcs"), send), faultproxy.HoldUntil(released))
			}
			send()
			<-released
		})).Times(1)
	} else {
		w.Proxy.On(once(faultproxy.And(byMarker("ec2:DescribeVpcs"), faultproxy.Contains("estate_vpc."+s.name)), send), faultproxy.HoldUntil(released))
	}
	mark := w.Proxy.Mark()
	r := w.Apply(t.Context())
	must(t, failed)
	w.MustCall(t, mark, "create", 1, Creates())
	if r.Err == nil {
		t.Fatalf("%s: the apply was not stopped\n%s", s.name, r.explain())
	}
	return r
}

// once calls f at the first call that matches.
func once(m faultproxy.Match, f func()) faultproxy.Match {
	var first sync.Once
	return func(c faultproxy.Call) bool {
		if !m(c) {
			return false
		}
		first.Do(f)
		return true
	}
}

// mustBeTainted fails the test unless the state holds an instance as tainted, and returns its id.
func mustBeTainted(t *testing.T, w *Workspace, name string, r Result) string {
	t.Helper()
	entry, ok := w.MustState(t)["estate_vpc."+name]
	if !ok || !entry.Tainted || entry.ID() == "" {
		t.Fatalf("%s: the state holds %+v\n%s", name, entry, r.explain())
	}
	r.MustSay(t, "tofu untaint 'estate_vpc."+name+"'")
	return entry.ID()
}

// remade has the next apply replace what the state holds as tainted.
func remade(t *testing.T, w *Workspace, name string, r Result) {
	t.Helper()
	id := mustBeTainted(t, w, name, r)
	mark := w.Proxy.Mark()
	w.Apply(t.Context()).Must(t)
	gone := w.MustCall(t, mark, "delete", 1, Deletes())
	w.MustCall(t, mark, "create", 1, Creates())
	if !Mentioning(id)(gone[0]) {
		t.Errorf("%s: %s was to be deleted: %s", name, id, gone[0])
	}
}

// untainted goes on with it.
func untainted(t *testing.T, w *Workspace, name string, r Result) {
	t.Helper()
	id := mustBeTainted(t, w, name, r)
	w.Untaint(t.Context(), "estate_vpc."+name).Must(t)
	goesOn(t, w, name, id)
}

// adopted has the next apply find the object by its marker: the state holds nothing of it.
func adopted(t *testing.T, w *Workspace, name string, r Result) {
	t.Helper()
	if entry, ok := w.MustState(t)["estate_vpc."+name]; ok {
		t.Fatalf("%s: the state holds %+v\n%s", name, entry, r.explain())
	}
	goesOn(t, w, name, "")
}

// goesOn applies, and fails the test unless that keeps the object and finishes it.
func goesOn(t *testing.T, w *Workspace, name, id string) {
	t.Helper()
	mark := w.Proxy.Mark()
	w.Apply(t.Context()).Must(t)
	w.MustNotCreate(t, mark)
	w.MustCall(t, mark, "delete", 0, Deletes())
	w.MustCall(t, mark, "switch names on", 1, faultproxy.Action("ec2:ModifyVpcAttribute"))
	if got := ids(t, w)["estate_vpc."+name]; id != "" && got != id {
		t.Errorf("%s: the state holds %s, want %s", name, got, id)
	}
}
