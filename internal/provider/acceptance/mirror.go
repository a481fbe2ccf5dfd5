package acceptance

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// providerVersion is the version that the mirror gives the provider's binary.
const providerVersion = "0.0.1"

// registryHosts are the hosts that OpenTofu and Terraform put before a source without one.
var registryHosts = []string{"registry.opentofu.org", "registry.terraform.io"}

// mirrored are the providers that the mirror has, by source. A CLI wants the provider of every resource in a state, also of
// one that a moved block gives to another, and asks it for its schema alone: the binary stands in for hashicorp/aws.
var mirrored = map[string]string{"tofu-estate/estate": providerVersion, "hashicorp/aws": "6.0.0"}

// newMirror makes a filesystem mirror that serves the binary under both registry hosts, with a CLI configuration
// that sends the CLIs there, and returns its folder.
func newMirror(binary string) (string, error) {
	mirror, err := os.MkdirTemp("", "estate-mirror-")
	if err != nil {
		return "", err
	}
	var patterns []string
	from := binary
	for _, host := range registryHosts {
		for source, version := range mirrored {
			patterns = append(patterns, strconv.Quote(host+"/"+source))
			dir := filepath.Join(mirror, host, filepath.FromSlash(source), version, runtime.GOOS+"_"+runtime.GOARCH)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return "", err
			}
			to := filepath.Join(dir, "terraform-provider-"+path.Base(source)+"_v"+version)
			if err := copyFile(to, from); err != nil {
				return "", fmt.Errorf("copying the provider: %w", err)
			}
			from = to // the next are links, also where the first cannot be
		}
	}
	// Both hosts are listed because a pattern may not leave the host open.
	config := fmt.Sprintf(`disable_checkpoint = true
provider_installation {
  filesystem_mirror {
    path    = %[1]q
    include = [%[2]s]
  }
  direct {
    exclude = [%[2]s]
  }
}
`, mirror, strings.Join(patterns, ", "))
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
