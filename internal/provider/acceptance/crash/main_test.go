package main

import (
	"os"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// harness is shared by all tests of the process; nil when the emulator was not prepared.
var harness *acceptance.Harness

func TestMain(m *testing.M) {
	os.Exit(acceptance.Around("the crash matrix", &harness, m.Run))
}

// begin gives a site of the type.
func begin(t *testing.T, typ string) (*matrix, *subject, *site) {
	t.Helper()
	if harness == nil {
		t.Skip("needs the emulator that make test prepares")
	}
	must(t, environment())
	m, err := newMatrix(t.Context(), harness, 1)
	must(t, err)
	for _, sub := range subjects {
		if sub.typ == typ {
			s, err := newSite(t.Context(), harness, m.schemas, sub)
			must(t, err)
			t.Cleanup(s.close)
			return m, sub, s
		}
	}
	t.Fatalf("the matrix has no %s", typ)
	return nil, nil, nil
}

// must fails the test on an error that is no claim.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
