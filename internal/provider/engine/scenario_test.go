package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/aws/smithy-go"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// This file holds what the scenarios of the safety rules have in common.

const (
	atA = "estate_widget.a"
	atB = "estate_widget.b"
	atG = "estate_gadget.g"
	atJ = "estate_joint.j"
	atK = "estate_knob.k"
	atF = "estate_finisher.f"
)

// foreignAccountID is an account that is not ours.
const foreignAccountID = "222222222222"

// appliedWidget is a world with the instance estate_widget.a applied; its id comes along, and the journal is empty.
func appliedWidget(t testing.TB) (*world, *core, string) {
	t.Helper()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	c.set(atA, conf{"size": 1})
	c.mustApply()
	w.forget()
	return w, c, c.id(atA)
}

// marked are the tags of an object of the test estate with a binding.
func marked(address, binding string) map[string]string {
	tags := map[string]string{"tofu-estate": testEstate, "tofu-address": markers.Escape(address), "tofu-binding": binding}
	maps.DeleteFunc(tags, func(_, v string) bool { return v == "" })
	return tags
}

// tagsWith returns tags with one more.
func tagsWith(tags map[string]string, key, value string) map[string]string {
	tags = maps.Clone(tags)
	if tags[key] = value; value == "" {
		delete(tags, key)
	}
	return tags
}

// otherBinding is a binding that no state of a test holds, aBinding one that a test gives, both older than those of creates,
// and youngerBinding one that comes after them.
const (
	otherBinding   = "01h00000000000000000000000"
	aBinding       = "01j00000000000000000000000"
	youngerBinding = "7zzzzzzzzzzzzzzzzzzzzzzzzz"
)

// addWidget puts a widget into the world that no call of ours made.
func (w *world) addWidget(size int64, tags map[string]string) string {
	return w.add(thing{kind: "widget", region: testRegion, tags: tags, model: &widget{
		Size: types.Int64Value(size), Color: types.StringValue("grey"), Late: types.BoolValue(false),
		ARN: types.StringValue("arn:widget/found"), Fingerprint: types.StringValue("fp-"),
	}})
}

// addGadget puts a gadget into the world that no call of ours made.
func (w *world) addGadget(name string, tags map[string]string) {
	w.add(thing{kind: "gadget", id: name, tags: tags, model: &gadget{
		Name: types.StringValue(name), Path: types.StringValue("/"), UID: types.StringValue("uid-found"), NamePrefix: prefixIn(name),
	}})
}

// addJoint puts a joint into the world that no call of ours made.
func (w *world) addJoint(gadget, name, policy string) {
	w.add(thing{kind: "joint", id: gadget + ":" + name, model: &joint{
		Gadget: types.StringValue(gadget), Name: types.StringValue(name), Policy: folded{types.StringValue(policy)}.answer(),
	}})
}

// retag replaces the tags of an object behind the provider's back.
func (w *world) retag(kind, id string, tags map[string]string) {
	w.t.Helper()
	w.edit(kind, id, func(th *thing) { th.tags = maps.Clone(tags) })
}

// tag is a tag that an object carries now.
func (w *world) tag(kind, id, key string) string {
	w.t.Helper()
	th := w.thing(kind, id)
	if th == nil {
		w.t.Fatalf("there is no %s %s", kind, id)
	}
	return th.tags[key]
}

// called tells whether a call was made on an object.
func (w *world) called(op, id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.journal, func(c call) bool { return c.op == op && c.id == id })
}

// together makes the next n calls of op, which must come at once, wait for each other.
func (w *world) together(op string, n int) {
	var all sync.WaitGroup
	all.Add(n)
	w.on(op, func(call) error {
		all.Done()
		all.Wait()
		return nil
	})
}

// wantIDs fails the test unless exactly these objects of a kind live.
func (w *world) wantIDs(kind string, want ...string) {
	w.t.Helper()
	got := w.ids(kind)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		w.t.Fatalf("the living %ss are %v, wanted %v", kind, got, want)
	}
}

// wantNoWrites fails the test if anything was changed since the journal was emptied.
func (w *world) wantNoWrites() {
	w.t.Helper()
	if got := w.writes(); len(got) > 0 {
		w.t.Fatalf("calls that change something: %v", got)
	}
}

// wantNever fails the test if the call was ever made.
func (w *world) wantNever(op string) {
	w.t.Helper()
	if n := w.count(op); n > 0 {
		w.t.Fatalf("%s was called %d times", op, n)
	}
}

// wantOwn fails the test unless the state holds this object under the binding that the object carries.
func (c *core) wantOwn(address, kind, id string) {
	c.t.Helper()
	if got := c.id(address); got != id {
		c.t.Fatalf("%s is %s in the state, wanted %s", address, got, id)
	}
	binding := c.world.tag(kind, id, "tofu-binding")
	if e := c.expectation(address); e == nil || binding == "" || e.Binding != binding || c.text(address, attrBinding) != binding {
		c.t.Fatalf("%s: the object's binding is %q, the state's %q, and expected is %+v", address, binding, c.text(address, attrBinding), e)
	}
}

// wantGone fails the test if the state holds an instance.
func (c *core) wantGone(address string) {
	c.t.Helper()
	if c.holds(address) {
		c.t.Fatalf("the state holds %s: %s", address, c.current(address).value)
	}
}

// wantWarningOnly fails the test unless there is such a warning and no error.
func (m *messages) wantWarningOnly(t testing.TB, words ...string) {
	t.Helper()
	m.wantNone(t)
	m.wantWarning(t, words...)
}

// wantQuiet fails the test if there is any message.
func (m *messages) wantQuiet(t testing.TB) {
	t.Helper()
	if len(m.list) > 0 {
		t.Fatalf("messages: %v", m.list)
	}
}

func throttled() error {
	return &smithy.GenericAPIError{Code: "Throttling", Message: "Rate exceeded"}
}

func denied(op string) error {
	return &smithy.OperationError{ServiceID: "Test", OperationName: op, Err: &smithy.GenericAPIError{Code: "AccessDenied", Message: "no " + op + " for you"}}
}

// breakages are the ways in which a look-up does not tell whether something exists.
func breakages() map[string]error {
	return map[string]error{
		"denied": denied("look-up"), "throttled": throttled(), "no answer": fmt.Errorf("reading: %w", errBroken),
		"timed out": fmt.Errorf("reading: %w", context.DeadlineExceeded),
	}
}
