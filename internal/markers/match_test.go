package markers

import (
	"strings"
	"testing"
)

// TestMatchesPrefix covers aws_T and estate_T as one type, which the reference does not know.
func TestMatchesPrefix(t *testing.T) {
	for _, c := range []struct {
		observed, address string
		want              Match
	}{
		{"estate_vpc.x", "estate_vpc.x", Current},
		{"aws_vpc.x", "estate_vpc.x", OtherPrefix},
		{"estate_vpc.x", "aws_vpc.x", OtherPrefix},
		{"module.m:a.aws_vpc.x:1", `module.m["a"].estate_vpc.x[1]`, OtherPrefix},
		{"aws_subnet.x:10.0.0.0/16", `estate_subnet.x["10.0.0.0/16"]`, OtherPrefix},
		{"aws_subnet.x:a@db", `estate_subnet.x["a@db"]`, NoMatch}, // today's escaping of ["a.b"]
		{"aws_subnet.x:a@db", `estate_subnet.x["a.b"]`, OtherPrefix},
		{"aws_subnet.x", "estate_vpc.x", NoMatch},
		{"google_vpc.x", "estate_vpc.x", NoMatch},
		{"module.aws_vpc.a.b", "module.estate_vpc.a.b", NoMatch}, // only the type's segment
		{`estate_vpc.x["a"]`, `estate_vpc.x["a"]`, Current},      // a bare address
		{"estate_vpc.x:a.b", `estate_vpc.x["a.b"]`, Older},
		{"estate_vpc.x:a(b", `estate_vpc.x["a(b"]`, Older},
		{"module.a:x.module.b.t.n", `module.a["x.module.b"].t.n`, NoMatch}, // another address's today
		{"estate_vpc.x", "", NoMatch},
		{"", "", NoMatch},
		{"aws_vpc.größe", "estate_vpc.größe", NoMatch}, // not an address of ours
	} {
		if got := Matches(c.observed, c.address); got != c.want {
			t.Errorf("Matches(%q, %q) = %d, want %d", c.observed, c.address, got, c.want)
		}
	}
}

// TestMatchesWhole: an address is compared whole. One that is part of another, at any end, is another's.
func TestMatchesWhole(t *testing.T) {
	const address = `module.m["a"].estate_vpc.x["b"]`
	value := Escape(address)
	for _, other := range []string{
		"module.n." + value, value + "c", value + ":c", value[:len(value)-1], value[len("module.m:a."):], "x" + value,
		strings.TrimSuffix(value, ":b"), value + "." + value, strings.ToUpper(value),
	} {
		if got := Matches(other, address); got != NoMatch {
			t.Errorf("%q is taken for %s: %d", other, address, got)
		}
		if got := Matches(value, other); got != NoMatch {
			t.Errorf("%q is taken for %q: %d", value, other, got)
		}
	}
	if got := Matches(value, address); got != Current {
		t.Errorf("its own value does not match: %d", got)
	}
}

func TestWellFormed(t *testing.T) {
	for value, want := range map[string]bool{
		"a.b": true, "a.b:c": true, "a:b.c:d": true, "a": false, "": false, ".": false, "a.": false, ".a": false,
		"a.1b": false, "a.b-1": true, "a.b:": false, "a.b:c:d": false, "a.:c": false, "a.b c": false,
		"a." + ks(MaxAddress-2): true, "a." + ks(MaxAddress-1): false,
		"a.b:" + strings.Repeat("日", MaxAddress-4): true,
	} {
		if got := WellFormed(value); got != want {
			t.Errorf("WellFormed(%.40q) = %v", value, got)
		}
	}
}

func TestValueType(t *testing.T) {
	for value, want := range map[string]string{
		"a.b": "a", "module.a.b.c": "b", "module.a:1.module.b.c.d": "c", "module.a.b": "module", "module.a": "module",
		"module.module.a.b": "a", "a:x.b": "a:x", "a.b.c": "a", "module:x.a.b.c": "module:x",
	} {
		if got := valueType(value); got != want {
			t.Errorf("valueType(%q) = %q, want %q", value, got, want)
		}
	}
}

func TestSplitRefuses(t *testing.T) {
	if _, err := Split(strings.Repeat("日", 1025)); err == nil || !strings.Contains(err.Error(), "1025 characters") {
		t.Errorf("too long: %v", err)
	}
	if _, err := Split(""); err == nil {
		t.Error("an empty address is split")
	}
}

// TestDecodeLayers holds the order of the two layers, which no value of today's escaping shows.
func TestDecodeLayers(t *testing.T) {
	for value, want := range map[string]string{
		"a.b:+000040d": `a.b["@d"]`, "a.b:+0000@d": `a.b["+0000."]`, "a.b:+@@+": `a.b["+@+"]`, "a.b:@@d": `a.b["@d"]`,
		"a.b:+00D800": "a.b[\"\uFFFD\"]", "a.b:+00003２": `a.b["+00003２"]`,
	} {
		if got, ok := Unescape(value); !ok || got != want {
			t.Errorf("Unescape(%q) = %s, want %s", value, got, want)
		}
	}
}
