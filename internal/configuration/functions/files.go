package functions

import (
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// errUnsettled says that there is a result, but that it is not for us to tell. A function returns unknown for it.
var errUnsettled = errors.New("not known before the CLI runs")

// pathNames work on paths and read nothing.
var pathNames = map[string]function.Function{
	"basename":   ofText(func(args []string) (string, error) { return filepath.Base(args[0]), nil }, "path"),
	"dirname":    ofText(func(args []string) (string, error) { return filepath.Dir(args[0]), nil }, "path"),
	"pathexpand": ofPath(cty.String, func(p named) (cty.Value, error) { return p.text(expand(p.name)) }),
}

// files are the functions that depend on the working directory.
func (s Scope) files() map[string]function.Function {
	out := map[string]function.Function{
		"abspath": ofPath(cty.String, func(p named) (cty.Value, error) { return p.text(s.absolute(p.name)) }),
		"file": ofPath(cty.String, func(p named) (cty.Value, error) {
			content, err := s.read(p)
			if err == nil && !utf8.Valid(content) {
				err = function.NewArgErrorf(0, "the content of %s is not UTF-8", p)
			}
			return p.text(string(content), err)
		}),
		"filebase64": ofPath(cty.String, func(p named) (cty.Value, error) {
			content, err := s.read(p)
			return p.text(base64.StdEncoding.EncodeToString(content), err)
		}),
		"fileexists": ofPath(cty.Bool, func(p named) (cty.Value, error) {
			exists, err := s.exists(p)
			return cty.BoolVal(exists), err
		}),
		"fileset": s.fileSet(),
	}
	for name, d := range digests {
		out["file"+name] = ofPath(cty.String, func(p named) (cty.Value, error) {
			content, err := s.read(p)
			return p.text(d.of(content), err)
		})
	}
	return out
}

// named is an argument that names a file.
type named struct {
	name   string
	hidden bool
}

// String is the path for a message. A marked one is not shown.
func (p named) String() string {
	if p.hidden {
		return "the path"
	}
	return strconv.Quote(p.name)
}

func (p named) text(s string, err error) (cty.Value, error) { return cty.StringVal(s), err }

func pathOf(v cty.Value) (named, cty.ValueMarks) {
	bare, marks := v.Unmark()
	return named{name: bare.AsString(), hidden: len(marks) > 0}, marks
}

// ofPath makes a function of a path.
func ofPath(result cty.Type, run func(p named) (cty.Value, error)) function.Function {
	params := []function.Parameter{{Name: "path", Type: cty.String, AllowMarked: true}}
	return of(result, params, func(args []cty.Value) (cty.Value, error) {
		p, marks := pathOf(args[0])
		v, err := run(p)
		if errors.Is(err, errUnsettled) {
			v, err = cty.UnknownVal(result), nil
		}
		if err != nil {
			return cty.UnknownVal(result), err
		}
		return v.WithMarks(marks), nil
	})
}

// expand puts the home directory for a ~ at the beginning. Where the environment does not name it the CLIs ask further.
func expand(name string) (string, error) {
	if name == "" || name[0] != '~' {
		return name, nil
	}
	if len(name) > 1 && name[1] != '/' && name[1] != '\\' {
		return "", function.NewArgErrorf(0, "the home directory of another user is not known")
	}
	home := os.Getenv("HOME")
	if home == "" {
		return "", errUnsettled
	}
	return filepath.Join(home, name[1:]), nil
}

// base is the working directory, without symbolic links: there the system starts with a relative path.
func (s Scope) base() (string, error) {
	base := s.Base
	if base == "" {
		base = "."
	}
	absolute, err := filepath.Abs(base)
	if err != nil {
		return "", errUnsettled
	}
	if absolute, err = filepath.EvalSymlinks(absolute); err != nil {
		return "", errUnsettled
	}
	return absolute, nil
}

// absolute is a path without regard to what is there. By which name a CLI knows a working directory with symbolic links
// depends on how it was started.
func (s Scope) absolute(name string) (string, error) {
	if filepath.IsAbs(name) {
		return filepath.ToSlash(filepath.Clean(name)), nil
	}
	base, err := s.base()
	if err != nil {
		return "", err
	}
	if given, err := filepath.Abs(s.Base); err != nil || given != base {
		return "", errUnsettled
	}
	return filepath.ToSlash(filepath.Join(base, name)), nil
}

// locate is where the system finds a file.
func (s Scope) locate(name string) (string, error) {
	name, err := expand(name)
	if err != nil {
		return "", err
	}
	if filepath.IsAbs(name) {
		return filepath.Clean(name), nil
	}
	base, err := s.base()
	return filepath.Join(base, name), err
}

func (s Scope) read(p named) ([]byte, error) {
	name, err := s.locate(p.name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, function.NewArgErrorf(0, "there is no file at %s; what an apply makes is not there when functions read files", p)
	case err != nil:
		return nil, function.NewArgErrorf(0, "%s cannot be read", p)
	case info.IsDir():
		return nil, function.NewArgErrorf(0, "%s is a directory", p)
	case !info.Mode().IsRegular():
		// To read from a pipe takes from whoever is to read it.
		return nil, errUnsettled
	}
	content, err := os.ReadFile(name) //nolint:gosec // which files a configuration reads is the configuration's to say
	if err != nil {
		return nil, function.NewArgErrorf(0, "%s cannot be read", p)
	}
	return content, nil
}

func (s Scope) exists(p named) (bool, error) {
	name, err := s.locate(p.name)
	if err != nil {
		return false, err
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, function.NewArgErrorf(0, "whether there is %s cannot be told", p)
	case !info.Mode().IsRegular():
		return false, function.NewArgErrorf(0, "%s is no regular file", p)
	}
	return true, nil
}

// fileSet makes the function that finds files by a pattern.
func (s Scope) fileSet() function.Function {
	result := cty.Set(cty.String)
	params := []function.Parameter{
		{Name: "path", Type: cty.String, AllowMarked: true}, {Name: "pattern", Type: cty.String, AllowMarked: true},
	}
	return of(result, params, func(args []cty.Value) (cty.Value, error) {
		dir, dirMarks := pathOf(args[0])
		pattern, patternMarks := pathOf(args[1])
		found, err := s.find(dir.name, pattern.name)
		switch {
		case errors.Is(err, errUnsettled):
			return cty.UnknownVal(result).WithMarks(dirMarks, patternMarks), nil
		case err != nil:
			return cty.UnknownVal(result), err
		case len(found) == 0:
			return cty.SetValEmpty(cty.String).WithMarks(dirMarks, patternMarks), nil
		}
		return cty.SetVal(found).WithMarks(dirMarks, patternMarks), nil
	})
}

// find returns the regular files in a directory that match, relative to it.
func (s Scope) find(dir, pattern string) ([]cty.Value, error) {
	// The CLIs match the whole path, so that the directory may hold patterns as well.
	pattern = filepath.ToSlash(filepath.Join(dir, pattern))
	if !settledPattern(pattern) {
		return nil, errUnsettled
	}
	literal, glob := pattern, pattern
	if !filepath.IsAbs(dir) {
		base, err := s.base()
		if err != nil {
			return nil, err
		}
		dir, literal = filepath.Join(base, dir), filepath.Join(base, pattern)
		if glob, err = escapePattern(base); err != nil {
			return nil, err
		}
		glob = path.Join(glob, pattern)
	}
	if strings.Contains(pattern, "**") && !plainTree(glob) {
		return nil, errUnsettled
	}
	matches, err := doublestar.FilepathGlob(glob, doublestar.WithFailOnIOErrors())
	if err != nil {
		return nil, errUnsettled
	}
	// Where the pattern is the name of a link that leads nowhere, it matches for one of the CLIs.
	if len(matches) == 0 && !strings.ContainsAny(pattern, "*?") {
		if _, err := os.Lstat(literal); err == nil {
			return nil, errUnsettled
		}
	}
	return regular(dir, matches)
}

// regular leaves of some paths those of regular files, relative to a directory.
func regular(dir string, paths []string) ([]cty.Value, error) {
	var out []cty.Value
	for _, p := range paths {
		info, err := os.Stat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, function.NewArgErrorf(1, "a symbolic link that matches leads nowhere")
		case err != nil:
			return nil, errUnsettled
		case !info.Mode().IsRegular():
			continue
		}
		name, err := filepath.Rel(dir, p)
		if err != nil {
			return nil, errUnsettled
		}
		out = append(out, cty.StringVal(filepath.ToSlash(name)))
	}
	return out, nil
}

// settledPattern says whether both CLIs, which match with different releases of a library, find the same by a pattern.
func settledPattern(pattern string) bool {
	if strings.ContainsAny(pattern, `[{\`) {
		return false
	}
	for part := range strings.SplitSeq(pattern, "/") {
		if part != "**" && strings.Contains(part, "**") {
			return false
		}
	}
	return true
}

// plainTree says whether there are no symbolic links where ** goes. The CLIs follow them, each as far as it gets.
func plainTree(pattern string) bool {
	root, _ := doublestar.SplitPattern(pattern)
	root, err := filepath.EvalSymlinks(filepath.FromSlash(root))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return filepath.WalkDir(root, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return errUnsettled
		}
		return nil
	}) == nil
}

// escapePattern makes a pattern that matches a path and nothing else. The library reads no pattern for a backslash.
func escapePattern(name string) (string, error) {
	name = filepath.ToSlash(name)
	if strings.Contains(name, `\`) {
		return "", errUnsettled
	}
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`).Replace(name), nil
}
