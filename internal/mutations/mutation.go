package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// mutation breaks one rule in one place.
type mutation struct {
	// breaks says what the broken code does, in the words of somebody who has to live with it.
	breaks string
	// section is the section of DESIGN.md whose rule it breaks.
	section int
	// file is the source, from the root of the module.
	file string
	// old stands exactly once in the file, and becomes new.
	old, new string
	// needs is a package that new imports and the file does not; "" for none.
	needs string
	// dir is the package whose tests have to notice, from the root of the module, and tests are their names. Each of them has
	// to fail.
	dir   string
	tests []string
}

// packageClause is where an import may follow.
var packageClause = regexp.MustCompile(`(?m)^package \w+$`)

// apply returns the mutated source. A text that is not there exactly once is an error: a mutation must not rot.
func (m mutation) apply(source string) (string, error) {
	if n := strings.Count(source, m.old); n != 1 {
		return "", fmt.Errorf("%s holds the text to be replaced %d times, and it must be there once:\n%s", m.file, n, m.old)
	}
	mutated := strings.Replace(source, m.old, m.new, 1)
	if mutated == source {
		return "", fmt.Errorf("%s is not changed", m.file)
	}
	if m.needs == "" {
		return mutated, nil
	}
	at := packageClause.FindStringIndex(mutated)
	if at == nil {
		return "", fmt.Errorf("%s has no package clause", m.file)
	}
	return mutated[:at[1]] + fmt.Sprintf("\n\nimport %q", m.needs) + mutated[at[1]:], nil
}

// mutate reads the source below root and returns it mutated.
func (m mutation) mutate(root string) (string, error) {
	source, err := os.ReadFile(filepath.Join(root, m.file)) //nolint:gosec // G304: a file of the catalogue.
	if err != nil {
		return "", err
	}
	return m.apply(string(source))
}

// pattern is what -run takes for the mutation's tests.
func (m mutation) pattern() string { return patternOf(m.tests) }

func patternOf(tests []string) string { return "^(" + strings.Join(tests, "|") + ")$" }
