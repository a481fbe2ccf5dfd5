package provider

import "testing"

// TestTypesCheck runs the descriptor self-check of every type.
func TestTypesCheck(t *testing.T) {
	if len(resourceTypes) == 0 {
		t.Fatal("no types are registered")
	}
	for _, typ := range resourceTypes {
		if err := typ.Check(); err != nil {
			t.Errorf("%s: %v", typ.Name(), err)
		}
	}
}
