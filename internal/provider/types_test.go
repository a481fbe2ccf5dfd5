package provider

import "testing"

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
