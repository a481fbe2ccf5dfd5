package acceptance

import (
	"strings"
	"testing"
)

// What the web estate has to be for the behaviour to mean something.
const (
	leastObjects = 30
	typesInAll   = 12
)

// TestBehaviour05LostStateIsRebuilt loses the whole state in the two ways that happen: the file is gone, or it is empty.
//
// Given an estate of more than thirty objects of all types, in modules and with references between them, whose state is lost.
// When the user plans. Then the plan names each object that the apply will take over, with the id that it has, and neither
// destroys nor writes anything. When the user applies. Then nothing is created, each instance holds the object that it held
// before, and the next plan is empty.
func TestBehaviour05LostStateIsRebuilt(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		webEstate(t, w)
		before := ids(t, w)
		types := map[string]bool{}
		for _, i := range w.MustState(t) {
			types[i.Type] = true
		}
		if len(before) < leastObjects || len(types) != typesInAll {
			t.Fatalf("the estate has %d objects of %d types, want %d of %d", len(before), len(types), leastObjects, typesInAll)
		}
		must(t, w.ForgetState())
		planNamesEach(t, w, before)
		recovers(t, w, before)
		must(t, w.ForgetState())
		must(t, w.SetStateText(""))
		recovers(t, w, before)
	})
}

// planNamesEach fails the test unless a plan shows the adoption of each object, and nothing else.
func planNamesEach(t *testing.T, w *Workspace, before map[string]string) {
	t.Helper()
	var all []string
	for address := range before {
		all = append(all, address)
	}
	mark := w.Proxy.Mark()
	p := w.Plan(t.Context()).MustDestroyNothing(t).MustOnly(t, Create, all...)
	w.MustNotWrite(t, mark)
	warned := map[string]string{}
	for _, d := range p.Warnings() {
		if strings.Contains(d.Summary, "will be adopted") {
			warned[d.Address] = d.Detail
		}
	}
	for address, id := range before {
		if got := p.Change(address).After["id"]; got != id {
			t.Errorf("the plan for %s shows the id %v, want %s", address, got, id)
		}
		if !strings.Contains(warned[address], id) {
			t.Errorf("no warning says that %s will take over %s, but %q", address, id, warned[address])
		}
	}
}
