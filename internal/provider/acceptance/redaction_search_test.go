package acceptance

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// secretForms are the forms in which a secret may stand in a text: as it is, as part of a URL, in hexadecimal digits and in
// base 64, alone or with other text around it, which shifts its bits.
func secretForms(secret string) []string {
	forms := []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), hex.EncodeToString([]byte(secret)), strings.ToUpper(hex.EncodeToString([]byte(secret))),
	}
	for shift := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := encoding.EncodeToString([]byte(strings.Repeat("-", shift) + secret))
			first, last := (shift*8+5)/6, (shift+len(secret))*8/6 // what holds bits of the secret alone
			forms = append(forms, text[first:last])
		}
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// texts are what a CLI left behind, by where it stands.
type texts map[string]string

// leaksShown bounds what a failure prints: where headers leak, each call of a run has a secret of its own.
const leaksShown = 20

// mustHideAll fails the test for each secret, by its name, that stands somewhere in any form.
func (x texts) mustHideAll(t *testing.T, secrets map[string]string) {
	t.Helper()
	leaks := 0
	for name, secret := range secrets {
		for where, text := range x {
			for _, form := range secretForms(secret) {
				if at := strings.Index(text, form); at >= 0 {
					if leaks++; leaks > leaksShown {
						t.Fatal("and more")
					}
					t.Errorf("%s stands in %s:\n…%s…", name, where, text[max(at-200, 0):min(at+len(form)+50, len(text))])
					break
				}
			}
		}
	}
}

// addFiles adds all files below a folder but the named ones, and what is in a saved plan.
func (x texts) addFiles(t *testing.T, dir string, except ...string) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || slices.Contains(except, entry.Name()) {
			return err // the provider's binary is a symbolic link
		}
		text, err := os.ReadFile(path) //nolint:gosec // G122: the folder is the test's own.
		if err != nil {
			return err
		}
		if entry.Name() == planFile {
			return x.addPlan(path, text)
		}
		x[path] = string(text)
		return nil
	}))
}

// planOwn is the entry of a saved plan that cannot be searched: it holds the values of all variables, which the apply needs and
// the CLI keeps there. Everything else that it says is in the CLI's JSON: see withoutVariables.
const planOwn = "tfplan"

// addPlan adds the entries of a saved plan, the states among them.
func (x texts) addPlan(path string, text []byte) error {
	archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return err
	}
	for _, entry := range archive.File {
		if entry.Name == planOwn {
			continue
		}
		file, err := entry.Open()
		if err != nil {
			return err
		}
		content, err := io.ReadAll(file)
		if err != nil {
			return err
		}
		x[path+" "+entry.Name] = string(content)
	}
	return nil
}

// withoutVariables takes the values of the variables out of a plan's JSON. The CLI shows them there, sensitive ones too; the
// provider has no part in that.
func withoutVariables(t *testing.T, plan string) string {
	t.Helper()
	var all map[string]any
	must(t, json.Unmarshal([]byte(plan), &all))
	if _, ok := all["variables"]; !ok {
		t.Error("the plan's JSON shows no variables: the exception for them is not needed any more")
	}
	delete(all, "variables")
	text, err := json.Marshal(all)
	must(t, err)
	return string(text)
}

// TestSecretForms shows that a secret is found in each form, whatever stands around it.
func TestSecretForms(t *testing.T) {
	secret := "canary/of the+test"
	for _, before := range []string{"", "a", "ab", "abc"} {
		for _, after := range []string{"", "x", "xy"} {
			whole := before + secret + after
			for form, text := range map[string]string{
				"plain": whole, "query": url.QueryEscape(whole), "path": url.PathEscape(whole), "hexadecimal": hex.EncodeToString([]byte(whole)),
				"base 64": base64.StdEncoding.EncodeToString([]byte(whole)), "base 64 for URLs": base64.URLEncoding.EncodeToString([]byte(whole)),
			} {
				if !slices.ContainsFunc(secretForms(secret), func(f string) bool { return strings.Contains(text, f) }) {
					t.Errorf("%s of %q is not found", form, whole)
				}
			}
		}
	}
	for _, other := range []string{"", "canary", "of the+test", base64.StdEncoding.EncodeToString([]byte("canary/of another"))} {
		if slices.ContainsFunc(secretForms(secret), func(f string) bool { return strings.Contains(other, f) }) {
			t.Errorf("%q is taken for the secret", other)
		}
	}
}
