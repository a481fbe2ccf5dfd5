package configuration_test

import (
	"strings"
	"testing"
)

// TestCountWithoutEnd refuses a count of which no memory holds the instances.
func TestCountWithoutEnd(t *testing.T) {
	x, dir := inline(t, "-- main.tf --\nresource \"terraform_data\" \"a\" {\n  count = 1000000000000\n}\n")
	if at, diags := firstError(t, x, dir); at != "main.tf:2" || !strings.Contains(diags.Error(), "more than 1000000 instances are not listed") {
		t.Errorf("the first error is at %q: %v", at, diags)
	}
}
