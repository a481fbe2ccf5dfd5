package acceptance

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// This file holds what several of the behaviours share: one configuration with every type, and faults that strike many calls
// at the same moment.

// tagged is a configuration with a resource "a" of each of the types with tags, under n keys; none of its objects waits for
// another. It makes what they need beside them. Most have something left to do after their create call.
func tagged(t *testing.T, w *Workspace, n int, types []adoption) string {
	t.Helper()
	var out strings.Builder
	for _, a := range types {
		if a.prepare != nil {
			env, err := a.prepare(t.Context(), w.AWS, n)
			must(t, err)
			w.Env = append(w.Env, env...)
		}
		out.WriteString(a.config(keySet(n)))
	}
	return out.String()
}

// untagged is the same for all types without tags, one instance each. What they belong to is nobody's.
func untagged(t *testing.T, w *Workspace) string {
	t.Helper()
	role, err := makeRole(t.Context(), w.AWS, "parent", nil)
	must(t, err)
	zone, err := makeZone(t.Context(), w.AWS, "parent", nil)
	must(t, err)
	return fmt.Sprintf(`
resource "estate_iam_role_policy" "a" {
  role   = %[1]q
  name   = "inline"
  policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "s3:Get*", Resource = "*" }] })
}

resource "estate_iam_role_policy_attachment" "a" {
  role       = %[1]q
  policy_arn = "arn:aws:iam::aws:policy/ReadOnlyAccess"
}

resource "estate_route53_record" "a" {
  zone_id = %[2]q
  name    = "www"
  type    = "A"
  ttl     = 60
  records = ["192.0.2.1"]
}
`, role, zone)
}

// keySet is a set of the first n keys as an expression.
func keySet(n int) string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("%q", key(i))
	}
	return "[" + strings.Join(keys, ", ") + "]"
}

// createCalls matches the calls that make an object of the types, and none of those that finish it.
func createCalls(types []adoption) faultproxy.Match {
	var actions []string
	for _, a := range types {
		actions = append(actions, a.creates)
	}
	return faultproxy.Action(actions...)
}

// gatherLimit ends the wait for calls that do not come.
const gatherLimit = time.Minute

// gather returns a function that holds its callers until n of them are there. The last one runs act before all go on. Those that
// wait in vain, because fewer come, go on after a minute; then act has not run.
func gather(n int, act func()) (arrive func()) {
	var here atomic.Int64
	all := make(chan struct{})
	return func() {
		if here.Add(1) == int64(n) {
			act()
			close(all)
		}
		select {
		case <-all:
		case <-time.After(gatherLimit):
		}
	}
}

// process follows the CLI's commands in a workspace, so that a fault can end one.
type process struct{ cli, killed atomic.Int64 }

// follow starts to follow.
func follow(w *Workspace) *process {
	p := &process{}
	w.Started = func(pid int) { p.cli.Store(int64(pid)) }
	return p
}

// kill ends the provider of the command that runs, without a chance to say anything.
func (p *process) kill() {
	// An error leaves the provider alive, which mustHaveDied reports.
	n, _ := KillProviders(int(p.cli.Load()))
	p.killed.Add(int64(n))
}

// interrupt is the user's Ctrl-C: the command asks its provider to stop, and waits for it.
func (p *process) interrupt() {
	// An error leaves the command waiting, which ends at the time limit of commands.
	if cli, err := os.FindProcess(int(p.cli.Load())); err == nil {
		_ = cli.Signal(os.Interrupt)
	}
}

// mustHaveDied fails the test unless a command failed because its provider was killed n times in all.
func (p *process) mustHaveDied(t *testing.T, r Result, n int) {
	t.Helper()
	if r.Err == nil || p.killed.Load() != int64(n) {
		t.Fatalf("%d providers were killed, want %d, and the command said:\n%s", p.killed.Load(), n, r.explain())
	}
}

// mustHoldEach fails the test unless the estate has exactly n live objects of each of the types.
func mustHoldEach(t *testing.T, w *Workspace, estate string, n int, types []adoption) {
	t.Helper()
	held := map[string][]string{}
	for _, o := range w.AWS.MustEstate(t.Context(), t, estate) {
		held[o.Type] = append(held[o.Type], o.ID)
	}
	for _, a := range types {
		if len(held[a.resourceType]) != n {
			t.Errorf("the estate has %d objects of %s, want %d: %q", len(held[a.resourceType]), a.resourceType, n, held[a.resourceType])
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}

// mustBlame fails the test unless one error about each address matches the pattern. A destroy says the address in its text alone.
func mustBlame(t *testing.T, r Result, addresses []string, says *regexp.Regexp) {
	t.Helper()
	for _, address := range addresses {
		said := slices.ContainsFunc(r.Errors(), func(d Diagnostic) bool {
			about := d.Address == address || d.Address == "" && strings.Contains(d.Detail, address)
			return about && says.MatchString(d.Summary+" "+d.Detail)
		})
		if !said {
			t.Errorf("no error about %s says %s", address, says)
		}
	}
	if t.Failed() {
		t.Fatalf("the command said:\n%s", r.explain())
	}
}
