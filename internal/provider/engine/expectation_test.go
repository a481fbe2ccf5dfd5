package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Private state that a later version of this format 1 wrote is read, and what it says more is ignored.
func TestPrivateStateWithUnknownFields(t *testing.T) {
	t.Parallel()
	w, c := newWidget(t, conf{"size": 1})
	e := c.expectation(widgetAddress)
	if e == nil || e.Version != 1 || e.Estate != testEstate || e.Address != widgetAddress || e.Account != testAccount ||
		e.Region != testRegion || e.Slot != nil || e.Binding != c.text(widgetAddress, "tofu_binding") {
		t.Fatalf("private state holds %+v", e)
	}
	c.setPrivate(widgetAddress, fmt.Sprintf(`{"v":1,"estate":%q,"address":%q,"binding":%q,"account":%q,"region":%q,"mood":"good"}`,
		e.Estate, e.Address, e.Binding, e.Account, e.Region))
	c.mustBeClean()
	c.set(widgetAddress, conf{"size": 1, "color": "red"})
	c.mustApply()
	w.wantCalls("widget.Color")
	c.destroy().wantNone(t)
}

// A higher version, or what is no JSON, stops every operation before any call.
func TestUnreadablePrivateState(t *testing.T) {
	t.Parallel()
	for private, words := range map[string][]string{
		`{"v":2,"binding":"x"}`: {"Unreadable state", "newer version of this provider"},
		`"what?"`:               {"Unreadable state"},
	} {
		w, c := newWidget(t, conf{"size": 1})
		c.setPrivate(widgetAddress, private)
		c.plan().wantError(t, words...)
		c.refresh = false
		c.plan().wantError(t, words...)
		c.destroy().wantError(t, words...)
		c.refreshOnly()
		c.remove(widgetAddress)
		c.apply(c.plan()).wantError(t, words...)
		if len(w.journal) > 0 {
			t.Errorf("calls %v", w.journal)
		}
		if !c.holds(widgetAddress) {
			t.Error("the state lost the object")
		}
	}
}

// Without private state the binding in the state's attribute serves, and the next update writes the rest again.
func TestEmptyPrivateState(t *testing.T) {
	t.Parallel()
	w, c := newWidget(t, conf{"size": 1})
	c.setPrivate(widgetAddress, "")
	binding := c.text(widgetAddress, "tofu_binding")
	c.mustBeClean()
	c.set(widgetAddress, conf{"size": 1, "color": "red"})
	c.mustApply()
	w.wantCalls("widget.Color")
	if e := c.expectation(widgetAddress); e == nil || e.Binding != binding {
		t.Errorf("private state holds %+v", e)
	}
	c.mustBeClean()
	c.setPrivate(widgetAddress, "")
	c.destroy().wantNone(t)
	if len(w.ids("widget")) > 0 {
		t.Error("the object is still there")
	}
}

// Private state holds what is believed, and nothing that the object or the configuration says beside it.
func TestPrivateStateHoldsNoSecret(t *testing.T) {
	t.Parallel()
	_, c := newWidget(t, conf{"size": 1, "secret": "hush", "secret_version": 1, "tags": conf{"a": "hush"}})
	if strings.Contains(string(c.current(widgetAddress).private), "hush") {
		t.Error("it holds the secret")
	}
}

// A refresh never writes what is believed, whatever the object says.
func TestReadKeepsTheExpectation(t *testing.T) {
	t.Parallel()
	w, c := newWidget(t, conf{"size": 1})
	was, binding := *c.expectation(widgetAddress), c.text(widgetAddress, "tofu_binding")
	w.edit("widget", c.id(widgetAddress), func(th *thing) {
		th.tags["tofu-address"], th.tags["tofu-binding"], th.tags["tofu-estate"] = "estate_widget.z", "stolen", "other"
	})
	c.refreshOnly()
	if now := *c.expectation(widgetAddress); now != was {
		t.Errorf("private state became %+v", now)
	}
	if c.text(widgetAddress, "tofu_binding") != binding {
		t.Error("tofu_binding was refreshed")
	}
	for name, want := range map[string]string{"tofu_estate": "other", "tofu_address": "estate_widget.z"} {
		if got := c.text(widgetAddress, name); got != want {
			t.Errorf("%s shows %q", name, got)
		}
	}
}

// The account is checked by every operation before anything is called.
func TestAnotherAccount(t *testing.T) {
	t.Parallel()
	w, c := newWidget(t, conf{"size": 1})
	const other = "222222222222"
	c.account(other)
	c.plan().wantError(t, "Wrong AWS account", testAccount, other)
	c.refresh = false
	c.plan().wantError(t, "Wrong AWS account")
	c.remove(widgetAddress)
	c.apply(c.plan()).wantError(t, "Wrong AWS account")
	if len(w.journal) > 0 || !c.holds(widgetAddress) {
		t.Errorf("calls %v", w.journal)
	}
	// A provider that was told not to ask for its account compares nothing.
	c.account("")
	c.mustApply()
	if len(w.ids("widget")) > 0 {
		t.Error("the object is still there")
	}
}

// The identity names account, region and key.
func TestIdentity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	everything(c)
	c.mustApply()
	s := c.start(false)
	for address, want := range map[string][]string{
		"estate_widget.a": {"account_id=" + testAccount, "id=" + c.id("estate_widget.a"), "region=" + testRegion},
		"estate_gadget.g": {"account_id=" + testAccount, "name=g"},
		"estate_joint.j":  {"account_id=" + testAccount, "gadget=g", "name=j"},
		"estate_knob.k":   {"account_id=" + testAccount, "gadget=g"},
	} {
		var got []string
		parts := s.identityParts(address, c.current(address).identity)
		for _, name := range sortedKeys(parts) {
			got = append(got, name+"="+text(parts[name]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: identity %v, wanted %v", address, got, want)
		}
	}
	// A state of a core that knew no identity gets one at the next refresh.
	c.current("estate_widget.a").identity = nil
	c.refreshOnly()
	if parts := s.identityParts("estate_widget.a", c.current("estate_widget.a").identity); text(parts["id"]) != c.id("estate_widget.a") {
		t.Errorf("identity %v", parts)
	}
}
