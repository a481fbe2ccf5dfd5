package engine

import "testing"

// What looks like the wanted object and has no marker is named, and taken over on request alone.
func TestLookAlikes(t *testing.T) {
	t.Parallel()
	unmarked := map[string]string{"Name": "x"}
	for name, tt := range map[string]struct {
		says  conf
		mode  OnExisting
		found func(w *world) (adopts string)
		// refused is an error of the plan, warned what it warns of.
		refused, warned []string
	}{
		"one": {
			found:  func(w *world) string { w.addLabelled(1, unmarked); return "" },
			warned: []string{"Unmarked object looks alike", "widget-1", "tofu import '" + atA + "' widget-1", "adopt_unmarked = true"},
		},
		"several":            {found: func(w *world) string { w.addLabelled(1, unmarked); w.addLabelled(2, nil); return "" }, warned: []string{"looks alike", "widget-1", "widget-2"}},
		"one, asked for":     {says: conf{"adopt_unmarked": true}, found: func(w *world) string { return w.addLabelled(1, unmarked) }, warned: []string{"will be adopted"}},
		"several, asked for": {says: conf{"adopt_unmarked": true}, found: func(w *world) string { w.addLabelled(1, nil); w.addLabelled(1, nil); return "" }, refused: []string{"Several unmarked objects", "widget-1", "widget-2", "tofu import"}},
		"another, asked for": {says: conf{"adopt_unmarked": true}, found: func(w *world) string { w.addLabelled(2, nil); return "" }, refused: []string{"Unmarked object differs", "size is 2, the configuration says 1"}},
		"another label":      {found: func(w *world) string { w.addWidget(1, unmarked); return "" }},
		"a second is wanted": {mode: Beside, found: func(w *world) string { w.addLabelled(1, nil); return "" }},
		"refused if ours":    {mode: Refuse, found: func(w *world) string { w.addLabelled(1, nil); return "" }, warned: []string{"looks alike"}},
		"another estate's": {found: func(w *world) string {
			w.addLabelled(1, tagsWith(marked(atA, aBinding), "tofu-estate", "dev"))
			return ""
		}},
		"another address's": {found: func(w *world) string { w.addLabelled(1, marked("estate_widget.c", aBinding)); return "" }},
		"ours is there too": {found: func(w *world) string { w.addLabelled(1, nil); return w.addLabelled(1, marked(atA, aBinding)) }, warned: []string{"will be adopted"}},
		"dead":              {found: func(w *world) string { w.setState("widget", w.addLabelled(1, nil), Gone, ""); return "" }},
		"released":          {found: func(w *world) string { w.addLabelled(1, map[string]string{"tofu-released": "x"}); return "" }},
		"another account's": {found: func(w *world) string {
			w.edit("widget", w.addLabelled(1, nil), func(th *thing) { th.owner = foreignAccountID })
			return ""
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(likeWidget(w)))
			c.provider.OnExisting = tt.mode
			c.set(atA, conf{"size": 1, "label": "x"})
			for k, v := range tt.says {
				c.config[atA][k] = v
			}
			adopts := tt.found(w)
			before := w.ids("widget")
			p := c.plan()
			w.wantNoWrites()
			switch {
			case tt.refused != nil:
				p.wantError(t, append(tt.refused, atA)...)
				return
			case tt.warned != nil:
				p.wantWarningOnly(t, append(tt.warned, atA)...)
			default:
				p.wantQuiet(t)
			}
			c.wantCreated(p, before, adopts)
			c.mustStay(adopts)
		})
	}
}

// One look-alike is no object for two instances, and what an entry of the state holds is no look-alike.
func TestOneLookAlikeForTwo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(likeWidget(w)))
	id := w.addLabelled(1, nil)
	c.set(atA, conf{"size": 1, "label": "x", "adopt_unmarked": true})
	c.set(atB, conf{"size": 1, "label": "x", "adopt_unmarked": true})
	p := c.plan()
	w.wantNoWrites()
	p.wantError(t, "One object for two instances", id, atA, atB)

	delete(c.config, atB)
	c.mustApply()
	w.edit("widget", id, func(th *thing) { th.tags = nil }) // somebody takes the marker off
	c.set(atB, conf{"size": 1, "label": "x"})
	c.order = []string{atA, atB}
	p = c.plan()
	p.want(atB, creates)
	for _, m := range p.list {
		if m.summary == "Unmarked object looks alike" {
			t.Errorf("an object that %s holds is taken for a look-alike: %s", atA, m)
		}
	}
}
