// Command faultproxy serves a fault proxy between AWS clients and an AWS API, for tests of programs in any language.
// Its rules are in a JSON file; it prints the calls that pass.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

const usage = `faultproxy serves a proxy that spoils calls to an AWS API, for tests of AWS clients.

    faultproxy -upstream http://127.0.0.1:5000 [-listen 127.0.0.1:4600] [-rules rules.json] [-journal text|json|none] [-as-aws]

It prints "listening on URL", or {"url":"URL"} with -journal json, and then a line for each call when it has ended; an
interrupt ends it. Point the client at the URL, for example with AWS_ENDPOINT_URL. After "kill-before" or "kill-after"
no call passes any more; a hangup signal (kill -HUP) lets those of the next client pass.

Lose the answer to the first VPC, and hide that VPC from the next two reads:

    {"rules": [{"actions": ["ec2:CreateVpc"], "faults": ["drop", {"hide": 2}], "times": 1}]}

Throttle three calls to IAM, list two hosted zones a page, and kill the client with its second write to S3:

    {"rules": [
      {"actions": ["iam:*"], "faults": ["throttle"], "times": 3},
      {"actions": ["route53:ListHostedZones"], "faults": [{"paginate": 2}]},
      {"actions": ["s3:*"], "writes": true, "faults": ["kill-after"], "after": 1}
    ]}

A rule acts on the calls that match its "actions" (with * for any part of a name), that contain the text "contains" in
their path or parameters, and that are writes, if "writes" is true. It lets the first "after" of them pass and acts
"times" times, without end if that is missing. Of several rules the first whose turn it is acts, alone.

Faults: "cut", "drop", "kill-before", "kill-after", "deny", "expire", "throttle", "prior-request", "hang", "empty-page",
{"delay": "200ms"}, {"hide": 2}, {"pending": 2}, {"pending": {"reads": 2, "states": ["status=creating"]}},
{"paginate": 5}, {"answer": {"status": 503, "code": "Unavailable", "message": "later", "header": {"Retry-After": "1"}}},
{"edit": {"old": "available", "new": "failed"}}, {"edit-request": {"old": "a", "new": "b"}}.

Flags:
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	restore := make(chan os.Signal, 1)
	signal.Notify(restore, syscall.SIGHUP)
	err := run(ctx, os.Args[1:], restore, os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "faultproxy:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends, and lets a new client in whenever restore tells it to.
func run(ctx context.Context, args []string, restore <-chan os.Signal, out, help io.Writer) error {
	flags := flag.NewFlagSet("faultproxy", flag.ContinueOnError)
	flags.SetOutput(help)
	flags.Usage = func() {
		_, _ = io.WriteString(help, usage)
		flags.PrintDefaults()
	}
	upstream := flags.String("upstream", "", "`URL` of the API that calls are forwarded to, without a path")
	listen := flags.String("listen", "127.0.0.1:0", "`address` to serve at; whoever reaches it can use the upstream")
	rules := flags.String("rules", "", "JSON `file` with the rules")
	journal := flags.String("journal", "text", "`form` of the lines for calls: text, json or none")
	asAWS := flags.Bool("as-aws", false, "answer as AWS where the emulator moto is known to differ")
	if err := flags.Parse(args); err != nil {
		return err
	}
	format, ok := map[string]func([]faultproxy.Call) string{
		"text": faultproxy.Format, "json": faultproxy.FormatJSON, "none": func([]faultproxy.Call) string { return "" },
	}[*journal]
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("%q is no flag", flags.Arg(0))
	case !ok:
		return fmt.Errorf("journal %q is not text, json or none", *journal)
	}

	p, err := faultproxy.StartAt(*listen, *upstream)
	if err != nil {
		return err
	}
	defer p.Close()
	if *asAWS {
		p.AsAWS()
	}
	if err := addRules(p, *rules); err != nil {
		return err
	}
	var mu sync.Mutex
	p.Watch(func(c faultproxy.Call) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.WriteString(out, format([]faultproxy.Call{c})) // nobody is left to tell that nobody reads
	})
	ready := "listening on " + p.URL()
	if *journal == "json" {
		ready = fmt.Sprintf(`{"url":%q}`, p.URL())
	}
	if _, err := fmt.Fprintln(out, ready); err != nil {
		return err
	}
	for {
		select {
		case <-restore:
			p.Restore()
		case <-ctx.Done():
			return nil
		}
	}
}

func addRules(p *faultproxy.Proxy, file string) error {
	if file == "" {
		return nil
	}
	f, err := os.Open(file) //nolint:gosec // G304: the file that the user names.
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read from
	if err := p.AddRules(f); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
