package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// harness is shared by all tests of the process; nil when CLIs and emulator were not prepared.
var harness *acceptance.Harness

func TestMain(m *testing.M) {
	os.Exit(acceptance.Around("the soak", &harness, m.Run))
}

// must fails the test on an error that is no claim.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestSoak plays a few rounds on a small estate under each CLI; make soak plays long ones.
func TestSoak(t *testing.T) {
	if harness == nil {
		t.Skip("needs the CLI and the emulator that make test prepares")
	}
	for _, cli := range harness.CLIs {
		t.Run(cli.Name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			s, err := newSoak(t.Context(), harness, cli, options{seed: testSeed, rounds: testRounds, objects: 20, log: &log}, t.TempDir())
			must(t, err)
			defer s.close()
			if err := s.run(t.Context()); err != nil {
				t.Fatalf("%v\n%s", err, log.String())
			}
			if s.tally.checks != testRounds || s.tally.kills() == 0 || s.tally.most < 20 {
				t.Errorf("a soak that shows nothing: %+v\n%s", s.tally, log.String())
			}
			if lines := strings.Count(log.String(), "\n"); lines <= testRounds || strings.Contains(log.String(), "FAILED") {
				t.Errorf("log:\n%s", log.String())
			}
		})
	}
}

// The seed gives several kills and losses in few rounds.
const (
	testSeed   = 1778
	testRounds = 2
)
