package acceptance

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// providerVersion is the version that the mirror gives the provider's binary.
const providerVersion = "0.0.1"

// registryHosts are the hosts that OpenTofu and Terraform put before a source without one.
var registryHosts = []string{"registry.opentofu.org", "registry.terraform.io"}

// newMirror makes a filesystem mirror that serves the binary under both registry hosts, with a CLI configuration
// that sends the CLIs there, and returns its folder.
func newMirror(binary string) (string, error) {
	mirror, err := os.MkdirTemp("", "estate-mirror-")
	if err != nil {
		return "", err
	}
	for _, host := range registryHosts {
		dir := filepath.Join(mirror, host, "tofu-estate", "estate", providerVersion, runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", err
		}
		if err := copyFile(filepath.Join(dir, "terraform-provider-estate_v"+providerVersion), binary); err != nil {
			return "", fmt.Errorf("copying the provider: %w", err)
		}
	}
	// Both hosts are listed because a pattern may not leave the host open.
	config := fmt.Sprintf(`disable_checkpoint = true
provider_installation {
  filesystem_mirror {
    path    = %q
    include = ["registry.opentofu.org/tofu-estate/*", "registry.terraform.io/tofu-estate/*"]
  }
  direct {
    exclude = ["registry.opentofu.org/tofu-estate/*", "registry.terraform.io/tofu-estate/*"]
  }
}
`, mirror)
	return mirror, os.WriteFile(cliConfig(mirror), []byte(config), 0o644)
}

// cliConfig is the CLI configuration file of a mirror.
func cliConfig(mirror string) string { return filepath.Join(mirror, "cli.tfrc") }

// copyFile links the file where it can: the linker never writes into a binary that is there, so that a rebuild does
// not change the copy.
func copyFile(to, from string) (err error) {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return errors.Join(err, out.Close())
	}
	return out.Close()
}
