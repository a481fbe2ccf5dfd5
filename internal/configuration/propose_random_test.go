package configuration_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
)

// shape is a module of a made-up configuration: its resources and calls, each of them single or with for_each.
type shape struct {
	blocks map[string]bool
	calls  map[string]nested
}

type nested struct {
	keyed bool
	shape *shape
}

// maker makes up configurations in which each object has an argument that no other one has.
type maker struct {
	*rand.Rand
	left []string
}

var (
	blockNames = []string{"a", "b", "c"}
	callNames  = []string{"m", "n"}
	keyNames   = []string{"k", "l", "one.two"}
)

func (r *maker) shape(depth int) *shape {
	s := &shape{blocks: map[string]bool{}, calls: map[string]nested{}}
	for _, name := range blockNames {
		if r.IntN(2) == 0 {
			s.blocks[name] = r.IntN(2) == 0
		}
	}
	for _, name := range callNames {
		if depth > 0 && r.IntN(3) > 0 {
			s.calls[name] = nested{r.IntN(2) == 0, r.shape(depth - 1)}
		}
	}
	return s
}

// values gives the objects of one instance of a module their arguments.
func (r *maker) values(s *shape) map[string]any {
	out := map[string]any{}
	for _, name := range blockNames {
		keyed, ok := s.blocks[name]
		switch {
		case ok && keyed:
			m := map[string]any{}
			for _, key := range keyNames {
				if r.IntN(2) == 0 {
					m[key] = r.take()
				}
			}
			out[name] = m
		case ok:
			out[name] = r.take()
		}
	}
	for _, name := range callNames {
		call, ok := s.calls[name]
		switch {
		case ok && call.keyed:
			m := map[string]any{}
			for _, key := range keyNames {
				if r.IntN(2) == 0 {
					m[key] = r.values(call.shape)
				}
			}
			out["module_"+name] = m
		case ok:
			out["module_"+name] = r.values(call.shape)
		}
	}
	return out
}

// take is an argument that no other object has.
func (r *maker) take() string {
	if len(r.left) == 0 {
		return fmt.Sprintf("new %d", r.IntN(1<<30))
	}
	n := r.IntN(len(r.left))
	out := r.left[n]
	r.left = append(r.left[:n], r.left[n+1:]...)
	return out
}

// write writes the module and what it calls into a folder.
func (s *shape) write(t *testing.T, dir, data string) {
	t.Helper()
	var b strings.Builder
	if data == "var.data" {
		b.WriteString("variable \"data\" { type = any }\n")
	} else {
		fmt.Fprintf(&b, "locals {\n  data = jsondecode(file(\"${path.module}/data.json\"))\n}\n")
	}
	b.WriteString("output \"any\" { value = 1 }\n")
	for name, keyed := range s.blocks {
		if keyed {
			fmt.Fprintf(&b, "resource \"terraform_data\" %q {\n  for_each = %s.%s\n  input    = each.value\n}\n", name, data, name)
		} else {
			fmt.Fprintf(&b, "resource \"terraform_data\" %q {\n  input = %s.%s\n}\n", name, data, name)
		}
	}
	for name, call := range s.calls {
		if call.keyed {
			fmt.Fprintf(&b, "module %q {\n  source   = \"./%s\"\n  for_each = %s.module_%s\n  data     = each.value\n}\n", name, name, data, name)
		} else {
			fmt.Fprintf(&b, "module %q {\n  source = \"./%s\"\n  data   = %s.module_%s\n}\n", name, name, data, name)
		}
		call.shape.write(t, filepath.Join(dir, name), "var.data")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// make writes a made-up configuration whose objects take the arguments that are left.
func (r *maker) make(t *testing.T, dir string) {
	t.Helper()
	s := r.shape(2)
	s.write(t, dir, "local.data")
	text, err := json.Marshal(r.values(s))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "data.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// inputs are the arguments of the objects of a configuration, by address.
func inputs(t *testing.T, e *configuration.Evaluation) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, r := range e.List().Instances {
		value, _ := r.Module.Argument(r.Resource, r.Repetition, "input")
		out[r.String()] = value.AsString()
	}
	return out
}

// randomRefactoring is a configuration and what has become of it: the same objects, in other modules and under other names and keys.
func randomRefactoring(t *testing.T, seed uint64, before, after string) {
	t.Helper()
	r := &maker{Rand: rand.New(rand.NewPCG(seed, 0))} //nolint:gosec // G404: the same ones each time.
	r.make(t, before)
	old := inputs(t, evaluated(t, tree{}, before))
	for _, r2 := range sortedKeys(old) {
		r.left = append(r.left, old[r2])
	}
	r.make(t, after)
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for key := range m {
		out = append(out, key)
	}
	return sorted(out)
}

// TestProposeRandom finds each object again, wherever it has gone, and never takes one for another.
func TestProposeRandom(t *testing.T) {
	found := 0
	for seed := range uint64(200) {
		before, after := t.TempDir(), t.TempDir()
		randomRefactoring(t, seed, before, after)
		x := tree{}
		p := propose(t, x, before, after, nil)
		old, current := inputs(t, evaluated(t, x, before)), inputs(t, evaluated(t, x, after))
		there := map[string]string{}
		for address, input := range current {
			there[input] = address
		}
		for _, c := range p.After.Changes {
			if c.Action == configuration.Keep {
				found++
				if _, stays := old[c.Address.String()]; !stays && old[c.Previous.String()] != current[c.Address.String()] {
					t.Errorf("%d: %s with %q becomes %s with %q", seed, c.Previous, old[c.Previous.String()], c.Address, current[c.Address.String()])
				}
			}
		}
		for _, l := range p.Left {
			if l.Action != configuration.Destroy {
				continue
			}
			// Its arguments are nowhere, or at an address that has an object already.
			to, ok := there[old[l.Address.String()]]
			if !ok {
				continue
			}
			if _, stays := old[to]; stays {
				continue
			}
			t.Errorf("%d: %s is not found again at %s: %s", seed, l.Address, to, l.Reason)
		}
	}
	if found < 500 {
		t.Errorf("%d objects are found again; too few to tell anything", found)
	}
}

// TestProposeRandomInTools has the real tools plan some of them.
func TestProposeRandomInTools(t *testing.T) {
	eachTool(t, func(t *testing.T, c cli) {
		for seed := range uint64(12) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				before, after := t.TempDir(), t.TempDir()
				randomRefactoring(t, seed, before, after)
				c.must(t, before, nil, "init", "-no-color")
				c.must(t, before, nil, "apply", "-auto-approve", "-no-color")
				state := filepath.Join(before, "terraform.tfstate")
				s, err := configuration.ReadState(state)
				if err != nil {
					t.Fatal(err)
				}
				p := propose(t, tree{}, before, after, s)
				for _, f := range p.Files {
					if err := os.WriteFile(filepath.Join(f.Dir, "moved.tf"), []byte(f.Text()), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				c.must(t, after, nil, "init", "-no-color")
				c.must(t, after, nil, "plan", "-state="+state, "-out=p", "-no-color")
				var shown shownPlan
				if err := json.Unmarshal([]byte(c.must(t, after, nil, "show", "-json", "p")), &shown); err != nil {
					t.Fatal(err)
				}
				if lines, counts := shown.lines(t); counts != p.After.Counts() {
					t.Errorf("the tool plans\n%s\nwhere we say %s", strings.Join(lines, "\n"), p.After.Counts())
				}
			})
		}
	})
}
