package engine

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The types of the tables below: a part has a given name, a note and a uid that AWS may choose, and a text that is
// compared by meaning.
var (
	partAttrs = map[string]attr.Type{
		"name": types.StringType, "note": types.StringType, "text": foldedType{}, "uid": types.StringType,
	}
	partT  = types.ObjectType{AttrTypes: partAttrs}
	boxT   = types.ObjectType{AttrTypes: map[string]attr.Type{"name": types.StringType, "uid": types.StringType, "parts": types.SetType{ElemType: partT}}}
	listT  = types.ListType{ElemType: partT}
	setT   = types.SetType{ElemType: partT}
	mapT   = types.MapType{ElemType: partT}
	boxesT = types.ListType{ElemType: boxT}
	wordsT = types.ListType{ElemType: types.StringType}
	namesT = types.SetType{ElemType: types.StringType}
	pairsT = types.MapType{ElemType: types.StringType}
)

func raw(t *testing.T, typ attr.Type, v any) tftypes.Value {
	t.Helper()
	return configured(t, nil, typ.TerraformType(t.Context()), v)
}

// given is a part as a configuration says it, planned as the framework plans it, made as AWS answers it.
func given(name string) conf    { return conf{"name": name} }
func expected(name string) conf { return conf{"name": name, "note": notYet, "uid": notYet} }
func made(name, uid string) conf {
	return conf{"name": name, "note": "auto", "uid": uid}
}

// with returns a copy of c that says more.
func with(c conf, more conf) conf {
	out := cloneConf(c)
	for k, v := range more {
		out[k] = v
	}
	return out
}

func list(v ...any) []any { return v }

// untouched fails the test where a function has written into its arguments, which are shared with the index: each
// argument comes before its copy.
func untouched(t *testing.T, pairs ...tftypes.Value) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !pairs[i].Equal(pairs[i+1]) {
			t.Errorf("an argument was changed:\nis  %s\nwas %s", pairs[i], pairs[i+1])
		}
	}
}

func TestSettle(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		typ                       attr.Type
		config, plan, state, want any
	}{
		"computed keeps state":                {types.StringType, nil, notYet, "s", "s"},
		"computed null in state":              {types.StringType, nil, notYet, nil, nil},
		"configured unknown stays":            {types.StringType, notYet, notYet, "s", notYet},
		"configured value wins":               {types.StringType, "c", "c", "s", "c"},
		"same meaning keeps the state's text": {foldedType{}, "A B", "A B", "ab", "ab"},
		"another meaning":                     {foldedType{}, "A C", "A C", "ab", "A C"},
		"spelling of a plain string counts":   {types.StringType, "A", "A", "a", "A"},
		"configured null is not the state's":  {foldedType{}, nil, nil, "ab", nil},

		"absent list and empty list are one":  {wordsT, nil, nil, list(), list()},
		"a written empty list stays":          {wordsT, list(), list(), nil, list()},
		"absent map and empty map are one":    {pairsT, nil, nil, conf{}, conf{}},
		"an absent object is no empty object": {partT, nil, nil, conf{}, nil},
		"a new object keeps its unknowns":     {partT, given("a"), expected("a"), nil, expected("a")},

		"object keeps computed parts though another part changes": {
			partT, given("b"), expected("b"), made("a", "1"), made("b", "1"),
		},
		"object keeps text by meaning": {
			partT, with(given("a"), conf{"text": "X Y"}), with(expected("a"), conf{"text": "X Y"}),
			with(made("a", "1"), conf{"text": "xy"}), with(made("a", "1"), conf{"text": "xy"}),
		},
		"object with a configured unknown": {
			partT, conf{"name": notYet}, conf{"name": notYet, "note": notYet, "uid": notYet}, made("a", "1"),
			conf{"name": notYet, "note": "auto", "uid": "1"},
		},

		"list keeps ids in place": {
			listT, list(given("a"), given("b")), list(expected("a"), expected("b")), list(made("a", "1"), made("b", "2")),
			list(made("a", "1"), made("b", "2")),
		},
		"insert in front of a list moves no id": {
			listT, list(given("n"), given("a")), list(expected("n"), expected("a")), list(made("a", "1")),
			list(expected("n"), expected("a")),
		},
		"append to a list": {
			listT, list(given("a"), given("n")), list(expected("a"), expected("n")), list(made("a", "1")),
			list(made("a", "1"), expected("n")),
		},
		"remove from the front of a list moves no id": {
			listT, list(given("b")), list(expected("b")), list(made("a", "1"), made("b", "2")), list(expected("b")),
		},
		"list element by meaning": {
			listT, list(with(given("a"), conf{"text": "X Y"})), list(with(expected("a"), conf{"text": "X Y"})),
			list(with(made("a", "1"), conf{"text": "xy"})), list(with(made("a", "1"), conf{"text": "xy"})),
		},
		"list element with a configured unknown keeps nothing": {
			listT, list(conf{"name": notYet}), list(conf{"name": notYet, "note": notYet, "uid": notYet}), list(made("a", "1")),
			list(conf{"name": notYet, "note": notYet, "uid": notYet}),
		},
		"unknown list":                  {listT, notYet, notYet, list(made("a", "1")), notYet},
		"unknown element":               {listT, list(notYet), list(notYet), list(made("a", "1")), list(notYet)},
		"computed list keeps state":     {listT, nil, notYet, list(made("a", "1")), list(made("a", "1"))},
		"configured part of an element": {listT, list(with(given("a"), conf{"note": "n"})), list(with(expected("a"), conf{"note": "n"})), list(made("a", "1")), list(with(expected("a"), conf{"note": "n"}))},

		"set in another order": {
			setT, list(given("b"), given("a")), list(expected("b"), expected("a")), list(made("a", "1"), made("b", "2")),
			list(made("b", "2"), made("a", "1")),
		},
		"set with another element": {
			setT, list(given("n"), given("a")), list(expected("n"), expected("a")), list(made("a", "1")),
			list(expected("n"), made("a", "1")),
		},
		"set without an element": {
			setT, list(given("b")), list(expected("b")), list(made("a", "1"), made("b", "2")), list(made("b", "2")),
		},
		"set element by meaning": {
			setT, list(with(given("a"), conf{"text": "X Y"})), list(with(expected("a"), conf{"text": "X Y"})),
			list(with(made("a", "1"), conf{"text": "xy"})), list(with(made("a", "1"), conf{"text": "xy"})),
		},
		"set element with a configured unknown keeps nothing": {
			setT, list(conf{"name": notYet}), list(conf{"name": notYet, "note": notYet, "uid": notYet}), list(made("a", "1")),
			list(conf{"name": notYet, "note": notYet, "uid": notYet}),
		},
		// The first planned element fits both old ones, the second only the first of them.
		"set elements that say less leave the others theirs": {
			setT, list(given("a"), with(given("a"), conf{"note": "n"})), list(expected("a"), with(expected("a"), conf{"note": "n"})),
			list(with(made("a", "1"), conf{"note": "n"}), made("a", "2")),
			list(made("a", "2"), with(made("a", "1"), conf{"note": "n"})),
		},

		"map keeps ids by key": {
			mapT, conf{"x": given("a"), "n": given("b")}, conf{"x": expected("a"), "n": expected("b")}, conf{"x": made("a", "1")},
			conf{"x": made("a", "1"), "n": expected("b")},
		},
		"map element that changed keeps nothing": {
			mapT, conf{"x": given("b")}, conf{"x": expected("b")}, conf{"x": made("a", "1")}, conf{"x": expected("b")},
		},

		"set inside a list element, reordered": {
			boxesT, list(conf{"name": "x", "parts": list(given("b"), given("a"))}),
			list(conf{"name": "x", "uid": notYet, "parts": list(expected("b"), expected("a"))}),
			list(conf{"name": "x", "uid": "9", "parts": list(made("a", "1"), made("b", "2"))}),
			list(conf{"name": "x", "uid": "9", "parts": list(made("b", "2"), made("a", "1"))}),
		},
		// Were the uid of the box kept, the final plan could break the first one's promise.
		"configured unknown in a set inside a list element": {
			boxesT, list(conf{"name": "x", "parts": list(conf{"name": notYet})}),
			list(conf{"name": "x", "uid": notYet, "parts": list(conf{"name": notYet, "note": notYet, "uid": notYet})}),
			list(conf{"name": "x", "uid": "9", "parts": list(made("a", "1"))}),
			list(conf{"name": "x", "uid": notYet, "parts": list(conf{"name": notYet, "note": notYet, "uid": notYet})}),
		},
		"map inside nothing": {pairsT, conf{"a": notYet}, conf{"a": notYet}, conf{"a": "1"}, conf{"a": notYet}},
		"plain set":          {namesT, list("b", "a"), list("b", "a"), list("a", "b"), list("b", "a")},
	} {
		t.Run(name, func(t *testing.T) {
			config, plan, state := raw(t, tt.typ, tt.config), raw(t, tt.typ, tt.plan), raw(t, tt.typ, tt.state)
			got := settle(t.Context(), tt.typ, config, plan, state, true)
			untouched(t, config, raw(t, tt.typ, tt.config), plan, raw(t, tt.typ, tt.plan), state, raw(t, tt.typ, tt.state))
			if want := raw(t, tt.typ, tt.want); !got.Equal(want) {
				t.Errorf("\ngot    %s\nwanted %s", got, want)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	wholeT := types.ObjectType{AttrTypes: map[string]attr.Type{
		"text": foldedType{}, "one": boxT, "items": listT, "members": setT, "table": mapT, "words": wordsT, "names": namesT, "pairs": pairsT,
	}}
	for name, tt := range map[string]struct {
		plan, state conf
		want        []string
	}{
		"nothing":             {conf{"text": "a"}, conf{"text": "a"}, nil},
		"same meaning":        {conf{"text": "A B"}, conf{"text": "ab"}, nil},
		"another value":       {conf{"text": "b"}, conf{"text": "a"}, []string{"text"}},
		"unknown":             {conf{"text": notYet}, conf{"text": "a"}, []string{"text"}},
		"value removed":       {conf{}, conf{"text": "a"}, []string{"text"}},
		"value added":         {conf{"text": "a"}, conf{}, []string{"text"}},
		"empty and absent":    {conf{"words": list(), "pairs": conf{}, "names": list()}, conf{}, nil},
		"object came":         {conf{"one": conf{"name": "a"}}, conf{}, []string{"one"}},
		"object went":         {conf{}, conf{"one": conf{"name": "a"}}, []string{"one"}},
		"object all null":     {conf{"one": conf{}}, conf{}, []string{"one"}},
		"inside an object":    {conf{"one": conf{"name": "a", "uid": "1"}}, conf{"one": conf{"name": "b", "uid": "1"}}, []string{"one.name"}},
		"set in an object":    {conf{"one": conf{"parts": list(made("a", "1"))}}, conf{"one": conf{"parts": list(made("b", "1"))}}, []string{"one.parts"}},
		"list of one length":  {conf{"items": list(made("a", "1"), made("b", "2"))}, conf{"items": list(made("x", "1"), made("y", "2"))}, []string{"items.name"}},
		"list of another":     {conf{"items": list(made("a", "1"))}, conf{"items": list()}, []string{"items"}},
		"list element text":   {conf{"items": list(conf{"text": "X Y"})}, conf{"items": list(conf{"text": "xy"})}, nil},
		"set in other order":  {conf{"members": list(made("a", "1"), made("b", "2"))}, conf{"members": list(made("b", "2"), made("a", "1"))}, nil},
		"set by meaning":      {conf{"members": list(conf{"text": "X Y"})}, conf{"members": list(conf{"text": "xy"})}, nil},
		"set element changed": {conf{"members": list(made("a", "1"))}, conf{"members": list(made("a", "2"))}, []string{"members"}},
		"set element fewer":   {conf{"members": list(made("a", "1"))}, conf{"members": list(made("a", "1"), made("b", "2"))}, []string{"members"}},
		"unknown in a set":    {conf{"members": list(expected("a"))}, conf{"members": list(made("a", "1"))}, []string{"members"}},
		"map value":           {conf{"pairs": conf{"a": "1"}}, conf{"pairs": conf{"a": "2"}}, []string{"pairs"}},
		"map key":             {conf{"pairs": conf{"a": "1"}}, conf{"pairs": conf{"b": "1"}}, []string{"pairs"}},
		"map key fewer":       {conf{"pairs": conf{"a": "1"}}, conf{"pairs": conf{"a": "1", "b": "1"}}, []string{"pairs"}},
		"map by meaning":      {conf{"table": conf{"a": conf{"text": "X Y"}}}, conf{"table": conf{"a": conf{"text": "xy"}}}, nil},
		"order of a list":     {conf{"words": list("a", "b")}, conf{"words": list("b", "a")}, []string{"words"}},
		"order of a set":      {conf{"names": list("a", "b")}, conf{"names": list("b", "a")}, nil},
		"several":             {conf{"text": "a", "words": list("a")}, conf{}, []string{"text", "words"}},
	} {
		t.Run(name, func(t *testing.T) {
			plan, state := raw(t, wholeT, tt.plan), raw(t, wholeT, tt.state)
			got := changes(t.Context(), wholeT, plan, state, "")
			untouched(t, plan, raw(t, wholeT, tt.plan), state, raw(t, wholeT, tt.state))
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, wanted %q", got, tt.want)
			}
		})
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		typ              attr.Type
		plan, live, want any
	}{
		"known stays byte for byte":      {foldedType{}, "A B", "ab", "A B"},
		"known stays though live is not": {types.StringType, "a", "b", "a"},
		"unknown comes from live":        {types.StringType, notYet, "l", "l"},
		"unknown and nothing live":       {types.StringType, notYet, nil, nil},
		"planned null stays":             {partT, nil, made("a", "1"), nil},
		"object":                         {partT, expected("a"), made("a", "1"), made("a", "1")},
		"object that is not there":       {partT, expected("a"), nil, given("a")},
		"list by place":                  {listT, list(expected("a"), expected("b")), list(made("a", "1"), made("b", "2")), list(made("a", "1"), made("b", "2"))},
		"list that is shorter":           {listT, list(expected("a"), expected("b")), list(made("a", "1")), list(made("a", "1"), given("b"))},
		"set by what is known":           {setT, list(expected("a"), expected("b")), list(made("b", "2"), made("a", "1")), list(made("a", "1"), made("b", "2"))},
		"set keeps text": {
			setT, list(with(expected("a"), conf{"text": "X Y"})), list(with(made("a", "1"), conf{"text": "xy"})),
			list(with(made("a", "1"), conf{"text": "X Y"})),
		},
		"set elements that say less leave the others theirs": {
			setT, list(expected("a"), with(expected("a"), conf{"note": "n"})),
			list(with(made("a", "1"), conf{"note": "n"}), made("a", "2")),
			list(made("a", "2"), with(made("a", "1"), conf{"note": "n"})),
		},
		"set inside a set element": {
			types.SetType{ElemType: boxT},
			list(conf{"name": "x", "uid": notYet, "parts": list(expected("a"), expected("b"))}),
			list(conf{"name": "x", "uid": "9", "parts": list(made("b", "2"), made("a", "1"))}),
			list(conf{"name": "x", "uid": "9", "parts": list(made("a", "1"), made("b", "2"))}),
		},
		"set element that is not there": {setT, list(expected("a")), list(made("b", "2")), list(given("a"))},
		"map by key":                    {mapT, conf{"x": expected("a")}, conf{"x": made("a", "1"), "y": made("b", "2")}, conf{"x": made("a", "1")}},
		"map key that is not there":     {mapT, conf{"x": expected("a")}, conf{"y": made("a", "1")}, conf{"x": given("a")}},
		"empty list stays":              {wordsT, list(), nil, list()},
		"unknown list":                  {wordsT, notYet, list("a"), list("a")},
	} {
		t.Run(name, func(t *testing.T) {
			plan, live := raw(t, tt.typ, tt.plan), raw(t, tt.typ, tt.live)
			got := complete(t.Context(), tt.typ, plan, live)
			untouched(t, plan, raw(t, tt.typ, tt.plan), live, raw(t, tt.typ, tt.live))
			if want := raw(t, tt.typ, tt.want); !got.Equal(want) {
				t.Errorf("\ngot    %s\nwanted %s", got, want)
			}
			if !got.IsFullyKnown() {
				t.Errorf("unknown values are left: %s", got)
			}
		})
	}
}

func TestKeepText(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		typ               attr.Type
		prior, live, want any
	}{
		"same meaning":           {foldedType{}, "A B", "ab", "A B"},
		"another meaning":        {foldedType{}, "A B", "ac", "ac"},
		"nothing before":         {foldedType{}, nil, "ab", "ab"},
		"nothing now":            {foldedType{}, "A B", nil, nil},
		"absent list stays":      {wordsT, nil, list(), nil},
		"empty list stays":       {wordsT, list(), nil, list()},
		"object came":            {partT, nil, made("a", "1"), made("a", "1")},
		"object went":            {partT, made("a", "1"), nil, nil},
		"object":                 {partT, conf{"name": "a", "text": "A B"}, conf{"name": "b", "text": "ab"}, conf{"name": "b", "text": "A B"}},
		"list":                   {listT, list(conf{"text": "A B"}), list(conf{"text": "ab"}, conf{"text": "c"}), list(conf{"text": "A B"}, conf{"text": "c"})},
		"set in another order":   {setT, list(conf{"text": "A B"}, conf{"text": "C D"}), list(conf{"text": "cd"}, conf{"text": "ab"}), list(conf{"text": "C D"}, conf{"text": "A B"})},
		"set with a new element": {setT, list(conf{"text": "A B"}), list(conf{"text": "x"}, conf{"text": "ab"}), list(conf{"text": "x"}, conf{"text": "A B"})},
		"map":                    {mapT, conf{"x": conf{"text": "A B"}}, conf{"x": conf{"text": "ab"}, "y": conf{"text": "q"}}, conf{"x": conf{"text": "A B"}, "y": conf{"text": "q"}}},
	} {
		t.Run(name, func(t *testing.T) {
			prior, live := raw(t, tt.typ, tt.prior), raw(t, tt.typ, tt.live)
			got := keepText(t.Context(), tt.typ, prior, live)
			untouched(t, prior, raw(t, tt.typ, tt.prior), live, raw(t, tt.typ, tt.live))
			if want := raw(t, tt.typ, tt.want); !got.Equal(want) {
				t.Errorf("\ngot    %s\nwanted %s", got, want)
			}
		})
	}
}

func TestFitsAndCovers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		typ               attr.Type
		config, plan, old any
		fits, covers      bool
	}{
		"unsaid unknown fits anything":      {types.StringType, nil, notYet, "a", true, true},
		"said unknown fits nothing":         {types.StringType, notYet, notYet, "a", false, true},
		"known":                             {types.StringType, "a", "a", "a", true, true},
		"known and different":               {types.StringType, "b", "b", "a", false, true},
		"by meaning":                        {foldedType{}, "A B", "A B", "ab", true, true},
		"absent against given":              {types.StringType, nil, nil, "a", false, true},
		"computed null in old":              {types.StringType, "a", "a", nil, false, true},
		"plan of another configuration":     {types.StringType, "a", "b", "b", true, false},
		"object":                            {partT, given("a"), expected("a"), made("a", "1"), true, true},
		"object of another configuration":   {partT, given("b"), expected("a"), made("a", "1"), true, false},
		"list of another length":            {listT, list(given("a")), list(expected("a")), list(), false, false},
		"map of other keys":                 {mapT, conf{"x": given("a")}, conf{"x": expected("a")}, conf{"y": made("a", "1")}, false, false},
		"map with a key fewer":              {mapT, conf{"x": given("a")}, conf{"x": expected("a")}, conf{"x": made("a", "1"), "y": made("a", "1")}, false, false},
		"set in another order":              {namesT, list("a", "b"), list("a", "b"), list("b", "a"), true, true},
		"set with one of two":               {namesT, list("a"), list("a"), list("b", "a"), false, true},
		"configured unknown inside a set":   {setT, list(conf{"name": notYet}), list(conf{"name": notYet, "uid": notYet}), list(conf{"name": "a"}), false, false},
		"empty list and absent one":         {wordsT, list(), list(), nil, true, true},
		"absent object against one of null": {partT, nil, nil, conf{}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			config, plan, old := raw(t, tt.typ, tt.config), raw(t, tt.typ, tt.plan), raw(t, tt.typ, tt.old)
			if got := fits(t.Context(), tt.typ, config, plan, old); got != tt.fits {
				t.Errorf("fits: got %t", got)
			}
			if got := covers(tt.typ, config, plan); got != tt.covers {
				t.Errorf("covers: got %t", got)
			}
		})
	}
}

// tftypes hands out the inside of a value; what is taken apart here is the caller's own.
func TestPartsAreTheCallersOwn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		typ    attr.Type
		v      any
		change func(tftypes.Value)
	}{
		{partT, made("a", "1"), func(v tftypes.Value) { objectOf(v)["name"] = str("changed") }},
		{pairsT, conf{"a": "1"}, func(v tftypes.Value) { objectOf(v)["b"] = str("added") }},
		{wordsT, list("a"), func(v tftypes.Value) { elements(v)[0] = str("changed") }},
	} {
		v := raw(t, tt.typ, tt.v)
		tt.change(v)
		untouched(t, v, raw(t, tt.typ, tt.v))
	}
}
