package markers

import (
	"maps"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var addressSeeds = []string{
	"", "estate_vpc.main", "estate_eip.x[2]", `estate_eip.x["2"]`, `module.a["x.y"].module.b[0].estate_x.y["10.0.0.0/16"]`,
	`estate_x.y["a@db"]`, `estate_x.y["a+000028b"]`, `estate_x.y["é(日)+:. /=_-"]`, "module.x", "module.module.a.module",
	"data.a.b", `x.y["`, `x.y["\"]`, "x.y[01]", "aws_vpc.größe", "estate_x.y:a", `estate_x.y["😀"]`, "x.y[\"\xff\"]",
	"x.y:+", "x.y:+FFFFFF", "x.y:+00002", "x.y:@", "module.a:x.y.z", `x.y["a"]["b"]`, "a.b.c", "module.net.aws_vpc",
}

// sameForTags is the address with decimal keys as numbers, which is as much as a tag can tell.
func sameForTags(a Address) string {
	fold := func(i Index) Index {
		if n, ok := decimal(i.Key); ok && i.Kind == KeyIndex {
			return Index{Kind: CountIndex, Number: n}
		}
		return i
	}
	b := a
	b.Index, b.Module = fold(a.Index), nil
	for _, s := range a.Module {
		b.Module = append(b.Module, Step{Name: s.Name, Index: fold(s.Index)})
	}
	return b.String()
}

// FuzzAddress holds that parsing is the reverse of rendering, and decoding that of escaping, for all that Parse accepts.
func FuzzAddress(f *testing.F) {
	for _, s := range addressSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		target, targetErr := ParseTarget(text)
		a, err := Parse(text)
		if err != nil {
			if a.String() != "" || err.Error() == "" {
				t.Fatalf("Parse(%q) = %s and an error", text, a)
			}
			return
		}
		if a.String() != text {
			t.Fatalf("Parse(%q) renders as %q", text, a)
		}
		value := a.Escaped()
		if !WellFormed(value) || !Canonical(value) || Matches(value, text) != Current || valueType(value) != a.Type {
			t.Fatalf("%q: well-formed %v, canonical %v, match %d", value, WellFormed(value), Canonical(value), Matches(value, text))
		}
		if back, ok := Decode(value); !ok || back.String() != sameForTags(a) {
			t.Fatalf("%q decodes to %q", value, back)
		}
		parts, err := Split(value)
		if err != nil || strings.Join(parts, "") != value {
			t.Fatalf("%q splits into %q, %v", value, parts, err)
		}
		for i, part := range parts {
			if n := utf8.RuneCountInString(part); n > MaxValue || n < MaxValue && i < len(parts)-1 {
				t.Fatalf("part %d of %q has %d characters", i, value, n)
			}
			if err := checkValue(part); err != nil {
				t.Fatalf("part %q: %v", part, err)
			}
		}
		if targetErr != nil || !target.Covers(a) {
			t.Fatalf("%q does not cover itself: %v", text, targetErr)
		}
		for _, older := range []string{escapeOlder(text), escapeOldest(text)} {
			if m := Matches(older, text); m == NoMatch && !Canonical(older) {
				t.Fatalf("the older escaping %q of %q is lost", older, text)
			}
		}
	})
}

// FuzzDistinct holds that two addresses share a value only where they differ in x[2] and x["2"], and that an
// older escaping never claims what is another address's today.
func FuzzDistinct(f *testing.F) {
	f.Add("m", "a", "n", "b", "m", "a", "n", "c")
	f.Add("m", "a.b", "n", "2", "m", "a@db", "n", "02")
	f.Add("m", "x.module.b", "n", "+", "m", "x", "n", "++")
	f.Add("m", "", "n", "a(b", "m", "", "n", "a+000028b")
	f.Fuzz(func(t *testing.T, m1, k1, n1, l1, m2, k2, n2, l2 string) {
		build := func(m, k, n, l string) (Address, bool) {
			text := "estate_x." + n
			if l != "" {
				text += `["` + l + `"]`
			}
			if m != "" && k != "" {
				text = "module." + m + `["` + k + `"].` + text
			}
			a, err := Parse(text)
			return a, err == nil
		}
		a, ok := build(m1, k1, n1, l1)
		b, ok2 := build(m2, k2, n2, l2)
		if !ok || !ok2 {
			return
		}
		same := sameForTags(a) == sameForTags(b)
		if (a.Escaped() == b.Escaped()) != same {
			t.Fatalf("%s and %s: the values %q and %q", a, b, a.Escaped(), b.Escaped())
		}
		if m := Matches(a.Escaped(), b.String()); (m == Current) != same || m == Older {
			t.Fatalf("the value of %s matches %s: %d", a, b, m)
		}
	})
}

// FuzzValue holds that reading any value is total, and that what it says agrees.
func FuzzValue(f *testing.F) {
	for _, s := range addressSeeds {
		f.Add(s)
		f.Add(Escape(s))
		f.Add(escapeOldest(s))
	}
	f.Fuzz(func(t *testing.T, value string) {
		once := Escape(value)
		if Escape(once) != once {
			t.Fatalf("escaping %q twice gives %q", value, Escape(once))
		}
		text, ok := Unescape(value)
		if ok && !WellFormed(value) || !ok && text != "" {
			t.Fatalf("Unescape(%q) = %q, %v", value, text, ok)
		}
		if Canonical(value) && (!ok || Matches(value, text) != Current) {
			t.Fatalf("%q is canonical, and not the value of %q", value, text)
		}
		if key, err := ParseSlot(value); err == nil && FormatSlot(key) != value {
			t.Fatalf("the slot %q reads as %d", value, key)
		}
		if at, ok := BindingTime(value); ok && !strings.HasPrefix(value, binding(at, [10]byte{})[:10]) {
			t.Fatalf("the binding %q has the time %v", value, at)
		}
		if CheckEstate(value) == nil && (len(value) > MaxEstate || strings.ToLower(value) != value) {
			t.Fatalf("the estate %q is accepted", value)
		}
		_ = Matches(value, value)
	})
}

// FuzzJudge holds that any tags get a verdict with a row, and the rules that keep others' objects safe whatever the tags are.
func FuzzJudge(f *testing.F) {
	f.Add("prod", "estate_vpc.main", "", "3", "b1", "b1", "estate_vpc.main", "Tofu-Estate", "x", true)
	f.Add("", "estate_vpc.main", "", "", "b2", "b1", "estate_vpc.main", "tofu-address-3", "x", false)
	f.Add("dev", "estate_vpc.main", "b", "x", "b1", "b1", "", "Name", "", false)
	f.Add("old", "aws_vpc.main", "", "", "", "", "estate_vpc.main", "TOFU-ADDRESS", "", true)
	f.Fuzz(func(t *testing.T, estate, address, address2, slot, binding, expected, expectedAddress, key, value string, fold bool) {
		tags := map[string]string{EstateKey: estate, AddressKeys[0]: address, BindingKey: binding, SlotKey: slot}
		if address2 != "" {
			tags[AddressKeys[1]] = address2
		}
		tags[key] = value
		before := maps.Clone(tags)
		e := Expectation{Address: expectedAddress, Binding: expected}
		planned := Address{Type: "estate_vpc", Name: "main"}
		q := Question{Estates: []string{"prod", "old"}, Address: planned, Type: "estate_vpc", FoldCase: fold}
		v, c := Judge(e, q, tags)
		if _, ok := rows[v]; !ok {
			t.Fatalf("verdict %d has no row", v)
		}
		if again, _ := Judge(e, q, tags); again != v || !maps.Equal(tags, before) {
			t.Fatalf("verdict %d, then %d; tags %v", v, again, tags)
		}
		o := c.Observed
		update, remove := v.OnUpdate(), v.OnDelete()
		if o.Estate != "" && o.Estate != "prod" && o.Estate != "old" && (update != Refuse || remove != Refuse) {
			t.Fatalf("another estate's object: verdict %d", v)
		}
		if o.Binding != "" && e.Binding != "" && o.Binding != e.Binding && (update != Refuse || remove == Go) {
			t.Fatalf("another entry's object: verdict %d", v)
		}
		if remove == Go && c.Kind != Ours && v != NeverMarked {
			t.Fatalf("verdict %d deletes what is not ours", v)
		}
		set, surplus := Marker{Estate: "prod", Address: planned, Binding: "b"}.Diff(tags, fold)
		for _, k := range surplus {
			delete(tags, k)
		}
		for k := range tags {
			if folded, ok := markerKey(k, fold); ok && set[folded] != "" {
				delete(tags, k) // on such a service, setting one spelling replaces the other
			}
		}
		maps.Copy(tags, set)
		for k := range tags {
			if folded, ok := markerKey(k, fold); ok && k != folded {
				tags[folded] = tags[k]
				delete(tags, k)
			}
		}
		if v, c := Judge(Expectation{Binding: "b"}, q, tags); v != OursBound || c.Older {
			t.Fatalf("after the marker is written: verdict %d, %v", v, tags)
		}
	})
}

// FuzzSlots holds that slots given in any order are never held twice, and that binding by rank accounts for
// every member and index once, in the order of the slots.
func FuzzSlots(f *testing.F) {
	f.Add([]byte{0, 1, 2}, int64(3))
	f.Add([]byte{5, 1, 9, 0, 0}, int64(2))
	f.Fuzz(func(t *testing.T, indexes []byte, count int64) {
		var members []SlotMember
		held := map[uint32]bool{}
		var live []LiveMember
		for _, i := range indexes {
			index := uint64(i)
			slot, err := AssignSlot(index, members)
			if err != nil || held[slot] {
				t.Fatalf("AssignSlot(%d, %v) = %d, %v", index, members, slot, err)
			}
			held[slot] = true
			members = append(members, SlotMember{Index: index, Slot: slot})
			live = append(live, LiveMember{ID: FormatSlot(slot), Slot: FormatSlot(slot)})
		}
		if count %= 1000; count < 0 {
			count = -count
		}
		plan, err := BindSlots(live, count)
		if err != nil || int64(len(plan.Bind)+len(plan.Create)) != count || len(plan.Bind)+len(plan.Delete) != len(live) {
			t.Fatalf("%d of %v: %+v, %v", count, live, plan, err)
		}
		last := int64(-1)
		for _, list := range [][]SlotBinding{plan.Bind, plan.Create, plan.Delete} {
			for _, b := range list {
				if int64(b.Slot) <= last {
					t.Fatalf("slots are not in order: %+v", plan)
				}
				last = int64(b.Slot)
			}
		}
	})
}

// FuzzBinding holds that a binding has its form and its time, for any clock within the format's years.
func FuzzBinding(f *testing.F) {
	f.Add(int64(0), []byte("0123456789"))
	f.Add(int64(1<<48-1), []byte{})
	f.Fuzz(func(t *testing.T, millis int64, random []byte) {
		var r [10]byte
		copy(r[:], random)
		millis &= 1<<48 - 1
		b := binding(time.UnixMilli(millis), r)
		if at, ok := BindingTime(b); !ok || at.UnixMilli() != millis || b != strings.ToLower(b) {
			t.Fatalf("BindingTime(%q) = %v, %v", b, at, ok)
		}
		r[0] ^= 0x80
		if binding(time.UnixMilli(millis), r) == b {
			t.Fatal("a random bit is lost")
		}
	})
}
