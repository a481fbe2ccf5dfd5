package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// This file reads states as their JSON: those of older versions of a type, and those that a move hands over.

var _ resource.ResourceWithUpgradeState = (*managed)(nil)

// UpgradeState implements resource.ResourceWithUpgradeState: one upgrader for each older version, which goes all the way to
// today's. Core itself refuses a state of a newer version, and a state of today's never comes here.
func (r *managed) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	upgraders := map[int64]resource.StateUpgrader{}
	for i := range r.upgrades {
		version := int64(i)
		upgraders[version] = resource.StateUpgrader{
			StateUpgrader: func(_ context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
				state, err := rawAttributes(req.RawState)
				if err == nil {
					state, err = r.upgraded(state, version)
				}
				var whole object
				if err == nil {
					whole, err = r.decodeState(state)
				}
				if err != nil {
					resp.Diagnostics.Append(upgradeFailed(subject{kind: r.fullName()}, version, r.schema.Version, r.tagged(), err))
					return
				}
				resp.State.Raw = whole.value(r.schema.Type().TerraformType(context.Background()))
			},
		}
	}
	return upgraders
}

// upgraded brings the attributes of a state from a version to today's. The engine's own are no version's business, and
// pass by.
func (k *kind) upgraded(state map[string]json.RawMessage, version int64) (map[string]json.RawMessage, error) {
	if version > int64(len(k.upgrades)) {
		return nil, fmt.Errorf("it is of version %d, and this version of the provider reads up to %d", version, len(k.upgrades))
	}
	own, out := map[string]any{}, map[string]json.RawMessage{}
	for name, raw := range state {
		if engineAttribute(name) {
			out[name] = raw
			continue
		}
		var v any
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber() // a float would round large numbers
		if err := decoder.Decode(&v); err != nil {
			return nil, fmt.Errorf("the attribute %s: %w", name, err)
		}
		own[name] = v
	}
	for i, upgrade := range k.upgrades[version:] {
		if err := upgrade(own); err != nil {
			return nil, fmt.Errorf("from version %d to %d: %w", version+int64(i), version+int64(i)+1, err)
		}
	}
	for name, v := range own {
		if engineAttribute(name) {
			return nil, fmt.Errorf("the upgrade sets %s, which is the engine's", name)
		}
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("the attribute %s: %w", name, err)
		}
		out[name] = raw
	}
	return out, nil
}

// decodeState reads a state of ours as today's schema has it. What the schema does not have is left out.
func (k *kind) decodeState(state map[string]json.RawMessage) (object, error) {
	whole, problems := k.decodeAttributes(state)
	if len(problems) > 0 {
		return nil, problems[0]
	}
	if err := k.rekey(whole); err != nil {
		return nil, err
	}
	return whole, nil
}

// decodeAttributes reads the attributes of a raw state one by one. One that is absent, or whose shape is not the schema's,
// is null; the latter is reported too.
func (k *kind) decodeAttributes(state map[string]json.RawMessage) (object, []error) {
	whole, problems := object{}, []error{}
	types := objectTypes(tftypes.NewValue(k.schema.Type().TerraformType(context.Background()), nil))
	for _, name := range sortedKeys(types) {
		t := types[name]
		whole[name] = tftypes.NewValue(t, nil)
		if raw, ok := state[name]; ok {
			//nolint:staticcheck // the only reader of a state that has no schema of its own
			v, err := tftypes.ValueFromJSONWithOpts(raw, t, tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true})
			if err != nil {
				problems = append(problems, fmt.Errorf("the attribute %s: %w", name, err))
			} else {
				whole[name] = v
			}
		}
		if _, isBlock := k.schema.Blocks[name]; isBlock && whole[name].IsNull() {
			whole[name] = emptyBlock(t)
		}
	}
	return whole, problems
}

// rekey makes the id that of the key, and says which part of the key a state lacks.
func (k *kind) rekey(whole object) error {
	var key Key
	for _, p := range k.identity {
		part := text(whole[p.Attr])
		if part == "" && !p.Optional {
			return errors.New("it has no " + p.Attr)
		}
		key = append(key, part)
	}
	whole[attrID] = str(k.idOf(key))
	return nil
}

// checkHistory holds what a descriptor says of its past to what the engine makes of it.
func (k *kind) checkHistory() (problems []string) {
	for i, upgrade := range k.upgrades {
		if upgrade == nil {
			problems = append(problems, fmt.Sprintf("the Upgrade of version %d is missing", i))
		}
	}
	for _, source := range k.movesFrom {
		switch known := strings.HasPrefix(source, awsPrefix) || strings.HasPrefix(source, ourPrefix); {
		case !known:
			problems = append(problems, "MovesFrom names "+source+", which is neither an aws_ nor an estate_ type")
		case source == awsPrefix+k.name, source == k.fullName():
			problems = append(problems, "MovesFrom names "+source+", which is taken anyway")
		}
	}
	return problems
}

// formerNames are the older names of the type, which markers may still carry.
func (k *kind) formerNames() []string {
	return slices.DeleteFunc(slices.Clone(k.movesFrom), func(source string) bool { return !strings.HasPrefix(source, ourPrefix) })
}
