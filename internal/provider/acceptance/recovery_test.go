package acceptance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The tests of this file and of recovery_aws_test.go play the guide Recovery: each section has a configuration in
// examples/recovery, and what the guide says that the user sees is compared with what the CLI says.

// recoveryGuide is the guide's source.
const recoveryGuide = "../../../templates/guides/recovery.md.tmpl"

// recoveryExample is the folder of a section's configuration.
func recoveryExample(name string) string {
	return filepath.Join("..", "..", "..", "examples", "recovery", name)
}

// quotes fails the test unless a command says each of the phrases, and the guide quotes it.
func quotes(t *testing.T, r Result, phrases ...string) {
	t.Helper()
	guide, err := os.ReadFile(recoveryGuide)
	must(t, err)
	said := r.Stdout + r.Text()
	for _, p := range phrases {
		if !strings.Contains(strings.Join(strings.Fields(said), " "), p) {
			t.Errorf("%s does not say %q:\n%s", r.Command, p, r.explain())
		}
		if !strings.Contains(strings.Join(strings.Fields(string(guide)), " "), p) {
			t.Errorf("the guide does not quote %q", p)
		}
	}
}
