package acceptance

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofu-estate/terraform-provider-estate/internal/command"
	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
)

// markerArguments are those by which a configuration says its addresses.
var markerArguments = []string{"tofu_address", "tofu_key", "tofu_module"}

// TestStampedEstates applies each example estate as it is published, takes all that says an address out of the configuration and
// has it stamped: the plan against the state of before is empty, and stamping once more changes nothing.
func TestStampedEstates(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join("..", "..", "..", "examples", "estates", "*"))
	must(t, err)
	if len(dirs) == 0 {
		t.Fatal("there are no example estates")
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			eachCLI(t, func(t *testing.T, w *Workspace) {
				must(t, w.CopyEstate(dir))
				w.Env = append(w.Env, "TF_VAR_name=stamp-"+w.Account) // names of buckets are those of all accounts
				w.Init(t.Context()).Must(t)
				w.Apply(t.Context()).Must(t)
				before := ids(t, w)
				for _, variables := range []bool{false, true} {
					stripMarkers(t, w.Dir, variables)
					if p := w.Plan(t.Context()); p.Err == nil {
						t.Fatal("the plan does without addresses, so that stamping shows nothing")
					}
					stampIn(t, w.Dir)
					mustSayTheirAddresses(t, w)
					w.Plan(t.Context()).MustBeEmpty(t)
					stamped := configurationText(t, w.Dir)
					stampIn(t, w.Dir)
					if again := configurationText(t, w.Dir); !maps.Equal(stamped, again) {
						t.Errorf("stamping once more made\n%v\nof\n%v", again, stamped)
					}
				}
				w.Apply(t.Context()).Must(t)
				if after := ids(t, w); !maps.Equal(after, before) {
					t.Errorf("the state held %v and holds %v", before, after)
				}
			})
		})
	}
}

// stampIn stamps the configuration in a folder.
func stampIn(t *testing.T, dir string) {
	t.Helper()
	var out, errs bytes.Buffer
	if status := command.Run([]string{"stamp", "-write", dir}, &out, &errs); status != command.Fine || errs.Len() > 0 {
		t.Fatalf("stamp returned %d\n%s%s", status, out.String(), errs.String())
	}
	// What it leaves is nothing to show either.
	if status := command.Run([]string{"stamp", dir}, &out, &errs); status != command.Fine {
		t.Fatalf("there is more to stamp\n%s", out.String())
	}
}

// stripMarkers takes the markers' arguments out of all blocks, and the declarations of their variable too where asked.
func stripMarkers(t *testing.T, dir string, variables bool) {
	t.Helper()
	removed := 0
	for name, text := range configurationText(t, dir) {
		file, diagnostics := hclwrite.ParseConfig([]byte(text), name, hcl.InitialPos)
		if diagnostics.HasErrors() {
			t.Fatal(diagnostics)
		}
		for _, b := range file.Body().Blocks() {
			if variables && b.Type() == "variable" && slices.Equal(b.Labels(), []string{"tofu_module"}) {
				file.Body().RemoveBlock(b)
				continue
			}
			for _, argument := range markerArguments {
				if b.Body().RemoveAttribute(argument) != nil {
					removed++
				}
			}
		}
		must(t, os.WriteFile(name, hclwrite.Format(file.Bytes()), 0o644))
	}
	if removed == 0 {
		t.Fatal("the configuration has no markers")
	}
}

// configurationText are the files of a configuration, by their paths.
func configurationText(t *testing.T, dir string) map[string]string {
	t.Helper()
	var paths []string
	must(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && filepath.Ext(path) == ".tf" {
			paths = append(paths, path)
		}
		return err
	}))
	out := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(t, err)
		out[path] = string(text)
	}
	return out
}

// mustSayTheirAddresses evaluates the configuration, and holds what each instance says of its address to what the provider has
// written into the state.
func mustSayTheirAddresses(t *testing.T, w *Workspace) {
	t.Helper()
	tree, diagnostics := configuration.Load(w.Dir)
	if diagnostics.HasErrors() {
		t.Fatal(diagnostics)
	}
	values, diagnostics := configuration.ReadValues(tree, w.Env, nil)
	if diagnostics.HasErrors() {
		t.Fatal(diagnostics)
	}
	said := map[string]bool{}
	for _, r := range configuration.Evaluate(tree, configuration.Options{Values: values}).List().Instances {
		address, ok := r.Module.Argument(r.Resource, r.Repetition, "tofu_address")
		if !ok {
			continue
		}
		if own := r.Address.Block().String(); !address.RawEquals(cty.StringVal(own)) {
			t.Errorf("%s says the address %#v, want %s", r, address, own)
		}
		said[r.String()] = true
	}
	for address, i := range w.MustState(t) {
		if (i.Text("tofu_address") != "") != said[address] {
			t.Errorf("%s says its address: %v", address, said[address])
		}
	}
}
