package configuration

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// stateVersion is the one format of states that is read: the tools have written it since Terraform 0.12.
const stateVersion = 4

// State is what a state file holds of resources and data sources.
type State struct {
	// Tool is the version of the tool that wrote it last.
	Tool    string
	Lineage string
	Serial  uint64
	Objects []StateObject
}

// StateObject is one object of a state: the current one of an instance, or one that is deposed.
type StateObject struct {
	Mode    Mode
	Address markers.Address
	// Deposed is the key of an object that a replacement has left behind; "" for the current one.
	Deposed string
	// Tainted says that the next plan replaces it.
	Tainted bool
	// Kept says that the block had destroy = false, so that it is forgotten where it would be destroyed.
	Kept bool
	// Provider is the provider's address, as the state has it.
	Provider string
	// Attributes are the object's, as JSON.
	Attributes json.RawMessage
}

// String is the address as a state list shows it.
func (o StateObject) String() string { return addressText(o.Mode, o.Address) }

type stateFile struct {
	Version       *uint64         `json:"version"`
	Tool          string          `json:"terraform_version"`
	Serial        uint64          `json:"serial"`
	Lineage       string          `json:"lineage"`
	EncryptedData json.RawMessage `json:"encrypted_data"`
	FormatVersion json.RawMessage `json:"format_version"`
	Resources     []stateResource `json:"resources"`
}

type stateResource struct {
	Module    string          `json:"module"`
	Mode      string          `json:"mode"`
	Type      string          `json:"type"`
	Name      string          `json:"name"`
	Provider  string          `json:"provider"`
	Instances []stateInstance `json:"instances"`
}

type stateInstance struct {
	IndexKey    json.RawMessage `json:"index_key"`
	Status      string          `json:"status"`
	Deposed     string          `json:"deposed"`
	Provider    string          `json:"provider"`
	SkipDestroy bool            `json:"skip_destroy"`
	Attributes  json.RawMessage `json:"attributes"`
}

// ReadState reads a state file of either tool.
func ReadState(path string) (*State, error) {
	text, err := os.ReadFile(path) //nolint:gosec // G304: the file that the user names.
	if err != nil {
		return nil, err
	}
	s, err := ParseState(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// ParseState reads the text of a state, as the file or `state pull` has it.
func ParseState(text []byte) (*State, error) {
	if len(strings.TrimSpace(string(text))) == 0 {
		return &State{}, nil // state pull prints nothing where there is no state yet
	}
	var file stateFile
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("this is no state: %w", err)
	}
	switch {
	case file.EncryptedData != nil:
		return nil, errors.New("the state is encrypted; give the output of `tofu state pull`, which decrypts it")
	case file.Version == nil && file.FormatVersion != nil:
		return nil, errors.New("this is the output of `show -json` and no state; give the state's file, or the output of `state pull`")
	case file.Version == nil:
		return nil, errors.New("this is no state: it has no version")
	case *file.Version != stateVersion:
		return nil, fmt.Errorf("the state has version %d, and only version %d can be read; a plan and apply with a current tool rewrites an older one", *file.Version, stateVersion)
	}
	s := &State{Tool: file.Tool, Lineage: file.Lineage, Serial: file.Serial}
	for _, r := range file.Resources {
		for _, i := range r.Instances {
			object, err := r.object(i)
			if err != nil {
				return nil, err
			}
			s.Objects = append(s.Objects, object)
		}
	}
	return s, nil
}

func (r stateResource) object(i stateInstance) (StateObject, error) {
	own := r.Type + "." + r.Name
	out := StateObject{
		Address:  markers.Address{Type: r.Type, Name: r.Name},
		Deposed:  i.Deposed,
		Tainted:  i.Status == "tainted",
		Kept:     i.SkipDestroy,
		Provider: r.Provider, Attributes: i.Attributes,
	}
	if i.Provider != "" {
		out.Provider = i.Provider
	}
	switch r.Mode {
	case string(markers.Managed):
		out.Mode = Managed
	case string(markers.Data):
		out.Mode = Data
	default:
		return out, fmt.Errorf("the state holds %s with the mode %q, which is neither managed nor data", own, r.Mode)
	}
	var err error
	if out.Address.Module, err = parsePath(r.Module); err != nil {
		return out, fmt.Errorf("the state holds %s in the module %q: %w", own, r.Module, err)
	}
	if out.Address.Index, err = indexOf(i.IndexKey); err != nil {
		return out, fmt.Errorf("the state holds %s with the key %s: %w", own, i.IndexKey, err)
	}
	return out, nil
}

// indexOf reads an index_key: a number, a text or nothing.
func indexOf(text json.RawMessage) (markers.Index, error) {
	if len(text) == 0 || string(text) == "null" {
		return markers.Index{}, nil
	}
	var number uint64
	if json.Unmarshal(text, &number) == nil {
		return markers.Index{Kind: markers.CountIndex, Number: number}, nil
	}
	var key string
	if json.Unmarshal(text, &key) == nil {
		return markers.Index{Kind: markers.KeyIndex, Key: key}, nil
	}
	return markers.Index{}, errors.New("it is neither a whole number nor a text")
}

// parsePath reads the module part of an address. Keys may be of any kind here, those that no marker can carry included.
func parsePath(text string) ([]markers.Step, error) {
	if text == "" {
		return nil, nil
	}
	t, diags := hclsyntax.ParseTraversalAbs([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	path, rest, d := modulePrefix(t)
	if d != nil {
		return nil, errors.New(d.Detail)
	}
	if len(rest) > 0 {
		return nil, errors.New("it is no path of modules")
	}
	return path, nil
}

// addressText is an address as a state list shows it, with the mode of what is not managed.
func addressText(mode Mode, a markers.Address) string {
	if mode == Managed {
		return a.String()
	}
	own := markers.Address{Type: a.Type, Name: a.Name, Index: a.Index}
	return ModulePath(a.Module) + string(mode) + "." + own.String()
}
