package command

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// width is the number of characters in a line of a diagnostic.
const width = 100

func (k *call) files() map[string]*hcl.File {
	if k.tree == nil {
		return nil
	}
	return k.tree.Files
}

// printDiagnostics writes them for people, each with its place and the source there.
func (k *call) printDiagnostics() error {
	return hcl.NewDiagnosticTextWriter(k.errs, k.files(), width, false).WriteDiagnostics(k.diags)
}

// diagnostic is one for programs, in the shape of the tools' own validate -json.
type diagnostic struct {
	Severity string  `json:"severity"`
	Summary  string  `json:"summary"`
	Detail   string  `json:"detail,omitempty"`
	Range    *extent `json:"range,omitempty"`
	// Snippet is the line on which the range begins.
	Snippet string `json:"snippet,omitempty"`
}

type extent struct {
	Filename string   `json:"filename"`
	Start    position `json:"start"`
	End      position `json:"end"`
}

type position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Byte   int `json:"byte"`
}

// describe turns diagnostics into what -json prints.
func describe(diags hcl.Diagnostics, files map[string]*hcl.File) []diagnostic {
	out := []diagnostic{}
	for _, d := range diags {
		one := diagnostic{Severity: "error", Summary: d.Summary, Detail: d.Detail}
		if d.Severity == hcl.DiagWarning {
			one.Severity = "warning"
		}
		if at := d.Subject; at != nil {
			one.Range = &extent{at.Filename, position(at.Start), position(at.End)}
			if f := files[at.Filename]; f != nil {
				lines := strings.Split(string(f.Bytes), "\n")
				if n := at.Start.Line - 1; n >= 0 && n < len(lines) {
					one.Snippet = lines[n]
				}
			}
		}
		out = append(out, one)
	}
	return out
}
