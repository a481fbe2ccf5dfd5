package configuration_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
)

const stateText = `{"version": 4, "terraform_version": "1.12.6", "serial": 7, "lineage": "l", "outputs": {}, "resources": [
  {"mode": "managed", "type": "t", "name": "a", "provider": "provider[\"x/y/z\"]", "instances": [
    {"schema_version": 0, "attributes": {"id": "1"}},
    {"schema_version": 0, "deposed": "abcd", "attributes": {"id": "2"}}]},
  {"module": "module.m[\"a.b[0]\"].module.n[3]", "mode": "managed", "type": "t", "name": "b", "each": "map", "instances": [
    {"index_key": "k", "status": "tainted", "provider": "provider[\"x/y/other\"]"},
    {"index_key": "\"${", "skip_destroy": true},
    {"index_key": 12}]},
  {"module": "module.m", "mode": "data", "type": "d", "name": "c", "instances": [{}]}
]}`

// TestParseState reads all that addresses and plans need.
func TestParseState(t *testing.T) {
	s, err := configuration.ParseState([]byte(stateText))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range s.Objects {
		line := o.String()
		if o.Deposed != "" {
			line += " deposed " + o.Deposed
		}
		if o.Tainted {
			line += " tainted"
		}
		if o.Kept {
			line += " kept"
		}
		got = append(got, line)
	}
	want := []string{
		`t.a`, `t.a deposed abcd`,
		`module.m["a.b[0]"].module.n[3].t.b["k"] tainted`,
		`module.m["a.b[0]"].module.n[3].t.b["\"$${"] kept`,
		`module.m["a.b[0]"].module.n[3].t.b[12]`,
		`module.m.data.d.c`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("objects\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if s.Tool != "1.12.6" || s.Serial != 7 || s.Lineage != "l" {
		t.Errorf("of the file itself: %q %d %q", s.Tool, s.Serial, s.Lineage)
	}
	if a, b := s.Objects[0], s.Objects[2]; a.Provider != `provider["x/y/z"]` || string(a.Attributes) != `{"id": "1"}` || b.Provider != `provider["x/y/other"]` {
		t.Errorf("providers %s and %s, attributes %s", a.Provider, b.Provider, a.Attributes)
	}
}

// TestParseStateRefuses says what a file is that is no state.
func TestParseStateRefuses(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"no JSON":         {"resource {}", "this is no state"},
		"no version":      {"{}", "it has no version"},
		"another version": {`{"version": 3, "modules": []}`, "the state has version 3"},
		"encrypted":       {`{"serial": 1, "lineage": "l", "meta": {}, "encrypted_data": "x", "encryption_version": "v0"}`, "encrypted"},
		"show -json":      {`{"format_version": "1.0", "values": {}}`, "show -json"},
		"mode":            {`{"version": 4, "resources": [{"mode": "list", "type": "t", "name": "a", "instances": [{}]}]}`, `the mode "list"`},
		"module":          {`{"version": 4, "resources": [{"module": "module.", "mode": "managed", "type": "t", "name": "a", "instances": [{}]}]}`, `in the module "module."`},
		"no module":       {`{"version": 4, "resources": [{"module": "module.a.t.b", "mode": "managed", "type": "t", "name": "a", "instances": [{}]}]}`, "no path of modules"},
		"key":             {`{"version": 4, "resources": [{"mode": "managed", "type": "t", "name": "a", "instances": [{"index_key": 1.5}]}]}`, "the key 1.5"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := configuration.ParseState([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v; want something about %q", err, test.want)
			}
		})
	}
	if s, err := configuration.ParseState([]byte(" \n")); err != nil || len(s.Objects) != 0 {
		t.Errorf("an empty text, as state pull prints it: %v %v", s, err)
	}
}

// TestLocalState finds the state where a local backend keeps it, and says where it is kept otherwise.
func TestLocalState(t *testing.T) {
	const plain = `{"version": 4, "lineage": "NAME", "resources": []}`
	for _, test := range []struct {
		name, config, workspace string
		files                   map[string]string
		want, err               string
	}{
		{name: "no backend", want: "here", files: map[string]string{"terraform.tfstate": "here"}},
		{name: "nothing yet", want: ""},
		{name: "a workspace", workspace: "w", want: "ws", files: map[string]string{"terraform.tfstate": "here", "terraform.tfstate.d/w/terraform.tfstate": "ws"}},
		{name: "a path", config: `terraform {
  backend "local" { path = "kept/s.json" }
}`, want: "kept", files: map[string]string{"kept/s.json": "kept"}},
		{name: "folder of workspaces", workspace: "w", config: `terraform {
  backend "local" { workspace_dir = "spaces" }
}`, want: "sp", files: map[string]string{"spaces/w/terraform.tfstate": "sp"}},
		{name: "another backend", config: `terraform {
  backend "s3" {}
}`, err: `"s3"`},
		{name: "a cloud", config: `terraform {
  cloud {}
}`, err: `"cloud"`},
		{name: "as init noted", config: `terraform {
  backend "local" {}
}`, want: "noted", files: map[string]string{"x.tfstate": "noted", ".terraform/terraform.tfstate": `{"version": 3, "backend": {"type": "local", "config": {"path": "x.tfstate", "workspace_dir": null}}}`}},
		{name: "noted elsewhere", files: map[string]string{".terraform/terraform.tfstate": `{"version": 3, "backend": {"type": "gcs", "config": {}}}`}, err: `"gcs"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			files := map[string]string{"main.tf": test.config + "\nlocals {}\n"}
			for name, text := range test.files {
				if !strings.HasPrefix(text, "{") {
					text = strings.Replace(plain, "NAME", text, 1)
				}
				files[name] = text
			}
			for name, text := range files {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			tree, diags := configuration.Load(dir)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			s, err := tree.LocalState(test.workspace)
			switch {
			case test.err != "":
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("error %v; want one that names %s", err, test.err)
				}
			case err != nil:
				t.Error(err)
			case s.Lineage != test.want:
				t.Errorf("state %q; want %q", s.Lineage, test.want)
			}
		})
	}
}
