package engine

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// fullNest says something at every place of nest; the texts are not as the service answers them.
func fullNest() conf {
	return conf{
		"title": "t",
		"one":   conf{"name": "o", "text": "ALLOW All"},
		"items": list(conf{"name": "a", "text": "Item A"}, conf{"name": "b", "note": "mine"}),
		"members": list(
			conf{"name": "a", "text": "Member A"}, conf{"name": "b", "note": "mine"}, conf{"name": "b"},
		),
		"table": conf{"x": conf{"name": "a", "text": "Table X"}, "y": conf{"name": "b"}},
		"words": list("b", "a"), "names": list("q", "p", "r"), "pairs": conf{"k": "v"},
		"conf": conf{"mode": "m", "level": "low", "text": "Conf Text", "inner": list(conf{"name": "i", "text": "Inner I"})},
		"rules": list(
			conf{"name": "r1", "text": "Rule 1", "ports": list(2, 1), "inner": list(conf{"name": "i", "text": "In I"}, conf{"name": "j"})},
			conf{"name": "r2"},
		),
		"grants": list(conf{"name": "g", "text": "Grant G"}, conf{"name": "h", "note": "n"}),
	}
}

const nestAddress = "estate_nest.n"

func newNest(t *testing.T, says conf) (*world, *core) {
	t.Helper()
	w := newWorld(t)
	c := newCore(t, w, Of(nestType(w)))
	c.set(nestAddress, says)
	c.mustApply()
	c.mustBeClean()
	w.forget()
	return w, c
}

// at walks a value by names and, in lists and sets, by the name of the element.
func at(t *testing.T, v tftypes.Value, path ...string) tftypes.Value {
	t.Helper()
	for _, p := range path {
		if v.Type().Is(tftypes.Object{}) || v.Type().Is(tftypes.Map{}) {
			v = objectOf(v)[p]
			continue
		}
		es := elements(v)
		i := slices.IndexFunc(es, func(e tftypes.Value) bool { return text(objectOf(e)["name"]) == p })
		if i < 0 {
			t.Fatalf("no element %s in %s", p, v)
		}
		v = es[i]
	}
	if v.Type() == nil {
		t.Fatalf("nothing at %v", path)
	}
	return v
}

func TestNestedValuesOfACreate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(nestType(w)))
	c.set(nestAddress, fullNest())
	p := c.plan()
	for _, path := range [][]string{
		{"one", "uid"}, {"one", "note"}, {"items", "a", "uid"}, {"members", "a", "note"}, {"table", "x", "uid"}, {"auto"},
		{"zones"}, {"conf", "uid"}, {"conf", "inner", "i", "uid"}, {"rules", "r1", "uid"}, {"rules", "r1", "inner", "j", "note"},
		{"grants", "g", "uid"},
	} {
		if v := at(t, p.changes[nestAddress].value, path...); v.IsKnown() {
			t.Errorf("%v is planned as %s", path, v)
		}
	}
	c.apply(p).wantNone(t)
	for _, tt := range []struct {
		path []string
		want string
	}{
		{[]string{"one", "text"}, "ALLOW All"},
		{[]string{"items", "b", "note"}, "mine"},
		{[]string{"items", "a", "note"}, "auto"},
		{[]string{"conf", "uid"}, "conf-m"},
		{[]string{"rules", "r1", "inner", "i", "text"}, "In I"},
		{[]string{"grants", "g", "note"}, "auto"},
		{[]string{"auto", "tint"}, "blue"},
	} {
		if got := text(at(t, c.current(nestAddress).value, tt.path...)); got != tt.want {
			t.Errorf("%v is %q, wanted %q", tt.path, got, tt.want)
		}
	}
	c.mustBeClean()
}

// Order of sets and spelling of texts are no change: nothing is called, and the state keeps its text.
func TestReorderedAndReformatted(t *testing.T) {
	t.Parallel()
	w, c := newNest(t, fullNest())
	was := c.current(nestAddress).value
	says := fullNest()
	for _, name := range []string{"members", "grants", "names"} {
		es := slices.Clone(says[name].([]any))
		slices.Reverse(es)
		says[name] = es
	}
	says["one"].(conf)["text"] = "allow ALL"
	says["items"].([]any)[0].(conf)["text"] = "ITEM a"
	says["table"].(conf)["x"].(conf)["text"] = "TABLE x"
	says["conf"].(conf)["text"] = "conf text"
	says["conf"].(conf)["inner"].([]any)[0].(conf)["text"] = "innerI"
	says["rules"].([]any)[0].(conf)["inner"].([]any)[0].(conf)["text"] = "IN i"
	for _, e := range slices.Concat(says["members"].([]any), says["grants"].([]any)) {
		if s, ok := e.(conf)["text"].(string); ok {
			e.(conf)["text"] = strings.ToUpper(s)
		}
	}
	c.set(nestAddress, says)
	c.mustBeClean()
	if calls := w.writes(); len(calls) > 0 {
		t.Errorf("calls %v", calls)
	}
	if !c.plan().changes[nestAddress].value.Equal(was) {
		t.Error("the plan does not keep the state's text")
	}
}

// uids are the ids of the elements below a path, by name.
func uids(v tftypes.Value) map[string]string {
	out := map[string]string{}
	for _, e := range elements(v) {
		uid := objectOf(e)["uid"]
		if out[text(objectOf(e)["name"])] = text(uid); !uid.IsKnown() {
			out[text(objectOf(e)["name"])] = "?"
		}
	}
	return out
}

func TestElementsComeAndGo(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		attr   string
		from   any
		to     any
		known  string // elements whose uid the plan keeps
		action action
	}{
		"insert in front of a list":      {"items", list(given("a"), given("b")), list(given("n"), given("a"), given("b")), "", updates},
		"insert in front of list blocks": {"rules", list(given("a"), given("b")), list(given("n"), given("a"), given("b")), "", updates},
		"append to a list":               {"items", list(given("a")), list(given("a"), given("n")), "a", updates},
		"append a list block":            {"rules", list(given("a")), list(given("a"), given("n")), "a", updates},
		"remove from the front":          {"items", list(given("a"), given("b")), list(given("b")), "", updates},
		"remove the last block":          {"rules", list(given("a")), list(), "", updates},
		"remove the last element":        {"items", list(given("a")), list(), "", updates},
		"remove the list":                {"items", list(given("a")), nil, "", updates},
		"insert into a set":              {"members", list(given("a"), given("b")), list(given("n"), given("b"), given("a")), "ab", updates},
		"insert a set block":             {"grants", list(given("a")), list(given("n"), given("a")), "a", updates},
		"remove from a set":              {"members", list(given("a"), given("b")), list(given("b")), "b", updates},
		"remove a set block":             {"grants", list(given("a"), given("b")), list(given("b")), "b", updates},
		"remove the set blocks":          {"grants", list(given("a")), list(), "", updates},
		"change a set element":           {"members", list(given("a"), given("b")), list(given("a"), with(given("b"), conf{"note": "n"})), "a", updates},
		"absent list becomes empty":      {"items", nil, list(), "", updates},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, c := newNest(t, conf{tt.attr: tt.from})
			was := uids(c.attr(nestAddress, tt.attr))
			c.set(nestAddress, conf{tt.attr: tt.to})
			p := c.plan()
			p.want(nestAddress, tt.action)
			for name, uid := range uids(p.attr(nestAddress, tt.attr)) {
				want := "?"
				if strings.Contains(tt.known, name) {
					want = was[name]
				}
				if uid != want {
					t.Errorf("the plan gives %s the uid %q, wanted %q (was %v)", name, uid, want, was)
				}
			}
			c.apply(p).wantNone(t)
			for name, uid := range uids(c.attr(nestAddress, tt.attr)) {
				if before, ok := was[name]; ok && uid != before {
					t.Errorf("%s has the uid %s in state, the service kept %s", name, uid, before)
				}
			}
			if n := w.count("nest.Update"); n > 1 {
				t.Errorf("%d updates", n)
			}
			c.mustBeClean()
		})
	}
}

// only is fullNest with one attribute or block.
func only(name string) conf { return conf{name: fullNest()[name]} }

// lateNest plans with unknown values, before a create or an update, and applies with what came.
func lateNest(t *testing.T, want action, planned, applied conf) *plan {
	t.Helper()
	w := newWorld(t)
	c := newCore(t, w, Of(nestType(w)))
	if want == updates {
		c.set(nestAddress, fullNest())
		for name := range c.config[nestAddress] {
			if _, ok := applied[name]; !ok {
				delete(c.config[nestAddress], name)
			}
		}
		c.mustApply()
	}
	c.set(nestAddress, planned)
	p := c.plan()
	p.want(nestAddress, want)
	c.set(nestAddress, applied)
	c.apply(p).wantNone(t)
	c.mustBeClean()
	return p
}

// An update is told the ids of elements that are still the object's, and none for those that are not.
func TestUpdateIsToldNoForeignIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := nestType(w)
	update, told := d.Updates[0].Apply, map[string]string{}
	d.Updates[0].Apply = func(ctx context.Context, s *cloud.Session, k Key, prior, plan *nest) error {
		for _, p := range slices.Concat(plan.Items, plan.Grants) {
			told[p.Name.ValueString()] = p.UID.ValueString()
		}
		return update(ctx, s, k, prior, plan)
	}
	c := newCore(t, w, Of(d))
	c.set(nestAddress, conf{"items": list(given("a"), given("b")), "grants": list(given("x"))})
	c.mustApply()
	was := uids(c.attr(nestAddress, "items"))
	c.set(nestAddress, conf{"items": list(given("n"), given("b")), "grants": list(given("m"), given("x"))})
	c.mustApply()
	want := map[string]string{"n": "", "b": was["b"], "m": "", "x": uids(c.attr(nestAddress, "grants"))["x"]}
	if !maps.Equal(told, want) {
		t.Errorf("the update was told %v, wanted %v", told, want)
	}
	c.mustBeClean()
}

// A nested value that comes at apply is unknown in the plan, and what the plan knows stays.
func TestUnknownNestedValues(t *testing.T) {
	t.Parallel()
	all, allApplied := fullNest(), fullNest()
	for name, tt := range map[string]struct {
		attr string
		set  func(of, v any)
	}{
		"list element":          {"items", func(of, v any) { of.([]any)[1].(conf)["name"] = v }},
		"set element":           {"members", func(of, v any) { of.([]any)[0].(conf)["name"] = v }},
		"map element":           {"table", func(of, v any) { of.(conf)["x"].(conf)["name"] = v }},
		"object":                {"one", func(of, v any) { of.(conf)["text"] = v }},
		"block":                 {"conf", func(of, v any) { of.(conf)["level"] = v }},
		"list block":            {"rules", func(of, v any) { of.([]any)[0].(conf)["text"] = v }},
		"set block":             {"grants", func(of, v any) { of.([]any)[0].(conf)["name"] = v }},
		"set in list":           {"rules", func(of, v any) { of.([]any)[0].(conf)["inner"].([]any)[0].(conf)["name"] = v }},
		"block in block":        {"conf", func(of, v any) { of.(conf)["inner"].([]any)[0].(conf)["text"] = v }},
		"plain list":            {"words", func(of, v any) { of.([]any)[0] = v }},
		"plain set":             {"names", func(of, v any) { of.([]any)[0] = v }},
		"plain map":             {"pairs", func(of, v any) { of.(conf)["k"] = v }},
		"optional and computed": {"items", func(of, v any) { of.([]any)[0].(conf)["note"] = v }},
	} {
		tt.set(all[tt.attr], notYet)
		tt.set(allApplied[tt.attr], "late")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			planned, applied := only(tt.attr), only(tt.attr)
			tt.set(planned[tt.attr], notYet)
			lateNest(t, updates, planned, only(tt.attr)) // it turns out to be what it was
			tt.set(applied[tt.attr], "late")
			lateNest(t, updates, planned, applied)
		})
	}
	lateNest(t, creates, all, allApplied)
}

// A whole list, set or block that comes at apply (a dynamic block over something unknown).
func TestUnknownCollections(t *testing.T) {
	t.Parallel()
	all := fullNest()
	for _, name := range []string{"items", "members", "table", "words", "names", "pairs", "rules", "grants", "one"} {
		all[name] = notYet
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lateNest(t, updates, conf{name: notYet}, only(name)).wantUnknown(nestAddress, name)
		})
	}
	lateNest(t, creates, all, fullNest()).wantUnknown(nestAddress, "items", "rules", "grants", "one")
}

func TestNestedPathsDecideReplacement(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		attr   string
		change func(says conf)
		want   action
	}{
		"immutable in a block":            {"conf", func(says conf) { says["conf"].(conf)["mode"] = "n" }, replaces},
		"mutable in a block":              {"conf", func(says conf) { says["conf"].(conf)["level"] = "high" }, updates},
		"block in a block":                {"conf", func(says conf) { says["conf"].(conf)["inner"] = list(given("z")) }, updates},
		"block with an immutable part":    {"conf", func(says conf) { delete(says, "conf") }, replaces},
		"block with mutable parts alone":  {"grants", func(says conf) { says["grants"] = list() }, updates},
		"object":                          {"one", func(says conf) { says["one"].(conf)["name"] = "z" }, updates},
		"object removed":                  {"one", func(says conf) { delete(says, "one") }, updates},
		"computed object given":           {"title", func(says conf) { says["auto"] = conf{"shade": "light"} }, updates},
		"computed object given as it is":  {"title", func(says conf) { says["auto"] = conf{"shade": "dark"} }, noop},
		"optional and computed taken out": {"items", func(says conf) { delete(says["items"].([]any)[1].(conf), "note") }, noop},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, c := newNest(t, only(tt.attr))
			says := only(tt.attr)
			tt.change(says)
			c.set(nestAddress, says)
			p := c.plan()
			p.want(nestAddress, tt.want)
			if tt.want == replaces && !slices.Equal(p.changes[nestAddress].replace, []string{"conf"}) {
				t.Errorf("replaced for %v", p.changes[nestAddress].replace)
			}
			c.apply(p).wantNone(t)
			c.mustBeClean()
		})
	}
}

// A null single block and an empty one are two things; so are they after a refresh.
func TestNullBlockAndEmptyBlock(t *testing.T) {
	t.Parallel()
	_, c := newNest(t, conf{})
	if !c.attr(nestAddress, "conf").IsNull() {
		t.Fatal("the block is not null")
	}
	c.set(nestAddress, conf{"conf": conf{}})
	p := c.plan()
	p.want(nestAddress, replaces)
	c.apply(p).wantNone(t)
	c.mustBeClean()
	if c.attr(nestAddress, "conf").IsNull() {
		t.Error("the block is null")
	}
}

// A block of which every part can be changed in place comes and goes in place.
func TestUpdatableBlockComesAndGoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := nestType(w)
	d.Updates[0].Attrs = append(d.Updates[0].Attrs, "conf.mode")
	c := newCore(t, w, Of(d))
	for i, says := range []conf{only("conf"), {}, only("conf")} {
		c.set(nestAddress, says)
		p := c.plan()
		if i > 0 {
			p.want(nestAddress, updates)
		}
		c.apply(p).wantNone(t)
		c.mustBeClean()
	}
}

// An adoption plans what the object has, in the user's words where they mean the same.
func TestAdoptionOfNestedValues(t *testing.T) {
	t.Parallel()
	w, c := newNest(t, fullNest())
	was := c.current(nestAddress).value
	c.lose(nestAddress)
	p := c.plan()
	p.want(nestAddress, creates)
	p.wantWarning(t, "will be adopted")
	for _, path := range [][]string{{"id"}, {"one", "uid"}, {"items", "a", "uid"}, {"members", "a", "uid"}, {"conf", "uid"}, {"rules", "r1", "inner", "j", "uid"}, {"auto", "shade"}, {"zones"}} {
		if v := at(t, p.changes[nestAddress].value, path...); !v.Equal(at(t, was, path...)) {
			t.Errorf("%v is planned as %s", path, v)
		}
	}
	c.apply(p).wantNone(t)
	if calls := w.writes(); !slices.Equal(calls, []string{"tags.Write"}) {
		t.Errorf("calls %v", calls)
	}
	if now := c.current(nestAddress).value; !at(t, now, "rules").Equal(at(t, was, "rules")) || !at(t, now, "members").Equal(at(t, was, "members")) {
		t.Error("the adopted values differ from the lost ones")
	}
	c.mustBeClean()
}

// An adoption brings nested values to what is planned.
func TestAdoptionConvergesNestedValues(t *testing.T) {
	t.Parallel()
	w, c := newNest(t, fullNest())
	c.lose(nestAddress)
	says := fullNest()
	says["grants"] = list(given("h"), given("new"))
	says["rules"].([]any)[1].(conf)["text"] = "other"
	c.set(nestAddress, says)
	c.mustApply()
	if n := w.count("nest.Update"); n != 1 {
		t.Errorf("%d updates", n)
	}
	c.mustBeClean()
}

// What an adoption will change is unknown where the configuration leaves it to AWS, and where it is not known yet.
func TestAdoptionPlansWhatStays(t *testing.T) {
	t.Parallel()
	_, c := newNest(t, conf{"title": "t", "items": list(given("a"), given("b")), "grants": list(given("a"))})
	was := c.current(nestAddress).value
	c.lose(nestAddress)
	says := conf{"title": notYet, "items": list(given("n"), given("b")), "grants": list(given("a"), given("n"))}
	c.set(nestAddress, says)
	p := c.plan()
	p.want(nestAddress, creates)
	p.wantUnknown(nestAddress, "title")
	if got := uids(p.attr(nestAddress, "items")); got["n"] != "?" || got["b"] != uids(at(t, was, "items"))["b"] {
		t.Errorf("items are planned with %v", got)
	}
	if got := uids(p.attr(nestAddress, "grants")); got["n"] != "?" || got["a"] != uids(at(t, was, "grants"))["a"] {
		t.Errorf("grants are planned with %v", got)
	}
	says["title"] = "new"
	c.apply(p).wantNone(t)
	c.mustBeClean()
}

// An import reads everything nested, and the plan after it changes nothing on the object but its binding.
func TestImportOfNestedValues(t *testing.T) {
	t.Parallel()
	w, c := newNest(t, fullNest())
	id := c.id(nestAddress)
	c.lose(nestAddress)
	c.importID(nestAddress, id, nil).wantNone(t)
	c.plan().want(nestAddress, updates)
	c.mustApply()
	w.wantCalls("tags.Write")
	c.mustBeClean()
}

// What others changed is drift at its place and nowhere else, and the next apply repairs it.
func TestNestedDrift(t *testing.T) {
	t.Parallel()
	w, c := newNest(t, fullNest())
	id := c.id(nestAddress)
	w.edit("nest", id, func(th *thing) {
		is := *modelOf[nest](th)
		is.Rules = slices.Clone(is.Rules)
		is.Rules[0].Text = folded{types.StringValue("changed")}
		is.Grants = is.Grants[:1]
		th.model = &is
	})
	p := c.plan()
	p.want(nestAddress, updates)
	if !p.refreshed[nestAddress] {
		t.Error("the refresh shows no drift")
	}
	for _, name := range []string{"one", "items", "members", "table", "words", "names", "pairs", "zones", "auto", "conf"} {
		if !at(t, p.entries[nestAddress].current.value, name).Equal(c.attr(nestAddress, name)) {
			t.Errorf("the refresh changed %s", name)
		}
	}
	c.apply(p).wantNone(t)
	c.mustBeClean()
}
