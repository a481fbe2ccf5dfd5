package markers

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscapeVectors(t *testing.T) {
	// Stricter: what does not fit is refused, where the reference cuts at four tags.
	cut := exceptions{
		`aws_subnet.this["` + ks(1009) + `"]`:                  "1025 characters",
		`aws_subnet.this["` + strings.Repeat("日", 1009) + `"]`: "1025 characters",
	}
	met := map[string]bool{}
	for _, v := range readVectors(t).Escape {
		tag := Escape(v.Address)
		if tag != v.Tag {
			t.Errorf("Escape(%.80q) = %q, want %q", v.Address, tag, v.Tag)
		}
		if got := utf8.RuneCountInString(tag); got != v.Chars || (got <= MaxAddress) != v.Fits {
			t.Errorf("%.80q: %d characters, want %d, which fits: %v", v.Address, got, v.Chars, v.Fits)
		}
		parts, _ := Split(tag)
		cut.check(t, met, v.Address, len(parts) == v.TagsNeeded, len(parts), v.TagsNeeded)
		if got := WellFormed(tag); got != v.ValidMarker {
			t.Errorf("WellFormed(%.80q) = %v", tag, got)
		}
		back := unescaped(tag)
		if !equal(back, v.UnescapesTo) {
			t.Errorf("Unescape(%.80q) = %s, want %s", tag, show(back), show(v.UnescapesTo))
		}
		if got := back != nil && *back == v.Address; got != v.Roundtrip {
			t.Errorf("%.80q round-trips: %v", v.Address, got)
		}
		if v.LegacyTag != nil && escapeOldest(v.Address) != *v.LegacyTag {
			t.Errorf("escapeOldest(%q) = %q, want %q", v.Address, escapeOldest(v.Address), *v.LegacyTag)
		}
		if _, err := Parse(v.Address); !v.Fits && (err == nil || !strings.Contains(err.Error(), "1025 characters")) {
			t.Errorf("Parse(%.40q): %v, want the escaped length", v.Address, err)
		}
	}
	cut.allMet(t, met)
}

// TestParseRoundtrip holds Parse to the vectors that survive a round trip, but for keys that are refused.
func TestParseRoundtrip(t *testing.T) {
	refused := exceptions{`aws_subnet.this["a[b"]`: "a key holds no bracket"}
	met := map[string]bool{}
	for _, v := range readVectors(t).Escape {
		if !v.Roundtrip {
			continue
		}
		a, err := Parse(v.Address)
		refused.check(t, met, v.Address, err == nil && a.String() == v.Address, err, v.Address)
	}
	refused.allMet(t, met)
}

func TestUnescapeVectors(t *testing.T) {
	for _, v := range readVectors(t).Unescape {
		if got := unescaped(v.Tag); !equal(got, v.Address) {
			t.Errorf("Unescape(%q) = %s, want %s", v.Tag, show(got), show(v.Address))
		}
		if got := Canonical(v.Tag); got != (v.Canonical != nil && *v.Canonical) {
			t.Errorf("Canonical(%q) = %v", v.Tag, got)
		}
		if got := Escape(v.Tag); got != v.EscapeOfTag {
			t.Errorf("Escape(%q) = %q, want %q", v.Tag, got, v.EscapeOfTag)
		}
		if got := WellFormed(v.Tag); got != v.ValidMarker {
			t.Errorf("WellFormed(%q) = %v", v.Tag, got)
		}
	}
}

func TestKeyVectors(t *testing.T) {
	v := readVectors(t)
	escaped := func(key string) string {
		var b strings.Builder
		escapeKey(&b, key)
		return b.String()
	}
	for _, v := range v.ForEachKeyASCII {
		if err := CheckKey(v.Key); (err == nil) != v.Valid {
			t.Errorf("CheckKey(%q): %v", v.Key, err)
		}
		if v.Escaped != nil && escaped(v.Key) != *v.Escaped {
			t.Errorf("%q is escaped as %q, want %q", v.Key, escaped(v.Key), *v.Escaped)
		}
	}
	for _, v := range v.ForEachKey {
		if err := CheckKey(v.Key); (err == nil) != v.Valid {
			t.Errorf("CheckKey(%q): %v", v.Key, err)
		}
		want := v.Escaped
		if want == nil {
			want = v.EscapedIfForced
		}
		if want == nil || escaped(v.Key) != *want {
			t.Errorf("%q is escaped as %q, want %s", v.Key, escaped(v.Key), show(want))
		}
		if !v.Valid {
			continue
		}
		a := Address{Type: "aws_subnet", Name: "this", Index: Index{Kind: KeyIndex, Key: v.Key}}
		if a.String() != v.RenderedAddress || a.Escaped() != v.Tag {
			t.Errorf("%q: %s and %s, want %s and %s", v.Key, a, a.Escaped(), v.RenderedAddress, v.Tag)
		}
		back, ok := Decode(v.Tag)
		if !ok || back.String() != v.DecodedAddress || (back.String() == a.String()) != v.AddressRoundtrip {
			t.Errorf("%q decodes to %s, want %s", v.Tag, back, v.DecodedAddress)
		}
		if (back.Index.text() == v.Key) != v.RoundtripKey || WellFormed(v.Tag) != v.ValidMarker {
			t.Errorf("%q: key %q, well-formed %v", v.Tag, back.Index.text(), WellFormed(v.Tag))
		}
		if (escapeOlder(a.String()) != v.Tag) != v.NeedsHexLayer {
			t.Errorf("%q: the older escaping gives %q", v.Tag, escapeOlder(a.String()))
		}
	}
}

func TestEstateAndSlotVectors(t *testing.T) {
	v := readVectors(t)
	for _, v := range v.Estate {
		if err := CheckEstate(v.Name); (err == nil) != v.Valid {
			t.Errorf("CheckEstate(%.40q): %v", v.Name, err)
		}
	}
	for _, v := range v.Slot {
		got, err := ParseSlot(v.Value)
		if (err == nil) != v.Valid || got != v.N {
			t.Errorf("ParseSlot(%q) = %d, %v; want %d", v.Value, got, err, v.N)
		}
		if v.Valid && FormatSlot(v.N) != v.Value {
			t.Errorf("FormatSlot(%d) = %q", v.N, FormatSlot(v.N))
		}
	}
}

func TestContinuationVectors(t *testing.T) {
	// Stricter: what does not fit is refused, where the reference writes what the four tags hold.
	cut := exceptions{
		`aws_subnet.this["` + ks(1009) + `"]`:                 "1025 characters",
		`aws_subnet.this["` + ks(1284) + `"]`:                 "1300 characters",
		`aws_subnet.this["` + strings.Repeat("(", 146) + `"]`: "1038 characters",
	}
	met := map[string]bool{}
	for _, v := range readVectors(t).Continuation {
		value := Escape(v.Address)
		if got := utf8.RuneCountInString(value); got != v.EscapedChars || (got <= MaxAddress) != v.Fits {
			t.Errorf("%.80q: %d characters, want %d", v.Address, got, v.EscapedChars)
		}
		parts, _ := Split(value)
		tags, chars, bytes := map[string]string{}, []int(nil), []int(nil)
		for i, part := range parts {
			tags[AddressKeys[i]] = part
			chars = append(chars, utf8.RuneCountInString(part))
			bytes = append(bytes, len(part))
		}
		same := maps.Equal(tags, v.Tags) && slices.Equal(chars, v.ChunkChars) && slices.Equal(bytes, v.ChunkBytes)
		cut.check(t, met, v.Address, same, chars, v.ChunkChars)

		joined, err := Join(v.Tags, false)
		if (err != nil) != v.Corrupt || (joined == value) != v.GathersBack {
			t.Errorf("%.80q: joined %.80q, %v", v.Address, joined, err)
		}
		if text, _ := Unescape(joined); text != v.Decoded || (text == v.Address) != v.DecodedEqualsAddress {
			t.Errorf("%.80q decodes to %.80q, want %.80q", v.Address, text, v.Decoded)
		}
	}
	cut.allMet(t, met)
}

func TestMalformedVectors(t *testing.T) {
	// Stricter: a part that another follows is full.
	short := exceptions{
		"short primary with -2 still concatenates": "the first part has 9 characters",
		"-2 empty, -3 set":                         "the first two parts are not full",
	}
	met := map[string]bool{}
	for _, v := range readVectors(t).Malformed {
		gathered, err := Join(v.Tags, false)
		o := Observe(v.Tags, false)
		same := gathered == v.Gathered && o.Value == v.Normalized && o.Decoded == v.Addressable &&
			(o.Status == StatusMalformed) == v.Malformed && (err != nil && !errors.Is(err, errNoAddress)) == v.ChainCorrupt
		short.check(t, met, v.Why, same, o, v)
		if (o.Status == StatusMalformed) != (o.Problem != "") {
			t.Errorf("%s: status %d with the problem %q", v.Why, o.Status, o.Problem)
		}
	}
	short.allMet(t, met)
}

func TestMatchVectors(t *testing.T) {
	for _, v := range readVectors(t).LegacyMatch {
		got := Matches(v.Observed, v.Declared)
		if (got != NoMatch) != v.Matches || got == OtherPrefix || v.Note == "current escaping" && got != Current {
			t.Errorf("Matches(%q, %q) = %d, want a match: %v", v.Observed, v.Declared, got, v.Matches)
		}
	}
}

func TestClassifyVectors(t *testing.T) {
	list := map[string]Kind{
		"unclaimed": Unmarked, "other_estate": OtherEstate, "malformed": Malformed,
		"owned_orphan": OtherAddress, "owned_declared": Ours,
	}
	identity := map[string]Kind{
		"unowned_adoptable": Unmarked, "unowned_in_the_way": OtherEstate, "unowned_malformed": Malformed,
		"unowned_wrong_address": OtherAddress, "owned": Ours,
	}
	// One order of judging for both: the identity path is where we are stricter.
	stricter := exceptions{
		"":                   "an empty address is malformed on every path, never adopted",
		"module.net.aws_vpc": "another type is malformed, as in a listing",
	}
	met := map[string]bool{}
	asked := 0
	for _, v := range readVectors(t).Classify {
		a, err := Parse(v.Declared[0])
		if err != nil { // stricter: a name outside ASCII is never asked for
			if v.Declared[0] != "aws_vpc.größe" {
				t.Errorf("Parse(%q): %v", v.Declared[0], err)
			}
			continue
		}
		asked++
		wantList, known := list[v.ListVerdict]
		wantIdentity, known2 := identity[v.IdentityVerdict]
		if !known || !known2 {
			t.Fatalf("unknown verdicts %q, %q", v.ListVerdict, v.IdentityVerdict)
		}
		got := Classify(v.Tags, Question{Estates: []string{v.Estate}, Address: a, Type: v.LiveType})
		if got.Kind != wantList {
			t.Errorf("%v asked for %s: %d, want %s", v.Tags, a, got.Kind, v.ListVerdict)
		}
		input, there := v.Tags["tofu-address"]
		if !there {
			input = "none"
		}
		stricter.check(t, met, input, got.Kind == wantIdentity, got.Kind, v.IdentityVerdict)
	}
	stricter.allMet(t, met)
	if asked != 20 {
		t.Errorf("%d vectors were asked, want all but one", asked)
	}
}
