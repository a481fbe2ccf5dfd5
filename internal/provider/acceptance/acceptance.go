// Package acceptance is how the tests and the demo meet the real parts: it starts the AWS emulator, puts the fault
// proxy in front of it, and runs the OpenTofu and Terraform command lines with the provider's own binary.
//
// A Harness holds what a process needs once: the emulator, the provider and the CLIs. A Sandbox is an AWS account of
// its own behind a proxy of its own, so that nothing of one test is seen by another; or it is a live account, which
// live.go opens for `make testacc`. A Workspace is a folder with a configuration and a state, run by one CLI.
//
// What is claimed about calls is counted in the proxy's journal, and what is claimed about objects is asked of the
// emulator by raw calls; neither ever comes from the CLI's summary. The package serves tests only and is no part of
// the provider. Of real AWS it sees the published examples alone: the other tests need what only the emulator and the
// proxy give, such as a call that fails.
package acceptance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// T is the part of testing.TB that the assertions of this package use, so that the demo, which is no test, can make
// them too. Fatalf does not return.
type T interface {
	Helper()
	Logf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// ErrMissing is returned, wrapped, by Start when a part that `make test` prepares is not there.
var ErrMissing = errors.New("not prepared: run make test")

// Harness is what one process needs once.
type Harness struct {
	// Root is the folder of the main module.
	Root string
	// CLIs are the command lines found, OpenTofu first.
	CLIs []CLI
	// Emulator is the running AWS emulator, nil after Prepare.
	Emulator *Emulator

	mirror string
	// enforced are the accounts of an emulator that carries out IAM policies; nil otherwise.
	enforced *enforced
}

// Start is Prepare, and starts the emulator, for which ESTATE_MOTO or .cache is asked. Stop ends it.
func Start(ctx context.Context) (*Harness, error) {
	root, err := moduleRoot(ctx)
	if err != nil {
		return nil, err
	}
	server := filepath.Join(setting("ESTATE_MOTO", filepath.Join(root, ".cache", "moto")), "bin", "moto_server")
	if _, err := os.Stat(server); err != nil {
		return nil, fmt.Errorf("AWS emulator: %w (%w)", ErrMissing, err)
	}
	h, err := Prepare(ctx)
	if err != nil {
		return nil, err
	}
	if h.Emulator, err = startEmulator(ctx, server); err != nil {
		return nil, errors.Join(err, os.RemoveAll(h.mirror))
	}
	return h, nil
}

// Around starts what the tests of a process share, runs them and ends it, and returns their exit status; what names them in
// messages. Where nothing was prepared and nobody asked for it, in a bare go test ./..., into stays nil, and each test that needs
// it has to skip.
func Around(what string, into **Harness, run func() int) int {
	started, err := Start(context.Background())
	switch {
	case errors.Is(err, ErrMissing) && os.Getenv("ESTATE_ACCEPTANCE") == "":
		fmt.Println(what, "is skipped:", err)
		return run()
	case err != nil:
		fmt.Fprintln(os.Stderr, what+":", err)
		return 1
	}
	*into = started
	defer func() {
		if err := started.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, what+":", err)
		}
	}()
	return run()
}

// Prepare finds the CLIs and makes a mirror with the provider's binary. The environment names the parts, as the
// Makefile sets it: ESTATE_TOFU and ESTATE_PROVIDER; without them they are looked for in .cache, and the provider is
// built.
func Prepare(ctx context.Context) (*Harness, error) {
	root, err := moduleRoot(ctx)
	if err != nil {
		return nil, err
	}
	h := &Harness{Root: root}
	if h.CLIs, err = findCLIs(ctx, root); err != nil {
		return nil, err
	}
	provider, err := providerBinary(ctx, root)
	if err != nil {
		return nil, err
	}
	h.mirror, err = newMirror(provider)
	return h, err
}

// Stop ends the emulator and removes the mirror.
func (h *Harness) Stop() error {
	var err error
	if h.Emulator != nil {
		err = h.Emulator.stop()
	}
	return errors.Join(err, os.RemoveAll(h.mirror))
}

// setting returns an environment variable, or the fallback where it is empty.
func setting(name, fallback string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return fallback
}

func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("finding the module: %w", err)
	}
	return filepath.Dir(strings.TrimSpace(string(out))), nil
}

// providerBinary returns the provider that the Makefile built, or builds it.
func providerBinary(ctx context.Context, root string) (string, error) {
	if path := os.Getenv("ESTATE_PROVIDER"); path != "" {
		return path, nil
	}
	path := filepath.Join(root, ".cache", "bin", "terraform-provider-estate")
	build := exec.CommandContext(ctx, "go", "build", "-ldflags", "-s -w", "-o", path, ".")
	build.Dir = root
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the provider: %w\n%s", err, out)
	}
	return path, nil
}
