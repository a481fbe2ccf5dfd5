package acceptance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// commandLimit is how long one CLI command may take. The slowest take seconds; a hang must not stop the whole run.
const commandLimit = 5 * time.Minute

// Workspace is a folder with a configuration and a state, run by one CLI in one sandbox.
type Workspace struct {
	*Sandbox
	// CLI is the command line that runs here.
	CLI CLI
	// Dir is the folder.
	Dir string
	// Env are further NAME=value settings of each command, such as TOFU_ON_EXISTING=create.
	Env []string
	// Started is called with the process id of each command. Optional.
	Started func(pid int)
	// Process says how the system starts each command, such as in a process group of its own. Optional.
	Process *syscall.SysProcAttr
}

// NewWorkspace makes an empty workspace in dir, which must exist.
func (s *Sandbox) NewWorkspace(cli CLI, dir string) *Workspace {
	return &Workspace{Sandbox: s, CLI: cli, Dir: dir}
}

// ProviderBlock is the configuration that every workspace needs: where the provider comes from and its estate.
// Arguments are further lines of the provider block.
func ProviderBlock(estate string, arguments ...string) string {
	return fmt.Sprintf(`terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

provider "estate" {
  estate = %q
  %s
}
`, estate, strings.Join(arguments, "\n  "))
}

// Write puts text into a file of the workspace and makes its folders.
func (w *Workspace) Write(file, text string) error {
	path := filepath.Join(w.Dir, file)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// Remove deletes a file of the workspace.
func (w *Workspace) Remove(file string) error { return os.Remove(filepath.Join(w.Dir, file)) }

// CopyFile copies a file of the repository into the workspace, under this name.
func (w *Workspace) CopyFile(from, file string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return w.Write(file, string(text))
}

// CopyEstate copies a configuration of the repository with its modules. What stands in its folder steps stays out.
func (w *Workspace) CopyEstate(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "steps":
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".tf":
			return nil
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		return w.CopyFile(path, name)
	})
}

// Init installs the provider from the mirror, and modules.
func (w *Workspace) Init(ctx context.Context) Result { return w.Run(ctx, "init") }

// Apply runs apply -auto-approve.
func (w *Workspace) Apply(ctx context.Context, args ...string) Result {
	return w.Run(ctx, append([]string{"apply", "-json", "-auto-approve"}, args...)...)
}

// Destroy runs destroy -auto-approve.
func (w *Workspace) Destroy(ctx context.Context, args ...string) Result {
	return w.Run(ctx, append([]string{"destroy", "-json", "-auto-approve"}, args...)...)
}

// Import runs the import command.
func (w *Workspace) Import(ctx context.Context, address, id string) Result {
	return w.Run(ctx, "import", address, id)
}

// Taint marks an instance for replacement.
func (w *Workspace) Taint(ctx context.Context, address string) Result {
	return w.Run(ctx, "taint", address)
}

// Untaint takes the mark for replacement off.
func (w *Workspace) Untaint(ctx context.Context, address string) Result {
	return w.Run(ctx, "untaint", address)
}

// StateRm forgets instances without touching their objects.
func (w *Workspace) StateRm(ctx context.Context, addresses ...string) Result {
	return w.Run(ctx, append([]string{"state", "rm"}, addresses...)...)
}

// Run runs one command of the CLI and waits for it.
func (w *Workspace) Run(ctx context.Context, args ...string) Result {
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	verb := args[0]
	if slices.Contains([]string{"init", "plan", "apply", "destroy", "import"}, verb) {
		args = append([]string{verb, "-no-color", "-input=false"}, args[1:]...)
	}
	var stdout, stderr strings.Builder
	command := exec.CommandContext(ctx, w.CLI.Path, args...)
	command.Dir = w.Dir
	command.Env = w.environment()
	command.Stdout, command.Stderr = &stdout, &stderr
	command.SysProcAttr = w.Process
	// Providers that outlive a killed CLI keep its pipes open; they are not waited for.
	command.WaitDelay = 5 * time.Second
	if err := command.Start(); err != nil {
		return Result{Command: verb, Exit: -1, Err: err}
	}
	if w.Started != nil {
		w.Started(command.Process.Pid)
	}
	err := command.Wait()
	r := Result{Command: verb, Exit: command.ProcessState.ExitCode(), Stdout: stdout.String(), Stderr: stderr.String()}
	r.Diagnostics = diagnosticsOf(r.Stdout)
	if err != nil {
		r.Err = fmt.Errorf("%s %s: %w", w.CLI, strings.Join(args, " "), errors.Join(err, ctx.Err()))
	}
	return r
}

// environment is all that a command sees: nothing of the user's CLI settings reaches it, and of the AWS settings nothing
// but what a live account needs.
func (w *Workspace) environment() []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + w.Dir,
		"TMPDIR=" + os.TempDir(),
		"TF_CLI_CONFIG_FILE=" + cliConfig(w.mirror),
		"TF_IN_AUTOMATION=1",
		"CHECKPOINT_DISABLE=1",
	}
	return slices.Concat(env, w.settings, w.Env)
}
