package command

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/pmezard/go-difflib/difflib"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
	"github.com/tofu-estate/terraform-provider-estate/internal/configuration/rewrite"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

var stampCommand = command{
	name: "stamp", arguments: "[-write] [-tags -estate NAME] [DIR]", summary: "writes the addresses into a configuration",
	usage: `Adds and mends tofu_address and tofu_key in every block whose object carries a marker, tofu_module in every module call
that leads to one, and the variable of that name in the modules. Arguments that come to the right address are left alone,
however they are written, and so is the rest of the text.

Without -write it shows what it would change, and returns 1 where there is something. With -write it changes the files, and
lists them. Modules that init has fetched are never written: a warning says what their calls would need.

  -write          change the files
  -tags           also add provider::estate::marker_tags to the tags of resources of hashicorp/aws. Calls of it that give a
                  wrong address are mended without this, too
  -estate NAME    the estate in the calls that -tags adds, such as networking-prod or 'networking-${terraform.workspace}'

  terraform-provider-estate stamp
  terraform-provider-estate stamp -write infra
  terraform-provider-estate stamp -tags -estate networking-prod infra | git apply
`,
	options: func(flags *flag.FlagSet) any {
		o := &stampOptions{}
		flags.BoolVar(&o.write, "write", false, "")
		flags.BoolVar(&o.tags, "tags", false, "")
		flags.StringVar(&o.estate, "estate", "", "")
		return o
	},
	run: runStamp,
}

type stampOptions struct {
	write, tags bool
	estate      string
}

// stamped is what -json says of a file.
type stamped struct {
	File string `json:"file"`
	Diff string `json:"diff"`
	text []byte
}

func runStamp(k *call) (int, error) {
	options, ok := k.own.(*stampOptions)
	if !ok {
		return Failed, fmt.Errorf("unexpected options %T", k.own)
	}
	if err := options.check(); err != nil {
		return Failed, err
	}
	s, ok := k.stamper(options)
	if !ok {
		return Failed, nil
	}
	if err := s.stamp(); err != nil {
		return Failed, err
	}
	if k.diags.HasErrors() {
		return Failed, nil
	}
	results, err := s.results()
	k.result = results
	switch {
	case err != nil:
		return Failed, err
	case !options.write && len(results) > 0:
		for _, r := range results {
			k.print("%s", strings.TrimSuffix(r.Diff, "\n"))
		}
		return Findings, nil
	case !options.write:
		return Fine, nil
	}
	for _, r := range results {
		if err := overwrite(r.File, r.text); err != nil {
			return Failed, err
		}
		k.print("%s", r.File)
	}
	return Fine, nil
}

// results are the files that change.
func (s *stamper) results() ([]stamped, error) {
	out := []stamped{}
	for _, f := range s.files() {
		text, changed := f.Result()
		if !changed {
			continue
		}
		if _, err := rewrite.Open(f.Name, text); err != nil {
			return nil, fmt.Errorf("the new text of %s cannot be read, and nothing was written: %w", f.Name, err)
		}
		diff, err := unified(f.Name, string(s.tree.Files[f.Name].Bytes), string(text))
		if err != nil {
			return nil, err
		}
		out = append(out, stamped{File: f.Name, Diff: diff, text: text})
	}
	return out, nil
}

// check tells what is wrong with the options.
func (o *stampOptions) check() error {
	switch {
	case !o.tags && o.estate != "":
		return fmt.Errorf("-estate names the estate in the calls that -tags adds; add -tags")
	case o.tags && o.estate == "":
		return fmt.Errorf("-tags needs the name of the estate: add -estate NAME")
	case !o.tags:
		return nil
	}
	plain := o.estate
	template, diags := hclsyntax.ParseTemplate([]byte(o.estate), "-estate", hcl.InitialPos)
	if diags.HasErrors() {
		return fmt.Errorf("-estate: %w", diags)
	}
	for _, t := range template.Variables() {
		if name := string(t.SourceRange().SliceBytes([]byte(o.estate))); name != "terraform.workspace" && name != "tofu.workspace" {
			return fmt.Errorf("-estate refers to %s; every module knows terraform.workspace, and nothing else", name)
		}
		plain = strings.ReplaceAll(plain, "${"+string(t.SourceRange().SliceBytes([]byte(o.estate)))+"}", "workspace")
	}
	if err := markers.CheckEstate(plain); err != nil {
		return fmt.Errorf("-estate: %w", err)
	}
	return nil
}

// stamper reads the configuration, and evaluates it as it is and as it is meant.
func (k *call) stamper(o *stampOptions) (*stamper, bool) {
	tree, diags := configuration.Load(k.dir)
	k.tree = tree
	s := &stamper{call: k, options: o, groups: map[string]*group{}}
	for _, d := range diags {
		// What calls and modules lack of it is what will be added.
		if variable, ok := configuration.Disagreement(d); ok && variable == moduleVariable {
			s.disagreements = append(s.disagreements, d)
		} else {
			k.diags = append(k.diags, d)
		}
	}
	if k.diags.HasErrors() {
		return nil, false
	}
	s.supplement()
	values, diags := configuration.ReadValues(tree, os.Environ(), s.values())
	for _, d := range diags {
		if _, ok := configuration.Disagreement(d); !ok { // addresses seldom need the values
			k.diags = append(k.diags, d)
		}
	}
	functions, err := language(tree)
	if err != nil {
		k.diags = append(k.diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Functions cannot be prepared", Detail: err.Error()})
	}
	if k.diags.HasErrors() {
		return nil, false
	}
	for n, path := range []string{asIs: "", asMeant: moduleVariable} {
		s.evaluations[n] = configuration.Evaluate(tree, configuration.Options{
			Values: values, Functions: functions, Workspace: workspace(k.dir),
			Supposed: configuration.Supposed{Path: path, Instances: true},
		})
	}
	return s, true
}

// unified shows the difference between two texts.
func unified(name, before, after string) (string, error) {
	a, b := "a/"+filepath.ToSlash(name), "b/"+filepath.ToSlash(name)
	if filepath.IsAbs(name) {
		a, b = name, name
	}
	return difflib.GetUnifiedDiffString(difflib.UnifiedDiff{A: diffLines(before), B: diffLines(after), FromFile: a, ToFile: b, Context: 3})
}

// diffLines are the lines of a text; a last one without an end says so, as patches do.
func diffLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	last := len(lines) - 1
	if lines[last] == "" {
		return lines[:last]
	}
	lines[last] += "\n\\ No newline at end of file\n"
	return lines
}

// overwrite puts a text into a file that exists. A reader sees the old text or the new one.
func overwrite(path string, text []byte) (err error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(real), ".stamp-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temporary.Name()) // the first error is the one to tell
		}
	}()
	_, err = temporary.Write(text)
	if closing := temporary.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Chmod(temporary.Name(), info.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(temporary.Name(), real)
	}
	return err
}
