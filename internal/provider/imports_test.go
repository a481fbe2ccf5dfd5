package provider

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const (
	module    = "github.com/tofu-estate/terraform-provider-estate/"
	framework = "github.com/hashicorp/terraform-plugin-framework/"
	clients   = "github.com/aws/aws-sdk-go-v2/service/"
)

// layers are the module's own packages from the lowest up: a package imports only from layers below its own.
// A name that ends in a slash stands for every package under it.
var layers = [][]string{
	{"internal/markers", "internal/permissions", "internal/imports"},
	{"internal/configuration/functions", "internal/configuration/rewrite"},
	{"internal/configuration"},
	{"internal/provider/cloud"},
	{"internal/provider/engine"},
	{"internal/provider/tagging", "internal/provider/attrs", "internal/provider/functions"},
	{"internal/provider/service/"},
	{"internal/provider/inventory"},
	{"internal/provider"},
	{"internal/command"},
	{"main", "internal/docs"},
}

// forTests are packages that only tests, and each other, may import.
var forTests = []string{
	"internal/faultproxy", "internal/faultproxy/", "internal/provider/acceptance", "internal/provider/acceptance/",
	"internal/provider/canned", "internal/mutations",
}

// goPackage is what go list says of a package.
type goPackage struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// name is the import path without the module's; the root package is main.
func (p goPackage) name() string { return ownName(p.ImportPath) }

func ownName(path string) string {
	if path+"/" == module {
		return "main"
	}
	return strings.TrimPrefix(path, module)
}

func ours(path string) bool { return strings.HasPrefix(path+"/", module) }

func matches(name string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		return name == p || strings.HasSuffix(p, "/") && strings.HasPrefix(name, p)
	})
}

func layerOf(name string) int {
	return slices.IndexFunc(layers, func(l []string) bool { return matches(name, l) })
}

// TestImportsRunOneWay holds the layout: what a package may know of the others is decided here, not by convenience.
func TestImportsRunOneWay(t *testing.T) {
	packages := listPackages(t)
	for _, want := range []string{"internal/markers", "internal/provider/engine", "internal/provider"} {
		if !slices.ContainsFunc(packages, func(p goPackage) bool { return p.name() == want }) {
			t.Errorf("go list does not name %s: the test looks at the wrong packages", want)
		}
	}
	for _, p := range packages {
		for _, wrong := range faults(p) {
			t.Errorf("%s %s", p.name(), wrong)
		}
	}
}

// TestImportFaults shows that each rule finds what it is there for.
func TestImportFaults(t *testing.T) {
	cases := []struct {
		importer, imported string
		want               bool
	}{
		{"internal/markers", module + "internal/provider/cloud", true},
		{"internal/markers", "github.com/aws/smithy-go", true},
		{"internal/imports", module + "internal/markers", true},
		{"internal/imports", "github.com/aws/aws-sdk-go-v2/aws/arn", false},
		{"internal/markers", "strings", false},
		{"internal/provider/cloud", module + "internal/provider/engine", true},
		{"internal/provider/engine", module + "internal/provider/attrs", true},
		{"internal/provider/engine", module + "internal/provider/cloud", false},
		{"internal/provider/engine", clients + "ec2", true},
		{"internal/provider/service/ec2", module + "internal/provider/service/iam", true},
		{"internal/provider/service/ec2", framework + "diag", true},
		{"internal/provider/service/ec2", framework + "resource", true},
		{"internal/provider/service/ec2", framework + "resource/schema", false},
		{"internal/provider/service/ec2", clients + "ec2/types", false},
		{"internal/provider/tagging", clients + "iam", false},
		{"internal/provider", clients + "sts", true},
		{"internal/provider", module + "internal/faultproxy", true},
		{"internal/provider", module + "internal/provider/service/ec2", false},
		{"internal/other", "strings", true},
	}
	for _, c := range cases {
		got := faults(goPackage{ImportPath: module + c.importer, Imports: []string{c.imported}})
		if len(got) > 0 != c.want {
			t.Errorf("%s imports %s: %q, want a fault: %v", c.importer, c.imported, got, c.want)
		}
	}
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", module+"...")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages
		case err != nil:
			t.Fatalf("go list: %v", err)
		}
		packages = append(packages, p)
	}
}

// faults returns what is wrong with the imports of a package.
func faults(p goPackage) []string {
	name := p.name()
	if matches(name, forTests) {
		return nil
	}
	layer := layerOf(name)
	if layer < 0 {
		return []string{"stands in no layer: add it to layers"}
	}
	var wrong []string
	for _, path := range p.Imports {
		wrong = append(wrong, importFaults(name, layer, path)...)
	}
	for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
		if strings.HasPrefix(path, clients) && !matches(name, []string{"internal/provider/service/", "internal/provider/tagging"}) {
			wrong = append(wrong, "imports the AWS client "+path+": only service packages and tagging do")
		}
	}
	return wrong
}

func importFaults(name string, layer int, path string) []string {
	if ours(path) {
		switch imported := ownName(path); {
		case matches(imported, forTests):
			return []string{"imports " + imported + ", which is for tests"}
		case layerOf(imported) >= layer:
			return []string{"imports " + imported + ", which is not below it"}
		}
		return nil
	}
	switch {
	case name == "internal/markers" && strings.Contains(path, "."):
		return []string{"imports " + path + ": it keeps to the standard library"}
	case strings.HasPrefix(name, "internal/provider/service/") &&
		slices.Contains([]string{"diag", "resource", "tfsdk", "path"}, strings.TrimPrefix(path, framework)):
		return []string{"imports " + path + ": a type is data, the engine speaks to the framework"}
	}
	return nil
}
