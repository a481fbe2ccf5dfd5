package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named finds the messages in the first column of a table.
var named = regexp.MustCompile("`([^`]+)`")

// TestGuidesNameRealMessages holds the guides' tables of messages to the code: each one is the summary of a diagnostic.
func TestGuidesNameRealMessages(t *testing.T) {
	// A summary may name the type, such as "Existing "+about.kind+" differs".
	summaries := strings.ReplaceAll(readAll(t, "internal/provider/engine/diagnostics*.go"), `"+about.kind+"`, "TYPE")
	n := 0
	for line := range strings.Lines(readAll(t, "templates/guides/*")) {
		cells := strings.Split(line, " | ")
		if !messageRow.MatchString(line) || strings.Contains(cells[0], "of the CLI") {
			continue
		}
		for _, message := range named.FindAllStringSubmatch(cells[0], -1) {
			n++
			quoted := `"` + message[1]
			if !strings.HasSuffix(quoted, " ") { // else an object's name follows
				quoted += `"`
			}
			if !strings.Contains(summaries, quoted) {
				t.Errorf("no diagnostic says %q", message[1])
			}
		}
	}
	if n < 40 {
		t.Errorf("the tables name %d messages", n)
	}
}

// messageRow is a row of a table that begins with a message: arguments and tags begin with a small letter.
var messageRow = regexp.MustCompile("^\\| `[A-Z]")

// readAll returns the texts of the repository's files that match a pattern.
func readAll(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(repository, pattern))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
