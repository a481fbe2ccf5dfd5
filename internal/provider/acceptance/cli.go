package acceptance

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Names of the two command lines.
const (
	OpenTofu  = "OpenTofu"
	Terraform = "Terraform"
)

// CLI is one command line that runs the provider.
type CLI struct {
	// Name is OpenTofu or Terraform.
	Name string
	// Path is the binary.
	Path string
	// Version is what it calls itself, such as 1.12.6.
	Version string
}

// String returns name and version.
func (c CLI) String() string { return c.Name + " " + c.Version }

// StoresIdentity says whether the CLI keeps resource identities and imports by them: from version 1.12 on, both do.
func (c CLI) StoresIdentity() bool { return atLeast(c.Version, 1, 12) }

// registry is the host that the CLI puts before a source without one.
func (c CLI) registry() string {
	if c.Name == OpenTofu {
		return registryHosts[0]
	}
	return registryHosts[1]
}

// findCLIs returns OpenTofu, which must be there, and Terraform 1.8 or newer where it is on PATH.
func findCLIs(ctx context.Context, root string) ([]CLI, error) {
	tofu := os.Getenv("ESTATE_TOFU")
	if tofu == "" {
		tofu = filepath.Join(root, ".cache", "bin", "tofu")
		if _, err := os.Stat(tofu); err != nil {
			if tofu, err = exec.LookPath("tofu"); err != nil {
				return nil, fmt.Errorf("OpenTofu: %w (%w)", ErrMissing, err)
			}
		}
	}
	version, err := cliVersion(ctx, tofu)
	if err != nil {
		return nil, err
	}
	found := []CLI{{Name: OpenTofu, Path: tofu, Version: version}}

	terraform, err := exec.LookPath("terraform")
	if err != nil {
		return found, nil //nolint:nilerr // Terraform is optional: not on PATH means not used.
	}
	if version, err = cliVersion(ctx, terraform); err != nil {
		return nil, err
	}
	if atLeast(version, 1, 8) {
		found = append(found, CLI{Name: Terraform, Path: terraform, Version: version})
	}
	return found, nil
}

func cliVersion(ctx context.Context, path string) (string, error) {
	command := exec.CommandContext(ctx, path, "version", "-json")
	// The user's own CLI configuration is not ours to read; an empty one is always there.
	command.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+os.DevNull, "CHECKPOINT_DISABLE=1")
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s version: %w", path, err)
	}
	var answer struct {
		Version string `json:"terraform_version"` // OpenTofu keeps the name
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return "", fmt.Errorf("%s version: %w", path, err)
	}
	return answer.Version, nil
}

// atLeast compares the first two numbers of a version; a version that it cannot read is older than any.
func atLeast(version string, major, minor int) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	a, errA := strconv.Atoi(parts[0])
	b, errB := strconv.Atoi(parts[1])
	return errA == nil && errB == nil && (a > major || a == major && b >= minor)
}
