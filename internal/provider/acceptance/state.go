package acceptance

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// stateFile is the state that both CLIs write.
const stateFile = "terraform.tfstate"

// Instance is one entry of a state.
type Instance struct {
	// Address is the resource instance's address.
	Address string
	// Type is the resource type, such as estate_vpc.
	Type string
	// Tainted says that the next apply replaces the object.
	Tainted bool
	// Deposed is the key of a deposed object, "" for the current one.
	Deposed string
	// Attributes are its values.
	Attributes map[string]any
	// Identity is the resource identity; nil where the CLI stores none.
	Identity map[string]any
}

// ID returns the id attribute.
func (i Instance) ID() string { return i.Text("id") }

// Text returns a string attribute, "" for null or another type.
func (i Instance) Text(name string) string {
	text, _ := i.Attributes[name].(string)
	return text
}

// State reads the workspace's state file. There are no instances where it is missing or holds nothing.
func (w *Workspace) State() ([]Instance, error) {
	text, err := w.StateText()
	if err != nil || len(strings.TrimSpace(text)) == 0 {
		return nil, err
	}
	var state struct {
		Resources []jsonResource `json:"resources"`
	}
	if err := json.Unmarshal([]byte(text), &state); err != nil {
		return nil, fmt.Errorf("reading the state: %w", err)
	}
	var out []Instance
	for _, r := range state.Resources {
		if r.Mode == "managed" {
			out = append(out, r.instances()...)
		}
	}
	slices.SortFunc(out, func(a, b Instance) int {
		return strings.Compare(a.Address+a.Deposed, b.Address+b.Deposed)
	})
	return out, nil
}

type jsonResource struct {
	Module    string `json:"module"`
	Mode      string `json:"mode"`
	Type      string `json:"type"`
	Name      string `json:"name"`
	Instances []struct {
		Key        any            `json:"index_key"`
		Status     string         `json:"status"`
		Deposed    string         `json:"deposed"`
		Attributes map[string]any `json:"attributes"`
		Identity   map[string]any `json:"identity"`
	} `json:"instances"`
}

func (r jsonResource) instances() []Instance {
	base := r.Type + "." + r.Name
	if r.Module != "" {
		base = r.Module + "." + base
	}
	out := make([]Instance, 0, len(r.Instances))
	for _, i := range r.Instances {
		address := base
		switch key := i.Key.(type) {
		case string:
			address = fmt.Sprintf("%s[%q]", base, key)
		case float64:
			address = fmt.Sprintf("%s[%.0f]", base, key)
		}
		out = append(out, Instance{
			Address: address, Type: r.Type, Tainted: i.Status == "tainted", Deposed: i.Deposed,
			Attributes: i.Attributes, Identity: i.Identity,
		})
	}
	return out
}

// MustState returns the current instances by address and fails t where the state cannot be read.
func (w *Workspace) MustState(t T) map[string]Instance {
	t.Helper()
	instances, err := w.State()
	if err != nil {
		t.Fatalf("%v", err)
	}
	out := map[string]Instance{}
	for _, i := range instances {
		if i.Deposed == "" {
			out[i.Address] = i
		}
	}
	return out
}

// StateText returns the state file as it stands, "" where there is none.
func (w *Workspace) StateText() (string, error) {
	text, err := os.ReadFile(filepath.Join(w.Dir, stateFile))
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

// SetStateText puts an older state, or any other text, in the state file's place.
func (w *Workspace) SetStateText(text string) error {
	return w.Write(stateFile, text)
}

// ForgetState deletes the state file, its backup and its lock.
func (w *Workspace) ForgetState() error {
	for _, file := range []string{stateFile, stateFile + ".backup", "." + stateFile + ".lock.info"} {
		if err := w.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
