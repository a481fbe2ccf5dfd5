package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
)

// movedDir holds the states that hashicorp/aws 5 and 6 write, one a type and version, and the configurations that the
// types have here. They are templates: ids and tags are those of objects that raw calls made.
const movedDir = "testdata/moved"

// movedEstate is the estate of the moved objects.
const movedEstate = "moved"

// moved is a type whose state moves in from hashicorp/aws.
type moved struct {
	// Type is the resource type here.
	Type string
	// Make makes an object with these tags by raw calls, adds what the templates want to know of it to values, and returns
	// its id. The objects of the types before it in the table are there.
	Make func(ctx context.Context, t *testing.T, a *AWS, tags map[string]string, values map[string]string) string
}

// source is the type in hashicorp/aws.
func (m moved) source() string { return "aws_" + strings.TrimPrefix(m.Type, "estate_") }

// movedTags are the tags that the configurations give.
var movedTags = map[string]string{"Name": "moved", "team": "core"}

// markedAsBefore adds what a configuration with hashicorp/aws may have marked its object with, and a binding that
// another state gave it.
func markedAsBefore(m moved) map[string]string {
	tags := maps.Clone(movedTags)
	tags[TagEstate], tags[TagAddress], tags[TagBinding] = movedEstate, m.source()+".a", "01jd00000000000000000000aa"
	return tags
}

// TestMovedFromAWS moves one object of each type in, in one configuration whose blocks refer to each other. The plan is one
// change of tags for each, the apply makes exactly these calls, and nothing is replaced or made again.
func TestMovedFromAWS(t *testing.T) {
	for version, tags := range map[string]func(moved) map[string]string{
		"v5": markedAsBefore,
		"v6": func(moved) map[string]string { return maps.Clone(movedTags) },
	} {
		t.Run(version, func(t *testing.T) {
			eachCLI(t, func(t *testing.T, w *Workspace) {
				before := moveIn(t, w, version, tags)
				tagged := taggedOf(t, before)
				w.Plan(t.Context(), "-refresh=false").MustOnly(t, Update, tagged...)
				p := w.Plan(t.Context()).MustOnly(t, Update, tagged...)
				for address := range before {
					onlyMarks(t, p.Change(address))
				}
				mark := w.Proxy.Mark()
				w.ApplyPlan(t.Context()).Must(t)
				w.MustCall(t, mark, "write", len(tagged), faultproxy.Writes())
				w.MustCall(t, mark, "write tags", len(tagged), TagWrites())
				if after := ids(t, w); !maps.Equal(after, before) {
					t.Errorf("the state held %v and holds %v", before, after)
				}
				mustAgree(t, w, movedEstate)
				for address, i := range w.MustState(t) {
					if w.CLI.StoresIdentity() && i.Identity["account_id"] != w.Account {
						t.Errorf("%s: the identity is %v", address, i.Identity)
					}
				}
				for _, o := range w.AWS.MustEstate(t.Context(), t, movedEstate) {
					if o.Tags["Name"] != "moved" || o.Tags["team"] != "core" || o.Tags[TagAddress] != o.Type+".a" {
						t.Errorf("%s %s carries %v", o.Type, o.ID, o.Tags)
					}
				}
				w.Plan(t.Context()).MustBeEmpty(t)
			})
		})
	}
}

// TestMovedIsComplete holds the table to the provider: each type whose state may come from hashicorp/aws has recorded ones.
func TestMovedIsComplete(t *testing.T) {
	var served, moving []string
	for _, of := range provider.Types() {
		served = append(served, "estate_"+of.Name())
	}
	for _, m := range movedTypes {
		moving = append(moving, m.Type)
	}
	slices.Sort(served)
	slices.Sort(moving)
	if !slices.Equal(served, moving) {
		t.Errorf("the provider has %v\nand recorded are %v", served, moving)
	}
}

// TestMovedStatesAreWhole holds the recorded states to the schemas of hashicorp/aws 5.32: a state has every attribute, set or
// not, and version 6 says where an object is.
func TestMovedStatesAreWhole(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "testdata", "aws-schema.json"))
	must(t, err)
	var schemas struct {
		Types map[string]map[string]any `json:"types"`
	}
	must(t, json.Unmarshal(text, &schemas))
	for _, m := range movedTypes {
		schema, ok := schemas.Types[m.source()]
		if !ok {
			t.Errorf("there is no schema of %s", m.source())
			continue
		}
		five, six := recorded(t, "v5", m), recorded(t, "v6", m)
		if had, want := slices.Sorted(maps.Keys(five)), slices.Sorted(maps.Keys(schema)); !slices.Equal(had, want) {
			t.Errorf("%s of version 5 has %v, its schema %v", m.source(), had, want)
		}
		arn, _ := five["arn"].(string)
		if _, says := six["region"]; says != (strings.Contains(arn, "{{.region}}") || m.Type == "estate_eip" || m.Type == "estate_s3_bucket") {
			t.Errorf("%s of version 6 says a region: %t", m.source(), says)
		}
	}
}

// recorded are the attributes of a recorded state, with the templates' words in them.
func recorded(t *testing.T, version string, m moved) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(movedDir, version, m.source()+".json"))
	must(t, err)
	var state struct {
		Resources []jsonResource `json:"resources"`
	}
	must(t, json.Unmarshal(bytes.ReplaceAll(text, []byte("{{.tags}}"), []byte("{}")), &state))
	return state.Resources[0].Instances[0].Attributes
}

// moveIn makes the objects, writes the state that hashicorp/aws would have of them, and a configuration of ours with moved
// blocks. It returns the ids by address.
func moveIn(t *testing.T, w *Workspace, version string, tags func(moved) map[string]string) map[string]string {
	t.Helper()
	values := map[string]string{"host": w.CLI.registry(), "account": w.Account, "region": Region}
	var state map[string]any
	var resources []any
	var configuration strings.Builder
	before := map[string]string{}
	for _, m := range movedTypes {
		all := tags(m)
		before[m.Type+".a"] = m.Make(t.Context(), t, w.AWS, all, values)
		text, err := json.Marshal(all)
		must(t, err)
		values["tags"] = string(text)
		state = map[string]any{}
		must(t, json.Unmarshal(fill(t, filepath.Join(version, m.source()+".json"), values), &state))
		one, ok := state["resources"].([]any)
		if !ok || len(one) != 1 {
			t.Fatalf("the state of %s holds %v", m.source(), state["resources"])
		}
		resources = append(resources, one[0])
		configuration.Write(fill(t, m.Type+".tf", values))
		configuration.WriteString("\nmoved {\n  from = " + m.source() + ".a\n  to   = " + m.Type + ".a\n}\n\n")
	}
	state["resources"] = resources
	text, err := json.Marshal(state)
	must(t, err)
	must(t, w.SetStateText(string(text)))
	start(t, w, movedEstate, configuration.String())
	return before
}

// fill fills a template. A value that it lacks is an error.
func fill(t *testing.T, file string, values map[string]string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(movedDir, file))
	must(t, err)
	parsed, err := template.New(file).Option("missingkey=error").Parse(string(text))
	must(t, err)
	var out bytes.Buffer
	must(t, parsed.Execute(&out, values))
	return out.Bytes()
}

// taggedOf are the addresses of types with tags; those of the others have nothing to take over.
func taggedOf(t *testing.T, before map[string]string) []string {
	t.Helper()
	var out []string
	for address := range before {
		kind, err := KindOf(strings.TrimSuffix(address, ".a"))
		must(t, err)
		if kind.List != nil {
			out = append(out, address)
		}
	}
	slices.Sort(out)
	return out
}

// onlyMarks fails the test where a change concerns more than the marker's attributes.
func onlyMarks(t *testing.T, c Change) {
	t.Helper()
	for _, name := range attributesOf(c) {
		before, after := c.Before[name], c.After[name]
		was, err := json.Marshal(before)
		must(t, err)
		is, err := json.Marshal(after)
		must(t, err)
		if unknown, ok := c.Unknown[name]; !strings.HasPrefix(name, "tofu_") && (!bytes.Equal(was, is) || ok && holdsTrue(unknown)) {
			t.Errorf("%s: %s changes from %s to %s", c.Address, name, was, is)
		}
	}
}

// holdsTrue tells whether something in a value of after_unknown is unknown.
func holdsTrue(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), holdsTrue)
	case []any:
		return slices.ContainsFunc(v, holdsTrue)
	}
	return false
}
