package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// soak is one estate under one CLI, in an account of its own.
type soak struct {
	*acceptance.Workspace
	options
	model *estate
	// proxy is where the faults strike. Behind it, the sandbox's own makes the emulator answer as AWS.
	proxy *faultproxy.Proxy
	// files are the configuration as it stands in the workspace.
	files map[string]string
	// others is the picture of the account before the estate.
	others picture
	// past are the states of the last checks, before is that of the last step's end.
	past   []string
	before string
	pid    atomic.Int64
	tally  *tally
	// line is what the log says of the step that runs.
	line []string
}

// newSoak opens an account, plants the bystanders and initialises a workspace in dir.
func newSoak(ctx context.Context, h *acceptance.Harness, cli acceptance.CLI, o options, dir string) (*soak, error) {
	sandbox, err := h.NewSandbox()
	if err != nil {
		return nil, err
	}
	s := &soak{Workspace: sandbox.NewWorkspace(cli, dir), options: o, tally: newTally(cli)}
	s.model = &estate{name: "soak", suffix: sandbox.Account}
	s.Started = func(pid int) { s.pid.Store(int64(pid)) }
	sandbox.Proxy.AsAWS()
	acceptance.KeepBucketTags(ctx, sandbox)
	if s.proxy, err = faultproxy.Start(sandbox.Proxy.URL()); err != nil {
		sandbox.Close()
		return nil, err
	}
	s.Env = []string{"AWS_ENDPOINT_URL=" + s.proxy.URL()}
	if err := s.open(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *soak) open(ctx context.Context) (err error) {
	if err := plant(ctx, s.AWS, s.model.suffix); err != nil {
		return err
	}
	if s.others, err = look(ctx, s.AWS); err != nil {
		return err
	}
	if err := s.write(ctx); err != nil {
		return err
	}
	return said(s.Init(ctx))
}

func (s *soak) close() {
	s.proxy.Close()
	s.Close()
}

// run plays rounds until the time is over, and destroys the estate.
func (s *soak) run(ctx context.Context) error {
	began := time.Now()
	for s.tally.rounds = 0; s.tally.rounds == 0 || s.goesOn(s.tally.rounds, time.Since(began)); s.tally.rounds++ {
		if err := s.round(ctx); err != nil {
			return err
		}
	}
	if err := s.logged("end", func() error { return s.end(ctx) }); err != nil {
		return err
	}
	s.tally.took = time.Since(began)
	return nil
}

// goesOn tells whether one more round is played.
func (o options) goesOn(rounds int, after time.Duration) bool {
	return after < o.length || rounds < o.rounds
}

// round plays some steps and judges.
func (s *soak) round(ctx context.Context) error {
	round := s.tally.rounds + 1
	for n := range 2 + chance(s.seed, round, 0).IntN(4) {
		r := chance(s.seed, round, n+1)
		if err := s.logged(fmt.Sprintf("round %d step %d", round, n+1), func() error { return s.step(ctx, r) }); err != nil {
			return err
		}
	}
	return s.logged(fmt.Sprintf("round %d check", round), func() error { return s.check(ctx) })
}

// chance is where the random choices of a step come from; they do not depend on what came of the steps before.
func chance(seed uint64, round, step int) *rand.Rand {
	//nolint:gosec // G404: the same seed has to give the same choices.
	return rand.New(rand.NewPCG(seed, uint64(round)<<16+uint64(step)))
}

// logged does something and writes its line of the log.
func (s *soak) logged(name string, do func() error) error {
	began := time.Now()
	s.line = nil
	err := do()
	calls := len(s.proxy.Journal())
	s.tally.calls += calls
	verdict := "ok"
	if err != nil {
		verdict = "FAILED"
	}
	_, _ = fmt.Fprintf(s.log, "seed %d %s %s: %s: %s (%d calls, %.1f s)\n",
		s.seed, s.CLI.Name, name, strings.Join(s.line, "; "), verdict, calls, time.Since(began).Seconds())
	if err != nil {
		writes := faultproxy.Select(s.proxy.Journal(), faultproxy.Writes())
		return fmt.Errorf("%s, seed %d, %s: %w\nthe newest writes:\n%s", s.CLI, s.seed, name, err,
			faultproxy.Format(writes[max(0, len(writes)-shownWrites):]))
	}
	s.proxy.Reset()
	s.Proxy.Reset()
	return nil
}

// shownWrites is how many writes a failure shows.
const shownWrites = 40

func (s *soak) say(format string, args ...any) { s.line = append(s.line, fmt.Sprintf(format, args...)) }

// write brings the workspace to the model.
func (s *soak) write(ctx context.Context) error {
	now := s.model.files()
	gone := removed(s.files, now)
	modules := false
	for path, text := range now {
		_, known := s.files[path]
		modules = modules || !known && s.files != nil
		if err := s.Write(path, text); err != nil {
			return err
		}
	}
	for _, path := range gone {
		if err := s.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	s.files = now
	if modules {
		return said(s.Run(ctx, "get"))
	}
	return nil
}

// said is the error of a command with what it said.
func said(r acceptance.Result) error {
	if r.Err == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", r.Err, r.Text())
}
