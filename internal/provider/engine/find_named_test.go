package engine

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// Every row of the table of a create, for a type that is found by its name: the plan refuses what the create would.
func TestCreateTableOfNamedTypes(t *testing.T) {
	t.Parallel()
	ours := marked(atG, aBinding)
	there := func(tags map[string]string, change ...func(*thing)) func(*world) {
		return func(w *world) {
			w.addGadget("g", tags)
			for _, f := range change {
				w.edit("gadget", "g", f)
			}
		}
	}
	state := func(s State, reason string) func(*thing) {
		return func(th *thing) { th.state, th.reason = s, reason }
	}
	otherPath := func(th *thing) {
		is := *modelOf[gadget](th)
		is.Path = types.StringValue("/other/")
		th.model = &is
	}
	cleared := func(w *world) ResourceType[gadget] {
		d := gadgetType(w)
		d.ClearsFailed = true
		return d
	}
	for name, tt := range map[string]struct {
		kind    func(*world) ResourceType[gadget]
		says    conf
		mode    OnExisting
		found   func(w *world)
		refused []string
		adopts  bool
		calls   []string
	}{
		"nothing":                        {found: func(*world) {}},
		"another name":                   {found: func(w *world) { w.addGadget("gg", ours) }},
		"candidate":                      {found: there(ours), adopts: true},
		"candidate with another purpose": {says: conf{"purpose": "x"}, found: there(ours), adopts: true, calls: []string{"gadget.Purpose"}},
		"candidate with a marker in another case": {
			found: there(map[string]string{"Tofu-Estate": testEstate, "TOFU-ADDRESS": atG, "tofu-Binding": aBinding}), adopts: true,
		},
		"predecessor": {
			found: there(ours, otherPath), refused: []string{"Existing object differs", `path is "/other/", the configuration says "/"`, "name prefix"},
		},
		"predecessor, on_existing create": {mode: Beside, found: there(ours, otherPath), refused: []string{"Name in use", "name prefix"}},
		"candidate, on_existing create":   {mode: Beside, found: there(ours), refused: []string{"Name in use"}},
		"candidate, on_existing error":    {mode: Refuse, found: there(ours), refused: []string{"Object exists", "TOFU_ON_EXISTING=adopt"}},
		"unmarked":                        {found: there(nil), refused: []string{"Unmarked object in the way", "tofu import '" + atG + "' g", "adopt_unmarked = true"}},
		"unmarked, asked for":             {says: conf{"adopt_unmarked": true}, found: there(nil), adopts: true},
		"unmarked, asked for and different": {
			says: conf{"adopt_unmarked": true}, found: there(nil, otherPath), refused: []string{"Existing object differs"},
		},
		"unmarked with an empty estate": {found: there(tagsWith(ours, "tofu-estate", "")), refused: []string{"Unmarked object in the way"}},
		"another estate's":              {says: conf{"adopt_unmarked": true}, found: there(map[string]string{"tofu-estate": "dev", "tofu-address": atG}), refused: []string{"Object of another owner", `"dev"`, "g exists"}},
		"another address's":             {says: conf{"adopt_unmarked": true}, found: there(marked("estate_gadget.h", aBinding)), refused: []string{"Object of another owner", "estate_gadget.h"}},
		"malformed":                     {says: conf{"adopt_unmarked": true}, found: there(marked("nonsense", aBinding)), refused: []string{"Malformed marker in the way", "nonsense"}},
		"two markers that differ in case": {
			found: there(map[string]string{"tofu-estate": testEstate, "Tofu-Estate": testEstate, "tofu-address": atG}), refused: []string{"Malformed marker in the way"},
		},
		"another account's": {
			says: conf{"adopt_unmarked": true}, found: there(ours, func(th *thing) { th.owner = foreignAccountID }),
			refused: []string{"Object of another owner", foreignAccountID},
		},
		"another account's, unmarked": {
			says: conf{"adopt_unmarked": true}, found: there(nil, func(th *thing) { th.owner = foreignAccountID }),
			refused: []string{"Object of another owner", foreignAccountID},
		},
		"another account's, which is not told": {
			says: conf{"adopt_unmarked": true}, found: there(ours, func(th *thing) { th.owner = OtherAccount }),
			refused: []string{"Object of another owner", "it belongs to another account."},
		},
		"failed":                           {found: there(ours, state(Failed, "no capacity")), refused: []string{"Failed object", "no capacity"}},
		"failed, on_existing create":       {mode: Beside, found: there(ours, state(Failed, "no capacity")), refused: []string{"Failed object", "no capacity"}},
		"scheduled, no way back":           {found: there(ours, state(Scheduled, "on Monday")), refused: []string{"Object scheduled for deletion", "on Monday", "Wait"}},
		"scheduled":                        {kind: restorableGadget, found: there(ours, state(Scheduled, "on Monday")), refused: []string{"Object scheduled for deletion", "on Monday", "restore = true"}},
		"scheduled, restore":               {kind: restorableGadget, says: conf{"restore": true}, found: there(ours, state(Scheduled, "on Monday")), adopts: true, calls: []string{"gadget.Restore"}},
		"scheduled, restore and different": {kind: restorableGadget, says: conf{"restore": true}, found: there(ours, state(Scheduled, "on Monday"), otherPath), refused: []string{"Object scheduled for deletion"}},
		"scheduled, another estate's": {
			kind: restorableGadget, says: conf{"restore": true}, found: there(map[string]string{"tofu-estate": "dev", "tofu-address": atG}, state(Scheduled, "")),
			refused: []string{"Object of another owner", `"dev"`},
		},
		"scheduled, unmarked": {
			kind: restorableGadget, says: conf{"restore": true}, found: there(nil, state(Scheduled, "")), refused: []string{"Unmarked object in the way"},
		},
		"scheduled, on_existing create": {
			kind: restorableGadget, mode: Beside, found: there(ours, state(Scheduled, "on Monday")), refused: []string{"Object scheduled for deletion"},
		},
		"failed and on its way out": {kind: cleared, found: there(ours, state(Failed, "")), refused: []string{"AWS call failed", "AlreadyExists"}},
	} {
		t.Run(name, func(t *testing.T) {
			start := func() (*world, *core) {
				w := newWorld(t)
				kind := tt.kind
				if kind == nil {
					kind = gadgetType
				}
				c := newCore(t, w, Of(kind(w)))
				c.provider.OnExisting = tt.mode
				c.set(atG, conf{"name": "g"})
				for k, v := range tt.says {
					c.config[atG][k] = v
				}
				return w, c
			}
			adopted := func(w *world, c *core, p *plan) {
				t.Helper()
				w.wantNoWrites()
				c.apply(p).wantNone(t)
				w.wantNever("gadget.Delete")
				if n := w.count("gadget.Create"); (n == 0) != tt.adopts {
					t.Fatalf("%d creates", n)
				}
				for _, op := range tt.calls {
					if w.count(op) != 1 {
						t.Errorf("%s was not called: %v", op, w.writes())
					}
				}
				c.wantOwn(atG, "gadget", "g")
				if w.tag("gadget", "g", "tofu-binding") == aBinding {
					t.Error("the binding is not fresh")
				}
				c.mustBeClean()
			}
			w, c := start()
			tt.found(w)
			p := c.plan()
			switch {
			case tt.refused == nil:
				p.wantNone(t)
				if tt.adopts {
					p.wantWarning(t, "Existing estate_gadget will be adopted")
				}
				adopted(w, c, p)
			case name == "failed and on its way out": // AWS refuses, not we
				c.apply(p).wantError(t, tt.refused...)
				return
			default:
				p.wantError(t, append(tt.refused, atG)...)
			}
			// What is there comes after the plan.
			w, c = start()
			p = c.plan()
			tt.found(w)
			if tt.refused == nil {
				adopted(w, c, p)
				return
			}
			c.apply(p).wantError(t, append(tt.refused, atG)...)
			w.wantNoWrites()
			c.wantGone(atG)

			// It comes between the last plan call and the create, whose own look meets it.
			w, c = start()
			p = c.plan()
			gets := 0
			w.on("gadget.Get", func(call) error {
				if gets++; gets == 2 {
					tt.found(w)
				}
				return nil
			})
			w.forget()
			gets = 0
			c.apply(p).wantError(t, append(tt.refused, atG)...)
			w.wantNoWrites()
			c.wantGone(atG)
		})
	}
}

// Another process makes the object between our look and our call.
func TestNamedCreateRaces(t *testing.T) {
	t.Parallel()
	race := func(t *testing.T, w *world, tags map[string]string) {
		t.Helper()
		done := false
		w.on("gadget.Create", func(call) error {
			if !done {
				done = true
				w.addGadget("g", tags)
			}
			return nil
		})
	}
	t.Run("ours", func(t *testing.T) {
		w := newWorld(t)
		c := newCore(t, w, Of(gadgetType(w)))
		c.set(atG, conf{"name": "g"})
		race(t, w, marked(atG, aBinding))
		c.apply(c.plan()).wantWarningOnly(t, "Existing estate_gadget will be adopted", "g")
		c.wantOwn(atG, "gadget", "g")
	})
	t.Run("another estate's", func(t *testing.T) {
		w := newWorld(t)
		c := newCore(t, w, Of(gadgetType(w)))
		c.set(atG, conf{"name": "g"})
		race(t, w, map[string]string{"tofu-estate": "dev", "tofu-address": atG})
		c.apply(c.plan()).wantError(t, "Object of another owner", `"dev"`)
		w.wantNever("tags.Write")
		c.wantGone(atG)
	})
	t.Run("our own call whose answer was lost", func(t *testing.T) {
		w := newWorld(t)
		d := gadgetType(w)
		// The SDK asks again after a lost answer, and is told that the name is taken.
		create := d.Create
		d.Create = func(ctx context.Context, s *cloud.Session, plan *gadget, tags markers.Tags, token Token) (Key, error) {
			if _, err := create(ctx, s, plan, tags, token); err != nil {
				return nil, err
			}
			return create(ctx, s, plan, tags, token)
		}
		c := newCore(t, w, Of(d))
		c.set(atG, conf{"name": "g"})
		c.apply(c.plan()).wantQuiet(t)
		w.wantNever("tags.Write")
		c.wantOwn(atG, "gadget", "g")
	})
	// A service whose create call succeeds on an existing name: what turns out to be somebody else's is not touched.
	for name, tags := range map[string]map[string]string{
		"another estate's": {"tofu-estate": "dev", "tofu-address": atG}, "another address's": marked("estate_gadget.h", aBinding),
		"malformed": marked("nonsense", aBinding), "another process's": marked(atG, aBinding),
	} {
		t.Run("a create that succeeds on "+name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(carelessGadget(w)))
			c.set(atG, conf{"name": "g", "purpose": "x"})
			race(t, w, tags)
			c.apply(c.plan()).wantError(t, "Object of another owner", "g", "not touched")
			w.wantNever("tags.Write")
			w.wantNever("gadget.Purpose")
			w.wantNever("gadget.Delete")
			c.wantGone(atG)
		})
	}
}

// A service that forgets the tags of the create call gets them next, with the id in the state already.
func TestTagsAfterCreate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(untaggedWidget(w)))
	c.set(atA, conf{"size": 1, "tags": conf{"Name": "a"}})
	w.fail("tags.Write", 1, denied("widget:Tag"))
	c.apply(c.plan()).wantError(t, "Create not finished", "AccessDenied", "tofu untaint '"+atA+"'")
	id := c.id(atA)
	if !c.current(atA).tainted || c.expectation(atA).Binding == "" {
		t.Fatal("the object is not in the state as tainted")
	}
	c.untaint(atA)
	c.mustApply()
	w.wantIDs("widget", id)
	c.wantOwn(atA, "widget", id)
	if w.tag("widget", id, "Name") != "a" {
		t.Error("the user's tag is missing")
	}
	c.mustBeClean()
}
