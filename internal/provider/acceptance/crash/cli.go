package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// This file takes cases through a real CLI, with the provider as a process of its own, to show that the small core of the
// matrix does what the CLIs do. Here the CLI itself is killed too.

// cliFaults are faults that strike by what they do to the processes of a run.
var cliFaults = map[string]struct {
	// done says that AWS does the work of the call.
	done   bool
	strike func(*cliRun)
}{
	"provider killed before": {false, (*cliRun).killProvider},
	"provider killed after":  {true, (*cliRun).killProvider},
	"CLI killed before":      {false, (*cliRun).killCLI},
	"CLI killed after":       {true, (*cliRun).killCLI},
	"interrupted":            {false, (*cliRun).stop},
}

// cliRun is one case in a workspace.
type cliRun struct {
	trial
	*acceptance.Workspace
	site *site
	// fault names the entry of cliFaults.
	fault string
	// pid is the process of the CLI's command that runs.
	pid atomic.Int64
	// failed is what went wrong when the fault struck.
	failed error
}

// through makes the case with a CLI, in a folder.
func (t trial) through(ctx context.Context, s *site, cli acceptance.CLI, fault, dir string) error {
	s.open()
	r := &cliRun{trial: t, Workspace: s.NewWorkspace(cli, dir), site: s, fault: fault}
	r.Started = func(pid int) { r.pid.Store(int64(pid)) }
	r.Env = []string{"AWS_ENDPOINT_URL=" + s.proxy.URL()}
	before, err := s.live(ctx, t.sub)
	if err != nil {
		return err
	}
	if err := r.Write("provider.tf", acceptance.ProviderBlock(s.estate)); err != nil {
		return err
	}
	if err := r.Init(ctx).Err; err != nil {
		return err
	}
	if err := r.prepare(ctx); err != nil {
		return fmt.Errorf("preparing: %w", err)
	}
	goal := t.goal(s.vars)
	rule := r.set()
	first := r.reach(ctx, goal)
	rule.Remove()
	switch {
	case rule.Hits() == 0:
		return fmt.Errorf("the call was not made: %w", errOr(first.Err))
	case r.failed != nil:
		return r.failed
	}
	if t.lost {
		if err := r.ForgetState(); err != nil {
			return err
		}
		if t.op == destroy {
			goal = t.start(s.vars)
		}
	}
	return r.recover(ctx, goal, before)
}

func (r *cliRun) prepare(ctx context.Context) error {
	if r.op == create {
		return nil
	}
	if got := r.reach(ctx, r.start(r.site.vars)); got.Err != nil {
		return fmt.Errorf("%w: %s", got.Err, got.Text())
	}
	if r.op == adopt {
		return r.ForgetState()
	}
	return nil
}

// reach applies a target, or destroys.
func (r *cliRun) reach(ctx context.Context, to target) acceptance.Result {
	if to.config == nil {
		return r.Destroy(ctx)
	}
	if err := r.Write("main.tf", block(r.sub.typ, to)); err != nil {
		return acceptance.Result{Err: err}
	}
	return r.Apply(ctx)
}

// set makes the rule: the call is known by its name, and by how many of that name came before it.
func (r *cliRun) set() *faultproxy.Rule {
	var seen atomic.Int64
	struck := func(c faultproxy.Call) bool {
		return c.Name() == r.call.Name() && int(seen.Add(1)-1) == r.nth
	}
	f := cliFaults[r.fault]
	if f.done {
		return r.site.proxy.On(struck, faultproxy.Run(func(faultproxy.Call) { f.strike(r) }))
	}
	return r.site.proxy.On(func(c faultproxy.Call) bool {
		if !struck(c) {
			return false
		}
		f.strike(r)
		return true
	}, faultproxy.Hang())
}

func (r *cliRun) killProvider() {
	if _, err := acceptance.KillProviders(int(r.pid.Load())); err != nil {
		r.failed = err
	}
}

func (r *cliRun) killCLI() {
	r.failed = errors.Join(r.failed, acceptance.KillCLI(int(r.pid.Load())))
}

// stop is Ctrl-C: the CLI asks the provider to stop, and waits for it.
func (r *cliRun) stop() {
	r.failed = errors.Join(r.failed, acceptance.Interrupt(int(r.pid.Load())))
}

// recover runs again until the goal is reached, and judges like the matrix.
func (r *cliRun) recover(ctx context.Context, goal target, before map[string]acceptance.Object) error {
	var got acceptance.Result
	for range tries {
		if got = r.reach(ctx, goal); got.Err == nil {
			break
		}
	}
	if got.Err != nil {
		return fmt.Errorf("not reached in %d runs: %s", tries, got.Text())
	}
	if goal.config != nil {
		if err := r.judgeLive(ctx, before); err != nil {
			return err
		}
		if got := r.Destroy(ctx); got.Err != nil {
			return fmt.Errorf("destroying: %s", got.Text())
		}
	}
	left, err := r.site.added(ctx, r.sub, before)
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("left after the destroy: %v", left)
	}
	return err
}

func (r *cliRun) judgeLive(ctx context.Context, before map[string]acceptance.Object) error {
	added, err := r.site.added(ctx, r.sub, before)
	if err != nil {
		return err
	}
	instances, err := r.State()
	switch {
	case err != nil:
		return err
	case len(added) != 1 || len(instances) != 1 || instances[0].ID() != added[0].ID:
		return fmt.Errorf("live objects %v, state %v", added, instances)
	}
	p := r.Plan(ctx)
	if p.Err != nil || !p.Empty() {
		return fmt.Errorf("the next plan is not empty: %s %w", p.Summary(), errOr(p.Err))
	}
	return nil
}

// block writes a target as the configuration of one resource.
func block(typ string, to target) string {
	var b strings.Builder
	fmt.Fprintf(&b, "resource %q \"a\" {\n", typ)
	for _, name := range slices.Sorted(maps.Keys(to.config)) {
		fmt.Fprintf(&b, "  %s = %s\n", name, expression(to.config[name]))
	}
	if to.cbd {
		b.WriteString("  lifecycle {\n    create_before_destroy = true\n  }\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// expression writes a Go value of a configuration.
func expression(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case conf:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, name+" = "+expression(v[name]))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, expression(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprint(v)
}

// throughCLI tells whether a case is one for the CLIs: one that a plain further run ends, without a way out.
func (t trial) throughCLI() bool {
	return skipReason(t) == "" && (!t.lost || t.op != rename && t.op != replace && t.op != replaceBeside && (t.op != update || t.sub.tagged()))
}

// runCLI takes a sample of the cases through each CLI: of each write and of each first call, without its fault. Each case gets
// the next of the faults above.
func (m *matrix) runCLI(ctx context.Context, all []trial, o options, done func(cliOutcome)) {
	all = slices.DeleteFunc(all, func(t trial) bool {
		return !t.throughCLI() || t.fault.name != faults[0].name || !t.call.Write && t.at > 0
	})
	o.shuffle(all)
	names := slices.Sorted(maps.Keys(cliFaults))
	var group errgroup.Group
	group.SetLimit(cliWorkers)
	for n, t := range all[:min(o.cli, len(all))] {
		for _, cli := range m.harness.CLIs {
			group.Go(func() error {
				fault := names[n%len(names)]
				start := time.Now()
				err := m.oneCLI(ctx, t, cli, fault)
				m.mu.Lock()
				defer m.mu.Unlock()
				_, _ = fmt.Fprint(o.progress, ".") // a CLI needs seconds
				done(cliOutcome{cli: cli, name: fmt.Sprintf("%s/%s/%d %s, lost %t, %s", t.sub.typ, t.op, t.at, short(t.call), t.lost, fault), err: err, took: time.Since(start)})
				return nil
			})
		}
	}
	_ = group.Wait() // no case returns its error
}

// cliWorkers is how many CLIs run at once.
const cliWorkers = 3

func (m *matrix) oneCLI(ctx context.Context, t trial, cli acceptance.CLI, fault string) error {
	s, err := m.borrow(ctx, t.sub)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "estate-crash-")
	if err != nil {
		return err
	}
	err = t.through(ctx, s, cli, fault, dir)
	m.giveBack(s, t.sub, err == nil)
	return errors.Join(err, os.RemoveAll(dir))
}
