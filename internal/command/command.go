package command

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
)

// What a command returns to the shell.
const (
	Fine     = 0
	Findings = 1
	Failed   = 2
)

// command is one of them.
type command struct {
	name string
	// arguments stand after the options in its first line of usage, and summary behind its name in the list.
	arguments, summary string
	// usage says what it does, with examples.
	usage string
	// options declares its own options.
	options func(*flag.FlagSet) any
	// least and most bound the number of its arguments; the last one is always the folder.
	least, most int
	run         func(*call) (int, error)
}

// commands are all of them, in the order of the list.
func commands() []command {
	return []command{addressesCommand, checkCommand, stampCommand, planCommand, movedCommand}
}

// Known tells whether there is a command of that name.
func Known(name string) bool {
	for _, c := range commands() {
		if c.name == name {
			return true
		}
	}
	return false
}

// Usage lists the commands.
func Usage() string {
	var b strings.Builder
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-10s  %s\n", c.name, c.summary)
	}
	return b.String()
}

// Run runs the command that the first argument names, and returns the exit status.
func Run(args []string, out, errs io.Writer) int {
	for _, c := range commands() {
		if c.name == args[0] {
			return c.start(args[1:], out, errs)
		}
	}
	say(errs, "unknown command %q\n", args[0])
	return Failed
}

// call is one run of a command.
type call struct {
	command
	// args are the arguments without the folder, own the command's own options.
	args []string
	dir  string
	own  any
	json bool
	line []configuration.Given

	out, errs io.Writer
	tree      *configuration.Tree
	diags     hcl.Diagnostics
	// result is what -json prints beside the diagnostics.
	result any
}

func (c command) start(args []string, out, errs io.Writer) int {
	k := &call{command: c, out: out, errs: errs, dir: "."}
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&k.json, "json", false, "")
	flags.Func("var", "", func(text string) error {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return errors.New("NAME=VALUE is expected")
		}
		k.line = append(k.line, configuration.Given{Name: name, Text: value})
		return nil
	})
	flags.Func("var-file", "", func(path string) error {
		k.line = append(k.line, configuration.Given{File: path})
		return nil
	})
	if c.options != nil {
		k.own = c.options(flags)
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		say(out, "%s", c.help())
		return Fine
	case err != nil:
		say(errs, "%s: %s\n\n%s", c.name, err, c.help())
		return Failed
	case flags.NArg() > 0 && misplaced(flags.Args()) != "":
		say(errs, "%s: the option %s has to stand before the folder\n\n%s", c.name, misplaced(flags.Args()), c.help())
		return Failed
	case flags.NArg() < c.least || flags.NArg() > c.most+1:
		say(errs, "%s: %d arguments\n\n%s", c.name, flags.NArg(), c.help())
		return Failed
	}
	k.args = flags.Args()
	if len(k.args) > c.most {
		k.dir, k.args = k.args[c.most], k.args[:c.most]
	}
	if err := k.missing(); err != nil {
		return k.finish(Failed, err)
	}
	return k.finish(c.run(k))
}

// missing says which file or folder of the command line is not there: that is no finding about the configuration.
func (k *call) missing() error {
	if info, err := os.Stat(k.dir); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("%s is no folder", k.dir)
	}
	for _, g := range k.line {
		if g.File == "" {
			continue
		}
		if _, err := os.Stat(g.File); err != nil {
			return fmt.Errorf("-var-file: %w", err)
		}
	}
	return nil
}

// misplaced is an option among the arguments, "" for none.
func misplaced(args []string) string {
	for _, a := range args {
		if _, err := os.Stat(a); err != nil && strings.HasPrefix(a, "-") {
			return a
		}
	}
	return ""
}

// help is what the command says of itself.
func (c command) help() string {
	return fmt.Sprintf("terraform-provider-estate %s [-json] [-var NAME=VALUE] [-var-file FILE] %s\n\n%s", c.name, c.arguments, c.usage)
}

// finish prints what has not been printed, and returns the status.
func (k *call) finish(status int, err error) int {
	if err != nil {
		k.diags = append(k.diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "The command failed", Detail: err.Error()})
		status = Failed
	}
	if k.json {
		err = k.printJSON()
	} else {
		err = k.printDiagnostics()
	}
	if err != nil {
		say(k.errs, "%s: %s\n", k.name, err)
		return Failed
	}
	return status
}

// evaluate reads the configuration and prepares its evaluation; false where it cannot be read.
func (k *call) evaluate() (*configuration.Evaluation, bool) {
	if !k.load() {
		return nil, false
	}
	values, diags := configuration.ReadValues(k.tree, os.Environ(), k.line)
	k.add(diags)
	if k.diags.HasErrors() {
		return nil, false
	}
	functions, err := language(k.tree)
	if err != nil {
		k.diags = append(k.diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Functions cannot be prepared", Detail: err.Error()})
		return nil, false
	}
	return configuration.Evaluate(k.tree, configuration.Options{Values: values, Functions: functions, Workspace: workspace(k.dir)}), true
}

// load reads the configuration's files.
func (k *call) load() bool {
	tree, diags := configuration.Load(k.dir)
	k.tree = tree
	k.add(diags)
	return !k.diags.HasErrors()
}

func (k *call) add(diags hcl.Diagnostics) { k.diags = append(k.diags, diags...) }

// status is that of a command whose findings are errors among the diagnostics.
func (k *call) status() int {
	if k.diags.HasErrors() {
		return Findings
	}
	return Fine
}

// workspace is the selected workspace of a folder.
func workspace(dir string) string {
	if name := os.Getenv("TF_WORKSPACE"); name != "" {
		return name
	}
	text, err := os.ReadFile(filepath.Join(configuration.DataDir(dir), "environment")) //nolint:gosec // G304: the file that the tools write.
	if err != nil {
		return "" // the default one
	}
	return strings.TrimSpace(string(text))
}

// print writes a line of the result; with -json nothing.
func (k *call) print(format string, args ...any) {
	if !k.json {
		say(k.out, format+"\n", args...)
	}
}

// say writes to a terminal; there is nobody to tell where that fails.
func say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

func (k *call) printJSON() error {
	out := map[string]any{"format_version": "1.0", "diagnostics": describe(k.diags, k.files())}
	if k.result != nil {
		out[k.name] = k.result
	}
	encoder := json.NewEncoder(k.out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}
