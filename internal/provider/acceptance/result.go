package acceptance

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Result is what one command of a CLI did.
type Result struct {
	// Command is its first word.
	Command string
	// Exit is its exit code, -1 when a signal ended it.
	Exit int
	// Err is nil exactly when Exit is 0.
	Err error
	// Stdout and Stderr are what it printed.
	Stdout, Stderr string
	// Diagnostics are the errors and warnings of a command that ran with -json.
	Diagnostics []Diagnostic
}

// Diagnostic is one error or warning.
type Diagnostic struct {
	// Severity is "error" or "warning".
	Severity string `json:"severity"`
	// Summary and Detail are its text, unwrapped.
	Summary string `json:"summary"`
	Detail  string `json:"detail"`
	// Address is the resource instance that it is about, "" where it names none.
	Address string `json:"address"`
	// Snippet is what of the configuration it points at.
	Snippet struct {
		// Context is the head of the block, such as `output "x"`.
		Context string `json:"context"`
	} `json:"snippet"`
}

// String returns it as one paragraph.
func (d Diagnostic) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s: %s: %s (%s)", d.Severity, d.Summary, d.Detail, d.Address))
}

// Errors returns the errors.
func (r Result) Errors() []Diagnostic { return r.severity("error") }

// Warnings returns the warnings.
func (r Result) Warnings() []Diagnostic { return r.severity("warning") }

func (r Result) severity(s string) []Diagnostic {
	var out []Diagnostic
	for _, d := range r.Diagnostics {
		if d.Severity == s {
			out = append(out, d)
		}
	}
	return out
}

// Text is everything that the command said, in one line: without the frames and line breaks that a CLI puts around
// its messages, so that a phrase can be looked for.
func (r Result) Text() string {
	var all strings.Builder
	if len(r.Diagnostics) == 0 {
		all.WriteString(r.Stdout)
	}
	for _, d := range r.Diagnostics {
		all.WriteString(d.String() + "\n")
	}
	all.WriteString(r.Stderr)
	return strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╷", " ", "╵", " ").Replace(all.String())), " ")
}

// Must fails t unless the command succeeded.
func (r Result) Must(t T) Result {
	t.Helper()
	if r.Err != nil {
		t.Fatalf("%v\n%s", r.Err, r.explain())
	}
	return r
}

// MustFail fails t unless the command failed and said each of the phrases; differences in white space do not count.
func (r Result) MustFail(t T, phrases ...string) Result {
	t.Helper()
	if r.Err == nil {
		t.Fatalf("%s succeeded, and should have been refused with %q\n%s", r.Command, phrases, r.explain())
	}
	return r.MustSay(t, phrases...)
}

// MustSay fails t unless the command said each of the phrases; differences in white space do not count.
func (r Result) MustSay(t T, phrases ...string) Result {
	t.Helper()
	for _, p := range phrases {
		if !strings.Contains(r.Text(), strings.Join(strings.Fields(p), " ")) {
			t.Fatalf("%s did not say %q\n%s", r.Command, p, r.explain())
		}
	}
	return r
}

// explain is what a person needs to see when a command did something else than expected.
func (r Result) explain() string {
	var out strings.Builder
	for line := range strings.Lines(r.Stdout) {
		if !strings.HasPrefix(line, "{") { // else a line of -json, whose diagnostics follow
			out.WriteString(line)
		}
	}
	for _, d := range r.Diagnostics {
		fmt.Fprintf(&out, "%s: %s (%s)\n%s\n\n", d.Severity, d.Summary, d.Address, d.Detail)
	}
	return out.String() + r.Stderr
}

// diagnosticsOf reads the diagnostics from the lines of a command that ran with -json; other output has none.
func diagnosticsOf(stdout string) []Diagnostic {
	var out []Diagnostic
	for line := range strings.Lines(stdout) {
		if !strings.HasPrefix(line, "{") {
			continue
		}
		var message struct {
			Type       string     `json:"type"`
			Diagnostic Diagnostic `json:"diagnostic"`
		}
		if err := json.Unmarshal([]byte(line), &message); err == nil && message.Type == "diagnostic" {
			out = append(out, message.Diagnostic)
		}
	}
	return out
}
