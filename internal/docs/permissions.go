package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofu-estate/terraform-provider-estate/internal/permissions"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
)

// Where the guide's template leaves room for what the lists of actions say.
const (
	permissionsTable    = "<!-- table of actions -->"
	permissionsPolicies = "<!-- policies by type -->"
)

// exampleEstate is the estate of the policies with conditions.
const exampleEstate = "prod"

// permissionsGuide fills the guide with the actions and policies of every type.
func permissionsGuide(pages string) error {
	path := filepath.Join(pages, "guides", "permissions.md")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	page := string(text)
	for mark, fill := range map[string]func(typ string) (string, error){permissionsTable: tableRow, permissionsPolicies: typeSection} {
		if strings.Count(page, mark) != 1 {
			return fmt.Errorf("%s: the template should hold %s once", path, mark)
		}
		var b strings.Builder
		for _, t := range provider.Types() {
			part, err := fill("estate_" + t.Name())
			if err != nil {
				return fmt.Errorf("permissions of %s: %w", t.Name(), err)
			}
			b.WriteString(part)
		}
		page = strings.Replace(page, mark, strings.TrimSpace(b.String()), 1)
	}
	return os.WriteFile(path, []byte(page), 0o600)
}

// tableRow is a type's row: reads, writes, and what arguments ask for.
func tableRow(typ string) (string, error) {
	p, err := permissions.For(typ)
	if err != nil {
		return "", err
	}
	options, err := permissions.Options(typ)
	if err != nil {
		return "", err
	}
	var more []string
	for _, o := range options {
		more = append(more, codes(o.For)+": "+codes(o.Actions))
	}
	return fmt.Sprintf("| [`%s`](#%s) | %s | %s | %s |\n", typ, typ, codes(p.Statement[0].Action), codes(p.Statement[1].Action),
		strings.Join(more, "; ")), nil
}

// codes lists names as code.
func codes(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

// typeSection is what the guide says of a type: its policy, what asks for which statement, what was not seen, and the form with
// conditions.
func typeSection(typ string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", typ)
	p, err := permissions.For(typ)
	if err != nil {
		return "", err
	}
	if err := writePolicy(&b, p); err != nil {
		return "", err
	}
	options, err := permissions.Options(typ)
	if err != nil {
		return "", err
	}
	for _, o := range options {
		if words, ok := special[o.Sid]; ok {
			fmt.Fprintf(&b, "- `%s` may be left out: %s.\n", o.Sid, words)
			continue
		}
		fmt.Fprintf(&b, "- `%s` is for %s.\n", o.Sid, codes(o.For))
	}
	for _, u := range permissions.Unheld[typ] {
		fmt.Fprintf(&b, "- `%s` is listed by hand: %s.\n", u.Action, u.Why)
	}
	if len(options) > 0 {
		b.WriteString("\n")
	}
	if !slices.Contains(permissions.Conditioned(), typ) {
		return b.String(), nil
	}
	hardened, err := permissions.Hardened(typ, exampleEstate)
	if err != nil {
		return "", err
	}
	b.WriteString("With conditions, for the estate `" + exampleEstate + "`:\n\n")
	err = writePolicy(&b, hardened)
	return b.String(), err
}

// special are the statements that no argument asks for.
var special = map[string]string{
	"Fallback": "it serves regions and partitions alone where S3 Control has no tags of buckets",
	"Messages": "with it, the error of a destroy that AWS refuses to the end names the network interfaces that hold the object",
}

func writePolicy(b *strings.Builder, p permissions.Policy) error {
	text, err := json.MarshalIndent(p, "", "  ")
	if err == nil {
		fmt.Fprintf(b, "```json\n%s\n```\n\n", text)
	}
	return err
}
