package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const repository = "../.."

// TestPagesAreCurrent generates the pages anew and compares them with docs/.
func TestPagesAreCurrent(t *testing.T) {
	g, err := fromEnvironment(repository)
	if errors.Is(err, errMissing) && os.Getenv("ESTATE_ACCEPTANCE") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	generated, err := g.generate(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	want, have := readPages(t, generated), readPages(t, filepath.Join(repository, "docs"))
	for name, text := range want {
		switch is, ok := have[name]; {
		case !ok:
			t.Errorf("docs/%s is missing: run make docs", name)
		case is != text:
			t.Errorf("docs/%s is not what make docs writes: %s", name, firstDifference(is, text))
		}
	}
	for name := range have {
		if _, ok := want[name]; !ok {
			t.Errorf("docs/%s is left over: run make docs", name)
		}
	}
	for _, name := range []string{"index.md", "resources/vpc.md", "data-sources/vpc.md", "guides/ownership.md"} {
		if want[name] == "" {
			t.Errorf("make docs writes no %s", name)
		}
	}
	if !strings.Contains(want["resources/vpc.md"], "subcategory: \"VPC\"\n") {
		t.Error("the page of estate_vpc is in no subcategory")
	}
}

// readPages returns the texts of all files by their paths within dir.
func readPages(t *testing.T, dir string) map[string]string {
	t.Helper()
	out, root := map[string]string{}, os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		out[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// firstDifference names the first line in which two texts differ.
func firstDifference(is, want string) string {
	a, b := strings.Split(is, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return strings.Join([]string{"line", lineOf(a, i), "should be", lineOf(b, i)}, " ")
		}
	}
	return "no line differs"
}

func lineOf(lines []string, i int) string {
	if i >= len(lines) {
		return "(none)"
	}
	return "\"" + lines[i] + "\""
}

func TestFirstDifference(t *testing.T) {
	if got := firstDifference("a\nb", "a\nc"); got != `line "b" should be "c"` {
		t.Error(got)
	}
	if got := firstDifference("a", "a\nc"); got != `line (none) should be "c"` {
		t.Error(got)
	}
}

func TestShortNamed(t *testing.T) {
	const schema, want = `{"format_version":"1.0","provider_schemas":{"registry.opentofu.org/tofu-estate/estate":{"a":1}}}`,
		`{"format_version":"1.0","provider_schemas":{"estate":{"a":1}}}`
	got, err := shortNamed([]byte(schema))
	if err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	if _, err := shortNamed([]byte(`{"provider_schemas":{}}`)); err == nil {
		t.Error("a schema without a provider was taken")
	}
}
