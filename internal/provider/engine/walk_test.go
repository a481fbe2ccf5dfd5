package engine

import (
	"sync"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

func TestClaims(t *testing.T) {
	t.Parallel()
	walk := bareWalk()
	if err := walk.claim("estate_x", "estate_x.a[2]", "r"); err != nil {
		t.Fatal(err)
	}
	for _, again := range []string{"estate_x.a[2]", `estate_x.a["2"]`} { // they share one tag value
		if err := walk.claim("estate_x", again, "other"); err == nil {
			t.Errorf("%s was claimed twice", again)
		}
	}
	for _, other := range [][2]string{{"estate_y", "estate_x.a[2]"}, {"estate_x", "estate_x.a"}, {"estate_x", "estate_x.a[20]"}} {
		if err := walk.claim(other[0], other[1], "r"); err != nil {
			t.Errorf("%v: %v", other, err)
		}
	}
	if err := bareWalk().claim("estate_x", "estate_x.a[2]", "r"); err != nil {
		t.Errorf("a register outlives its walk: %v", err)
	}
	// Of many at once one wins.
	var wg sync.WaitGroup
	won := make(chan bool, 50)
	for range 50 {
		wg.Go(func() { won <- walk.claim("estate_x", "estate_x.b", "r") == nil })
	}
	wg.Wait()
	close(won)
	n := 0
	for ok := range won {
		if ok {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d claims won", n)
	}
}

func TestHandOvers(t *testing.T) {
	t.Parallel()
	id, other := objectID{"estate_x", "r", "x-1"}, objectID{"estate_x", "r", "x-2"}
	for name, order := range map[string][2]func(*Walk) (string, bool){
		"given first": {func(w *Walk) (string, bool) { return w.gives(id, "a") }, func(w *Walk) (string, bool) { return w.takes(id, "b") }},
		"taken first": {func(w *Walk) (string, bool) { return w.takes(id, "b") }, func(w *Walk) (string, bool) { return w.gives(id, "a") }},
	} {
		walk := bareWalk()
		if _, conflict := order[0](walk); conflict {
			t.Errorf("%s: one half is a conflict", name)
		}
		if _, conflict := walk.takes(other, "c"); conflict {
			t.Errorf("%s: another object is a conflict", name)
		}
		if who, conflict := order[1](walk); !conflict || who == "" {
			t.Errorf("%s: no conflict", name)
		}
		// In an apply walk the deposed half of a replacement is planned after its own create.
		walk = bareWalk()
		order[0](walk)
		walk.applies()
		if _, conflict := order[1](walk); conflict {
			t.Errorf("%s: a conflict in an apply walk", name)
		}
	}
}

func TestWhatAWalkKnows(t *testing.T) {
	t.Parallel()
	walk := bareWalk()
	id := objectID{"estate_x", "r", "x-1"}
	if walk.surelyPlans() || walk.holds(id) || walk.hasWritten(id) || walk.hasDeleted(id) {
		t.Error("a new walk knows something")
	}
	walk.SeenInState("estate_x", "x-1", "r")
	if !walk.holds(id) || walk.surelyPlans() {
		t.Error("an upgraded state entry: held, and no sign of a plan")
	}
	walk.observe(id, observation{tags: map[string]string{"k": "v"}})
	if o, ok := walk.observation(id); !ok || o.tags["k"] != "v" || !walk.surelyPlans() {
		t.Error("a Read is served in plan walks alone")
	}
	walk.applies()
	if walk.surelyPlans() {
		t.Error("an apply walk is no plan")
	}
	walk.wrote(id)
	walk.removed(id)
	if walk.hasWritten(id) || !walk.hasDeleted(id) {
		t.Error("a deleted object counts as written")
	}
	walk.wrote(id)
	if !walk.hasWritten(id) || walk.hasDeleted(id) {
		t.Error("an object that was made anew counts as deleted")
	}
	if !walk.reserve(id) || walk.reserve(id) {
		t.Error("a derived key is reserved once")
	}
	a, err := markers.Parse("estate_x.a[2]")
	if err != nil {
		t.Fatal(err)
	}
	b, err := markers.Parse(`estate_x.a["2"]`)
	if err != nil {
		t.Fatal(err)
	}
	if !walk.declare("estate_x", a) || walk.declare("estate_x", b) || !walk.declare("estate_y", b) {
		t.Error("one tag value is declared once in a type")
	}
}
