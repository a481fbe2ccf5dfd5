package configuration

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
)

// Tree is a configuration: the root module and all that it calls.
type Tree struct {
	Root *Module
	// Files are the sources that were read, for diagnostics to quote.
	Files map[string]*hcl.File

	parser *hclparse.Parser
	// rootDir is the root's folder, installed where init has put the modules, as seen from there.
	rootDir   string
	installed map[string]string
}

// Load reads the module in dir and all modules that it calls: local ones by their path, others where init has installed them. The
// diagnostics say what is wrong with the files themselves; the tree holds what could be read.
func Load(dir string) (*Tree, hcl.Diagnostics) {
	parser := hclparse.NewParser()
	t := &Tree{parser: parser, rootDir: filepath.Clean(dir)}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		t.rootDir = real // what is beside the root is beside the folder itself, and not beside a link to it
	}
	var diags hcl.Diagnostics
	var err error
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return t, append(diags, failure("Module directory cannot be read", fmt.Sprintf("%s is no folder.", dir), nil))
	}
	if t.installed, err = installedModules(dir); err != nil {
		return t, append(diags, failure("Module manifest cannot be read", err.Error(), nil))
	}
	if primary, _, more := sources(dir); len(primary) == 0 {
		if !more.HasErrors() {
			more = append(more, failure("No configuration files", fmt.Sprintf("The folder %s holds no configuration: no file ends in .tf, .tofu, .tf.json or .tofu.json.", dir), nil))
		}
		return t, more
	}
	t.Root, diags = t.module(filepath.Clean(dir), ".", nil, nil)
	t.Files = parser.Files()
	return t, diags
}

// installedModules reads where init has put the modules, by the names of their calls.
func installedModules(dir string) (map[string]string, error) {
	path := filepath.Join(DataDir(dir), "modules", "modules.json")
	text, err := os.ReadFile(path) //nolint:gosec // G304: the manifest that the tools write.
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var manifest struct {
		Modules []struct{ Key, Dir string }
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	out := map[string]string{}
	for _, m := range manifest.Modules {
		out[m.Key] = filepath.Clean(m.Dir)
	}
	return out, nil
}

// within is a path as seen from a folder.
func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// followed is a path as seen from the root without the links in it, which the tools follow before they look for what is next to a
// module. What is not there stays as it is.
func followed(root, path string) string {
	for links := 0; links < 100; links++ {
		if filepath.IsAbs(path) {
			if real, err := filepath.EvalSymlinks(path); err == nil {
				return real
			}
			return path
		}
		next := path
		names := strings.Split(path, string(filepath.Separator))
		for n := range names {
			before := filepath.Join(names[:n]...)
			if target, err := os.Readlink(within(root, filepath.Join(before, names[n]))); err == nil {
				next = filepath.Join(within(before, target), filepath.Join(names[n+1:]...))
				break
			}
		}
		if next == path {
			break
		}
		path = next
	}
	return path
}

// module reads one module and its children. From is its folder as seen from the root's, callers are those on the way to it.
func (t *Tree) module(dir, from string, path []string, callers []string) (*Module, hcl.Diagnostics) {
	m := newModule(dir, path)
	m.from = from
	primary, overrides, diags := sources(dir)
	r := &reader{m: m, diags: diags}
	for _, group := range [][]string{primary, overrides} {
		for _, file := range group {
			body, diags := parseFile(t.parser, file)
			r.add(diags)
			if body != nil {
				r.file(body)
			}
		}
		r.override = true
	}
	callers = append(slices.Clone(callers), dir)
	for _, name := range slices.Sorted(maps.Keys(m.Calls)) {
		r.add(t.child(m, m.Calls[name], callers))
	}
	m.collectAsked()
	return m, r.diags
}

// child reads the module that a call names.
func (t *Tree) child(m *Module, c *Call, callers []string) hcl.Diagnostics {
	path := append(slices.Clone(m.Path), c.Name)
	from, ok := t.installed[strings.Join(path, ".")]
	if isLocal(c.Source) {
		from, ok = followed(t.rootDir, filepath.Join(m.from, c.Source)), true
	}
	dir := within(t.rootDir, from)
	switch {
	case !ok:
		return hcl.Diagnostics{failure("Module not installed", fmt.Sprintf("The module %q is not in this folder's .terraform/modules. Run: tofu init", strings.Join(path, ".")), &c.Range)}
	case slices.Contains(callers, dir):
		return hcl.Diagnostics{failure("Module calls itself", fmt.Sprintf("The module in %s calls itself, directly or through others.", dir), &c.Range)}
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return hcl.Diagnostics{failure("Unreadable module directory", fmt.Sprintf("There is no folder %s.", dir), &c.Range)}
	}
	child, diags := t.module(dir, from, path, callers)
	m.Children[c.Name] = child
	return append(diags, checkCall(c, child)...)
}

// isLocal tells whether a source is a folder beside the module.
func isLocal(source string) bool {
	for _, prefix := range []string{"./", "../", ".\\", "..\\"} {
		if strings.HasPrefix(source, prefix) {
			return true
		}
	}
	return source == "." || source == ".."
}

// checkCall holds the arguments of a call to the variables of the module.
func checkCall(c *Call, child *Module) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, name := range slices.Sorted(maps.Keys(c.Args)) {
		if child.Variables[name] == nil {
			diags = append(diags, about(name, failure("Unsupported argument", fmt.Sprintf("The module %q has no variable %q.", c.Name, name), &c.Args[name].NameRange)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(child.Variables)) {
		if v := child.Variables[name]; !v.hasDefault() && c.Args[name] == nil {
			diags = append(diags, about(name, failure("Missing required argument", fmt.Sprintf("The module %q needs a value for its variable %q.", c.Name, name), &c.Range)))
		}
	}
	return diags
}
