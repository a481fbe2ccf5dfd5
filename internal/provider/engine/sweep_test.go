package engine

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// sweepWorld holds objects of two test estates, one of another estate, and one of nobody.
func sweepWorld(t *testing.T) *world {
	w := newWorld(t)
	estates := map[string]string{"w-a": "testacc-1", "w-b": "testacc-2", "w-prod": testEstate, "w-near": "testacc", "w-none": ""}
	for id, estate := range estates {
		w.add(thing{kind: "widget", region: testRegion, id: id, model: &widget{}, tags: markOf(estate, "estate_widget.x", "")})
	}
	w.add(thing{kind: "gadget", id: "g", model: &gadget{}, tags: markOf("testacc-1", "estate_gadget.x", "")})
	w.add(thing{kind: "joint", id: "g:j", model: &joint{}})
	return w
}

func markOf(estate, address, binding string) map[string]string {
	if estate == "" {
		return nil
	}
	return map[string]string{markers.EstateKey: estate, markers.AddressKeys[0]: address, markers.BindingKey: binding}
}

func sweep(t *testing.T, w *world, o Sweeping, types ...Type) ([]string, error) {
	t.Helper()
	var said []string
	o.pace = 1e-6
	o.Report = func(s Swept, gone bool) {
		if gone {
			said = append(said, s.ID)
		}
	}
	if len(types) == 0 {
		types = []Type{Of(widgetType(w)), Of(gadgetType(w)), Of(jointType(w))}
	}
	err := Sweep(t.Context(), cloud.New(aws.Config{}, testAccount, testRegion), types, o)
	slices.Sort(said)
	return said, err
}

func TestSweepRemovesTestEstatesAlone(t *testing.T) {
	t.Parallel()
	w := sweepWorld(t)
	d := widgetType(w)
	remove := d.Delete
	d.Delete = func(ctx context.Context, s *cloud.Session, k Key, prior *widget) error {
		if !prior.Force.ValueBool() {
			t.Errorf("%s is deleted without force", k)
		}
		return remove(ctx, s, k, prior)
	}
	gone, err := sweep(t, w, Sweeping{Prefix: SweepPrefix}, Of(d), Of(gadgetType(w)), Of(jointType(w)))
	if err != nil || !slices.Equal(gone, []string{"g", "w-a", "w-b"}) {
		t.Errorf("swept %q: %v", gone, err)
	}
	left := w.ids("widget")
	slices.Sort(left)
	if !slices.Equal(left, []string{"w-near", "w-none", "w-prod"}) || len(w.ids("gadget")) > 0 {
		t.Errorf("left %q and %q", left, w.ids("gadget"))
	}
}

func TestSweepPrefix(t *testing.T) {
	t.Parallel()
	w := sweepWorld(t)
	for _, prefix := range []string{"", "prod", "testacc", "xtestacc-"} {
		if _, err := sweep(t, w, Sweeping{Prefix: prefix}); err == nil || !strings.Contains(err.Error(), "estates that are no tests") {
			t.Errorf("the prefix %q: %v", prefix, err)
		}
	}
	if n := w.count("widget.") + w.count("gadget."); n > 0 {
		t.Errorf("%d calls under a refused prefix", n)
	}
	if gone, err := sweep(t, w, Sweeping{Prefix: "testacc-2"}); err != nil || !slices.Equal(gone, []string{"w-b"}) {
		t.Errorf("swept %q: %v", gone, err)
	}
}

func TestSweepDryRun(t *testing.T) {
	t.Parallel()
	w := sweepWorld(t)
	if gone, err := sweep(t, w, Sweeping{Prefix: SweepPrefix, DryRun: true}); err != nil || len(gone) > 0 || len(w.writes()) > 0 {
		t.Errorf("a dry run removed %q by %q: %v", gone, w.writes(), err)
	}
}

func TestSweepAge(t *testing.T) {
	t.Parallel()
	w := sweepWorld(t)
	w.edit("widget", "w-a", func(th *thing) { th.tags = markOf("testacc-1", "estate_widget.x", markers.NewBinding()) })
	gone, err := sweep(t, w, Sweeping{Prefix: SweepPrefix, Age: time.Hour})
	if err != nil || !slices.Equal(gone, []string{"g", "w-b"}) {
		t.Errorf("swept %q: %v", gone, err)
	}
}

// TestSweepOrder: AWS refuses an object while another hangs on it, and for a moment after that.
func TestSweepOrder(t *testing.T) {
	t.Parallel()
	w := sweepWorld(t)
	late := 3
	w.on("widget.Delete", func(c call) error {
		if c.id == "w-a" && w.thing("gadget", "g") != nil {
			return errBusy
		}
		if c.id == "w-a" && late > 0 {
			late--
			return errBusy
		}
		return nil
	})
	if gone, err := sweep(t, w, Sweeping{Prefix: SweepPrefix}); err != nil || !slices.Equal(gone, []string{"g", "w-a", "w-b"}) {
		t.Errorf("swept %q: %v", gone, err)
	}
}

func TestSweepFailures(t *testing.T) {
	t.Parallel()
	w := sweepWorld(t)
	w.deny("widget.Delete")
	gone, err := sweep(t, w, Sweeping{Prefix: SweepPrefix})
	if err == nil || !strings.Contains(err.Error(), "deleting estate_widget w-a in eu-west-1 (estate_widget.x of testacc-1)") {
		t.Errorf("a denied deletion: %v", err)
	}
	if !slices.Equal(gone, []string{"g"}) || w.count("widget.Delete") > 4 {
		t.Errorf("swept %q in %d tries", gone, w.count("widget.Delete"))
	}
	w.calm()
	w.deny("gadget.List")
	if gone, err = sweep(t, w, Sweeping{Prefix: SweepPrefix}); err == nil || !slices.Equal(gone, []string{"w-a", "w-b"}) {
		t.Errorf("a listing that is denied: swept %q, %v", gone, err)
	}
	w = sweepWorld(t)
	w.on("widget.Delete", func(call) error { return errBusy })
	if _, err = sweep(t, w, Sweeping{Prefix: SweepPrefix}); err == nil || w.count("widget.Delete") != 2*(sweepTries+2) {
		t.Errorf("busy for good: %d tries, %v", w.count("widget.Delete"), err)
	}
}

// TestSweepLooksAgain: what changes hands between the listing and its turn stays.
func TestSweepLooksAgain(t *testing.T) {
	t.Parallel()
	w := sweepWorld(t)
	w.on("widget.Get", func(c call) error {
		w.edit("widget", c.id, func(th *thing) { th.tags = markOf(testEstate, "estate_widget.x", "") })
		return nil
	})
	gone, err := sweep(t, w, Sweeping{Prefix: SweepPrefix})
	if err != nil || w.count("widget.Delete") > 0 || !slices.Equal(gone, []string{"g"}) {
		t.Errorf("swept %q with %d deletions of widgets: %v", gone, w.count("widget.Delete"), err)
	}
}
