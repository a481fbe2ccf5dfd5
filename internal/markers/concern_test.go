package markers

import (
	"maps"
	"slices"
	"testing"
)

// TestConcern asks every seed address about tags that carry each of the others, in every escaping and under both prefixes: what
// the quick test leaves out is another's, and it leaves out what is plainly another's.
func TestConcern(t *testing.T) {
	values := map[string]bool{"": true, "no address": true}
	for _, text := range addressSeeds {
		values[text] = true
		values[Escape(text)], values[escapeOlder(text)], values[escapeOldest(text)] = true, true, true
		if a, err := Parse(text); err == nil {
			a.Type = swapPrefix(a.Type)
			values[a.Escaped()], values[escapeOldest(a.String())] = true, true
		}
	}
	passed, left := 0, 0
	for _, asked := range append(slices.Clone(addressSeeds), "estate_eip.x[3]", `estate_vpc.m["a"]`, "aws_vpc.main") {
		a, err := Parse(asked)
		if err != nil {
			continue
		}
		q := Question{Estates: []string{"prod", "old"}, Address: a, Type: a.Type}
		concern := q.Concern()
		for _, estate := range []string{"", "prod", "old", "dev"} {
			for value := range values {
				tags := map[string]string{EstateKey: estate, AddressKeys[0]: value}
				maps.DeleteFunc(tags, func(_, v string) bool { return v == "" })
				class := Classify(tags, q)
				if concern(Observe(tags, false)) {
					passed++
					continue
				}
				left++
				if class.Kind != OtherEstate && class.Kind != OtherAddress {
					t.Errorf("%s is not concerned by %v, whose kind is %d", asked, tags, class.Kind)
				}
			}
		}
		if ours := (Marker{Estate: "prod", Address: a}); !concern(Observe(tagsOf(t, ours), false)) {
			t.Errorf("%s is not concerned by its own marker", asked)
		}
	}
	if passed == 0 || left == 0 {
		t.Errorf("%d passed and %d were left out", passed, left)
	}
}

// tagsOf returns a marker's tags.
func tagsOf(t *testing.T, m Marker) Tags {
	t.Helper()
	tags, err := m.Tags()
	if err != nil {
		t.Fatal(err)
	}
	return tags
}
