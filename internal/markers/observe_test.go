package markers

import (
	"strings"
	"testing"
)

func TestObserve(t *testing.T) {
	full := strings.Repeat("a", MaxValue-2)
	for name, c := range map[string]struct {
		tags    map[string]string
		fold    bool
		status  Status
		value   string
		problem string
	}{
		"nothing":         {nil, false, StatusUnmarked, "", ""},
		"empty estate":    {map[string]string{"tofu-estate": "", "tofu-address": "a.b"}, false, StatusUnmarked, "a.b", ""},
		"marked":          {map[string]string{"tofu-estate": "e", "tofu-address": "a.b:c"}, false, StatusMarked, "a.b:c", ""},
		"bare address":    {map[string]string{"tofu-estate": "e", "tofu-address": `a.b["c.d"]`}, false, StatusMarked, "a.b:c@dd", ""},
		"no address":      {map[string]string{"tofu-estate": "e"}, false, StatusMalformed, "", "missing or empty"},
		"gap":             {map[string]string{"tofu-estate": "e", "tofu-address": "x." + full, "tofu-address-3": "b"}, false, StatusMalformed, "", "tofu-address-2 is missing"},
		"first missing":   {map[string]string{"tofu-estate": "e", "tofu-address-2": "b"}, false, StatusMalformed, "", "tofu-address is missing while tofu-address-2"},
		"short part":      {map[string]string{"tofu-estate": "e", "tofu-address": "x." + full[1:], "tofu-address-2": "b"}, false, StatusMalformed, "", "255 characters while"},
		"long part":       {map[string]string{"tofu-estate": "e", "tofu-address": "x." + full + "a", "tofu-address-2": "b"}, false, StatusMalformed, "", "257 characters while"},
		"full part":       {map[string]string{"tofu-estate": "e", "tofu-address": "x." + full, "tofu-address-2": "b"}, false, StatusMarked, "x." + full + "b", ""},
		"empty last part": {map[string]string{"tofu-estate": "e", "tofu-address": "x." + full, "tofu-address-2": ""}, false, StatusMarked, "x." + full, ""},
		"empty tail":      {map[string]string{"tofu-estate": "e", "tofu-address": "a.b", "tofu-address-2": ""}, false, StatusMalformed, "", "3 characters while"},
		"not well-formed": {map[string]string{"tofu-estate": "e", "tofu-address": "a.b:10.0.0.0/16"}, false, StatusMalformed, "a.b:10.0.0.0/16", "not well-formed"},
		"other case":      {map[string]string{"Tofu-Estate": "e", "tofu-ADDRESS": "a.b"}, true, StatusMarked, "a.b", ""},
		"case matters":    {map[string]string{"Tofu-Estate": "e", "tofu-address": "a.b"}, false, StatusUnmarked, "a.b", ""},
		"two cases":       {map[string]string{"tofu-estate": "e", "tofu-address": "a.b", "Tofu-Address": "a.b"}, true, StatusMalformed, "", "differ from tofu-address in case"},
		"two slots":       {map[string]string{"tofu-estate": "e", "tofu-address": "a.b", "tofu-slot": "1", "Tofu-Slot": "1"}, true, StatusMalformed, "", "differ from tofu-slot in case"},
		"two estates":     {map[string]string{"tofu-estate": "e", "Tofu-Estate": "", "tofu-address": "a.b"}, true, StatusMalformed, "", "differ from tofu-estate in case"},
		"two, no estate":  {map[string]string{"tofu-slot": "1", "Tofu-Slot": "2"}, true, StatusMalformed, "", "differ from tofu-slot in case"},
	} {
		o := Observe(c.tags, c.fold)
		if o.Status != c.status || o.Value != c.value || !strings.Contains(o.Problem, c.problem) || (o.Problem == "") != (c.problem == "") {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestObserveParts(t *testing.T) {
	o := Observe(map[string]string{
		"tofu-estate": "e", "tofu-address": "module.m:a.aws_x.y:2", "tofu-slot": "4", "tofu-binding": "b", "tofu-pending": "p",
	}, false)
	if o.Estate != "e" || !o.Decoded || o.Address.String() != `module.m["a"].aws_x.y[2]` || o.Slot == nil || *o.Slot != 4 ||
		o.Binding != "b" || o.Pending != "p" || o.SlotProblem != "" {
		t.Errorf("%+v", o)
	}
	// A bad slot says so by itself and leaves the marker as it is.
	o = Observe(map[string]string{"tofu-estate": "e", "tofu-address": "a.b", "tofu-slot": "01"}, false)
	if o.Status != StatusMarked || o.Slot != nil || !strings.Contains(o.SlotProblem, "leading zeros") || o.Problem != "" {
		t.Errorf("%+v", o)
	}
}

func TestClassify(t *testing.T) {
	a := mustParse(t, `estate_subnet.x["10.0.0.0/16"]`)
	q := Question{Estates: []string{"prod", "old"}, Address: a, Type: "estate_subnet", FoldCase: true}
	for name, c := range map[string]struct {
		estate, address string
		kind            Kind
		older           bool
		why             string
	}{
		"unmarked":         {"", a.Escaped(), Unmarked, false, "no tofu-estate"},
		"other estate":     {"Prod", a.Escaped(), OtherEstate, false, `estate "Prod"`},
		"other, malformed": {"x", "", OtherEstate, false, `estate "x"`},
		"ours":             {"prod", a.Escaped(), Ours, false, ""},
		"previous estate":  {"old", a.Escaped(), Ours, true, `previous estate "old"`},
		"older escaping":   {"prod", "estate_subnet.x:10.0.0.0/16", Ours, true, "older escaping"},
		"other prefix":     {"prod", "aws_subnet.x:10@d0@d0@d0/16", Ours, true, "other prefix"},
		"oldest, other":    {"prod", "aws_subnet.x:10.0.0.0/16", Ours, true, "other prefix"},
		"empty":            {"prod", "", Malformed, false, "missing or empty"},
		"not well-formed":  {"prod", "estate_subnet.x:10.1.0.0/16", Malformed, false, "not well-formed"},
		"wrong type":       {"prod", "estate_vpc.x", Malformed, false, "names the type estate_vpc"},
		"type with a key":  {"prod", "estate_subnet:a.x", Malformed, false, "names the type estate_subnet:a"},
		"another":          {"prod", "module.m.aws_subnet.y:a", OtherAddress, false, `belongs to module.m.aws_subnet.y["a"]`},
		"no address":       {"prod", "estate_subnet.x.y", OtherAddress, false, "belongs to estate_subnet.x.y"},
	} {
		got := Classify(map[string]string{"Tofu-Estate": c.estate, "tofu-address": c.address}, q)
		if got.Kind != c.kind || got.Older != c.older || !strings.Contains(got.Why, c.why) || (got.Why == "") != (c.why == "") {
			t.Errorf("%s: %d, older %v: %q", name, got.Kind, got.Older, got.Why)
		}
	}
	tags := map[string]string{"tofu-estate": "prod", "Tofu-Estate": "prod", "tofu-address": a.Escaped()}
	if got := Classify(tags, q); got.Kind != Malformed || !strings.Contains(got.Why, "in case") {
		t.Errorf("two estates: %+v", got)
	}
	tags = map[string]string{"tofu-estate": "prod", "tofu-address": "aws_vpc.x"}
	if got := Classify(tags, Question{Estates: q.Estates}); got.Kind != OtherAddress {
		t.Errorf("no type and no address asked for: %+v", got)
	}
}
