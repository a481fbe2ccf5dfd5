package configuration_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// linked is a configuration whose modules are reached through links, inside the folder and from one beside it.
const linked = `-- root/main.tf --
module "link" {
  source = "./link"
}
module "beside" {
  source = "../beside"
}
-- root/real/deep/main.tf --
module "near" {
  source = "../near"
}
resource "terraform_data" "a" { for_each = toset([path.module]) }
-- root/real/near/main.tf --
resource "terraform_data" "a" { for_each = toset([path.module]) }
-- beside/main.tf --
resource "terraform_data" "a" { for_each = toset([path.module]) }
`

var linkedList = []string{
	`module.beside.terraform_data.a["../beside"]`,
	`module.link.terraform_data.a["real/deep"]`,
	`module.link.module.near.terraform_data.a["real/near"]`,
}

// link writes that configuration, and returns the root's folder and a link to it.
func link(t *testing.T) (x tree, root, also string) {
	t.Helper()
	x, dir := inline(t, linked)
	root, also = filepath.Join(dir, "root"), filepath.Join(t.TempDir(), "also")
	for name, target := range map[string]string{filepath.Join(root, "link"): filepath.Join("real", "deep"), also: root} {
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	return x, root, also
}

// TestLinks follows links before it looks for what is beside a module.
func TestLinks(t *testing.T) {
	x, root, also := link(t)
	for _, dir := range []string{root, also} {
		if got := addresses(t, x, dir); !slices.Equal(got, linkedList) {
			t.Errorf("addresses of %s\n%s\nwant\n%s", dir, strings.Join(got, "\n"), strings.Join(linkedList, "\n"))
		}
	}
}

// TestLinksAsTools holds it to the tools.
func TestLinksAsTools(t *testing.T) {
	eachTool(t, func(t *testing.T, c cli) {
		_, root, also := link(t)
		for _, dir := range []string{root, also} {
			c.must(t, dir, nil, "init", "-no-color")
			c.must(t, dir, nil, "apply", "-auto-approve", "-no-color")
			got := strings.Split(strings.TrimSpace(c.must(t, dir, nil, "state", "list", "-no-color")), "\n")
			if !slices.Equal(got, linkedList) {
				t.Errorf("state list of %s\n%s\nwant\n%s", dir, strings.Join(got, "\n"), strings.Join(linkedList, "\n"))
			}
		}
	})
}

// TestDataDirectory finds fetched modules where TF_DATA_DIR says, as seen from the root, and by an absolute path.
func TestDataDirectory(t *testing.T) {
	const files = `-- main.tf --
module "m" {
  source = "example.com/some/thing/x"
}
-- kept/m/main.tf --
resource "terraform_data" "a" {}
`
	for name, absolute := range map[string]bool{"relative": false, "absolute": true} {
		t.Run(name, func(t *testing.T) {
			x, dir := inline(t, files)
			data, at := "kept", "kept/m"
			if absolute {
				data, at = filepath.Join(dir, data), filepath.Join(dir, at)
			}
			t.Setenv("TF_DATA_DIR", data)
			if err := os.MkdirAll(filepath.Join(dir, "kept", "modules"), 0o700); err != nil {
				t.Fatal(err)
			}
			manifest := `{"Modules":[{"Key":"m","Dir":"` + filepath.ToSlash(at) + `"}]}`
			if err := os.WriteFile(filepath.Join(dir, "kept", "modules", "modules.json"), []byte(manifest), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := addresses(t, x, dir); !slices.Equal(got, []string{"module.m.terraform_data.a"}) {
				t.Errorf("addresses %q", got)
			}
		})
	}
}
