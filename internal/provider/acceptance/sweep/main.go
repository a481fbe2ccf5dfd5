// Command sweep removes what acceptance tests left in an AWS account: every object of the provider's types whose tags
// name an estate that begins with testacc-. It works in one region, that of the credentials, and in the services
// without regions. Types without tags go with the object that they belong to. `make sweep` runs it, `make sweep DRY=1`
// lists only.
//
// It opens no account but the one that ESTATE_TESTACC_ACCOUNT names. ESTATE_SWEEP_PREFIX narrows the estates,
// ESTATE_SWEEP_AGE (such as 3h) spares the objects of runs that began or adopted later.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

func main() {
	dry := flag.Bool("dry", false, "list only")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := sweep(ctx, cloud.Config{Version: "sweep"}, *dry, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "FAILED:", err)
		os.Exit(1)
	}
}

func sweep(ctx context.Context, c cloud.Config, dry bool, out io.Writer) error {
	o, err := settings()
	if err != nil {
		return err
	}
	s, err := acceptance.OpenLive(ctx, os.Getenv(acceptance.AccountVariable), c)
	if err != nil {
		return err
	}
	found, removed := 0, 0
	o.DryRun = dry
	o.Report = func(object engine.Swept, gone bool) {
		verb := "found  "
		if found++; gone {
			verb, found, removed = "removed", found-1, removed+1
		}
		say(out, "%s %s\n", verb, object)
	}
	if err := engine.Sweep(ctx, s, provider.Types(), o); err != nil {
		return err
	}
	say(out, "account %s, %s, estates %s*: %d objects found, %d removed\n", s.Account, s.Region, o.Prefix, found, removed)
	return nil
}

// say writes to a terminal; there is nobody to tell where that fails.
func say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

// settings reads what the environment says.
func settings() (engine.Sweeping, error) {
	o := engine.Sweeping{Prefix: engine.SweepPrefix}
	if v := os.Getenv("ESTATE_SWEEP_PREFIX"); v != "" {
		o.Prefix = v
	}
	if v := os.Getenv("ESTATE_SWEEP_AGE"); v != "" {
		age, err := time.ParseDuration(v)
		if err != nil {
			return o, fmt.Errorf("ESTATE_SWEEP_AGE: %w", err)
		}
		o.Age = age
	}
	return o, nil
}
