package engine

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

func finishers(t *testing.T) (*world, *core) {
	w := newWorld(t)
	c := newCore(t, w, Of(finisherType(w)))
	c.set(atF, conf{"size": 1})
	return w, c
}

// An object carries tofu-pending from its create call until the last step ran.
func TestFinish(t *testing.T) {
	t.Parallel()
	w, c := finishers(t)
	w.on("finisher.Finish", func(call call) error {
		if w.tag("finisher", call.id, "tofu-pending") == "" {
			t.Error("the object does not say that steps are left")
		}
		return nil
	})
	c.mustApply()
	if w.count("finisher.Finish") != 1 || w.tag("finisher", c.id(atF), "tofu-pending") != "" {
		t.Errorf("calls: %v, tags: %v", w.writes(), w.thing("finisher", c.id(atF)).tags)
	}
	c.mustBeClean()
}

// The provider dies before or between the last steps: the adoption makes them good, and only where the sign is.
func TestCrashBeforeFinish(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		op    string
		runs  int
		state bool
	}{
		"before the step": {op: "finisher.Get", runs: 1}, "at the step": {op: "finisher.Finish", runs: 2}, "before the sign is taken off": {op: "tags.Write", runs: 2},
	} {
		t.Run(name, func(t *testing.T) {
			w, c := finishers(t)
			p := c.plan()
			w.deny("finisher.Find") // it is read back by its id
			w.fail(tt.op, 1, errBroken)
			c.killed[atF] = true
			c.apply(p)
			c.killed = map[string]bool{}
			w.calm()
			id := w.ids("finisher")[0]
			if w.tag("finisher", id, "tofu-pending") == "" {
				t.Fatal("the crash did not happen")
			}
			c.mustApply()
			w.wantIDs("finisher", id)
			c.wantOwn(atF, "finisher", id)
			if w.count("finisher.Finish") != tt.runs || w.tag("finisher", id, "tofu-pending") != "" {
				t.Errorf("calls: %v, tags: %v", w.writes(), w.thing("finisher", id).tags)
			}
			c.mustBeClean()
		})
	}
}

// A finishing adoption that fails keeps the sign, and leaves no state.
func TestFinishFailingInAnAdoption(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"finisher.Finish", "the second tags.Write"} {
		w, c := finishers(t)
		id := w.add(thing{kind: "finisher", region: testRegion, model: &finisher{Size: types.Int64Value(1)}, tags: tagsWith(marked(atF, aBinding), "tofu-pending", "create")})
		writes := 0
		w.on("*", func(call call) error {
			if call.op == "tags.Write" {
				writes++
			}
			if call.op == op || writes == 2 {
				return denied("Finish")
			}
			return nil
		})
		c.apply(c.plan()).wantError(t, "Adoption not finished", id, "test:Finish")
		c.wantGone(atF)
		if w.tag("finisher", id, "tofu-pending") == "" {
			t.Error("the sign is gone")
		}
		w.calm()
		w.forget()
		c.mustApply()
		if w.count("finisher.Finish") != 1 || w.tag("finisher", id, "tofu-pending") != "" {
			t.Errorf("calls: %v", w.writes())
		}
		w.wantIDs("finisher", id)
	}
}

// A finished object is somebody's settled work: an adoption leaves those steps alone.
func TestAdoptionDoesNotFinishWhatIsFinished(t *testing.T) {
	t.Parallel()
	w, c := finishers(t)
	c.mustApply()
	id := c.id(atF)
	c.lose(atF)
	w.forget()
	c.mustApply()
	w.wantNever("finisher.Finish")
	c.wantOwn(atF, "finisher", id)
	if w.tag("finisher", id, "tofu-pending") != "" {
		t.Error("an adoption says that steps are left")
	}
	// Where the sign is, as on an object whose create was cut off and that was untainted, an update finishes.
	w.retag("finisher", id, tagsWith(w.thing("finisher", id).tags, "tofu-pending", "create"))
	c.plan().wantWarningOnly(t, "Creation not finished", atF, "tofu-pending", "tofu apply -replace='"+atF+"'")
	c.config[atF]["tags"] = conf{"Name": "f"}
	p := c.plan()
	w.fail("finisher.Finish", 1, denied("Finish"))
	c.apply(p).wantError(t, "AWS call failed", id, "test:Finish")
	if w.tag("finisher", id, "tofu-pending") == "" || c.current(atF).tainted {
		t.Error("the sign is gone")
	}
	w.forget()
	c.config[atF]["tags"] = conf{"Name": "ff"}
	c.mustApply()
	if w.count("finisher.Finish") != 1 || w.tag("finisher", id, "tofu-pending") != "" {
		t.Errorf("calls: %v, tags: %v", w.writes(), w.thing("finisher", id).tags)
	}
	c.mustBeClean()
}
