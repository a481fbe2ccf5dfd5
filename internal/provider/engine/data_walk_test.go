package engine

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// Data sources of one type share one listing with each other and, of our own estate, with the resources.
func TestDataSharesListings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	for i := range 20 {
		w.addWidget(1, tagsWith(of("network", marked(fmt.Sprintf("estate_widget.w[%d]", i), aBinding)), "Name", fmt.Sprint(i)))
		w.addGadget(fmt.Sprint("g", i), of("network", marked(fmt.Sprintf("estate_gadget.g[%d]", i), aBinding)))
	}
	c.set(atA, conf{"size": 1})
	c.mustApply()
	id := c.id(atA)
	for _, parallel := range []bool{false, true} {
		w.forget()
		s := c.start(true)
		var all sync.WaitGroup
		for i := range 20 {
			read := func() {
				s.data("estate_widget", conf{"tofu_address": "estate_widget.w", "tofu_key": fmt.Sprint(i), "tofu_estate": "network"}).wantNone(t)
				s.data("estate_widget", conf{"tags": conf{"Name": fmt.Sprint(i)}}).wantNone(t)
				s.data("estate_widget", conf{"tofu_address": atA}).wantText("id", id)
				s.data("estate_widget", conf{"id": id}).wantNone(t)
				s.data("estate_gadget", conf{"tofu_address": fmt.Sprintf("estate_gadget.g[%d]", i), "tofu_estate": "network"}).wantNone(t)
			}
			if parallel {
				all.Go(read)
			} else {
				read()
			}
		}
		all.Wait()
		s.refresh(&messages{}, atA, c.current(atA))
		// One listing of widgets for us, the network and everybody; of gadgets for the network.
		for op, want := range map[string]int{"widget.List": 3, "widget.Get": 0, "gadget.List": 1, "gadget.Fill": 1, "gadget.Get": 0} {
			if n := w.count(op); n != want {
				t.Errorf("parallel %t: %d calls of %s, wanted %d", parallel, n, op, want)
			}
		}
	}
}

// Types whose service cannot filter are read one by one at first, as resources are.
func TestDataByKeyListsForMany(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := gadgetType(w)
	d.ListsAll = true
	c := newCore(t, w, Of(d))
	for i := range 20 {
		w.addGadget(fmt.Sprint("g", i), of(testEstate, marked(fmt.Sprintf("estate_gadget.g[%d]", i), aBinding)))
	}
	s := c.start(true)
	for i := range 20 {
		s.data("estate_gadget", conf{"name": fmt.Sprint("g", i)}).wantNone(t)
	}
	if gets, lists := w.count("gadget.Get"), w.count("gadget.List"); gets != readsBeforeListing || lists != 1 {
		t.Errorf("%d reads and %d listings", gets, lists)
	}
	// What others have is in one listing too, whosever it is.
	w.addGadget("n", tagsWith(of("network", marked(atG, aBinding)), "Name", "n"))
	w.addGadget("i", of("identity", marked(atG, aBinding)))
	w.forget()
	s.data("estate_gadget", conf{"tofu_address": atG, "tofu_estate": "network"}).wantText("id", "n")
	s.data("estate_gadget", conf{"tofu_address": atG, "tofu_estate": "identity"}).wantText("id", "i")
	s.data("estate_gadget", conf{"tags": conf{"Name": "n"}}).wantText("id", "n")
	if n := w.count("gadget.List"); n != 1 {
		t.Errorf("%d listings for all that others have", n)
	}
}

// A plan asks once more before anything but one match is an error; what it has found it keeps.
func TestDataAsksAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	asked := func(address string) conf { return conf{"tofu_address": address, "tofu_estate": "network"} }
	first := w.addWidget(1, of("network", marked(atA, aBinding)))
	s := c.start(true)
	s.data("estate_widget", asked(atA)).wantText("id", first)
	second := w.addWidget(1, of("network", marked(atB, aBinding)))
	s.data("estate_widget", asked(atB)).wantText("id", second)
	s.data("estate_widget", asked(atA)).wantText("id", first)
	if n := w.count("widget.List"); n != 2 {
		t.Errorf("%d listings, wanted 2", n)
	}
	s.data("estate_widget", asked("estate_widget.none")).wantError(t, "Object not found")
	if n := w.count("widget.List"); n != 3 {
		t.Errorf("%d listings with one miss more, wanted 3", n)
	}
	// Two of a listing that is old may be one by now; so too of our own index.
	s = c.start(true)
	twin := w.addWidget(1, of("network", marked(atA, aBinding)))
	s.data("estate_widget", asked(atA)).wantError(t, "Several objects found", first, twin)
	w.erase("widget", twin)
	s.data("estate_widget", asked(atA)).wantText("id", first)
	s.data("estate_widget", conf{"tofu_address": atA}).wantError(t, "Object not found", `"prod"`)
	ours := w.addWidget(1, marked(atA, aBinding))
	s.data("estate_widget", conf{"tofu_address": atA}).wantText("id", ours)

	// A failed listing is an error for who asked, and no answer for the next.
	s = c.start(true)
	w.fail("widget.List", 1, denied("List"))
	s.data("estate_widget", asked(atA)).wantError(t, "AWS call failed", "AccessDenied")
	s.data("estate_widget", asked(atA)).wantText("id", first)
	w.wantNoWrites()
}

// A listing that is to be new is new behind the types' shared answers too.
func TestDataForgetsSharedAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := widgetType(w)
	d.List = func(_ context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[Live[widget], error] {
		return func(yield func(Live[widget], error) bool) {
			all, err := cloud.Memo(s, "widgets", func() ([]Live[widget], error) {
				var out []Live[widget]
				for l, err := range listing[widget](w, "widget", s.Region, markers.Filter{}, false) {
					if err != nil {
						return nil, err
					}
					out = append(out, l)
				}
				return out, nil
			})
			for _, l := range all {
				if f.Admits(l.Tags, false) && !yield(l, nil) {
					return
				}
			}
			if err != nil {
				yield(Live[widget]{}, err)
			}
		}
	}
	c := newCore(t, w, Of(d))
	first := w.addWidget(1, of("network", marked(atA, aBinding)))
	s := c.start(true)
	s.data("estate_widget", conf{"tofu_address": atA, "tofu_estate": "network"}).wantText("id", first)
	theirs := w.addWidget(1, of("network", marked(atB, aBinding)))
	ours := w.addWidget(1, marked(atB, aBinding))
	s.data("estate_widget", conf{"tofu_address": atB, "tofu_estate": "network"}).wantText("id", theirs)
	s.data("estate_widget", conf{"tofu_address": atB}).wantText("id", ours)
	if n := w.count("widget.List"); n != 2 {
		t.Errorf("%d listings, wanted 2", n)
	}
}

// Those who wait for one listing share the next, whether it fails or has to be new.
func TestDataSharesTheNextListing(t *testing.T) {
	t.Parallel()
	for name, anew := range map[string]bool{"failing": false, "new": true} {
		w := newWorld(t)
		k, walk := kindOf(t, Of(widgetType(w))), bareWalk()
		begun, goOn := make(chan struct{}), make(chan struct{})
		var once sync.Once
		w.on("widget.List", func(call) error {
			once.Do(func() { close(begun); <-goOn })
			if anew {
				return nil
			}
			return denied("List")
		})
		ask := func(asked time.Time) {
			o := walk.outlook(k, walk.Session, []string{"network"})
			if _, _, err := o.list(t.Context(), walk, k, walk.Session, asked, anew); anew != (err == nil) {
				t.Errorf("%s: the error is %v", name, err)
			}
		}
		var all sync.WaitGroup
		all.Go(func() { ask(time.Now()) })
		<-begun
		asked := time.Now() // by all others while the first listing is under way
		for range 30 {
			all.Go(func() { ask(asked) })
		}
		close(goOn)
		all.Wait()
		if n := w.count("widget.List"); n != 2 {
			t.Errorf("%s: %d listings, wanted 2", name, n)
		}
	}
}

// In an apply a data source waited for a change: it sees what this walk made, and what others did meanwhile.
func TestDataInAnApply(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	theirs := w.addWidget(1, of("network", marked(atB, aBinding)))
	gone := w.addWidget(1, of("network", marked(atA, aBinding)))
	c.set(atA, conf{"size": 1})
	c.set(atG, conf{"name": "g"})
	c.apply(c.plan()).wantNone(t)
	s, id := c.session, c.id(atA)
	s.data("estate_widget", conf{"tofu_address": atA}).wantText("id", id)
	s.data("estate_widget", conf{"id": id}).wantText("color", "grey")
	s.data("estate_gadget", conf{"tofu_address": atG}).wantText("name", "g")

	// Another type's call, or another provider, has changed the object since.
	paint := func(id, color string) {
		w.edit("widget", id, func(th *thing) {
			m := *modelOf[widget](th)
			m.Color = types.StringValue(color)
			th.model = &m
		})
	}
	paint(id, "red")
	s.data("estate_widget", conf{"id": id}).wantText("color", "red")
	paint(id, "blue")
	s.data("estate_widget", conf{"tofu_address": atA}).wantText("color", "blue")

	// Each look at another estate is a new one.
	asked := conf{"tofu_address": atB, "tofu_estate": "network"}
	s.data("estate_widget", asked).wantText("id", theirs)
	w.erase("widget", theirs)
	successor := w.addWidget(1, of("network", marked(atB, aBinding)))
	s.data("estate_widget", asked).wantText("id", successor)
	paint(successor, "green")
	s.data("estate_widget", asked).wantText("color", "green")

	// A server of AWS that does not know the new object yet hides it from nobody.
	w.edit("widget", id, func(th *thing) { th.hidden = 1 })
	s.data("estate_widget", conf{"tofu_address": atA}).wantText("id", id)
	w.edit("widget", id, func(th *thing) { th.hidden = 1 })
	s.data("estate_widget", conf{"id": id}).wantText("id", id)

	// What the walk deleted is gone, whatever a listing shows.
	s.walk.removed(objectID{"estate_widget", testRegion, gone})
	s.data("estate_widget", conf{"tofu_address": atA, "tofu_estate": "network"}).wantError(t, "Object not found")
}

// A data source holds nothing: plans, creates and guards are what they would be without it.
func TestDataLeavesTheWalkAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	id := w.addWidget(1, marked(atA, aBinding))
	registers := func(s *session) []int {
		x := s.walk
		return []int{
			len(x.declared), len(x.claims), len(x.inState), len(x.observed), len(x.adopting), len(x.givenUp), len(x.kept), len(x.written),
			len(x.deleted), len(x.left), len(x.reserved), len(x.blocks),
		}
	}
	s := c.start(true)
	for _, says := range []conf{{"id": id}, {"tofu_address": atA}, {"tags": conf{"x": "y"}}, {"tofu_address": atB}} {
		s.data("estate_widget", says)
	}
	if got := registers(s); !slices.Equal(got, make([]int, len(got))) || s.walk.mutated || s.walk.read {
		t.Errorf("the registers hold %v", got)
	}
	// The create of the same walk still adopts, and plans the known id.
	c.set(atA, conf{"size": 1})
	p := &plan{c: c, entries: map[string]*entry{}, changes: map[string]*planned{}}
	ch, failed := s.planConfigured(&p.messages, atA, nil, false)
	if failed || text(objectOf(ch.value)["id"]) != id {
		t.Errorf("planned after the data source: %v", p.list)
	}
	w.wantNoWrites()
}

// Without a known configuration of the provider nothing can be read: a client that can wait is asked to, others get an
// error.
func TestDataOfAnUnknownProvider(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	id := w.addWidget(1, of("network", marked(atA, aBinding)))
	configured := c.provider
	c.provider.Session, c.provider.Unknown = nil, []string{"region"}
	for _, says := range []conf{{"id": id}, {"tofu_address": atA, "tofu_estate": "network"}, {"tags": conf{"Name": "a"}}} {
		c.data("estate_widget", says).wantError(t, "Provider configuration unknown", "region", "tofu apply -target")
		got := c.start(true).readData("estate_widget", says, true)
		got.wantNone(t)
		if !got.deferred || attribute(t, got.value, "arn").IsKnown() {
			t.Errorf("%v: deferred %t, the value is %s", says, got.deferred, got.value)
		}
	}
	if n := w.count("widget."); n > 0 {
		t.Errorf("%d calls", n)
	}
	// The estate alone matters to what is asked for by it.
	c.provider = configured
	c.provider.Estate, c.provider.Unknown = types.StringUnknown(), []string{"estate"}
	c.data("estate_widget", conf{"tofu_address": atA}).wantError(t, "Provider configuration unknown", "estate")
	c.data("estate_widget", conf{"tofu_address": atA, "tofu_estate": "network"}).wantText("id", id)
	w.forget()
	c.data("estate_widget", conf{"id": id}).wantText("tofu_estate", "network")
	w.wantNever("widget.List") // of no estate
}

// What this walk has made answers to a search by tags although the listing does not show it yet.
func TestDataByTagsOfAFreshObject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w)
	c.set(atA, conf{"size": 1, "tags": conf{"Name": "x"}})
	c.mustApply()
	s, id := c.session, c.id(atA)
	w.edit("widget", id, func(th *thing) { th.hidden = 1 << 10 })
	s.data("estate_widget", conf{"tags": conf{"Name": "x"}}).wantText("id", id)
}
