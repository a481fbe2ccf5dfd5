// Command demo plays the life of an estate on a real AWS API, the emulator, and checks what it claims at each step:
// calls are counted by the fault proxy and objects are asked of AWS, so that no claim rests on a CLI's own summary.
// It needs no AWS account. Its exit status is 1 when a claim fails. `make demo` runs it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

func main() {
	only := flag.String("cli", "", "use this command line alone: OpenTofu or Terraform")
	flag.Parse()
	// An interrupt ends the running command first, and the emulator with the demo.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "\nFAILED:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only string) (err error) {
	fmt.Println("starting the AWS emulator")
	harness, err := acceptance.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, harness.Stop()) }()
	played := 0
	for _, cli := range harness.CLIs {
		if only != "" && only != cli.Name {
			continue
		}
		if err := play(ctx, harness, cli); err != nil {
			return fmt.Errorf("%s: %w", cli, err)
		}
		played++
	}
	if played == 0 {
		return fmt.Errorf("no command line %q here", only)
	}
	return nil
}

// play runs the whole story with one CLI, in an account of its own.
func play(ctx context.Context, harness *acceptance.Harness, cli acceptance.CLI) (err error) {
	sandbox, err := harness.NewSandbox()
	if err != nil {
		return err
	}
	defer sandbox.Close()
	dir, err := os.MkdirTemp("", "estate-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	d := &demo{
		ctx:       ctx,
		Workspace: sandbox.NewWorkspace(cli, dir),
		source:    filepath.Join(harness.Root, "examples", "estates", "web"),
		began:     time.Now(),
	}
	fmt.Printf("\n%s, configuration examples/estates/web\n", cli)
	return d.story()
}

// demo tells one story in one workspace.
type demo struct {
	*acceptance.Workspace
	ctx    context.Context
	source string
	began  time.Time
	steps  int
}

// failedClaim carries a failed claim out of an assertion, which may not return.
type failedClaim struct{ text string }

// Helper is there to satisfy acceptance.T.
func (d *demo) Helper() {}

// Logf prints a line of a step.
func (d *demo) Logf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	fmt.Println("   " + strings.ReplaceAll(text, "\n", "\n   "))
}

// Fatalf ends the story.
func (d *demo) Fatalf(format string, args ...any) {
	panic(failedClaim{fmt.Sprintf(format, args...)})
}

// story runs the steps and returns the claim that failed.
func (d *demo) story() (err error) {
	defer func() {
		if r := recover(); r != nil {
			claim, ok := r.(failedClaim)
			if !ok {
				panic(r)
			}
			err = errors.New(claim.text)
		}
	}()
	d.apply()
	d.inventory()
	d.loseState()
	d.rename()
	d.kill()
	foreign := d.refuse()
	d.adoptUntracked()
	d.destroy(foreign)
	fmt.Printf("\nEvery claim held; %d steps in %.0f seconds.\n", d.steps, time.Since(d.began).Seconds())
	return nil
}

// step prints a step's heading.
func (d *demo) step(title string) {
	d.steps++
	fmt.Printf("\n%d. %s\n", d.steps, title)
}

// proves prints what a step has shown.
func (d *demo) proves(format string, args ...any) {
	d.Logf("-> "+format, args...)
}

// must fails the story on an error that is no claim.
func (d *demo) must(err error) {
	if err != nil {
		d.Fatalf("%v", err)
	}
}
