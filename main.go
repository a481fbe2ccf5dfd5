// Command terraform-provider-estate serves the estate provider to OpenTofu and Terraform.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/tofu-estate/terraform-provider-estate/internal/command"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
)

// version is set by the linker at release.
var version = "dev"

// usage says what the program takes.
func usage() string {
	return `terraform-provider-estate is a provider plugin: OpenTofu and Terraform start it themselves.

  terraform-provider-estate            serves the provider
  terraform-provider-estate -debug     serves it for a debugger, and prints how to attach
  terraform-provider-estate -version   prints the version

Commands for people read a configuration, without credentials, providers or network:

` + command.Usage() + `
terraform-provider-estate COMMAND -help says more of each.
`
}

func main() {
	log.SetFlags(0)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr, serve))
}

// run does what the arguments ask for and returns the exit status: 2 for arguments that it does not know.
func run(args []string, out, errs io.Writer, serve func(debug bool) error) int {
	if len(args) > 0 && command.Known(args[0]) {
		return command.Run(args, out, errs)
	}
	if len(args) == 1 && (args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
		say(out, "%s", usage())
		return 0
	}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		say(errs, "unknown command %q\n\n%s", args[0], usage())
		return 2
	}
	flags := flag.NewFlagSet("terraform-provider-estate", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() { say(errs, "%s", usage()) }
	debug := flags.Bool("debug", false, "serve for a debugger")
	show := flags.Bool("version", false, "print the version")
	switch err := flags.Parse(args); {
	case err != nil:
		return 2
	case flags.NArg() > 0:
		say(errs, "unexpected argument %q\n\n%s", flags.Arg(0), usage())
		return 2
	case *show:
		say(out, "%s\n", version)
		return 0
	}
	if err := serve(*debug); err != nil {
		say(errs, "%s\n", err)
		return 1
	}
	return 0
}

// say writes to a terminal; there is nobody to tell where that fails.
func say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

func serve(debug bool) error {
	var options []tf6server.ServeOpt
	if debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	if err := tf6server.Serve(provider.Address, provider.Server(version), options...); err != nil {
		return fmt.Errorf("serving the provider: %w", err)
	}
	return nil
}
