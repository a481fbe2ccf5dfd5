package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// judge says what is wrong: where AWS holds something else than the configuration and what was there before, or the state does not
// hold what AWS does. before is the picture of what is nobody's of this estate.
func (e *estate) judge(before, now picture, state []acceptance.Instance) error {
	var errs []error
	rest := maps.Clone(now)
	for key, was := range before {
		is, ok := now[key]
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("an object of others is gone: %s", was))
		case !maps.Equal(is.facts, was.facts):
			errs = append(errs, fmt.Errorf("an object of others was changed: %s, and was %s", is, was))
		}
		delete(rest, key)
	}
	entries := map[string]acceptance.Instance{}
	for _, i := range state {
		m := e.find(i.Address)
		switch {
		case m == nil:
			errs = append(errs, fmt.Errorf("the state has %s, which is not declared", i.Address))
		case i.Deposed != "" || i.Tainted:
			errs = append(errs, fmt.Errorf("the state has %s, deposed %q, tainted %t", i.Address, i.Deposed, i.Tainted))
		default:
			entries[i.Address] = i
		}
	}
	ids := func(m *member) string { return entries[m.address()].ID() }
	for _, m := range e.members() {
		i, ok := entries[m.address()]
		o, lives := now[m.block.typ.name+" "+i.ID()]
		delete(rest, o.typ+" "+o.id)
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("the state lacks %s", m.address()))
		case !lives:
			errs = append(errs, fmt.Errorf("%s holds %s, which is not there", m.address(), i.ID()))
		default:
			errs = append(errs, e.compare(m, o, i, ids))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(rest)) {
		errs = append(errs, fmt.Errorf("beside the configuration there is %s", rest[key]))
	}
	return errors.Join(errs...)
}

// compare says how an object differs from what is declared.
func (e *estate) compare(m *member, o object, i acceptance.Instance, ids func(*member) string) error {
	want := m.block.typ.shows(e, m, ids)
	if m.block.typ.tagged {
		maps.Copy(want, map[string]string{
			"tag:Name": m.versioned(), "tag:" + acceptance.TagEstate: e.name, "tag:" + acceptance.TagAddress: m.escaped(),
			"tag:" + acceptance.TagBinding: i.Text("tofu_binding"),
		})
		if m.block.form == counted {
			want["tag:"+acceptance.TagSlot] = fmt.Sprint(i.Attributes["tofu_slot"])
		}
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got, ok := o.facts[name]; !ok || got != want[name] || got == "" {
			errs = append(errs, fmt.Errorf("%s is to show %s = %q: %s", m.address(), name, want[name], o))
		}
	}
	for name := range o.facts {
		if _, ok := want[name]; !ok {
			errs = append(errs, fmt.Errorf("%s is not to show %s: %s", m.address(), name, o))
		}
	}
	return errors.Join(errs...)
}
