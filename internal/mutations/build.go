package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// testLimit is how long the tests of one mutation may take; they need a second or two.
const testLimit = "2m"

// workshop builds and runs test binaries of one module.
type workshop struct {
	// root is the folder of the module, scratch one for what is built.
	root, scratch string
}

// errCompile says that a package does not compile.
type errCompile struct{ said string }

func (e errCompile) Error() string { return "it does not compile:\n" + e.said }

// build compiles the tests of a package into a file. replaced maps paths from the root to the sources that stand in for
// them: the go command reads those in place of the files, so that nothing is written into the tree.
func (w workshop) build(ctx context.Context, name, dir string, replaced map[string]string) (string, error) {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for file, source := range replaced {
		path := filepath.Join(w.scratch, name+".go")
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			return "", err
		}
		overlay.Replace[filepath.Join(w.root, file)] = path
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	list := filepath.Join(w.scratch, name+".json")
	if err := os.WriteFile(list, text, 0o600); err != nil {
		return "", err
	}
	binary := filepath.Join(w.scratch, name+".test")
	// Without debugging data a third less is linked; go vet has no say about code that is wrong on purpose.
	//nolint:gosec // G204: the catalogue names the folder.
	command := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", list, "-o", binary, "./"+dir)
	command.Dir = w.root
	said, err := command.CombinedOutput()
	switch exit := (*exec.ExitError)(nil); {
	case errors.As(err, &exit) && ctx.Err() == nil:
		return "", errCompile{string(said)}
	case err != nil:
		return "", err
	}
	return binary, nil
}

// results are what tests came to, by name.
type results struct {
	passed, failed map[string]bool
	// broke says that the run broke off, by a panic or a time-out: the tests did not judge.
	broke bool
	said  string
}

// run runs tests of a binary in the folder of their package, as go test does.
func (w workshop) run(ctx context.Context, binary, dir, pattern string) (results, error) {
	//nolint:gosec // G204: the binary was built above.
	command := exec.CommandContext(ctx, binary, "-test.run", pattern, "-test.v", "-test.timeout", testLimit)
	command.Dir = filepath.Join(w.root, dir)
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	err := command.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return results{}, fmt.Errorf("running the tests: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return results{}, err
	}
	return read(said.String()), nil
}

// read reads what a run with -test.v printed. Subtests are indented, and belong to their test.
func read(said string) results {
	r := results{passed: map[string]bool{}, failed: map[string]bool{}, said: said}
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			r.broke = true
		}
		for prefix, names := range map[string]map[string]bool{"--- PASS: ": r.passed, "--- FAIL: ": r.failed} {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				name, _, _ := strings.Cut(rest, " ")
				names[strings.TrimSpace(name)] = true
			}
		}
	}
	return r
}
