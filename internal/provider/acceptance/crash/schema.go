package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// schemas are what every provider process says alike; they are asked once.
type schemas struct {
	provider kind
	types    map[string]kind
}

// kind is the schema of one resource type, or of the provider block.
type kind struct {
	value    tftypes.Type
	fields   level
	version  int64
	identity tftypes.Type
}

// level is one object of a schema: its attributes and blocks.
type level map[string]field

type field struct {
	computed bool
	block    bool
	// single is a block or a nested attribute that is an object of its own.
	single bool
	inner  level
}

// askSchemas asks a server for its schemas.
func askSchemas(ctx context.Context, server tfprotov6.ProviderServer) (*schemas, error) {
	said, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, fmt.Errorf("GetProviderSchema: %w", err)
	}
	ids, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil, fmt.Errorf("GetResourceIdentitySchemas: %w", err)
	}
	if err := errors.Join(failures(said.Diagnostics), failures(ids.Diagnostics)); err != nil {
		return nil, err
	}
	out := &schemas{types: map[string]kind{}}
	out.provider = kind{value: said.Provider.ValueType(), fields: blockLevel(said.Provider.Block)}
	for name, s := range said.ResourceSchemas {
		out.types[name] = kind{
			value: s.ValueType(), fields: blockLevel(s.Block), version: s.Version, identity: ids.IdentitySchemas[name].ValueType(),
		}
	}
	return out, nil
}

func blockLevel(b *tfprotov6.SchemaBlock) level {
	out := attributeLevel(b.Attributes)
	for _, nested := range b.BlockTypes {
		out[nested.TypeName] = field{
			block: true, inner: blockLevel(nested.Block),
			single: nested.Nesting == tfprotov6.SchemaNestedBlockNestingModeSingle,
		}
	}
	return out
}

func attributeLevel(attributes []*tfprotov6.SchemaAttribute) level {
	out := level{}
	for _, a := range attributes {
		f := field{computed: a.Computed}
		if a.NestedType != nil {
			f.inner, f.single = attributeLevel(a.NestedType.Attributes), a.NestedType.Nesting == tfprotov6.SchemaObjectNestingModeSingle
		}
		out[a.Name] = f
	}
	return out
}

// propose is what core proposes to a plan: the configuration, with the prior values of computed attributes that it leaves
// out. The elements of lists and sets are taken from the configuration alone, so that no case may leave a computed attribute
// out of one.
func (l level) propose(prior, config tftypes.Value) tftypes.Value {
	if !config.IsKnown() || config.IsNull() {
		return config
	}
	was, out := members(prior), members(config)
	for name, f := range l {
		v := out[name]
		p, ok := was[name]
		switch {
		case f.single:
			out[name] = f.inner.propose(p, v)
		case !f.block && f.computed && v.IsNull() && ok:
			out[name] = p
		}
	}
	return tftypes.NewValue(config.Type(), out)
}

// dynamic packs a value for the protocol.
func dynamic(v tftypes.Value) (*tfprotov6.DynamicValue, error) {
	d, err := tfprotov6.NewDynamicValue(v.Type(), v)
	return &d, err
}

// null is the value of an instance that is not there.
func (k kind) null() tftypes.Value { return tftypes.NewValue(k.value, nil) }

// unpack reads a value from the protocol.
func (k kind) unpack(d *tfprotov6.DynamicValue) (tftypes.Value, error) {
	if d == nil {
		return k.null(), nil
	}
	return d.Unmarshal(k.value)
}

// refusal is an error that the provider reported.
type refusal struct{ summary, detail string }

// Error returns summary and detail.
func (r *refusal) Error() string { return r.summary + ": " + r.detail }

// failures joins the errors among diagnostics.
func failures(diags []*tfprotov6.Diagnostic) error {
	var all []error
	for _, d := range diags {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			all = append(all, &refusal{d.Summary, d.Detail})
		}
	}
	return errors.Join(all...)
}
