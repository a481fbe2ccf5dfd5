package acceptance

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// schemaBlock is a block of the provider's schema as the CLI prints it.
type schemaBlock struct {
	Attributes map[string]struct {
		Required bool `json:"required"`
		Optional bool `json:"optional"`
	} `json:"attributes"`
	Blocks map[string]struct {
		Block schemaBlock `json:"block"`
	} `json:"block_types"`
}

// configurable adds the names of all arguments that a configuration can set; those of nested blocks have the
// block's name before them.
func (b schemaBlock) configurable(prefix string, names map[string]bool) {
	for name, a := range b.Attributes {
		if a.Required || a.Optional {
			names[prefix+name] = true
		}
	}
	for name, nested := range b.Blocks {
		nested.Block.configurable(prefix+name+".", names)
	}
}

// resourceSchemas asks the provider's binary, through the CLI, for its resource types.
func resourceSchemas(ctx context.Context, w *Workspace) (map[string]schemaBlock, error) {
	r := w.Run(ctx, "providers", "schema", "-json")
	if r.Err != nil {
		return nil, fmt.Errorf("%w\n%s", r.Err, r.explain())
	}
	var answer struct {
		Providers map[string]struct {
			Resources map[string]struct {
				Block schemaBlock `json:"block"`
			} `json:"resource_schemas"`
		} `json:"provider_schemas"`
	}
	if err := json.Unmarshal([]byte(r.Stdout), &answer); err != nil {
		return nil, err
	}
	out := map[string]schemaBlock{}
	for _, p := range answer.Providers {
		for name, resource := range p.Resources {
			out[name] = resource.Block
		}
	}
	return out, nil
}

// engineArguments steer the provider and never reach AWS; tests of the engine prove them.
var engineArguments = []string{"tofu_address", "tofu_key", "tofu_on_destroy", "adopt_unmarked", "on_existing", "restore"}

// TestExamplesAreComplete holds the examples and the lifecycle test to the schema: each type has a lifecycle, its
// examples together set every attribute, and each attribute is changed by an edit or has a reason why not.
func TestExamplesAreComplete(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "lifecycle", "")
		schemas, err := resourceSchemas(t.Context(), w)
		must(t, err)
		if len(schemas) == 0 {
			t.Fatal("the provider has no resource types")
		}
		for _, resourceType := range slices.Sorted(maps.Keys(schemas)) {
			i := slices.IndexFunc(lifecycles, func(l lifecycle) bool { return l.Type == resourceType })
			if i < 0 {
				t.Errorf("%s has no lifecycle", resourceType)
				continue
			}
			configurable := map[string]bool{}
			schemas[resourceType].configurable("", configurable)
			lifecycles[i].complete(t, configurable)
		}
	})
}

func (l lifecycle) complete(t *testing.T, configurable map[string]bool) {
	t.Helper()
	set := map[string]bool{}
	for _, file := range exampleFiles(t, l.Type) {
		text, err := os.ReadFile(filepath.Join(exampleDir(l.Type), file))
		must(t, err)
		must(t, argumentsOf(string(text), file, l.Type, set))
	}
	changed := map[string]bool{}
	for _, e := range l.Edits {
		changed[e.Attr] = true
	}
	for _, name := range slices.Sorted(maps.Keys(configurable)) {
		if !set[name] {
			t.Errorf("no example of %s sets %s", l.Type, name)
		}
		_, unchanged := l.Unchanged[name]
		switch own := !slices.Contains(engineArguments, name); {
		case own && !changed[name] && !unchanged:
			t.Errorf("no edit of %s changes %s, and no reason is given", l.Type, name)
		case changed[name] && unchanged:
			t.Errorf("%s.%s is changed by an edit, and there is a reason why it is not", l.Type, name)
		}
	}
	for name, reason := range l.Unchanged {
		if !configurable[name] || reason == "" {
			t.Errorf("%s: the reason for not changing %q is stale or empty", l.Type, name)
		}
	}
	for file, reason := range l.Unapplied {
		if !slices.Contains(exampleFiles(t, l.Type), file) || reason == "" {
			t.Errorf("%s: the reason for not applying %q is stale or empty", l.Type, file)
		}
	}
	for _, e := range l.Edits {
		if !slices.Contains(exampleFiles(t, l.Type), e.file()) {
			t.Errorf("%s: the edit of %s is in %s, which does not exist", l.Type, e.Attr, e.file())
		}
	}
}
