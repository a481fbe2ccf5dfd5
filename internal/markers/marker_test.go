package markers

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

func slot(n uint32) *uint32 { return &n }

func TestKeys(t *testing.T) {
	for key, want := range map[string][2]bool{ // exact, folded
		"tofu-estate": {true, true}, "tofu-address": {true, true}, "tofu-address-2": {true, true},
		"tofu-address-3": {true, true}, "tofu-address-4": {true, true}, "tofu-slot": {true, true},
		"tofu-binding": {true, true}, "tofu-pending": {true, true},
		"Tofu-Estate": {false, true}, "TOFU-ADDRESS-4": {false, true},
		"tofu-address-1": {}, "tofu-address-5": {}, "tofu-estates": {}, "": {}, "Name": {},
	} {
		if got := [2]bool{IsKey(key, false), IsKey(key, true)}; got != want {
			t.Errorf("IsKey(%q) = %v, want %v", key, got, want)
		}
	}
	tags := map[string]string{"tofu-estate": "e", "Tofu-Slot": "1", "Name": "x"}
	if got := Strip(tags, false); !maps.Equal(got, map[string]string{"Tofu-Slot": "1", "Name": "x"}) {
		t.Errorf("Strip: %v", got)
	}
	if got := Strip(tags, true); !maps.Equal(got, map[string]string{"Name": "x"}) || len(tags) != 3 {
		t.Errorf("Strip with folded case: %v", got)
	}
	if got := Strip(nil, false); got == nil || len(got) != 0 {
		t.Errorf("Strip(nil) = %v", got)
	}
}

func TestFilter(t *testing.T) {
	ours := map[string]string{"Tofu-Estate": "a"}
	for _, c := range []struct {
		estates []string
		fold    bool
		tags    map[string]string
		want    bool
	}{
		{nil, false, nil, true},
		{[]string{"a"}, false, nil, false},
		{[]string{"a"}, false, ours, false},
		{[]string{"a"}, true, ours, true},
		{[]string{"b", "a"}, true, ours, true},
		{[]string{"b"}, true, ours, false},
		{[]string{"a"}, false, map[string]string{"tofu-slot": "a"}, false},
	} {
		if got := (Filter{Estates: c.estates}).Admits(c.tags, c.fold); got != c.want {
			t.Errorf("%v admits %v: %v", c.estates, c.tags, got)
		}
	}
}

// A filter by address admits what carries the first part of it and the estate too.
func TestFilterByAddress(t *testing.T) {
	f := Filter{Estates: []string{"a"}, Address: "estate_eip.x:0"}
	for _, c := range []struct {
		tags map[string]string
		want bool
	}{
		{map[string]string{"tofu-estate": "a", "tofu-address": "estate_eip.x:0"}, true},
		{map[string]string{"tofu-estate": "b", "tofu-address": "estate_eip.x:0"}, false},
		{map[string]string{"tofu-estate": "a", "tofu-address": "estate_eip.x:1"}, false},
		{map[string]string{"tofu-estate": "a"}, false},
		{map[string]string{"tofu-address": "estate_eip.x:0"}, false},
		{nil, false},
	} {
		if got := f.Admits(c.tags, false); got != c.want {
			t.Errorf("%v: %v", c.tags, got)
		}
	}
}

func TestMarkerTags(t *testing.T) {
	m := Marker{Estate: "prod", Address: mustParse(t, "estate_eip.x[3]"), Slot: slot(7), Binding: "01jd", Pending: "finish"}
	want := Tags{"tofu-estate": "prod", "tofu-address": "estate_eip.x:3", "tofu-slot": "7", "tofu-binding": "01jd", "tofu-pending": "finish"}
	got, err := m.Tags()
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	long := Marker{Estate: "prod", Address: mustParse(t, `estate_eip.x["`+ks(600)+`"]`)}
	got, err = long.Tags()
	if err != nil || len(got) != 4 || len(got["tofu-address-2"]) != MaxValue || len(got["tofu-address-3"]) != 101 {
		t.Errorf("%v, %v", got, err)
	}
	for want, m := range map[string]Marker{
		"estate's name":         {Estate: "Prod", Address: m.Address},
		"address is empty":      {Estate: "prod"},
		"no count member":       {Estate: "prod", Address: m.Address.Block(), Slot: slot(0)},
		"tofu-binding: the val": {Estate: "prod", Address: m.Address, Binding: "a;b"},
		"a tag holds 256":       {Estate: "prod", Address: m.Address, Pending: ks(257)},
		"holds '$'":             {Estate: "prod", Address: Address{Type: "a", Name: "b", Index: Index{Kind: KeyIndex, Key: "$"}}},
	} {
		if tags, err := m.Tags(); err == nil || tags != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v; want %q", tags, err, want)
		}
		if set, remove := m.Diff(map[string]string{"tofu-slot": "1"}, false); set != nil || remove != nil {
			t.Errorf("%q: an impossible marker changes %v, %v", want, set, remove)
		}
	}
}

func TestMarkerDiff(t *testing.T) {
	m := Marker{Estate: "prod", Address: mustParse(t, "estate_eip.x[3]"), Slot: slot(7)}
	full := map[string]string{"tofu-estate": "prod", "tofu-address": "estate_eip.x:3", "tofu-slot": "7"}
	with := func(pairs ...string) map[string]string {
		tags := maps.Clone(full)
		for i := 0; i < len(pairs); i += 2 {
			tags[pairs[i]] = pairs[i+1]
		}
		return tags
	}
	for name, c := range map[string]struct {
		observed map[string]string
		fold     bool
		set      Tags
		remove   []string
	}{
		"none":           {nil, false, full, nil},
		"same":           {with("Name", "x"), false, Tags{}, nil},
		"other address":  {with("tofu-address", "estate_eip.y:3"), false, Tags{"tofu-address": "estate_eip.x:3"}, nil},
		"surplus":        {with("tofu-address-3", "b", "tofu-address-2", "a", "tofu-binding", "c", "tofu-pending", ""), false, Tags{}, []string{"tofu-address-2", "tofu-address-3", "tofu-binding", "tofu-pending"}},
		"other case":     {map[string]string{"Tofu-Estate": "prod", "TOFU-ADDRESS": "x.y", "tofu-Slot": "7", "Tofu-Pending": "x"}, true, Tags{"tofu-address": "estate_eip.x:3"}, []string{"Tofu-Pending"}},
		"case, exact":    {map[string]string{"Tofu-Estate": "prod"}, false, full, nil},
		"in two cases":   {with("Tofu-Slot", "8"), true, Tags{"tofu-slot": "7"}, nil},
		"not a marker":   {with("tofu-address-5", "b"), false, Tags{}, nil},
		"previous state": {with("tofu-estate", "old"), false, Tags{"tofu-estate": "prod"}, nil},
	} {
		set, remove := m.Diff(c.observed, c.fold)
		if !maps.Equal(set, c.set) || !slices.Equal(remove, c.remove) {
			t.Errorf("%s: set %v, remove %v", name, set, remove)
		}
	}
	m.Address, m.Slot = m.Address.Block(), nil // from count to a single instance
	if set, remove := m.Diff(full, false); !maps.Equal(set, Tags{"tofu-address": "estate_eip.x"}) || !slices.Equal(remove, []string{"tofu-slot"}) {
		t.Errorf("the slot stays: %v, %v", set, remove)
	}
}

func TestBinding(t *testing.T) {
	// The time of the example in the ULID specification.
	if got := binding(time.UnixMilli(1469922850259), [10]byte{}); got != "01arz3ndek0000000000000000" {
		t.Errorf("got %q", got)
	}
	for _, c := range []struct {
		millis int64
		random [10]byte
		want   string
	}{
		{0, [10]byte{}, "00000000000000000000000000"},
		{1, [10]byte{9: 1}, "00000000010000000000000001"},
		{1<<48 - 1, [10]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 255}, "7zzzzzzzzzzzzzzzzzzzzzzzzz"},
		{32, [10]byte{0: 0x08, 4: 1, 5: 0x08}, "00000000101000000110000000"},
	} {
		got := binding(time.UnixMilli(c.millis), c.random)
		if got != c.want {
			t.Errorf("binding(%d, %v) = %q, want %q", c.millis, c.random, got, c.want)
		}
		if at, ok := BindingTime(got); !ok || at.UnixMilli() != c.millis {
			t.Errorf("BindingTime(%q) = %v, %v", got, at, ok)
		}
	}
	before := time.Now().Truncate(time.Millisecond)
	a, b := NewBinding(), NewBinding()
	if at, ok := BindingTime(a); !ok || at.Before(before) || time.Since(at) > time.Minute || a == b {
		t.Errorf("%s and %s, made at %v", a, b, at)
	}
	if checkValue(a) != nil {
		t.Errorf("%s is no tag value", a)
	}
	for _, text := range []string{"", "x", strings.ToUpper(a[:25]) + "Z", a[:25], a + "0", "8" + a[1:], a[:25] + "u", a[:25] + "i"} {
		if _, ok := BindingTime(text); ok {
			t.Errorf("BindingTime(%q) is accepted", text)
		}
	}
}
