package main

import (
	"maps"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// settled is an estate with the account and the state that it is to have, and an object of others.
func settled(t *testing.T) (e *estate, others, now picture, state []acceptance.Instance) {
	t.Helper()
	e = life(2, 5, unseen)
	now = picture{}
	ids := func(m *member) string { return "id of " + m.address() }
	for _, m := range e.members() {
		facts := m.block.typ.shows(e, m, ids)
		attributes := map[string]any{"id": ids(m), "tofu_binding": "b " + m.address()}
		if m.block.typ.tagged {
			maps.Copy(facts, map[string]string{
				"tag:Name": m.versioned(), "tag:tofu-estate": "soak", "tag:tofu-address": m.escaped(), "tag:tofu-binding": "b " + m.address(),
			})
			if m.block.form == counted {
				facts["tag:tofu-slot"], attributes["tofu_slot"] = "3", float64(3)
			}
		}
		now.add(m.block.typ.name, ids(m), facts)
		state = append(state, acceptance.Instance{Address: m.address(), Type: m.block.typ.name, Attributes: attributes})
	}
	others = picture{}
	others.add(vpcType.name, "vpc-theirs", map[string]string{"cidr": "10.0.0.0/8"})
	now.add(vpcType.name, "vpc-theirs", map[string]string{"cidr": "10.0.0.0/8"})
	return e, others, now, state
}

func TestJudge(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(e *estate, now picture, state []acceptance.Instance) []acceptance.Instance
		want  string
	}{
		"as it should be": {nil, ""},
		"others' object gone": {func(_ *estate, now picture, state []acceptance.Instance) []acceptance.Instance {
			delete(now, "estate_vpc vpc-theirs")
			return state
		}, "an object of others is gone"},
		"others' object changed": {func(_ *estate, now picture, state []acceptance.Instance) []acceptance.Instance {
			now["estate_vpc vpc-theirs"].facts["tag:x"] = "y"
			return state
		}, "an object of others was changed"},
		"a second object": {func(_ *estate, now picture, state []acceptance.Instance) []acceptance.Instance {
			now.add(eipType.name, "eipalloc-2", map[string]string{})
			return state
		}, "beside the configuration there is estate_eip eipalloc-2"},
		"an object gone": {func(_ *estate, now picture, state []acceptance.Instance) []acceptance.Instance {
			delete(now, state[0].Type+" "+state[0].ID())
			return state
		}, "which is not there"},
		"an entry gone": {func(_ *estate, _ picture, state []acceptance.Instance) []acceptance.Instance { return state[1:] }, "the state lacks"},
		"an entry too many": {func(_ *estate, _ picture, state []acceptance.Instance) []acceptance.Instance {
			return append(state, acceptance.Instance{Address: "estate_vpc.old"})
		}, "the state has estate_vpc.old, which is not declared"},
		"a deposed object": {func(_ *estate, _ picture, state []acceptance.Instance) []acceptance.Instance {
			i := state[0]
			i.Deposed = "12345678"
			return append(state, i)
		}, `deposed "12345678"`},
		"tainted": {func(_ *estate, _ picture, state []acceptance.Instance) []acceptance.Instance {
			state[0].Tainted = true
			return state
		}, "tainted true"},
		"another address on the object": {spoilFact("tag:tofu-address", "estate_vpc.other"), "is to show tag:tofu-address"},
		"another binding":               {spoilFact("tag:tofu-binding", "other"), "is to show tag:tofu-binding"},
		"an attribute differs":          {spoilFact("cidr", "10.9.9.0/24"), "is to show cidr"},
		"a tag too many":                {spoilFact("tag:tofu-pending", "1"), "is not to show tag:tofu-pending"},
	} {
		t.Run(name, func(t *testing.T) {
			e, others, now, state := settled(t)
			if c.spoil != nil {
				state = c.spoil(e, now, state)
			}
			err := e.judge(others, now, state)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
}

// spoilFact changes what the first object shows, which is a VPC.
func spoilFact(name, value string) func(*estate, picture, []acceptance.Instance) []acceptance.Instance {
	return func(_ *estate, now picture, state []acceptance.Instance) []acceptance.Instance {
		now[state[0].Type+" "+state[0].ID()].facts[name] = value
		return state
	}
}
