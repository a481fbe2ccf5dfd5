package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/permissions"
)

// This file is about the list of actions: what of it the emulator is given, what it has to be, and how it is written anew.

// uses are the actions that were seen, as the list has them.
func (p *privileges) uses() []permissions.Use {
	var out []permissions.Use
	for _, action := range slices.Sorted(maps.Keys(p.seen)) {
		n := p.seen[action]
		u := permissions.Use{Action: action}
		if len(n.calls) > 1 || !n.calls[action] {
			u.Calls = slices.Sorted(maps.Keys(n.calls))
		}
		if !n.always {
			u.For = slices.Sorted(maps.Keys(n.options))
		}
		out = append(out, u)
	}
	return out
}

// listed are the actions that the list gives to the type, those by hand left out, so that no call gets through by them.
func (p *privileges) listed(t *testing.T) []string {
	t.Helper()
	all, err := permissions.Learned()
	must(t, err)
	var out []string
	for _, u := range all[p.sub.typ] {
		out = append(out, u.Action)
	}
	return out
}

// mustBeListed fails the test where the list is not what was seen.
func (p *privileges) mustBeListed(t *testing.T) {
	t.Helper()
	all, err := permissions.Learned()
	must(t, err)
	have, want := lines(all[p.sub.typ]), lines(p.uses())
	if have != want {
		t.Errorf("internal/permissions/types.json is not what the provider calls: run make permissions\nit has\n%s\nseen were\n%s", have, want)
	}
}

func lines(uses []permissions.Use) string {
	var b strings.Builder
	for _, u := range uses {
		fmt.Fprintf(&b, "  %+v\n", u)
	}
	return b.String()
}

// published is the policy that the guide has for the type, in the emulator's dialect.
func (p *privileges) published(t *testing.T) string {
	t.Helper()
	policy, err := permissions.For(p.sub.typ)
	must(t, err)
	for i, s := range policy.Statement {
		policy.Statement[i].Action = inDialect(s.Action)
	}
	text, err := json.Marshal(policy)
	must(t, err)
	return string(text)
}

// policyOf allows actions on everything.
func policyOf(actions []string) string {
	text, err := json.Marshal(map[string]any{"Version": "2012-10-17", "Statement": []any{
		map[string]any{"Effect": "Allow", "Action": inDialect(actions), "Resource": "*"},
	}})
	if err != nil {
		panic(err) // strings alone
	}
	return string(text)
}

// write writes the list.
func write(root string, found map[string][]permissions.Use) error {
	text, err := json.MarshalIndent(found, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "internal", "permissions", "types.json"), append(text, '\n'), 0o600)
}
