package permissions

import (
	_ "embed" // types.json
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Use is an action that a resource type needs.
type Use struct {
	// Action is its name in policies.
	Action string `json:"action"`
	// Calls are the API operations that need it, where it is not the one of its name.
	Calls []string `json:"calls,omitempty"`
	// For names the arguments that ask for it; empty where every object of the type does.
	For []string `json:"for,omitempty"`
}

//go:embed types.json
var learned []byte

// Learned are the actions of each resource type that its objects were seen to need against the emulator, in order. `make
// permissions` writes them, and TestBehaviour25LeastPrivilege holds them to what the provider calls.
func Learned() (map[string][]Use, error) {
	var all map[string][]Use
	if err := json.Unmarshal(learned, &all); err != nil {
		return nil, fmt.Errorf("reading types.json: %w", err)
	}
	return all, nil
}

// Of returns all actions of a resource type: those that were learned, and those that stand in Unheld.
func Of(typ string) ([]Use, error) {
	all, err := Learned()
	if err != nil {
		return nil, err
	}
	uses := all[typ]
	if len(uses) == 0 {
		return nil, fmt.Errorf("types.json has no %s: run make permissions", typ)
	}
	for _, u := range Unheld[typ] {
		uses = append(uses, u.Use)
	}
	slices.SortFunc(uses, func(a, b Use) int { return strings.Compare(a.Action, b.Action) })
	return uses, nil
}
