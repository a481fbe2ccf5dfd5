package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
)

// errMissing is returned, wrapped, when a part that `make` prepares is not there.
var errMissing = errors.New("not prepared: run make docs or make test")

// generator knows where the parts are.
type generator struct {
	// root is the folder of the repository.
	root string
	// tofu, provider and tfplugindocs are binaries.
	tofu, provider, tfplugindocs string
}

// fromEnvironment reads where the parts are, as the Makefile sets it.
func fromEnvironment(root string) (generator, error) {
	root, err := filepath.Abs(root)
	g := generator{root: root}
	if err != nil {
		return g, err
	}
	if g.tofu, err = part("ESTATE_TOFU"); err != nil {
		return g, err
	}
	if g.provider, err = part("ESTATE_PROVIDER"); err != nil {
		return g, err
	}
	g.tfplugindocs, err = part("ESTATE_TFPLUGINDOCS")
	return g, err
}

// part is the file that an environment variable names.
func part(variable string) (string, error) {
	path := os.Getenv(variable)
	if path == "" {
		return "", fmt.Errorf("%s is not set: %w", variable, errMissing)
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s: %w (%w)", variable, errMissing, err)
	}
	return path, nil
}

// generate renders the pages in the empty folder work and returns the folder that holds them.
func (g generator) generate(ctx context.Context, work string) (string, error) {
	schema, err := g.schema(ctx, filepath.Join(work, "schema"))
	if err != nil {
		return "", err
	}
	// tfplugindocs writes beside what it reads, so that it gets copies.
	provider := filepath.Join(work, "provider")
	for _, name := range []string{"templates", "examples"} {
		if err := os.CopyFS(filepath.Join(provider, name), os.DirFS(filepath.Join(g.root, name))); err != nil {
			return "", err
		}
	}
	err = g.run(ctx, work, "generate", "--provider-dir", provider, "--provider-name", "estate", "--providers-schema", schema)
	if err != nil {
		return "", err
	}
	pages := filepath.Join(provider, "docs")
	if err := subcategories(pages); err != nil {
		return "", err
	}
	if err := permissionsGuide(pages); err != nil {
		return "", err
	}
	return pages, g.run(ctx, work, "validate", "--provider-dir", provider, "--provider-name", "estate", "--providers-schema", schema)
}

// run runs tfplugindocs and shows what it says when it fails.
func (g generator) run(ctx context.Context, dir string, args ...string) error {
	command := exec.CommandContext(ctx, g.tfplugindocs, args...)
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("tfplugindocs %s: %w\n%s", args[0], err, out)
	}
	return nil
}

// schema asks the provider for its schema, through the CLI, and returns the file that holds it as tfplugindocs wants it:
// under the provider's short name.
func (g generator) schema(ctx context.Context, dir string) (string, error) {
	files := map[string]string{
		"main.tf": "terraform {\n  required_providers {\n    estate = {\n      source = \"tofu-estate/estate\"\n    }\n  }\n}\n",
		"cli.tfrc": fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"tofu-estate/estate\" = %q\n  }\n  direct {}\n}\n",
			filepath.Dir(g.provider)),
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return "", err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	command := exec.CommandContext(ctx, g.tofu, "providers", "schema", "-json")
	command.Dir = dir
	command.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+filepath.Join(dir, "cli.tfrc"), "CHECKPOINT_DISABLE=1")
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("asking for the schema: %w", withStderr(err))
	}
	renamed, err := shortNamed(out)
	if err != nil {
		return "", fmt.Errorf("reading the schema: %w", err)
	}
	path := filepath.Join(dir, "schema.json")
	return path, os.WriteFile(path, renamed, 0o600)
}

// withStderr adds what a command printed to its error.
func withStderr(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%w\n%s", err, exit.Stderr)
	}
	return err
}

// shortNamed puts the only provider of a schema under its short name.
func shortNamed(schema []byte) ([]byte, error) {
	var all struct {
		Format    string                     `json:"format_version"`
		Providers map[string]json.RawMessage `json:"provider_schemas"`
	}
	if err := json.Unmarshal(schema, &all); err != nil {
		return nil, err
	}
	if len(all.Providers) != 1 {
		return nil, fmt.Errorf("it holds %d providers", len(all.Providers))
	}
	for name, one := range all.Providers {
		delete(all.Providers, name)
		all.Providers["estate"] = one
	}
	return json.Marshal(all)
}

// emptySubcategory is what the templates of types hold.
const emptySubcategory = `subcategory: ""`

// subcategories writes the Service of each type into the front matter of its pages.
func subcategories(pages string) error {
	for _, t := range provider.Types() {
		for _, kind := range []string{"resources", "data-sources"} {
			path := filepath.Join(pages, kind, t.Name()+".md")
			text, err := os.ReadFile(path)
			if err != nil {
				return fmt.Errorf("the page of %s: %w", t.Name(), err)
			}
			page := string(text)
			if strings.Count(page, emptySubcategory) != 1 {
				return fmt.Errorf("%s: the template should hold %s once", path, emptySubcategory)
			}
			page = strings.Replace(page, emptySubcategory, fmt.Sprintf("subcategory: %q", t.Service()), 1)
			if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}
