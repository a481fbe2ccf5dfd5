package engine

import (
	"slices"
	"testing"
)

// everything declares one instance of each type.
func everything(c *core) {
	c.set("estate_widget.a", conf{"size": 1, "rule": "ALLOW all", "tags": conf{"Name": "a"}, "late": true})
	c.set("estate_gadget.g", conf{"name": "g"})
	c.set("estate_joint.j", conf{"gadget": "g", "name": "j", "policy": "P Q"})
	c.set("estate_knob.k", conf{"gadget": "g", "level": "high"})
	c.set("estate_finisher.f", conf{"size": 1})
	c.set("estate_nest.n", conf{"title": "t", "items": []any{conf{"name": "a", "text": "X Y"}, conf{"name": "b"}}, "conf": conf{"mode": "m"}})
}

func TestLifecycleOfEveryTier(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*core){
		"one by one":    func(*core) {},
		"backwards":     func(c *core) { c.order, c.backwards = []string{"estate_joint.j", "estate_knob.k"}, true },
		"reads first":   func(c *core) { c.readsFirst = true },
		"old core":      func(c *core) { c.noIdentity = true },
		"without reads": func(c *core) { c.refresh = false },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w)
			set(c)
			everything(c)
			c.mustApply()
			c.mustBeClean()
			for _, kind := range []string{"widget", "gadget", "joint", "knob", "finisher", "nest"} {
				if got := w.ids(kind); len(got) != 1 {
					t.Errorf("%s: %v exist", kind, got)
				}
			}
			c.destroy().wantNone(t)
			if len(c.entries) > 0 || len(w.ids("widget"))+len(w.ids("gadget"))+len(w.ids("joint"))+len(w.ids("nest")) > 0 {
				t.Error("something is left")
			}
		})
	}
}

// Many instances at once, for the race detector.
func TestParallelWalks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	c.parallel = true
	var addresses []string
	for _, key := range []string{"0", "1", "2", "3", "4", "5", "6", "7"} {
		addresses = append(addresses, "estate_widget.w["+key+"]", `estate_nest.n["k`+key+`"]`, "estate_gadget.g["+key+"]")
	}
	for _, a := range addresses {
		switch c.typeOf(a) {
		case "estate_widget":
			c.set(a, conf{"size": 1, "late": true})
		case "estate_gadget":
			c.set(a, conf{"name_prefix": "g-"})
		default:
			c.set(a, conf{"members": []any{conf{"name": "a"}, conf{"name": "b"}}})
		}
	}
	c.mustApply()
	c.mustBeClean()
	for _, a := range addresses {
		if c.typeOf(a) == "estate_widget" {
			c.config[a]["size"] = 2
			c.cbd[a] = a < "estate_widget.w[4]"
		}
	}
	c.mustApply()
	c.mustBeClean()
	if n := len(w.ids("widget")); n != 8 {
		t.Errorf("%d widgets exist", n)
	}
	c.destroy().wantNone(t)
}

func TestReplacementOrders(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		cbd  bool
		want []string
	}{
		"default order":         {false, []string{"widget.Delete", "widget.Create"}},
		"create before destroy": {true, []string{"widget.Create", "widget.Delete"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w)
			c.set("estate_widget.a", conf{"size": 1})
			c.mustApply()
			was := c.id("estate_widget.a")
			c.cbd["estate_widget.a"] = tt.cbd
			c.set("estate_widget.a", conf{"size": 2})
			w.forget()
			p := c.plan()
			p.want("estate_widget.a", replaces)
			p.wantUnknown("estate_widget.a", "id", "arn", "fingerprint", "tofu_binding")
			c.apply(p).wantNone(t)
			if got := w.writes(); !slices.Equal(got, tt.want) {
				t.Errorf("calls %v, wanted %v", got, tt.want)
			}
			if c.id("estate_widget.a") == was || len(w.ids("widget")) != 1 {
				t.Error("it was not replaced")
			}
			c.mustBeClean()
		})
	}
}

// A tainted object is deleted without private state, in default order.
func TestTaintedObjectIsReplaced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	c.set("estate_widget.a", conf{"size": 1})
	c.mustApply()
	was := c.id("estate_widget.a")
	c.taint("estate_widget.a")
	p := c.plan()
	p.want("estate_widget.a", replaces)
	c.apply(p).wantNone(t)
	if c.id("estate_widget.a") == was || w.thing("widget", was) != nil {
		t.Error("it was not replaced")
	}
	c.mustBeClean()
}

// What a failed create leaves is in the state as tainted, and the next apply replaces it.
func TestFailedCreateIsTainted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	w.fail("widget.Late", 1, errBroken)
	c.set("estate_widget.a", conf{"size": 1, "late": true})
	r := c.apply(c.plan())
	r.wantError(t, "Create not finished", "untaint")
	if st := c.current("estate_widget.a"); !st.tainted || c.id("estate_widget.a") != w.ids("widget")[0] {
		t.Error("it is not in the state as tainted")
	}
	if e := c.expectation("estate_widget.a"); e == nil || e.Binding == "" {
		t.Error("private state is empty")
	}
	c.mustApply()
	c.mustBeClean()
	if n := len(w.ids("widget")); n != 1 {
		t.Errorf("%d widgets exist", n)
	}
}

// An instance that is declared no more is destroyed.
func TestRemovedInstance(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	c.set("estate_widget.a", conf{"size": 1})
	c.mustApply()
	c.remove("estate_widget.a")
	p := c.plan()
	p.want("estate_widget.a", destroys)
	c.apply(p).wantNone(t)
	if len(w.ids("widget")) > 0 || c.holds("estate_widget.a") {
		t.Error("it is still there")
	}
}

// A killed provider leaves nothing in the state, and the next apply finds the object.
func TestKilledProvider(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	c.set("estate_widget.a", conf{"size": 1})
	c.killed["estate_widget.a"] = true
	c.apply(c.plan())
	if c.holds("estate_widget.a") || len(w.ids("widget")) != 1 {
		t.Fatal("the crash did not happen")
	}
	c.killed = map[string]bool{}
	p := c.plan()
	p.want("estate_widget.a", creates)
	p.wantText("estate_widget.a", "id", w.ids("widget")[0])
	c.apply(p).wantNone(t)
	c.mustBeClean()
	if n := len(w.ids("widget")); n != 1 {
		t.Errorf("%d widgets exist", n)
	}
}

// An object that is gone is planned anew.
func TestVanishedObject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	c.set("estate_widget.a", conf{"size": 1})
	c.mustApply()
	w.erase("widget", c.id("estate_widget.a"))
	c.plan().want("estate_widget.a", creates)
	c.mustApply()
	c.mustBeClean()
}

func TestImportAndMove(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	c.set("estate_widget.a", conf{"size": 1})
	c.mustApply()
	id := c.id("estate_widget.a")
	for name, bring := range map[string]func(){
		"id":       func() { c.importID("estate_widget.a", id, nil).wantNone(t) },
		"forced":   func() { c.importID("estate_widget.a", "id="+id+"@"+testRegion, nil).wantNone(t) },
		"address":  func() { c.importID("estate_widget.a", "estate_widget.a", nil).wantNone(t) },
		"identity": func() { c.importID("estate_widget.a", "", conf{"id": id}).wantNone(t) },
		"block":    func() { c.imports["estate_widget.a"] = id },
		"move": func() {
			c.moveIn("estate_widget.a", "registry.opentofu.org/hashicorp/aws", "aws_widget", map[string]any{
				"id": id, "size": 1, "region": testRegion, "tags_all": w.thing("widget", id).tags,
			}).wantNone(t)
		},
	} {
		c.lose("estate_widget.a")
		bring()
		p := c.plan()
		p.wantNone(t)
		if p.want("estate_widget.a", updates); c.t.Failed() {
			t.Fatalf("after %s", name)
		}
		was := w.thing("widget", id).tags["tofu-binding"]
		c.apply(p).wantNone(t)
		if now := w.thing("widget", id).tags["tofu-binding"]; now == was || now != c.text("estate_widget.a", "tofu_binding") {
			t.Errorf("%s: the binding %s was not renewed (%s)", name, was, now)
		}
		c.mustBeClean()
	}
}
