package provider

import (
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/imports"
)

// TestTypesCheck runs the descriptor self-check of every type; its errors name the type.
func TestTypesCheck(t *testing.T) {
	if len(resourceTypes) == 0 {
		t.Fatal("no types are registered")
	}
	for _, typ := range resourceTypes {
		if err := typ.Check(); err != nil {
			t.Error(err)
		}
	}
}

// TestTypesHaveImportIDs holds that the table of import ids knows each type: how it is told by an ARN, or that it has none.
func TestTypesHaveImportIDs(t *testing.T) {
	for name, s := range ourSchemas(t) {
		want := " has no ARN: "
		for _, a := range s.Block.Attributes {
			if a.Name == "tags" {
				want = ", whose ARNs are "
			}
		}
		if _, err := imports.Of(name, "arn:::::"); err == nil || !strings.Contains(err.Error(), name+want) {
			t.Errorf("%s: got %v, want an error with %q; its row belongs into internal/imports", name, err, name+want)
		}
	}
}
