package configuration

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
)

// extensions are those of configuration files, the ones first that hide the later ones of the same name: OpenTofu reads a.tofu
// in place of a.tf.
var extensions = []string{".tofu", ".tofu.json", ".tf", ".tf.json"}

// sources are the configuration files of a folder, in the order in which they are read.
func sources(dir string) (primary, overrides []string, diags hcl.Diagnostics) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, hcl.Diagnostics{failure("Module directory cannot be read", fmt.Sprintf("%s cannot be read: %s.", dir, err), nil)}
	}
	names := map[string]bool{}
	for _, e := range entries {
		if !e.IsDir() {
			names[e.Name()] = true
		}
	}
	for _, e := range entries {
		name := e.Name()
		stem, ext := split(name)
		if e.IsDir() || ext == "" || isIgnored(name) {
			continue
		}
		if strings.HasPrefix(ext, ".tf") && names[stem+strings.Replace(ext, ".tf", ".tofu", 1)] {
			continue
		}
		path := filepath.Join(dir, name)
		if stem == "override" || strings.HasSuffix(stem, "_override") {
			overrides = append(overrides, path)
		} else {
			primary = append(primary, path)
		}
	}
	return primary, overrides, nil
}

// split returns a file's name without its extension, and the extension, "" where it is no configuration file.
func split(name string) (stem, ext string) {
	// The longer ones first: .tf.json ends in neither of the others, but a.tf.json has the stem a.
	sorted := slices.Clone(extensions)
	slices.SortFunc(sorted, func(a, b string) int { return len(b) - len(a) })
	for _, ext := range sorted {
		if stem, ok := strings.CutSuffix(name, ext); ok {
			return stem, ext
		}
	}
	return name, ""
}

// isIgnored tells whether an editor made the file.
func isIgnored(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") || strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#")
}

// parseFile reads one file. The body is nil where it cannot be read at all.
func parseFile(parser *hclparse.Parser, path string) (hcl.Body, hcl.Diagnostics) {
	var file *hcl.File
	var diags hcl.Diagnostics
	if strings.HasSuffix(path, ".json") {
		file, diags = parser.ParseJSONFile(path)
	} else {
		file, diags = parser.ParseHCLFile(path)
	}
	if file == nil || file.Body == nil {
		return nil, diags
	}
	return file.Body, diags
}

// failure is an error of this package.
func failure(summary, detail string, subject *hcl.Range) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: subject}
}
