package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// expectation is what we believe about an object. It lives in private state, where Read cannot launder it: only
// Create, adoption, Update and moves write it.
type expectation struct {
	Version int     `json:"v"`
	Estate  string  `json:"estate"`
	Address string  `json:"address"`
	Slot    *uint32 `json:"slot,omitempty"`
	Binding string  `json:"binding,omitempty"`
	// Unwritten says that the binding may not be on the object: its create was cut off before the tags.
	Unwritten bool `json:"unwritten,omitempty"`
	// Seen is the binding that the object had when the entry was moved in, which has none of its own.
	Seen    string `json:"seen,omitempty"`
	Account string `json:"account,omitempty"`
	Region  string `json:"region,omitempty"`
	// Created is when the object came to be, in Unix seconds, for types whose name another object may take; 0 where AWS
	// does not tell.
	Created int64 `json:"created,omitempty"`
	// Sole says that no other object of the address was alive when this one was made or adopted: what shows up later is
	// another run's.
	Sole bool `json:"sole,omitempty"`
}

// expectationVersion is the format that this provider writes. Unknown fields of it are ignored, a higher version
// is an error.
const expectationVersion = 1

// expectationKey is the key in private state.
const expectationKey = "expectation"

// privateReader and privateWriter are the framework's private state, whose type it does not export.
type privateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type privateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// readExpectation returns what private state holds; nil where it is empty, as in the Delete of a tainted object.
func readExpectation(ctx context.Context, private privateReader) (*expectation, error) {
	data, diags := private.GetKey(ctx, expectationKey)
	if err := problems(diags); err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, nil
	}
	var e expectation
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, fmt.Errorf("private state is not readable: %w", err)
	}
	if e.Version > expectationVersion {
		return nil, fmt.Errorf("the state was written by a newer version of this provider (format %d, this one reads up to %d)",
			e.Version, expectationVersion)
	}
	return &e, nil
}

// writeExpectation saves e.
func writeExpectation(ctx context.Context, private privateWriter, e expectation) diag.Diagnostics {
	e.Version = expectationVersion
	data, err := json.Marshal(e)
	if err != nil {
		return diag.Diagnostics{internalError("saving what is expected of the object", err)}
	}
	return private.SetKey(ctx, expectationKey, data)
}

// marker is the part of the expectation that markers.Judge compares.
func (e *expectation) marker() markers.Expectation {
	if e == nil {
		return markers.Expectation{}
	}
	return markers.Expectation{
		Estate: e.Estate, Address: e.Address, Slot: e.Slot, Binding: e.Binding, Unwritten: e.Unwritten, Seen: e.Seen,
	}
}

// unwritten stands before the binding in tofu_binding while nothing says that it is on the object. A delete that comes without
// private state then knows that an object without a marker is its own.
const unwritten = "unwritten:"

// writtenBinding is the binding that a state shows and that is on the object; "" where the next update is to write one.
func writtenBinding(v tftypes.Value) string {
	if b := text(v); !strings.HasPrefix(b, unwritten) {
		return b
	}
	return ""
}
