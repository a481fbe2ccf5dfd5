package main

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// TestThroughCLI takes one case through each CLI, with the CLI itself killed when AWS has done the work; make crash takes more.
func TestThroughCLI(t *testing.T) {
	m, sub, s := begin(t, "estate_eip")
	defer func() { must(t, m.close()) }()
	calls, err := trial{sub: sub, op: create}.learn(t.Context(), s)
	must(t, err)
	all := cases(sub, create, calls)
	n := slices.IndexFunc(all, func(c trial) bool { return c.call.Action == "AllocateAddress" && c.throughCLI() && !c.lost })
	for _, cli := range m.harness.CLIs {
		if err := all[n].through(t.Context(), s, cli, "CLI killed after", t.TempDir()); err != nil {
			t.Errorf("%s: %v", cli, err)
		}
	}
}

// TestBlock shows that a CLI gets the configuration that the matrix has.
func TestBlock(t *testing.T) {
	text := block("estate_x", target{cbd: true, config: conf{
		"name": "a \"b\"", "count": 3, "on": true, "tags": conf{"Name": "x"}, "list": []any{"y", "z"},
	}})
	file, diags := hclsyntax.ParseConfig([]byte(text), "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%s\n%s", diags, text)
	}
	body, ok := file.Body.(*hclsyntax.Body)
	if !ok || len(body.Blocks) != 1 || len(body.Blocks[0].Body.Attributes) != 5 || len(body.Blocks[0].Body.Blocks) != 1 {
		t.Fatalf("configuration:\n%s", text)
	}
	for _, want := range []string{`name = "a \"b\""`, "count = 3", "on = true", `tags = { Name = "x" }`, `list = ["y", "z"]`, "create_before_destroy = true"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestThroughCLIChoice(t *testing.T) {
	for name, c := range map[string]struct {
		t    trial
		want bool
	}{
		"state kept":            {trial{sub: &subject{tier: marked}, op: replace}, true},
		"a way out is needed":   {trial{sub: &subject{tier: marked}, op: replace, lost: true}, false},
		"found by its marker":   {trial{sub: &subject{tier: named}, op: update, lost: true}, true},
		"nothing says whose":    {trial{sub: &subject{tier: composed}, op: update, lost: true}, false},
		"the same after a loss": {trial{sub: &subject{tier: composed}, op: create, lost: true}, true},
	} {
		if got := c.t.throughCLI(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestPrintCLI(t *testing.T) {
	tofu := acceptance.CLI{Name: acceptance.OpenTofu, Version: "1"}
	r := &report{}
	r.addCLI(cliOutcome{cli: tofu, name: "b", err: os.ErrInvalid})
	r.addCLI(cliOutcome{cli: tofu, name: "a"})
	var out bytes.Buffer
	if err := r.printCLI(&out); !errors.Is(err, os.ErrInvalid) {
		t.Errorf("the failure is lost: %v", err)
	}
	if text := out.String(); !strings.HasPrefix(text, "ok ") || !strings.Contains(text, "FAIL") ||
		!strings.Contains(text, "OpenTofu 1: 2 cases run, 1 failed") {
		t.Errorf("table:\n%s", text)
	}
}
