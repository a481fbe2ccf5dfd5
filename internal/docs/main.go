// Command docs writes the registry's pages, docs/, from the provider's schema, templates/ and examples/. `make docs`
// runs it. It works without a network: the schema comes from the CLI and the provider's own binary, and
// tfplugindocs renders it.
//
// What tfplugindocs cannot know is added here: the subcategory of a page, which is the Service of the type's
// descriptor, and the IAM actions and policies of the guide on permissions. The tests of this package fail where docs/ is not what would be written, and where a relative link of
// any page leads nowhere.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	root := flag.String("root", ".", "folder of the repository")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *root)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "FAILED:", err)
		os.Exit(1)
	}
}

// run replaces docs/.
func run(ctx context.Context, root string) (err error) {
	g, err := fromEnvironment(root)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "estate-docs-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	pages, err := g.generate(ctx, work)
	if err != nil {
		return err
	}
	target := filepath.Join(root, "docs")
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	return os.CopyFS(target, os.DirFS(pages))
}
