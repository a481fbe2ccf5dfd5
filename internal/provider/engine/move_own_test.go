package engine

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

const (
	ourProvider = "registry.opentofu.org/tofu-estate/estate"
	atGizmo     = "estate_gizmo.a"
)

// moveTypes moves an entry to an address of another type, as core does: raw state, its version and private state.
func (c *core) moveTypes(from, to, provider string, version int64, state string) *run {
	c.t.Helper()
	r, s, kind := &run{}, c.start(false), c.typeOf(to)
	resp, err := s.server.MoveResourceState(c.t.Context(), &tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: provider, SourceTypeName: c.typeOf(from), SourceSchemaVersion: version,
		SourceState: &tfprotov6.RawState{JSON: []byte(state)}, SourcePrivate: c.current(from).private, TargetTypeName: kind,
	})
	if err != nil {
		c.t.Fatal(err)
	}
	if !r.take(to, resp.Diagnostics) {
		c.entries[to] = &entry{current: &stored{value: s.decode(kind, resp.TargetState), private: resp.TargetPrivate}}
		delete(c.entries, from)
		delete(c.config, from)
	}
	return r
}

// jsonState is an entry as the state file holds it.
func (c *core) jsonState(address string) string {
	c.t.Helper()
	raw, err := json.Marshal(jsonOf(c.t, c.current(address).value))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(raw)
}

// A type that was renamed takes its older name's entries over: binding and expectation stay, and the plan is that of a
// rename, one change of tags.
func TestMoveFromAnOlderName(t *testing.T) {
	t.Parallel()
	for version := range int64(3) {
		w := newWorld(t)
		c := newCore(t, w, Of(agedWidgetType(w)), Of(gizmoType(w)))
		c.set(atA, conf{"size": 7, "color": "red", "force": true, "tofu_on_destroy": "keep", "tags": conf{"Name": "a"}})
		c.set(atB, conf{"size": 8})
		c.mustApply()
		id, e := c.id(atA), *c.expectation(atA)
		state := c.jsonState(atA)
		if shape, ok := older[version]; ok {
			c.age(atA, version, shape)
			state = c.current(atA).older.json
		}
		w.forget()

		c.moveTypes(atA, atGizmo, ourProvider, version, state).wantNone(t)
		if now := c.expectation(atGizmo); now == nil || *now != e {
			t.Fatalf("version %d: expected is %+v, was %+v", version, now, e)
		}
		if c.text(atGizmo, attrBinding) != e.Binding || c.text(atGizmo, attrAddress) != atA || c.text(atGizmo, attrOnDestroy) != "keep" {
			t.Errorf("version %d: the engine's attributes did not come along", version)
		}
		c.set(atGizmo, conf{"size": 7, "color": "red", "force": true, "tofu_on_destroy": "keep", "tags": conf{"Name": "a"}})
		p := c.plan()
		p.wantNone(t)
		p.want(atGizmo, updates)
		p.want(atB, noop)
		c.apply(p).wantNone(t)
		if got := w.writes(); len(got) != 1 || got[0] != "tags.Write" {
			t.Errorf("version %d: calls %v", version, got)
		}
		if w.tag("widget", id, "tofu-address") != atGizmo {
			t.Errorf("version %d: the address was not rewritten", version)
		}
		c.wantOwn(atGizmo, "widget", id)
		c.mustBeClean()
	}
}

// The rename was cut off between the tag write and the state: the object carries the new address, the entry the old one.
func TestMoveFromAnOlderNameCutOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(agedWidgetType(w)), Of(gizmoType(w)))
	c.set(atA, conf{"size": 7})
	c.mustApply()
	id := c.id(atA)
	c.moveTypes(atA, atGizmo, ourProvider, 2, c.jsonState(atA)).wantNone(t)
	c.set(atGizmo, conf{"size": 7})
	c.killed[atGizmo] = true
	c.apply(c.plan())
	if w.tag("widget", id, "tofu-address") != atGizmo {
		t.Fatal("the address was not rewritten before the kill")
	}
	delete(c.killed, atGizmo)
	c.mustApply()
	c.wantOwn(atGizmo, "widget", id)
	c.mustBeClean()
}

// Objects that still carry the older name's addresses are other instances', and do not stop a create.
func TestCreateBesideTheOlderName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(gizmoType(w)))
	w.addWidget(7, marked("estate_widget.b", aBinding))
	c.set(atGizmo, conf{"size": 7})
	c.mustApply()
	if got := len(w.ids("widget")); got != 2 {
		t.Errorf("%d objects", got)
	}
	// An address of a type that was never this one's name is still damage.
	w.addWidget(7, marked("estate_gadget.b", aBinding))
	c.set("estate_gizmo.b", conf{"size": 7})
	c.plan().wantError(t, "estate_gadget.b")
}

// What is moved between types is told by type and provider; an older version of another name counts as this type's own.
func TestMoveBetweenOurs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(agedWidgetType(w)), Of(gizmoType(w)), Of(gadgetType(w)))
	c.set(atA, conf{"size": 7})
	c.mustApply()
	state := c.jsonState(atA)
	for _, test := range []struct {
		to, provider string
		version      int64
		words        []string
	}{
		{atGizmo, "registry.terraform.io/tofu-estate/other", 2, []string{"Unable to Move Resource State"}},
		{atGizmo, awsProvider, 2, []string{"Unable to Move Resource State"}},
		{atG, ourProvider, 2, []string{"Unable to Move Resource State"}},
		{atGizmo, ourProvider, 3, []string{"Unreadable state", "version 3", "reads up to 2", "tofu import"}},
		{atGizmo, ourProvider, 0, []string{"Unreadable state", "from version 1 to 2", "there is no measure"}},
		{atGizmo, ourProvider, 2, nil},
	} {
		r := c.moveTypes(atA, test.to, test.provider, test.version, state)
		if test.words != nil {
			r.wantError(t, test.words...)
			continue
		}
		r.wantNone(t)
	}
	// The same name under another registry's address of the provider.
	c.rename(atGizmo, "estate_gizmo.z")
	c.moveTypes("estate_gizmo.z", atGizmo, "mirror.example/x/estate", 2, c.jsonState("estate_gizmo.z")).wantNone(t)
	// And a type of hashicorp/aws under another name.
	c.moveIn("estate_gizmo.c", awsProvider, "aws_doodad", map[string]any{"id": "widget-9"}).wantNone(t)
	c.moveIn("estate_gizmo.d", awsProvider, "aws_widget", map[string]any{"id": "widget-9"}).wantError(t, "Unable to Move Resource State")
}

// OpenTofu keeps the identity of the source: ours has a version above those of hashicorp/aws and of the older names, and
// every lower one is emptied for the next Read to fill.
func TestMovedIdentity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(agedWidgetType(w)), Of(gizmoType(w)), Of(gadgetType(w)))
	s := c.start(false)
	ids, err := s.server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	of := func(kind string) int64 { return ids.IdentitySchemas[kind].Version }
	if of("estate_gizmo") <= of("estate_widget") || of("estate_widget") <= 1 {
		t.Errorf("identity versions: %d and %d", of("estate_gizmo"), of("estate_widget"))
	}
	for version := range of("estate_gizmo") {
		resp, err := s.server.UpgradeResourceIdentity(t.Context(), &tfprotov6.UpgradeResourceIdentityRequest{
			TypeName: "estate_gizmo", Version: version, RawIdentity: &tfprotov6.RawState{JSON: []byte(`{"name": "x", "zone_id": "z"}`)},
		})
		c.must("UpgradeResourceIdentity", err, resp.Diagnostics)
		v, err := resp.UpgradedIdentity.IdentityData.Unmarshal(s.identityType("estate_gizmo"))
		if err != nil || !identityEmpty(v) || v.IsNull() {
			t.Errorf("version %d: %v %v", version, v, err)
		}
	}
}
