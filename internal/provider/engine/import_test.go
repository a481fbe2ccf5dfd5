package engine

import (
	"testing"
)

// An import takes nothing over by itself: the plan after it shows one update, which writes a fresh binding.
func TestImportForms(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		address  string
		id       func(id string) string
		identity func(id string) conf
	}{
		"key":                 {atA, func(id string) string { return id }, nil},
		"key and region":      {atA, func(id string) string { return id + "@" + testRegion }, nil},
		"forced":              {atA, func(id string) string { return "id=" + id }, nil},
		"address":             {atA, func(string) string { return atA }, nil},
		"address and region":  {atA, func(string) string { return atA + "@" + testRegion }, nil},
		"address with index":  {"estate_widget.p[1]", func(string) string { return "estate_widget.p[1]" }, nil},
		"address with key":    {`estate_widget.p["k"]`, func(string) string { return `estate_widget.p["k"]` }, nil},
		"identity":            {atA, nil, func(id string) conf { return conf{"id": id} }},
		"identity and region": {atA, nil, func(id string) conf { return conf{"id": id, "region": testRegion, "account_id": testAccount} }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(widgetType(w)))
			c.set(tt.address, conf{"size": 1, "tags": conf{"Name": "a"}})
			c.mustApply()
			id := c.id(tt.address)
			was := w.tag("widget", id, "tofu-binding")
			c.lose(tt.address)
			w.forget()
			if tt.id != nil {
				c.importID(tt.address, tt.id(id), nil).wantNone(t)
			} else {
				c.importID(tt.address, "", tt.identity(id)).wantNone(t)
			}
			w.wantNoWrites()
			p := c.plan()
			p.wantQuiet(t)
			p.want(tt.address, updates)
			p.wantUnknown(tt.address, "tofu_binding")
			c.apply(p).wantQuiet(t)
			if got := w.writes(); len(got) != 1 || got[0] != "tags.Write" {
				t.Fatalf("calls: %v", got)
			}
			if w.tag("widget", id, "tofu-binding") == was {
				t.Error("the binding is not fresh")
			}
			c.wantOwn(tt.address, "widget", id)
			c.mustBeClean()
		})
	}
}

// An object of another region is imported with its region.
func TestImportFromAnotherRegion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	id := w.addWidget(1, nil)
	w.mu.Lock()
	th := w.things[thingKey("widget", testRegion, id)]
	delete(w.things, thingKey("widget", testRegion, id))
	th.region = otherPlace
	w.things[thingKey("widget", otherPlace, id)] = th
	w.mu.Unlock()
	c.importID(atA, id, nil).wantError(t, "Object not found", id, testRegion)
	c.importID(atA, id+"@"+otherPlace, nil).wantNone(t)
	c.set(atA, conf{"size": 1, "region": otherPlace})
	p := c.plan()
	p.wantQuiet(t)
	p.want(atA, updates)
	c.apply(p).wantNone(t)
	c.wantOwn(atA, "widget", id)
	c.mustBeClean()
}

// What an import cannot take: nothing, several, dead, another account's, another estate's, malformed, a bad id.
func TestImportRefusals(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		id       string
		identity conf
		arrange  func(w *world, id string)
		want     []string
	}{
		"no such id":       {id: "widget-9", want: []string{"Object not found", "widget-9", testRegion}},
		"no such address":  {id: atB, want: []string{"Object not found", "No live", testEstate, testRegion, atB}},
		"several":          {id: atA, arrange: func(w *world, _ string) { w.addWidget(1, marked(atA, aBinding)) }, want: []string{"Two objects with one address", "widget-1", "widget-2"}},
		"dead":             {id: "widget-1", arrange: func(w *world, id string) { w.setState("widget", id, Gone, "terminated") }, want: []string{"Object is being deleted", "terminated"}},
		"dead, by address": {id: atA, arrange: func(w *world, id string) { w.setState("widget", id, Gone, "") }, want: []string{"Object not found", atA}},
		"another account's, by address": {
			id: atA, arrange: func(w *world, id string) { w.edit("widget", id, func(th *thing) { th.owner = foreignAccountID }) }, want: []string{"Object not found", atA},
		},
		"another account's": {
			id: "widget-1", arrange: func(w *world, id string) { w.edit("widget", id, func(th *thing) { th.owner = foreignAccountID }) },
			want: []string{"Object of another account", foreignAccountID},
		},
		"another account's identity": {identity: conf{"id": "widget-1", "account_id": foreignAccountID}, want: []string{"Wrong AWS account", foreignAccountID, testAccount}},
		"denied":                     {id: "widget-1", arrange: func(w *world, _ string) { w.deny("widget.Get") }, want: []string{"AWS call failed", "AccessDenied"}},
		"denied listing":             {id: atA, arrange: func(w *world, _ string) { w.deny("widget.List") }, want: []string{"AWS call failed", "AccessDenied"}},
		"nothing to force":           {id: "id=", want: []string{"Bad import id", "ADDRESS ID"}},
		"an address as a key":        {id: "id=" + atA, want: []string{"Object not found", atA}},
		"another type's address":     {id: "estate_gadget.a", want: []string{"Object not found", "estate_gadget.a"}},
	} {
		t.Run(name, func(t *testing.T) {
			w, c, id := appliedWidget(t)
			c.lose(atA)
			if tt.arrange != nil {
				tt.arrange(w, id)
			}
			c.importID(atA, tt.id, tt.identity).wantError(t, tt.want...)
			c.wantGone(atA)
			w.wantNoWrites()
		})
	}
}

// An import of another instance's object is no way to take it: the next plan refuses, whatever the walk.
func TestImportOfAnotherInstancesObject(t *testing.T) {
	t.Parallel()
	for name, bring := range map[string]func(c *core, id string){
		"command": func(c *core, id string) { c.importID(atB, id, nil).wantNone(c.t) },
		"command and a refresh": func(c *core, id string) {
			c.importID(atB, id, nil).wantNone(c.t)
			c.refreshOnly().wantNone(c.t)
			c.refreshOnly().wantNone(c.t)
		},
		"block": func(c *core, id string) { c.imports[atB] = id },
	} {
		t.Run(name, func(t *testing.T) {
			w, c, id := appliedWidget(t)
			c.set(atB, conf{"size": 1})
			bring(c, id)
			c.plan().wantError(t, "Object of another address", id, atA, atB)
			w.wantNoWrites()
			// Without a refresh the guard meets it at apply.
			if name != "block" {
				c.refresh = false
				c.apply(c.plan()).wantError(t, "Object of another address", id, atA)
				w.wantNoWrites()
			}
			// Its owner says that it moves: then it may.
			c.refresh = true
			c.imports = map[string]string{}
			delete(c.entries, atB)
			c.remove(atB)
			c.rename(atA, atB)
			c.mustApply()
			c.wantOwn(atB, "widget", id)
		})
	}
}

// An import takes all user tags, and no marker.
func TestImportTakesTags(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	id := w.addWidget(1, map[string]string{"Name": "a", "aws:created": "x", "Owner": "me"})
	c.importID(atA, id, nil).wantNone(t)
	tags := knownTags(c.attr(atA, attrTags))
	if len(tags) != 2 || tags["Name"] != "a" || tags["Owner"] != "me" {
		t.Errorf("tags: %v", tags)
	}
	c.set(atA, conf{"size": 1, "tags": conf{"Name": "a", "Owner": "me"}})
	p := c.plan()
	p.want(atA, updates)
	p.wantText(atA, "id", id)
	c.apply(p).wantQuiet(t)
	c.wantOwn(atA, "widget", id)
	if w.tag("widget", id, "Owner") != "me" {
		t.Error("a tag was lost")
	}
	c.mustBeClean()
}

// Parts of a key come in their order, and types without tags need no take-over.
func TestImportOfComposedTypes(t *testing.T) {
	t.Parallel()
	w, c := jointWorld(t)
	w.addJoint("g", "j", "p q")
	for name, bring := range map[string]func() *run{
		"id":       func() *run { return c.importID(atJ, "g:j", nil) },
		"forced":   func() *run { return c.importID(atJ, "id=g:j", nil) },
		"identity": func() *run { return c.importID(atJ, "", conf{"gadget": "g", "name": "j"}) },
	} {
		bring().wantNone(t)
		p := c.plan()
		p.wantQuiet(t)
		p.want(atJ, noop)
		if c.lose(atJ); c.t.Failed() {
			t.Fatalf("after %s", name)
		}
	}
	for id, words := range map[string][]string{
		"g": {"Bad import id", "1 of 2 parts", "GADGET:NAME"}, ":j": {"Bad import id", "gadget is empty"}, "g:jj": {"Object not found"},
		"estate_joint.j": {"Bad import id"},
	} {
		c.importID(atJ, id, nil).wantError(t, words...)
	}
	w.wantNoWrites()
}

// A role may be called like an address; id= says which is meant.
func TestAddressBeforeKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(gadgetType(w)))
	w.addGadget(atG, nil)
	c.importID(atG, atG, nil).wantError(t, "Object not found", "No live")
	c.importID(atG, "id="+atG, nil).wantNone(t)
	c.set(atG, conf{"name": atG})
	c.mustApply()
	c.wantOwn(atG, "gadget", atG)
}

// An import that was never applied has shown nobody a take-over: what carries any marker is not deleted on its word.
func TestDeleteOfAnImportNeverApplied(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before, after map[string]string // the tags at the import, and since the plan where they change
		want          []string
	}{
		"unmarked":                        {before: map[string]string{"Name": "x"}},
		"another instance's":              {before: marked(atA, aBinding), want: []string{"Import not applied", atA}},
		"another instance's, not bound":   {before: marked(atA, ""), want: []string{"Import not applied", atA}},
		"of the same address":             {before: marked(atB, aBinding), want: []string{"Import not applied", atB}},
		"of the same address, not bound":  {before: marked(atB, ""), want: []string{"Import not applied", atB}},
		"marked since the plan":           {after: marked(atA, aBinding), want: []string{"Import not applied", atA}},
		"another estate's since the plan": {after: map[string]string{"tofu-estate": "dev"}, want: []string{"Object of another estate", `"dev"`}},
	} {
		for _, refresh := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				w := newWorld(t)
				c := newCore(t, w, Of(widgetType(w)))
				id := w.addWidget(1, tt.before)
				c.importID(atB, id, nil).wantNone(t)
				c.refresh = refresh
				p := c.plan() // there is no block
				p.want(atB, destroys)
				if tt.after != nil {
					w.retag("widget", id, tt.after)
				}
				r := c.apply(p)
				if tt.want == nil {
					r.wantQuiet(t)
					w.wantIDs("widget")
					return
				}
				r.wantError(t, append(tt.want, id, "was not deleted", "tofu state rm")...)
				w.wantNoWrites()
				if w.wantIDs("widget", id); !c.holds(atB) {
					t.Error("it was dropped from the state")
				}
			})
		}
	}
}

// The owner's entry is in the same state: the import beside it does not destroy its object, whatever is tainted.
func TestImportBesideTheOwner(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	c.importID(atB, id, nil).wantNone(t)
	c.apply(c.plan()).wantError(t, "Import not applied", atB, id, atA)
	c.taint(atB)
	c.apply(c.plan()).wantError(t, "Import not applied", atB, id, atA)
	c.set(atB, conf{"size": 1})
	c.apply(c.plan()).wantError(t, "Import not applied", atB, id, atA)
	w.wantNoWrites()
	w.wantIDs("widget", id)

	// Taken over openly and bound, an import is an entry like any other, also when it is tainted.
	c.lose(atB)
	c.remove(atB)
	c.lose(atA)
	c.importID(atA, id, nil).wantNone(t)
	c.mustApply()
	c.taint(atA)
	c.mustApply()
	if !w.called("widget.Delete", id) || len(w.ids("widget")) != 1 {
		t.Errorf("calls: %v", w.writes())
	}
	c.mustBeClean()
}

// Imported, and replaced under create_before_destroy before anything was applied: the create adopts the very object, and the
// old entry lets go of it. A refusal would leave a deposed entry that no later run could get rid of.
func TestImportThenReplaceCreatedFirst(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	c.lose(atA)
	c.importID(atA, "id="+id, nil).wantNone(t)
	c.cbd[atA], c.force[atA] = true, true
	r := c.apply(c.plan())
	if len(r.errors()) > 0 || len(c.entries[atA].deposed) > 0 {
		t.Errorf("errors %v, %d deposed entries", r.errors(), len(c.entries[atA].deposed))
	}
	w.wantIDs("widget", id)
	c.force = map[string]bool{}
	c.mustBeClean()
}
