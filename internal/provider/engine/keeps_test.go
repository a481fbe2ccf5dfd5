package engine

import "testing"

// keepingWidget is a widget whose force says what tofu_on_destroy = "keep" says.
func keepingWidget(w *world) ResourceType[widget] {
	d := widgetType(w)
	d.Keeps = "force"
	return d
}

// A Setting that keeps the object holds beside every tofu_on_destroy that would delete it. The wait for an object to be gone
// is never reached.
func TestSettingThatKeeps(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		force bool
		mode  any
		want  string
	}{
		{true, nil, "kept"}, {true, "delete", "kept"}, {true, "keep", "kept"},
		{true, "release", "released"}, {true, "refuse", "refused"}, {false, nil, "deleted"}, {false, "keep", "kept"},
	} {
		w := newWorld(t)
		c := newCore(t, w, Of(keepingWidget(w)))
		c.set(atA, conf{"size": 1, "force": tt.force, "tofu_on_destroy": tt.mode, "tags": conf{"Name": "a"}})
		c.mustApply()
		id := c.id(atA)
		w.forget()
		c.remove(atA)
		p := c.plan()
		if tt.want == "refused" {
			p.wantError(t, "Destroy refused", id)
			continue
		}
		c.apply(p).wantQuiet(t)
		c.wantGone(atA)
		got := "deleted"
		switch th := w.thing("widget", id); {
		case th != nil && len(w.writes()) == 0:
			got = "kept"
		case th != nil && len(th.tags) == 1:
			got = "released"
		}
		if got != tt.want {
			t.Errorf("force = %t, tofu_on_destroy = %v: it was %s, want %s; calls: %v", tt.force, tt.mode, got, tt.want, w.writes())
		}
	}
}

// A replacement is refused, with the argument that stands against it and the way out.
func TestReplacementOfWhatASettingKeeps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(keepingWidget(w)))
	c.set(atA, conf{"size": 1, "force": true})
	c.mustApply()
	w.forget()
	c.config[atA]["size"] = 2
	c.plan().wantError(t, "Replacement of a kept object", atA, "force is true", "set force to false and apply first")
	w.wantNoWrites()
	c.config[atA] = conf{"size": 1, "force": false}
	c.mustApply()
	c.config[atA]["size"] = 2
	p := c.plan()
	p.want(atA, replaces)
	c.apply(p).wantNone(t)
}

// The last part of an import id may hold the separator: an ARN does.
func TestImportIDWithSeparators(t *testing.T) {
	t.Parallel()
	const arn = "arn:aws:iam::aws:policy/team/x"
	w := newWorld(t)
	d := jointType(w)
	d.Separator = "/"
	c := newCore(t, w, Of(d), Of(gadgetType(w)))
	c.set(atG, conf{"name": "g"})
	c.set(atJ, conf{"gadget": "g", "name": arn, "policy": "p"})
	c.mustApply()
	if got := c.id(atJ); got != "g/"+arn {
		t.Errorf("the id is %s", got)
	}
	c.lose(atJ)
	c.importID(atJ, "g/"+arn, nil).wantNone(t)
	c.mustApply()
	c.mustBeClean()
	c.lose(atJ)
	for id, want := range map[string]string{"g": "1 of 2 parts", "/" + arn: "gadget is empty", "g/": "name is empty"} {
		c.importID(atJ, id, nil).wantError(t, "Bad import id", want, "GADGET/NAME")
	}
}
