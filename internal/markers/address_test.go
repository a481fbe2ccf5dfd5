package markers

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func mustParse(t testing.TB, text string) Address {
	t.Helper()
	a, err := Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return a
}

func TestParse(t *testing.T) {
	got := mustParse(t, `module.a["x.y"].module.b[2].estate_subnet.app-1["10.0.0.0/24"]`)
	want := Address{
		Module: []Step{
			{Name: "a", Index: Index{Kind: KeyIndex, Key: "x.y"}},
			{Name: "b", Index: Index{Kind: CountIndex, Number: 2}},
		},
		Type: "estate_subnet", Name: "app-1", Index: Index{Kind: KeyIndex, Key: "10.0.0.0/24"},
	}
	if !slices.Equal(got.Module, want.Module) || got.Type != want.Type || got.Name != want.Name || got.Index != want.Index {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, text := range []string{
		"estate_vpc.main", "_._", "module.module.estate_vpc.module", "module.data.estate_vpc.data",
		`estate_vpc.x["日本"]`, "estate_vpc.x[9223372036854775807]", `estate_vpc.x["9223372036854775808"]`,
		`estate_vpc.x["a b"]`, `estate_vpc.x["module.y"]`,
	} {
		if a := mustParse(t, text); a.String() != text {
			t.Errorf("Parse(%q) renders as %q", text, a)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "address is empty",
		" estate_vpc.main":                  "starts or ends with a space",
		"estate_vpc.main\n":                 "starts or ends with a space",
		"estate_vpc":                        "ends after estate_vpc",
		"estate_vpc.":                       "ends with a dot",
		".main":                             "type is missing before",
		"estate_vpc..main":                  "name is missing before",
		"estate_vpc main":                   "where a dot belongs",
		"9vpc.main":                         "must start with a letter",
		"estate_vpc.-main":                  "must start with a letter",
		"${var.tofu_module}estate_vpc.x":    "a template belongs in the configuration",
		"estate_vpc.größe":                  `the resource's name holds 'ö'`,
		"module.größe.estate_vpc.x":         `the module's name holds 'ö'`,
		"data.estate_vpc.main":              "data addresses are not managed",
		"module.x.ephemeral.aws_x.main":     "ephemeral addresses are not managed",
		"module.":                           "module's name is missing",
		"module":                            "names no module",
		"module[0].x.y":                     "names no module",
		"module.x":                          "ends in a module",
		`module.x["a"]`:                     "ends in a module",
		"module.x.":                         "ends with a dot after the module x",
		"module.x[1][2].a.b":                "where a dot belongs",
		"module.x:a.estate_vpc.b":           "how a tag spells an index",
		"resource.estate_vpc.main":          `leave out the leading "resource."`,
		"estate_vpc.main.id":                "without an attribute",
		"estate_vpc.main:a":                 "how a tag spells an index",
		"estate_vpc.main/x":                 "an address ends with the name",
		"estate_vpc.main[0][1]":             "second index",
		"estate_vpc.main[]":                 "is empty",
		"estate_vpc.main[*]":                "every instance",
		"estate_vpc.main[a]":                "needs double quotes",
		"estate_vpc.main['a']":              "needs double quotes",
		"estate_vpc.main[-1]":               "neither a number nor a quoted key",
		"estate_vpc.main[+1]":               "neither a number nor a quoted key",
		"estate_vpc.main[ 1]":               "space inside its brackets",
		"estate_vpc.main[01]":               "leading zero",
		"estate_vpc.main[1":                 "no closing bracket",
		"estate_vpc.x[9223372036854775808]": "too large a number",
		`estate_vpc.main["a]`:               "not closed",
		`estate_vpc.main["a" ]`:             "not closed",
		`estate_vpc.main[""]`:               "key is empty",
		`estate_vpc.main["a\"b"]`:           "escape sequence",
		`estate_vpc.main["a\\b"]`:           "escape sequence",
		`estate_vpc.main["a"b"]`:            `holds '"'`,
		`estate_vpc.main["${x}"]`:           `holds '$'`,
		`estate_vpc.main["a%b"]`:            `holds '%'`,
		`estate_vpc.main["a[b"]`:            `holds '['`,
		`module.m["a]b"].estate_vpc.main`:   `holds ']'`,
		"estate_vpc.main[\"a\u200db\"]":     "U+200D, which does not print",
		"estate_vpc.main[\"a\xffb\"]":       "not valid UTF-8",
		`estate_vpc.main["` + strings.Repeat("(", 150) + `"]`: "is 1066 characters long",
	} {
		if a, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, %v; want an error with %q", text, a, err, want)
		}
	}
}

func TestParseLength(t *testing.T) {
	prefix := "estate_vpc.x[\"\"]"
	fits := strings.Replace(prefix, `""`, `"`+ks(MaxAddress-len("estate_vpc.x:"))+`"`, 1)
	if a := mustParse(t, fits); len(a.Escaped()) != MaxAddress {
		t.Errorf("escaped to %d characters", len(a.Escaped()))
	}
}

func TestWithKey(t *testing.T) {
	base := mustParse(t, `module.m["a"].estate_eip.x`)
	for _, c := range []struct {
		key, want string
		slotted   bool
	}{
		{"0", "[0]", true},
		{"12", "[12]", true},
		{"4294967295", "[4294967295]", true},
		{"111122223333", "[111122223333]", false}, // an account id: above the highest slot, so no count made it
		{"9223372036854775807", "[9223372036854775807]", false},
		{"9223372036854775808", `["9223372036854775808"]`, false},
		{"00", `["00"]`, false},
		{"-1", `["-1"]`, false},
		{"+1", `["+1"]`, false},
		{"٣", `["٣"]`, false},
		{"a.b", `["a.b"]`, false},
	} {
		a, err := base.WithKey(c.key)
		if err != nil || a.String() != base.String()+c.want || a.Slotted() != c.slotted {
			t.Errorf("WithKey(%q) = %s, %v", c.key, a, err)
		}
		if SameAddress(a, base) || !SameAddress(a.Block(), base) {
			t.Errorf("the block of %s is %s", a, a.Block())
		}
	}
	if mustParse(t, "module.m[3].estate_eip.x").Slotted() {
		t.Error("a module's index gives a slot")
	}
	for key, want := range map[string]string{"": "key is empty", "a$": `holds '$'`, ks(1100): "characters long once it is escaped"} {
		if _, err := base.WithKey(key); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("WithKey(%.20q): %v, want %q", key, err, want)
		}
	}
	for _, text := range []string{"estate_eip.x[1]", `estate_eip.x["a"]`} {
		if _, err := mustParse(t, text).WithKey("b"); err == nil || !strings.Contains(err.Error(), "already ends in the index") {
			t.Errorf("%s takes a second key: %v", text, err)
		}
	}
}

func TestSameAddress(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"estate_vpc.x", "estate_vpc.x", true},
		{"estate_vpc.x", "aws_vpc.x", true},
		{"aws_vpc.x", "estate_vpc.x", true},
		{"module.m.estate_vpc.x[1]", "module.m.aws_vpc.x[1]", true},
		{"estate_vpc.x", "estate_vpc.y", false},
		{"estate_vpc.x", "google_vpc.x", false},
		{"estate_vpc.x", "aws_subnet.x", false},
		{"estate_.x", "aws_.x", false},
		{"aws_.x", "estate_.x", false},
		{"estate_vpc.x", "estate_aws_vpc.x", false},
		{"estate_vpc.x", "estate_vpc.x[0]", false},
		{"estate_vpc.x[2]", `estate_vpc.x["2"]`, false},
		{"module.estate_vpc.a.b", "module.aws_vpc.a.b", false},
	} {
		if got := SameAddress(mustParse(t, c.a), mustParse(t, c.b)); got != c.same {
			t.Errorf("SameAddress(%s, %s) = %v", c.a, c.b, got)
		}
	}
}

func TestTargets(t *testing.T) {
	for _, c := range []struct {
		target, address string
		covers          bool
	}{
		{"aws_instance.web", "aws_instance.web[3]", true},
		{"aws_instance.web", "estate_instance.web", true},
		{"aws_instance.web[3]", "aws_instance.web[3]", true},
		{"aws_instance.web[3]", "aws_instance.web[4]", false},
		{"aws_instance.web[3]", "aws_instance.web", false},
		{`aws_instance.web["3"]`, "aws_instance.web[3]", true},
		{`aws_instance.web[""]`, "aws_instance.web", false},
		{`aws_instance.web["a"]`, `aws_instance.web["a"]`, true},
		{"aws_instance.web", "module.foo.aws_instance.web", false},
		{"module.foo", `module.foo[0].module.bar["a"].aws_x.y`, true},
		{"module.foo", "module.foo.aws_x.y", true},
		{"module.foo", "module.food.aws_x.y", false},
		{"module.foo", "aws_x.y", false},
		{"module.foo[1]", "module.foo[0].aws_x.y", false},
		{"module.foo[0]", "module.foo[0].aws_x.y", true},
		{"module.foo.module.bar", "module.foo[0].module.bar[1].aws_x.y", true},
		{"module.foo.module.bar", "module.foo.aws_x.y", false},
		{"module.foo.aws_x.y", "module.foo[0].aws_x.y[1]", true},
		{"module.foo.aws_x.y", "module.foo.module.bar.aws_x.y", false},
		{"module.foo.aws_x.y", "module.foo.aws_x.z", false},
		{"module.foo.aws_x.y", "module.foo.aws_z.y", false},
	} {
		target, err := ParseTarget(c.target)
		if c.target == `aws_instance.web[""]` {
			if err == nil {
				t.Error("a target with an empty key is accepted")
			}
			continue
		}
		if err != nil {
			t.Errorf("ParseTarget(%q): %v", c.target, err)
		} else if got := target.Covers(mustParse(t, c.address)); got != c.covers {
			t.Errorf("%s covers %s: %v", c.target, c.address, got)
		}
	}
	for _, text := range []string{"", "module", "module.", "module.x.", "module.x[a]", "data.aws_x.y", "module.a.ephemeral.b.c", "aws_x"} {
		if _, err := ParseTarget(text); err == nil {
			t.Errorf("ParseTarget(%q) is accepted", text)
		}
	}
}

func TestQuote(t *testing.T) {
	for key, want := range map[string]string{
		"a\n\r\tb": `"a\n\r\tb"`, `a"\`: `"a\"\\"`, "${a} %{b} $c %": `"$${a} %%{b} $c %"`,
		"\x00": `"\u0000"`, "\U000E0041": `"\U000e0041"`, "é": `"é"`,
	} {
		if got := quote(key); got != want {
			t.Errorf("quote(%q) = %s, want %s", key, got, want)
		}
	}
}

func TestCheckEstate(t *testing.T) {
	for name, want := range map[string]string{
		"": "is empty", "9a": "must start with a lower-case letter", "-a": "must start", "aB": `holds 'B'`,
		"a" + strings.Repeat("b", 128): "129 characters long", "é": "must start",
	} {
		if err := CheckEstate(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("CheckEstate(%.20q): %v, want %q", name, err, want)
		}
	}
	if err := CheckEstate("a" + strings.Repeat("b", 127)); err != nil {
		t.Error(err)
	}
}

func ExampleParse() {
	_, err := Parse("estate_subnet.app[eu-west-1a]")
	fmt.Println(err)
	// Output: the index [eu-west-1a] is neither a number nor a quoted key; a for_each key needs double quotes, as in ["a"]
}
