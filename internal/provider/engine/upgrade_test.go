package engine

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// age rewrites an entry as an older version of its type wrote it.
func (c *core) age(address string, version int64, change func(state map[string]any)) {
	c.t.Helper()
	state, ok := jsonOf(c.t, c.current(address).value).(map[string]any)
	if !ok {
		c.t.Fatalf("%s: the state is no object", address)
	}
	change(state)
	raw, err := json.Marshal(state)
	if err != nil {
		c.t.Fatal(err)
	}
	c.current(address).older = &olderState{version, string(raw)}
}

// older are the shapes of the widget's two older versions.
var older = map[int64]func(map[string]any){
	0: func(state map[string]any) {
		state["colour"], state["measure"] = state["color"], "7mm"
		delete(state, "color")
		delete(state, "size")
	},
	1: func(state map[string]any) {
		state["measure"] = "7mm"
		delete(state, "size")
	},
}

// A state of any older version is brought up to date, with nothing planned for it; binding, private state and tags stay.
func TestUpgradeState(t *testing.T) {
	t.Parallel()
	for version, shape := range older {
		for _, refresh := range []bool{true, false} {
			w := newWorld(t)
			c := newCore(t, w, Of(agedWidgetType(w)))
			c.set(atA, conf{"size": 7, "color": "red", "force": true, "tags": conf{"Name": "a"}, "timeouts": conf{"create": "5m"}})
			c.mustApply()
			before, e := *c.current(atA), *c.expectation(atA)
			c.age(atA, version, shape)
			c.refresh = refresh
			p := c.plan()
			p.wantNone(t)
			p.want(atA, noop)
			if now := p.entries[atA].current; !now.value.Equal(before.value) {
				t.Errorf("version %d: %v", version, differing(&before, now))
			}
			if now := c.expectation(atA); *now != e {
				t.Errorf("version %d: expected is %+v, was %+v", version, now, e)
			}

			// An upgraded entry can be changed.
			c.set(atA, conf{"size": 7, "color": "blue"})
			p = c.plan()
			p.want(atA, updates)
			c.apply(p).wantNone(t)
			c.wantOwn(atA, "widget", text(attribute(t, before.value, attrID)))
		}
	}
}

// With -refresh=false the upgrade alone says which objects the state holds, so that nobody is planned to adopt them.
func TestUpgradedEntriesAreSeen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(agedWidgetType(w)))
	c.set(atA, conf{"size": 7})
	c.mustApply()
	c.age(atA, 0, older[0])
	c.refresh = false
	c.plan().wantNone(t)
	if id := (objectID{"estate_widget", testRegion, c.id(atA)}); !c.last.holds(id) {
		t.Errorf("the walk does not know that the state holds %v", id)
	}
}

// Large numbers pass through the upgrades digit by digit, and what the schema no longer has is dropped.
func TestUpgradeKeepsNumbers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := agedWidgetType(w)
	k := kindOf(t, Of(d))
	state, err := k.upgraded(rawJSON(t, `{"id": "w", "measure": "9007199254740993mm", "secret_version": 9007199254740993, "gone": [1]}`), 0)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := k.decodeState(state)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"size", "secret_version"} {
		if got := numberText(whole[name]); got != "9007199254740993" {
			t.Errorf("%s is %s", name, got)
		}
	}
}

// A state that cannot be read is an error with the way out, and nothing is called.
func TestUpgradeFails(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		version int64
		state   string
		words   []string
	}{
		"first upgrade":      {0, `{"id": "w"}`, []string{"version 0", "from version 1 to 2", "there is no measure", "tofu state rm ADDRESS"}},
		"second upgrade":     {1, `{"id": "w", "measure": "7in"}`, []string{"version 1", "from version 1 to 2", `"7in"`, "tofu apply"}},
		"not of the schema":  {1, `{"id": "w", "measure": "wide mm"}`, []string{"Unreadable state", "the attribute size"}},
		"without the key":    {1, `{"measure": "7mm"}`, []string{"it has no id"}},
		"no object":          {1, `[]`, []string{"Unreadable state"}},
		"an engine's own":    {0, `{"id": "w", "measure": "7mm", "colour": "region"}`, []string{"sets region, which is the engine's"}},
		"unreadable numbers": {0, `{"id": "w", "measure": "7mm", "late": tru}`, []string{"Unreadable state"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			d := agedWidgetType(w)
			rename := d.Upgrades[0]
			d.Upgrades[0] = func(state map[string]any) error {
				if to, ok := state["colour"].(string); ok && to == "region" {
					state["region"] = "eu-west-1"
				}
				return rename(state)
			}
			c := newCore(t, w, Of(d))
			resp, err := c.start(false).server.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
				TypeName: "estate_widget", Version: test.version, RawState: &tfprotov6.RawState{JSON: []byte(test.state)},
			})
			if err != nil {
				t.Fatal(err)
			}
			var m messages
			m.take(atA, resp.Diagnostics)
			m.wantError(t, test.words...)
			if resp.UpgradedState != nil {
				t.Error("a state comes back beside the error")
			}
		})
	}
}

// The version that core compares is the number of the upgrades, and each older one has its upgrader.
func TestVersions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, test := range []struct {
		Type
		want int64
	}{{Of(widgetType(w)), 0}, {Of(agedWidgetType(w)), 2}} {
		k := kindOf(t, test.Type)
		upgraders := (&managed{kind: k}).UpgradeState(t.Context())
		if k.schema.Version != test.want || int64(len(upgraders)) != test.want {
			t.Errorf("version %d with %d upgraders, wanted %d", k.schema.Version, len(upgraders), test.want)
		}
	}
}

func TestCheckFindsSlipsOfHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := gizmoType(w)
	if err := Of(d).Check(); err != nil {
		t.Fatal(err)
	}
	for want, slip := range map[string]func(*ResourceType[widget]){
		"the Upgrade of version 1 is missing": func(d *ResourceType[widget]) { d.Upgrades[1] = nil },
		"neither an aws_ nor an estate_ type": func(d *ResourceType[widget]) { d.MovesFrom = []string{"google_widget"} },
		"estate_gizmo, which is taken anyway": func(d *ResourceType[widget]) { d.MovesFrom = []string{"estate_gizmo"} },
		"aws_gizmo, which is taken anyway":    func(d *ResourceType[widget]) { d.MovesFrom = []string{"aws_gizmo"} },
	} {
		d := gizmoType(w)
		slip(&d)
		if err := Of(d).Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("wanted %q, got %v", want, err)
		}
	}
	if got := kindOf(t, Of(d)).formerNames(); !slices.Equal(got, []string{"estate_widget"}) {
		t.Errorf("former names: %v", got)
	}
}

func rawJSON(t *testing.T, text string) map[string]json.RawMessage {
	t.Helper()
	var out map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
