package engine

import (
	"context"
	"errors"
	"iter"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// A rename whose answer is lost after AWS wrote the tags: the refresh then shows what the configuration says, and only
// private state still expects the old address. Without an update for that alone no destroy would ever be allowed.
func TestRenameCutOff(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	c.rename(atA, atB)
	c.config[atB]["tofu_address"] = atB
	w.drop("tags.Write", 1, errors.New("the connection broke"))
	c.apply(c.plan()).wantError(t, "the connection broke")
	w.calm()
	if e := c.expectation(atB); e.Address != atA {
		t.Fatalf("private state expects %s: the test does not reach its case", e.Address)
	}
	c.plan().want(atB, updates)
	c.mustApply()
	if e := c.expectation(atB); e.Address != atB {
		t.Errorf("private state expects %s still", e.Address)
	}
	c.mustBeClean()
	c.destroy().wantNone(t)
	if !w.called("widget.Delete", id) {
		t.Error("it was not deleted")
	}
}

// listedHook is a hook whose type can be listed.
func listedHook(w *world) ResourceType[hook] {
	d := hookType(w)
	d.List = func(_ context.Context, _ *cloud.Session, _ markers.Filter) iter.Seq2[Live[hook], error] {
		return func(yield func(Live[hook], error) bool) {
			var found []Live[hook]
			err := w.call("hook.List", "", "", func() error {
				for _, th := range w.things {
					if th.kind == "hook" {
						l := liveOf[hook](th)
						l.Key, l.Tags = Key{l.Model.Gadget.ValueString(), l.Model.SID.ValueString()}, nil
						found = append(found, l)
					}
				}
				return nil
			})
			if err != nil {
				yield(Live[hook]{}, err)
				return
			}
			for _, l := range found {
				if !yield(l, nil) {
					return
				}
			}
		}
	}
	return d
}

// A derived name of a Composed object is found again behind a gap in the numbers, and after its estate was renamed.
func TestDerivedNameBehindAGap(t *testing.T) {
	t.Parallel()
	const atX, atY = "estate_hook.x", "estate_hook.y"
	for _, renamed := range []bool{false, true} {
		w := newWorld(t)
		c := newCore(t, w, Of(listedHook(w)))
		w.addGadget("g", nil)
		c.set(atX, conf{"gadget": "g", "sid_prefix": "s-", "action": "read"})
		c.mustApply()
		c.set(atY, conf{"gadget": "g", "sid_prefix": "s-", "action": "write"})
		c.mustApply()
		second := c.id(atY)
		c.remove(atX)
		c.mustApply()
		c.lose(atY)
		if renamed {
			c.provider.Estate, c.provider.PreviousEstates = types.StringValue("renamed"), []string{"prod"}
		}
		w.forget()
		c.mustApply()
		w.wantNever("hook.Create")
		if c.id(atY) != second {
			t.Errorf("renamed %v: it is %s now, and was %s", renamed, c.id(atY), second)
		}
		c.mustBeClean()
	}
}

// A configuration that gives neither name nor prefix does not ask for another name than the one that carries its marker.
func TestNameLeftOutLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(gadgetType(w)))
	c.set(atG, conf{"name": "fixed"})
	c.mustApply()
	delete(c.config[atG], "name")
	c.mustBeClean()
	c.lose(atG)
	w.forget()
	c.mustApply()
	w.wantNever("gadget.Create")
	if c.id(atG) != "fixed" {
		t.Errorf("it is %s now", c.id(atG))
	}
}
