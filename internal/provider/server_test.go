package provider

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// inner stands for the framework's server, which has no types in this test.
type inner struct{ tfprotov6.ProviderServer }

var errInner = errors.New("answer of the inner server")

func (inner) UpgradeResourceState(context.Context, *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return nil, errInner
}

func (inner) MoveResourceState(context.Context, *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return nil, errInner
}

func TestWatcherTellsWhatTheStateHolds(t *testing.T) {
	for name, test := range map[string]struct {
		state *tfprotov6.RawState
		want  []string
	}{
		"regional": {&tfprotov6.RawState{JSON: []byte(`{"id":"vpc-1","region":"eu-west-1","cidr_block":"10.0.0.0/16"}`)}, []string{"estate_vpc vpc-1 eu-west-1"}},
		"global":   {&tfprotov6.RawState{JSON: []byte(`{"id":"r"}`)}, []string{"estate_vpc r "}},
		"ARN":      {&tfprotov6.RawState{JSON: []byte(`{"id":"vpc-1","arn":"arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-1"}`)}, []string{"estate_vpc vpc-1 eu-west-1"}},
		"no id":    {&tfprotov6.RawState{JSON: []byte(`{"id":null,"region":"eu-west-1"}`)}, nil},
		"not ours": {&tfprotov6.RawState{JSON: []byte(`{"id":7}`)}, nil},
		"broken":   {&tfprotov6.RawState{JSON: []byte(`{`)}, nil},
		"flatmap":  {&tfprotov6.RawState{Flatmap: map[string]string{"id": "vpc-1"}}, nil},
		"no state": {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			saw := func(typeName, id, region string) {
				got = append(got, strings.Join([]string{typeName, id, region}, " "))
			}
			w := &watcher{ProviderServer: inner{}, saw: saw}
			_, err := w.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{TypeName: "estate_vpc", RawState: test.state})
			if !errors.Is(err, errInner) {
				t.Errorf("the request did not reach the inner server: %v", err)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}

			// What moves in from another type is seen as an entry of this one.
			got = nil
			_, err = w.MoveResourceState(t.Context(), &tfprotov6.MoveResourceStateRequest{
				SourceTypeName: "aws_vpc", TargetTypeName: "estate_vpc", SourceState: test.state,
			})
			if !errors.Is(err, errInner) || !slices.Equal(got, test.want) {
				t.Errorf("of a move: got %q, want %q: %v", got, test.want, err)
			}
		})
	}
}

// Terraform upgrades states in processes that it never configures.
func TestUnconfiguredProviderRemembersNothing(t *testing.T) {
	p := New("test")
	p.saw("estate_vpc", "vpc-1", "eu-west-1")
	if p.walk.Load() != nil {
		t.Error("a walk without Configure")
	}
}

// TestNullArguments calls a function with null as Terraform sends it, and as OpenTofu does: as a value without data.
func TestNullArguments(t *testing.T) {
	server := Server("test")()
	for name, argument := range map[string]*tfprotov6.DynamicValue{
		"Terraform": {MsgPack: []byte{0xc0}}, "OpenTofu": {}, "nothing at all": nil,
	} {
		given := []*tfprotov6.DynamicValue{argument}
		resp, err := server.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{Name: "parse_marker", Arguments: given})
		if err != nil || resp.Error != nil {
			t.Errorf("%s: %v, %v", name, err, resp.Error)
			continue
		}
		result, err := resp.Result.Unmarshal(tftypes.Object{AttributeTypes: map[string]tftypes.Type{
			"status": tftypes.String, "estate": tftypes.String, "address": tftypes.String, "slot": tftypes.Number,
			"binding": tftypes.String, "problem": tftypes.String,
		}})
		if err != nil || !strings.Contains(result.String(), `"status":tftypes.String<"unmarked">`) {
			t.Errorf("%s: %v, %v", name, result, err)
		}
		if given[0] != argument {
			t.Errorf("%s: the caller's request was changed", name)
		}
	}
}

func TestServersAreIndependent(t *testing.T) {
	factory := Server("test")
	a, okA := factory().(*watcher)
	b, okB := factory().(*watcher)
	if !okA || !okB || a == b {
		t.Fatal("each server is a watcher of its own")
	}
	resp, err := a.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil || len(resp.Diagnostics) > 0 {
		t.Fatalf("%v %v", err, resp.Diagnostics)
	}
	if len(resp.ResourceSchemas) != len(resourceTypes) {
		t.Errorf("%d types are served, %d are listed", len(resp.ResourceSchemas), len(resourceTypes))
	}
}

func TestTypes(t *testing.T) {
	var names []string
	for _, d := range resourceTypes {
		names = append(names, d.Name())
		if err := d.Check(); err != nil {
			t.Errorf("estate_%s: %v", d.Name(), err)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("the list is not sorted or holds a type twice: %q", names)
	}
}
