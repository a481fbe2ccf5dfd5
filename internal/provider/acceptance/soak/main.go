// Command soak lets an estate of about a hundred objects of all types live under a real CLI, in the emulator behind the fault
// proxy, and goes wrong with it in every way that it knows.
//
// A round is some steps: objects are created, changed, renamed, replaced and destroyed, and the state is dropped; meanwhile the
// provider or the CLI is killed at some call, answers are lost, calls are throttled or denied. What went wrong is mended as a user
// does: by an apply, and by what a message of the provider says. At the end of each round the estate has to be what the
// configuration says: one live object for each declared address, with the right attributes, which the state holds; nothing
// beside; no object of others changed; the next plan empty. At the very end a destroy has to leave nothing.
//
// All chance comes from -seed: the same seed gives the same steps, blows and losses. What a blow meets depends on which of the calls
// that a CLI makes at once comes first. What a user is told not to do, the soak does not do (stepKind.safe).
//
// `make soak` runs it, and `make test` a short one. The log of a long one is kept in LOG.txt.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// options are the command line.
type options struct {
	seed uint64
	// length is for how long one CLI begins new rounds; rounds are played in any case, and one at least.
	length time.Duration
	rounds int
	// objects is how many objects the estate has, about.
	objects int
	// log gets a line for each step. Its errors do not matter.
	log io.Writer
}

func main() {
	o := options{log: os.Stdout}
	flag.Uint64Var(&o.seed, "seed", 1, "where all chance comes from")
	length := flag.Duration("for", 30*time.Minute, "how long to begin new rounds, in all")
	flag.IntVar(&o.rounds, "rounds", 1, "how many rounds under each CLI at least")
	flag.IntVar(&o.objects, "objects", 100, "how many objects, about")
	only := flag.String("cli", "", "one CLI, OpenTofu or Terraform; without it each one in turn")
	write := flag.String("write", "", "write the counts to this file, as Markdown")
	flag.Parse()
	// An interrupt ends the running command first, and the emulator with the soak.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := command(ctx, o, *length, *only, *write)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// command soaks under each CLI and prints the counts.
func command(ctx context.Context, o options, length time.Duration, only, write string) (err error) {
	h, err := acceptance.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Stop()) }()
	var clis []acceptance.CLI
	for _, cli := range h.CLIs {
		if only == "" || only == cli.Name {
			clis = append(clis, cli)
		}
	}
	if len(clis) == 0 {
		return fmt.Errorf("no command line %q here", only)
	}
	o.length = length / time.Duration(len(clis))
	var all []*tally
	for _, cli := range clis {
		t, err := under(ctx, h, cli, o)
		if err != nil {
			return err
		}
		all = append(all, t)
	}
	table := markdown(o.seed, all)
	fmt.Print("\n" + table)
	if write == "" {
		return nil
	}
	return os.WriteFile(write, []byte(table), 0o600)
}

// under soaks under one CLI. The workspace of a soak that failed is left where it is, to be looked at.
func under(ctx context.Context, h *acceptance.Harness, cli acceptance.CLI, o options) (*tally, error) {
	dir, err := os.MkdirTemp("", "estate-soak-")
	if err != nil {
		return nil, err
	}
	s, err := newSoak(ctx, h, cli, o, dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	defer s.close()
	if err := s.run(ctx); err != nil {
		return nil, fmt.Errorf("%w\nthe workspace is left in %s", err, dir)
	}
	return s.tally, os.RemoveAll(dir)
}
