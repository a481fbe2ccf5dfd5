package markers

import (
	"strings"
	"testing"
)

// TestVerdicts meets every row of the table of verdicts, with the actions of each spelled out once more.
func TestVerdicts(t *testing.T) {
	const expected, planned = "estate_vpc.was", "estate_vpc.main"
	type tags map[string]string
	marked := func(address, binding string) tags {
		return tags{"tofu-estate": "prod", "tofu-address": address, "tofu-binding": binding}
	}
	met := map[Verdict]bool{}
	for _, c := range []struct {
		name    string
		binding string // the expected one; "unwritten:" and "seen:" before it say what else is expected
		tags    tags
		want    Verdict
		actions [4]Action // read, update, delete, import
	}{
		{"ours", "b1", marked(expected, "b1"), OursBound, [4]Action{Clean, Go, Go, Allow}},
		{"ours by the plan", "b1", marked(planned, "b1"), OursBound, [4]Action{Clean, Go, Go, Allow}},
		{"ours by prefix", "b1", marked("aws_vpc.was", "b1"), OursBound, [4]Action{Clean, Go, Go, Allow}},
		{"no binding on it", "b1", marked(planned, ""), OursUnbound, [4]Action{Warn, GoRebind, Go, Allow}},
		{"no binding at all", "", marked(planned, ""), OursUnbound, [4]Action{Warn, GoRebind, Go, Allow}},
		{"another binding", "b1", marked(planned, "b2"), Rebound, [4]Action{Warn, Refuse, Forget, Allow}},
		{"any text is one", "b1", marked(expected, "?"), Rebound, [4]Action{Warn, Refuse, Forget, Allow}},
		{"imported", "", marked(planned, "b2"), OursUnexpected, [4]Action{TakeNothing, GoRebind, Forget, Allow}},
		{"moved in, bound since", "seen:b1", marked(expected, "b2"), OursUnexpected, [4]Action{TakeNothing, GoRebind, Forget, Allow}},
		{"moved in", "seen:b1", marked(expected, "b1"), OursSeen, [4]Action{TakeNothing, GoRebind, Go, Fail}},
		{"cut off before the tags", "unwritten:b1", tags{"Name": "x"}, NeverMarked, [4]Action{ShowNull, GoRewrite, Go, Allow}},
		{"cut off, and bound by another without an estate", "unwritten:b1", tags{"tofu-binding": "b2"}, MalformedTags, [4]Action{ShowDrift, Refuse, Refuse, Fail}},
		{"cut off behind the tags", "unwritten:b1", marked(expected, "b1"), OursBound, [4]Action{Clean, Go, Go, Allow}},
		{"cut off, and adopted since", "unwritten:b1", marked(expected, "b2"), Rebound, [4]Action{Warn, Refuse, Forget, Allow}},
		{"third address, our binding", "b1", marked("estate_vpc.third", "b1"), MovedBound, [4]Action{ShowDrift, GoRewrite, Refuse, Fail}},
		{"third address, other binding", "b1", marked("estate_vpc.third", "b2"), OtherInstance, [4]Action{ShowDrift, Refuse, Refuse, Allow}},
		{"third address, no binding", "b1", marked("estate_vpc.third", ""), OtherInstance, [4]Action{ShowDrift, Refuse, Refuse, Allow}},
		{"third address, never bound", "", marked("estate_vpc.third", "b2"), OtherInstance, [4]Action{ShowDrift, Refuse, Refuse, Allow}},
		{"another estate", "b1", tags{"tofu-estate": "dev", "tofu-address": planned, "tofu-binding": "b1"}, OthersEstate, [4]Action{ShowDrift, Refuse, Refuse, Fail}},
		{"estate gone", "b1", tags{"tofu-address": planned, "tofu-binding": "b1"}, StrippedBound, [4]Action{ShowDrift, GoRewrite, Refuse, Fail}},
		{"malformed, our binding", "b1", marked("", "b1"), StrippedBound, [4]Action{ShowDrift, GoRewrite, Refuse, Fail}},
		{"wrong type, our binding", "b1", marked("estate_eip.x", "b1"), StrippedBound, [4]Action{ShowDrift, GoRewrite, Refuse, Fail}},
		{"malformed", "b1", marked("", "b2"), MalformedTags, [4]Action{ShowDrift, Refuse, Refuse, Fail}},
		{"malformed, no binding", "b1", marked("x", ""), MalformedTags, [4]Action{ShowDrift, Refuse, Refuse, Fail}},
		{"malformed, never bound", "", marked("x", ""), MalformedTags, [4]Action{ShowDrift, Refuse, Refuse, Fail}},
		{"estate gone, bound by another", "b1", tags{"tofu-address": planned, "tofu-binding": "b2"}, MalformedTags, [4]Action{ShowDrift, Refuse, Refuse, Fail}},
		{"stripped", "b1", tags{"Name": "x"}, Stripped, [4]Action{ShowDrift, GoRewrite, Refuse, Fail}},
		{"never marked", "", tags{"Name": "x"}, NeverMarked, [4]Action{ShowNull, GoRewrite, Go, Allow}},
		{"estate gone, never bound", "", tags{"tofu-binding": "b2"}, NeverMarked, [4]Action{ShowNull, GoRewrite, Go, Allow}},
	} {
		e := Expectation{Estate: "prod", Address: expected, Binding: c.binding}
		if seen, ok := strings.CutPrefix(c.binding, "seen:"); ok {
			e.Binding, e.Seen = "", seen
		}
		e.Binding, e.Unwritten = strings.CutPrefix(e.Binding, "unwritten:")
		got, class := Judge(e, Question{Estates: []string{"prod", "old"}, Address: mustParse(t, planned), Type: "estate_vpc"}, c.tags)
		if got != c.want {
			t.Errorf("%s: verdict %d, want %d", c.name, got, c.want)
		}
		if actions := [4]Action{got.OnRead(), got.OnUpdate(), got.OnDelete(), got.OnImport()}; actions != c.actions {
			t.Errorf("%s: actions %v, want %v", c.name, actions, c.actions)
		}
		if got >= Rebound && got != OursSeen && class.Why == "" {
			t.Errorf("%s: no reason", c.name)
		}
		met[got] = true
	}
	if len(met) != len(rows) {
		t.Errorf("%d of %d rows are met", len(met), len(rows))
	}
	for _, v := range []Verdict{Unjudged, -1, 99} {
		if v.OnUpdate() != Refuse || v.OnDelete() != Refuse || v.OnRead() != Refuse || v.OnImport() != Refuse {
			t.Errorf("the unknown verdict %d does something", v)
		}
	}
}

func TestJudgeAddresses(t *testing.T) {
	tags := map[string]string{"tofu-estate": "old", "tofu-address": "estate_vpc.was"}
	estates := []string{"prod", "old"}
	planned := mustParse(t, "estate_vpc.main")
	for name, c := range map[string]struct {
		e       Expectation
		planned Address
		estates []string
		want    Verdict
	}{
		"expected":            {Expectation{Address: "estate_vpc.was"}, Address{}, estates, OursUnbound},
		"expected or planned": {Expectation{Address: "estate_vpc.was"}, planned, estates, OursUnbound},
		"hearsay":             {Expectation{}, planned, estates, OtherInstance},
		"neither":             {Expectation{}, Address{}, estates, OtherInstance},
		"estate not ours":     {Expectation{Estate: "old", Address: "estate_vpc.was"}, planned, estates[:1], OthersEstate},
		"no estates":          {Expectation{Address: "estate_vpc.was"}, planned, nil, OthersEstate},
	} {
		got, class := Judge(c.e, Question{Estates: c.estates, Address: c.planned, Type: "estate_vpc"}, tags)
		if got != c.want || class.Older != (got == OursUnbound) {
			t.Errorf("%s: verdict %d, older %v", name, got, class.Older)
		}
	}
	_, class := Judge(Expectation{Address: "estate_vpc.was", Binding: "b1"}, Question{Estates: estates, Address: planned, Type: "estate_vpc"},
		map[string]string{"tofu-estate": "prod", "tofu-address": "estate_vpc.main", "tofu-binding": "b2"})
	if !strings.Contains(class.Why, "another state entry has bound it (b2, not b1)") {
		t.Errorf("why: %q", class.Why)
	}
}

// A type that was renamed knows its older name on objects that have not been renamed yet, and still no others.
func TestFormerTypes(t *testing.T) {
	q := Question{Estates: []string{"prod"}, Address: mustParse(t, "estate_lb.a"), Type: "estate_lb", Formerly: []string{"estate_alb"}}
	for value, want := range map[string]Kind{
		"estate_lb.a": Ours, "aws_lb.a": Ours, "estate_lb.b": OtherAddress, "estate_alb.a": OtherAddress, "aws_alb.b": OtherAddress,
		"estate_nlb.a": Malformed, "estate_vpc.a": Malformed,
	} {
		tags := map[string]string{"tofu-estate": "prod", "tofu-address": value}
		if got := Classify(tags, q); got.Kind != want {
			t.Errorf("%s: kind %d (%s), want %d", value, got.Kind, got.Why, want)
		}
	}
	renamed := map[string]string{"tofu-estate": "prod", "tofu-address": "estate_alb.a", "tofu-binding": "b"}
	if got, _ := Judge(Expectation{Address: "estate_alb.a", Binding: "b"}, q, renamed); got != OursBound {
		t.Errorf("verdict %d of an entry that was moved from the older name", got)
	}
	if got, _ := Judge(Expectation{Address: "estate_alb.b", Binding: "b2"}, q, renamed); got != OtherInstance {
		t.Errorf("verdict %d of another entry", got)
	}
}
