package provider

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// resourceOnly are the engine's attributes that steer a resource and say nothing of the object.
var resourceOnly = []string{"adopt_unmarked", "on_existing", "restore", "tags_all", "tofu_on_destroy"}

// overEstates are the data sources that show an estate and no type.
var overEstates = []string{"estate_inventory", "estate_object", "estate_audit"}

// TestEveryTypeHasADataSource holds the data sources to the resources: the same names, attributes and types, and nothing
// that can be given but what looks an object up.
func TestEveryTypeHasADataSource(t *testing.T) {
	resp, err := Server("test")().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if len(resp.DataSourceSchemas) != len(resourceTypes)+len(overEstates) {
		t.Errorf("%d data sources of %d types, and %q over a whole estate", len(resp.DataSourceSchemas), len(resourceTypes), overEstates)
	}
	for name, resource := range resp.ResourceSchemas {
		source, ok := resp.DataSourceSchemas[name]
		if !ok {
			t.Errorf("%s has no data source", name)
			continue
		}
		shown := map[string]*tfprotov6.SchemaAttribute{}
		for _, a := range source.Block.Attributes {
			shown[a.Name] = a
			if a.Description == "" || !strings.HasSuffix(a.Description, ".") {
				t.Errorf("data.%s.%s: the description %q is no sentence", name, a.Name, a.Description)
			}
			if a.Optional && !a.Computed {
				t.Errorf("data.%s.%s is not computed", name, a.Name)
			}
		}
		for _, a := range resource.Block.Attributes {
			is := shown[a.Name]
			switch {
			case slices.Contains(resourceOnly, a.Name):
				if is != nil {
					t.Errorf("data.%s has %s", name, a.Name)
				}
			case is == nil: // a Setting, which a configuration gives and AWS never shows
				if a.Computed && !a.Optional {
					t.Errorf("data.%s lacks %s, which AWS decides", name, a.Name)
				}
			case is.NestedType == nil && !is.Type.Equal(a.Type):
				t.Errorf("data.%s.%s is of the type %s, the resource's of %s", name, a.Name, is.Type, a.Type)
			}
		}
		for _, b := range resource.Block.BlockTypes {
			if shown[b.TypeName] == nil && b.TypeName != "timeouts" {
				t.Errorf("data.%s lacks the block %s", name, b.TypeName)
			}
		}
	}
}

// TestEveryDataSourceHasAnExample looks for the published examples; that they are valid is an acceptance test.
func TestEveryDataSourceHasAnExample(t *testing.T) {
	const dir = "../../examples/data-sources"
	folders, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var have, want []string
	for _, f := range folders {
		have = append(have, f.Name())
	}
	names := slices.Clone(overEstates)
	for _, typ := range resourceTypes {
		names = append(names, "estate_"+typ.Name())
	}
	for _, name := range names {
		want = append(want, name)
		text, err := os.ReadFile(filepath.Join(dir, name, "data-source.tf"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !strings.Contains(string(text), `data "`+name+`" `) {
			t.Errorf("the example of %s does not read it", name)
		}
	}
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("examples of %v, wanted %v", have, want)
	}
}
