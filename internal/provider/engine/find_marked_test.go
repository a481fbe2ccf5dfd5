package engine

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

func (w *world) setState(kind, id string, state State, reason string) {
	w.edit(kind, id, func(th *thing) { th.state, th.reason = state, reason })
}

// Every row of the table of a create, for a type that is found by its marker. found puts the objects into the world and
// returns the id of the one that is adopted, if one is.
func TestCreateTableOfMarkedTypes(t *testing.T) {
	t.Parallel()
	ours := marked(atA, aBinding)
	overDelivered := func(tags map[string]string) map[string]string { return tagsWith(tags, "over-deliver", "yes") }
	for name, tt := range map[string]struct {
		kind  func(*world) ResourceType[widget]
		says  conf
		mode  OnExisting
		found func(w *world) string
		// refused is an error at plan and at apply, applyOnly an error that plan does not have.
		refused []string
		warned  []string
		never   []string
	}{
		"nothing":   {found: func(*world) string { return "" }},
		"candidate": {found: func(w *world) string { return w.addWidget(1, ours) }, warned: []string{"Existing estate_widget will be adopted", "carries this address"}},
		"candidate with what an update changes": {
			says: conf{"label": "x"}, found: func(w *world) string { return w.addWidget(1, ours) }, warned: []string{"will be adopted"},
		},
		"candidate without binding":            {found: func(w *world) string { return w.addWidget(1, marked(atA, "")) }, warned: []string{"will be adopted"}},
		"candidate by hashicorp/aws's address": {found: func(w *world) string { return w.addWidget(1, marked("aws_widget.a", "")) }, warned: []string{"will be adopted"}},
		"candidate beside predecessors": {
			found:  func(w *world) string { w.addWidget(2, ours); w.addWidget(3, ours); return w.addWidget(1, ours) },
			warned: []string{"will be adopted", "differ in what cannot be changed in place", "widget-1", "widget-2"},
		},
		"predecessor": {
			found: func(w *world) string { w.addWidget(2, ours); return "" },
			warned: []string{"Existing estate_widget differs", "widget-1", "size is 2, the configuration says 1", `on_existing = "create"`,
				`on_existing = "error"`, "change the configuration"},
		},
		"predecessor, on_existing error": {
			mode: Refuse, found: func(w *world) string { w.addWidget(2, ours); return "" }, refused: []string{"Object exists", "widget-1", "TOFU_ON_EXISTING=adopt"},
		},
		"predecessor, on_existing create": {
			mode: Beside, found: func(w *world) string { w.addWidget(2, ours); return "" }, warned: []string{"Second estate_widget will be created", "widget-1"},
		},
		"candidate, on_existing error": {
			mode: Refuse, found: func(w *world) string { w.addWidget(1, ours); return "" },
			refused: []string{"Object exists", "widget-1", `on_existing = "create"`},
		},
		"candidate, on_existing create": {
			mode: Beside, found: func(w *world) string { w.addWidget(1, ours); return "" }, warned: []string{"Second estate_widget will be created", "widget-1"},
		},
		"on_existing of the resource wins": {
			mode: Refuse, says: conf{"on_existing": "adopt"}, found: func(w *world) string { return w.addWidget(1, ours) }, warned: []string{"will be adopted"},
		},
		"two candidates": {
			found:   func(w *world) string { w.addWidget(1, ours); w.addWidget(1, marked(atA, "")); return "" },
			refused: []string{"Two objects with one address", atA, "widget-1 in eu-west-1, created 2026-01-02 03:05:05 UTC", "widget-2", "CloudTrail"},
		},
		"failed": {
			found:   func(w *world) string { w.setState("widget", w.addWidget(1, ours), Failed, "no capacity"); return "" },
			refused: []string{"Failed object", "widget-1", "no capacity", `on_existing = "create"`},
		},
		"failed beside a candidate": {
			found: func(w *world) string {
				w.setState("widget", w.addWidget(1, ours), Failed, "no capacity")
				return w.addWidget(1, ours)
			},
			warned: []string{"will be adopted"},
		},
		"a unique range, ours and not listed yet": {
			kind: uniqueWidget, says: conf{"label": "x"},
			found: func(w *world) string {
				id := w.addLabelled(1, ours)
				w.edit("widget", id, func(th *thing) { th.hidden = 1 })
				return id
			},
			warned: []string{"will be adopted"},
		},
		"failed, on_existing create": {
			mode: Beside, found: func(w *world) string { w.setState("widget", w.addWidget(1, ours), Failed, "no capacity"); return "" },
		},
		"failed where the service clears it away": {
			kind:  clearedWidget,
			found: func(w *world) string { w.setState("widget", w.addWidget(1, ours), Failed, "no capacity"); return "" },
		},
		"gone":                   {found: func(w *world) string { w.setState("widget", w.addWidget(1, ours), Gone, ""); return "" }},
		"scheduled for deletion": {found: func(w *world) string { w.setState("widget", w.addWidget(1, ours), Scheduled, "on Monday"); return "" }},
		"pending": {found: func(w *world) string {
			id := w.addWidget(1, ours)
			w.edit("widget", id, func(th *thing) { th.pending = 3 })
			return id
		}, warned: []string{"will be adopted"}},
		"malformed alone": {
			found:   func(w *world) string { w.addWidget(1, marked("nonsense", aBinding)); return "" },
			refused: []string{"Malformed marker in the way", "widget-1", "nonsense", "tofu-address = " + atA},
		},
		"malformed by its type": {
			found:   func(w *world) string { w.addWidget(1, marked("estate_nest.a", aBinding)); return "" },
			refused: []string{"Malformed marker in the way", "estate_nest"},
		},
		"no address at all": {
			found: func(w *world) string { w.addWidget(1, marked("", aBinding)); return "" }, refused: []string{"Malformed marker in the way"},
		},
		"malformed beside a candidate": {
			found:  func(w *world) string { w.addWidget(1, marked("nonsense", aBinding)); return w.addWidget(1, ours) },
			warned: []string{"will be adopted"},
		},
		"malformed beside a predecessor": {
			found:  func(w *world) string { w.addWidget(1, marked("nonsense", aBinding)); w.addWidget(2, ours); return "" },
			warned: []string{"Existing estate_widget differs"},
		},
		"malformed but dead": {
			found: func(w *world) string {
				w.setState("widget", w.addWidget(1, marked("nonsense", aBinding)), Gone, "")
				return ""
			},
		},
		"other addresses": {
			found: func(w *world) string {
				for _, a := range []string{"estate_widget.ab", "estate_widget.a[0]", `estate_widget.a["x"]`, "module.m.estate_widget.a", "estate_widget.b"} {
					w.addWidget(1, marked(a, aBinding))
				}
				return ""
			},
		},
		"another account's": {
			found: func(w *world) string {
				id := w.addWidget(1, ours)
				w.edit("widget", id, func(th *thing) { th.owner = foreignAccountID })
				return ""
			},
		},
		"a listing that over-delivers": {
			found: func(w *world) string {
				w.addWidget(1, overDelivered(map[string]string{}))
				w.addWidget(1, overDelivered(tagsWith(ours, "tofu-estate", "prod-2")))
				w.addWidget(1, overDelivered(tagsWith(ours, "tofu-estate", "pro*")))
				w.addWidget(1, overDelivered(marked("estate_widget.*", aBinding)))
				return w.addWidget(1, overDelivered(ours))
			},
			warned: []string{"will be adopted"},
		},
		"a unique range, unmarked": {
			kind: uniqueWidget, says: conf{"label": "x"}, found: func(w *world) string { w.addLabelled(1, nil); return "" },
			refused: []string{"Unmarked object in the way", "widget-1", "tofu import '" + atA + "' widget-1", "adopt_unmarked = true"},
		},
		"a unique range, unmarked and asked for": {
			kind: uniqueWidget, says: conf{"label": "x", "adopt_unmarked": true}, found: func(w *world) string { return w.addLabelled(1, nil) },
			warned: []string{"will be adopted"},
		},
		"a unique range, unmarked, asked for and different": {
			kind: uniqueWidget, says: conf{"label": "x", "adopt_unmarked": true}, found: func(w *world) string { w.addLabelled(2, nil); return "" },
			refused: []string{"Existing object differs", "size is 2, the configuration says 1"},
		},
		"a unique range, another account's": {
			kind: uniqueWidget, says: conf{"label": "x", "adopt_unmarked": true},
			found: func(w *world) string {
				w.edit("widget", w.addLabelled(1, nil), func(th *thing) { th.owner = foreignAccountID })
				return ""
			},
			refused: []string{"Object of another owner", "widget-1", foreignAccountID},
		},
		"a unique range, another estate's": {
			kind: uniqueWidget, says: conf{"label": "x", "adopt_unmarked": true},
			found:   func(w *world) string { w.addLabelled(1, tagsWith(ours, "tofu-estate", "dev")); return "" },
			refused: []string{"Object of another owner", "widget-1", `"dev"`},
		},
		"a unique range, another address's": {
			kind: uniqueWidget, says: conf{"label": "x"}, found: func(w *world) string { w.addLabelled(1, marked("estate_widget.c", aBinding)); return "" },
			refused: []string{"Object of another owner", "widget-1", "estate_widget.c"},
		},
		"a unique range, dead": {
			kind: uniqueWidget, says: conf{"label": "x"}, found: func(w *world) string { w.setState("widget", w.addLabelled(1, nil), Gone, ""); return "" },
		},
	} {
		t.Run(name, func(t *testing.T) {
			start := func() (*world, *core) {
				w := newWorld(t)
				kind := tt.kind
				if kind == nil {
					kind = widgetType
				}
				c := newCore(t, w, Of(kind(w)))
				c.provider.OnExisting = tt.mode
				c.set(atA, conf{"size": 1})
				for k, v := range tt.says {
					c.config[atA][k] = v
				}
				return w, c
			}
			// The objects are there when the plan is made.
			w, c := start()
			adopts := tt.found(w)
			before := w.ids("widget")
			p := c.plan()
			w.wantNoWrites()
			if tt.refused != nil {
				p.wantError(t, append(tt.refused, atA)...)
			} else {
				if tt.warned != nil {
					p.wantWarningOnly(t, append(tt.warned, atA)...)
				} else {
					p.wantQuiet(t)
				}
				c.wantCreated(p, before, adopts)
				c.mustStay(adopts)
			}
			// They come after the plan.
			w, c = start()
			p = c.plan()
			p.want(atA, creates)
			adopts = tt.found(w)
			before = w.ids("widget")
			if tt.refused != nil {
				r := c.apply(p)
				r.wantError(t, append(tt.refused, atA)...)
				w.wantNoWrites()
				c.wantGone(atA)
				return
			}
			c.wantCreated(p, before, adopts)
		})
	}
}

func (w *world) addLabelled(size int64, tags map[string]string) string {
	id := w.addWidget(size, tags)
	w.edit("widget", id, func(th *thing) {
		is := *modelOf[widget](th)
		is.Label, is.Fingerprint = types.StringValue("x"), types.StringValue("fp-x")
		th.model = &is
	})
	return id
}

// wantCreated applies a plan and fails the test unless it adopts this object, or makes one where adopts is "".
func (c *core) wantCreated(p *plan, before []string, adopts string) {
	c.t.Helper()
	p.want(atA, creates)
	r := c.apply(p)
	r.wantNone(c.t)
	w := c.world
	w.wantNever("widget.Delete")
	if adopts != "" {
		if w.count("widget.Create") > 0 {
			c.t.Fatal("it was created, not adopted")
		}
		c.wantOwn(atA, "widget", adopts)
		if b := w.tag("widget", adopts, "tofu-binding"); b == aBinding {
			c.t.Error("the binding is not fresh")
		}
		return
	}
	if w.count("widget.Create") != 1 || w.count("tags.Write") > 0 {
		c.t.Fatalf("calls: %v", w.writes())
	}
	w.wantIDs("widget", append(before, c.id(atA))...)
	c.wantOwn(atA, "widget", c.id(atA))
}

// mustStay fails the test if the next plan of an adopted object does anything.
func (c *core) mustStay(adopts string) {
	c.t.Helper()
	if adopts != "" {
		c.mustBeClean()
	}
}

// Predecessors only: a walk that knows of nothing warns; one that certainly plans refuses; one in which the state holds
// the predecessor is silent.
func TestPredecessorsAtPlan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	c.set(atB, conf{"size": 1})
	c.mustApply()
	id := w.addWidget(2, marked(atA, aBinding))
	c.set(atA, conf{"size": 1})
	c.order = []string{atB, atA}
	c.plan().wantError(t, "Existing estate_widget differs", atA, id, "size is 2, the configuration says 1")
	c.config[atA]["on_existing"] = "create"
	c.plan().wantWarningOnly(t, "Second estate_widget will be created", atA, id)
	delete(c.config[atA], "on_existing")
	c.refresh = false
	c.plan().wantWarningOnly(t, "Existing estate_widget differs", atA, id)

	// The object is this entry's own: tainted, and changed in what cannot be changed in place.
	w, c, _ = appliedWidget(t)
	c.taint(atA)
	c.config[atA]["size"] = 2
	for _, c.refresh = range []bool{true, false} {
		p := c.plan()
		p.want(atA, replaces)
		p.wantQuiet(t)
	}
	c.mustApply()
	if n := len(w.ids("widget")); n != 1 {
		t.Errorf("%d widgets live", n)
	}
}

// An object of the same instance that is only tainted is named, without a promise.
func TestTaintedObjectAtPlan(t *testing.T) {
	t.Parallel()
	_, c, id := appliedWidget(t)
	c.taint(atA)
	p := c.plan()
	p.wantWarningOnly(t, "Existing estate_widget carries the address", id, "If it still exists", `on_existing = "create"`)
	p.wantUnknown(atA, "id", "arn")
}

// What the configuration asks for is not known: nothing is promised, and apply decides.
func TestUndecidedAtPlan(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		live   int64
		adopts bool
	}{"fits": {1, true}, "does not fit": {2, false}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(widgetType(w)))
			id := w.addWidget(tt.live, marked(atA, aBinding))
			c.set(atA, conf{"size": notYet})
			p := c.plan()
			p.wantWarningOnly(t, "Existing estate_widget carries the address", id, "decided at apply")
			p.wantUnknown(atA, "id")
			c.set(atA, conf{"size": 1})
			c.apply(p).wantNone(t)
			if (c.id(atA) == id) != tt.adopts {
				t.Errorf("it is %s, and %s was there", c.id(atA), id)
			}
		})
	}
}

// An adoption says what hangs on the object without being declared.
func TestAdoptionNamesDependants(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var tokens []Token
	c := newCore(t, w, Of(watchedWidget(w, &tokens)))
	id := w.addWidget(1, marked(atA, aBinding))
	c.set(atA, conf{"size": 1})
	c.plan().wantWarningOnly(t, "will be adopted", "These hang on it", "a cog of "+id)
}
