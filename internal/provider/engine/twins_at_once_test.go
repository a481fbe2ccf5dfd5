package engine

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file holds two runs with states of their own that make an object of one address at the same moment.

// rivals are one world with two such states, whose plans were both made when there was nothing.
type rivals struct {
	w        *world
	one, two *core
	p1, p2   *plan
}

func newRivals(t *testing.T) *rivals {
	t.Helper()
	w := newWorld(t)
	d := widgetType(w)
	create := d.Create
	d.Create = func(ctx context.Context, s *cloud.Session, plan *widget, tags markers.Tags, _ Token) (Key, error) {
		return create(ctx, s, plan, tags, Token(tags[markers.BindingKey])) // as AWS where it takes no token
	}
	r := &rivals{w: w, one: newCore(t, w, Of(d)), two: newCore(t, w, Of(d))}
	for _, c := range []*core{r.one, r.two} {
		c.set(atA, conf{"size": 1, "late": true})
	}
	r.p1, r.p2 = r.one.plan(), r.two.plan()
	w.forget()
	return r
}

// gates hold the first and the second call of an op until a channel is closed, and tell when they come.
func (r *rivals) gates(op string, first, second <-chan struct{}) (came [2]chan struct{}) {
	came = [2]chan struct{}{make(chan struct{}), make(chan struct{})}
	var mu sync.Mutex
	n := 0
	r.w.on(op, func(call) error {
		mu.Lock()
		i := n
		n++
		mu.Unlock()
		if i < len(came) {
			close(came[i])
			select {
			case <-[]<-chan struct{}{first, second}[i]:
			case <-time.After(20 * time.Second):
				r.w.t.Errorf("the runs did not meet at %s", op)
			}
		}
		return nil
	})
	return came
}

// run applies both: the second begins when the first, which has the older binding, is at its create call.
func (r *rivals) run(came [2]chan struct{}, onFirst, onSecond func()) (one, two *run) {
	var both sync.WaitGroup
	both.Go(func() { one = r.one.apply(r.p1); onFirst() })
	<-came[0]
	both.Go(func() { two = r.two.apply(r.p2); onSecond() })
	both.Wait()
	return one, two
}

var open = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// orders are those in which both runs look before either creates.
var orders = map[string]struct {
	run func(r *rivals) (one, two *run)
	// told says whether the apply of the first, and of the second, meets the other's object.
	told [2]bool
}{
	"the older creates first": {func(r *rivals) (one, two *run) {
		arrived, done := make(chan struct{}), make(chan struct{})
		came := r.gates("widget.Create", arrived, done)
		go func() { <-came[1]; close(arrived) }()
		return r.run(came, func() { close(done) }, func() {})
	}, [2]bool{false, true}},
	"the younger creates first": {func(r *rivals) (one, two *run) {
		done := make(chan struct{})
		came := r.gates("widget.Create", done, open)
		return r.run(came, func() {}, func() { close(done) })
	}, [2]bool{true, false}},
	"both create before either reads": {func(r *rivals) (one, two *run) {
		arrived, reads := make(chan struct{}), make(chan struct{})
		came := r.gates("widget.Create", arrived, open)
		go func() { <-came[1]; close(arrived) }()
		reading := r.gates("widget.Find", reads, reads)
		go func() { <-reading[1]; close(reads) }()
		return r.run(came, func() {}, func() {})
	}, [2]bool{true, true}},
}

// Both make an object. The one with the older binding goes on and says so, the other stops, and neither touches the other's
// object. The next plan of each says it again, whoever noticed during the apply.
func TestTwoCreatesAtOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range orders {
		t.Run(name, func(t *testing.T) {
			r := newRivals(t)
			one, two := tt.run(r)
			r.w.calm()
			mine, theirs := r.one.id(atA), r.two.id(atA)
			if mine == theirs || len(r.w.ids("widget")) != 2 {
				t.Fatalf("the states hold %s and %s of %v", mine, theirs, r.w.ids("widget"))
			}
			if one.wantNone(t); tt.told[0] {
				one.wantWarningOnly(t, "Second object with the address", mine, theirs, "lock the state")
			}
			if tt.told[1] {
				two.wantError(t, "Two objects with one address", theirs, mine, "tofu state rm '"+atA+"'", "tofu untaint '"+atA+"'")
			} else {
				two.wantNone(t)
			}
			if r.one.current(atA).tainted || r.two.current(atA).tainted != tt.told[1] {
				t.Errorf("tainted: %t and %t", r.one.current(atA).tainted, r.two.current(atA).tainted)
			}
			for _, op := range []string{"widget.Delete", "tags.Write"} {
				r.w.wantNever(op)
			}
			if n := r.w.count("widget.Late"); n != 2 && !tt.told[1] || n != 1 && tt.told[1] {
				t.Errorf("%d objects were brought to the plan: %v", n, r.w.writes())
			}
			r.one.wantOwn(atA, "widget", mine)
			r.two.wantOwn(atA, "widget", theirs)

			r.w.forget()
			for range 2 {
				r.one.plan().wantWarningOnly(t, "Second object with the address", mine, theirs)
				r.two.plan().wantError(t, "Two objects with one address", theirs, mine, "tofu state rm '"+atA+"'", "tofu untaint '"+atA+"'")
			}
			r.w.wantNoWrites()
		})
	}
}

// The ways out of the message work, from either state.
func TestWaysOutOfTwins(t *testing.T) {
	t.Parallel()
	for name, tt := range orders {
		for way, goes := range map[string]func(r *rivals, mine, theirs string) (held string){
			"leave it to the other": func(r *rivals, mine, theirs string) string {
				r.w.erase("widget", theirs)
				r.two.lose(atA)
				return mine
			},
			"keep the younger one": func(r *rivals, mine, theirs string) string {
				r.w.erase("widget", mine)
				r.two.untaint(atA)
				return theirs
			},
			"take the tag off the older one": func(r *rivals, mine, theirs string) string {
				r.w.edit("widget", mine, func(th *thing) { th.tags = tagsWith(th.tags, markers.EstateKey, "") })
				r.two.untaint(atA)
				return theirs
			},
		} {
			t.Run(name+", "+way, func(t *testing.T) {
				r := newRivals(t)
				tt.run(r)
				r.w.calm()
				held := goes(r, r.one.id(atA), r.two.id(atA))
				r.w.forget()
				r.two.mustApply()
				r.two.wantOwn(atA, "widget", held)
				r.two.mustBeClean()
				r.w.wantNever("widget.Create")
				r.w.wantNever("widget.Delete")
			})
		}
	}
}

// An update keeps in mind that the object was the only one; another tool's object, or one that this state holds, decides
// nothing.
func TestWhatDoesNotGiveWay(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	c.set(atA, conf{"size": 1, "label": "x"})
	c.mustApply()
	other := w.addWidget(1, marked(atA, aBinding))
	c.plan().wantError(t, "Two objects with one address", id, other)
	w.retag("widget", other, marked(atA, ""))
	c.plan().wantWarningOnly(t, "Second object with the address", id, other)

	// Of several the one that comes first decides.
	w.addWidget(1, marked(atA, youngerBinding))
	w.retag("widget", w.addWidget(1, nil), marked(atA, otherBinding))
	c.plan().wantError(t, "Two objects with one address", id, w.ids("widget")[3])

	// Made beside another on purpose: nobody gives way to that one.
	w, c, _ = appliedWidget(t)
	c.lose(atA)
	c.provider.OnExisting = Beside
	c.mustApply()
	c.provider.OnExisting = ""
	c.plan().wantWarningOnly(t, append(w.ids("widget"), "Second object with the address")...)

	// So it is with what an adoption passed over.
	w = newWorld(t)
	c = newCore(t, w, Of(widgetType(w)))
	larger, fits := w.addWidget(2, marked(atA, aBinding)), w.addWidget(1, marked(atA, otherBinding))
	c.set(atA, conf{"size": 1})
	c.mustApply()
	c.wantOwn(atA, "widget", fits)
	c.plan().wantWarningOnly(t, "Second object with the address", fits, larger)
}

// The replaced object is no twin of its successor, though its binding is the older one and it is alive beside it.
func TestReplacementIsNoTwin(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	c.cbd[atA] = true
	c.set(atA, conf{"size": 2})
	c.mustApply()
	if ids := w.ids("widget"); len(ids) != 1 || ids[0] == id || c.id(atA) != ids[0] {
		t.Errorf("living: %v", ids)
	}
	c.mustBeClean()
}

// To notice another run's object costs no call: the new object is read once, by its marker in place of its id.
func TestReadBackCostsNoCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	c.set(atA, conf{"size": 1})
	p := c.plan()
	w.forget()
	c.apply(p).wantNone(t)
	var ops []string
	for _, one := range w.journal {
		ops = append(ops, one.op)
	}
	if want := []string{"widget.List", "widget.Create", "widget.Find"}; !slices.Equal(ops, want) {
		t.Errorf("calls: %v, want %v", ops, want)
	}
}
