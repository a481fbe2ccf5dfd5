package engine

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// A block was renamed without `moved`: its entry is given up, and another instance is created.
func TestRenameWithoutMoved(t *testing.T) {
	t.Parallel()
	for _, order := range [][]string{{atA, atB}, {atB, atA}} {
		for _, readsFirst := range []bool{false, true} {
			rename := func(t *testing.T, says conf) (*world, *core, string) {
				w, c, id := appliedWidget(t)
				c.remove(atA)
				c.set(atB, says)
				c.order, c.readsFirst = order, readsFirst
				return w, c, id
			}
			t.Run("the address text is kept, first "+order[0], func(t *testing.T) {
				w, c, id := rename(t, conf{"size": 1, "tofu_address": atA})
				c.plan().wantError(t, "Object changes hands", id, "moved {", "from = ", "to   = ")
				w.wantNoWrites()
			})
			t.Run("the address follows, first "+order[0], func(t *testing.T) {
				w, c, id := rename(t, conf{"size": 1})
				p := c.plan()
				p.wantQuiet(t)
				p.want(atA, destroys)
				p.want(atB, creates)
				c.apply(p).wantQuiet(t)
				if !w.called("widget.Delete", id) || w.count("widget.Create") != 1 {
					t.Fatalf("calls: %v", w.writes())
				}
				w.wantIDs("widget", c.id(atB))
				c.mustBeClean()
			})
			t.Run("said by moved, first "+order[0], func(t *testing.T) {
				w, c, id := appliedWidget(t)
				c.rename(atA, atB)
				c.order, c.readsFirst = order, readsFirst
				p := c.plan()
				p.wantQuiet(t)
				p.want(atB, updates)
				c.apply(p).wantQuiet(t)
				if got := w.writes(); !slices.Equal(got, []string{"tags.Write"}) {
					t.Fatalf("calls: %v", got)
				}
				if w.tag("widget", id, "tofu-address") != atB {
					t.Errorf("the address is %s", w.tag("widget", id, "tofu-address"))
				}
				c.wantOwn(atB, "widget", id)
				c.mustBeClean()
			})
		}
	}
}

// tofu_address is edited from a to b, and a new block says a.
func TestEditedAddressAndANewBlock(t *testing.T) {
	t.Parallel()
	for _, order := range [][]string{{atA, "estate_widget.new"}, {"estate_widget.new", atA}} {
		w, c, id := appliedWidget(t)
		c.config[atA]["tofu_address"] = atB
		c.set("estate_widget.new", conf{"size": 1, "tofu_address": atA})
		c.order, c.readsFirst = order, order[0] != atA
		c.plan().wantError(t, "Object changes hands", id, "gives the object up at "+atA)
		w.wantNoWrites()

		// Another size is no candidate: both go their way.
		c.config["estate_widget.new"]["size"] = 2
		if c.readsFirst {
			p := c.plan()
			p.wantNone(t)
			c.apply(p).wantNone(t)
			if w.tag("widget", id, "tofu-address") != atB || len(w.ids("widget")) != 2 {
				t.Errorf("living: %v", w.ids("widget"))
			}
		}
	}
}

// Two entries swap their addresses: each object is known by its id and binding.
func TestSwapOfAddresses(t *testing.T) {
	t.Parallel()
	for _, order := range [][]string{{atA, atB}, {atB, atA}} {
		w, c, a := appliedWidget(t)
		c.set(atB, conf{"size": 1})
		c.mustApply()
		b := c.id(atB)
		w.forget()
		c.config[atA]["tofu_address"], c.config[atB]["tofu_address"] = atB, atA
		// Before the other entry was read nothing says that one holds the other object.
		c.order = order
		c.plan().wantError(t, "Address in use", order[0], "third one")
		c.readsFirst = true
		p := c.plan()
		p.wantNone(t)
		c.apply(p).wantNone(t)
		if got := w.writes(); !slices.Equal(got, []string{"tags.Write", "tags.Write"}) {
			t.Fatalf("calls: %v", got)
		}
		if w.tag("widget", a, "tofu-address") != atB || w.tag("widget", b, "tofu-address") != atA {
			t.Error("the addresses were not swapped")
		}
		c.wantOwn(atA, "widget", a)
		c.wantOwn(atB, "widget", b)
		c.mustBeClean()
	}
}

// A rename onto an address that a live object outside every state carries would leave two holders.
func TestRenameOntoALiveAddress(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	other := w.addWidget(1, marked(atB, aBinding))
	c.rename(atA, atB)
	c.plan().wantError(t, "Address in use", id, other, atB)
	w.wantNoWrites()
	w.setState("widget", other, Gone, "")
	c.mustApply()
	c.wantOwn(atB, "widget", id)
}

// A left-over of create_before_destroy carries the address of its successor, and trips nothing.
func TestDeposedLeftOvers(t *testing.T) {
	t.Parallel()
	w, c, old := appliedWidget(t)
	c.cbd[atA] = true
	c.config[atA]["size"] = 2
	w.deny("widget.Delete")
	c.apply(c.plan()).wantError(t, "AWS call failed", "error while deleting", old)
	now := c.id(atA)
	if e := c.entries[atA]; len(e.deposed) != 1 || now == old {
		t.Fatal("there is no left-over")
	}
	w.calm()

	p := c.plan()
	p.wantNone(t)
	p.want(atA, noop)
	c.apply(p).wantNone(t)
	w.wantIDs("widget", now)
	c.mustBeClean()

	// The state is lost with the left-over alive: the successor is adopted, the left-over is named.
	w, c, old = appliedWidget(t)
	c.cbd[atA] = true
	c.config[atA]["size"] = 2
	w.deny("widget.Delete")
	c.apply(c.plan())
	w.calm()
	now = c.id(atA)
	before := c.snapshot()
	c.lose(atA)
	p = c.plan()
	p.wantWarning(t, "will be adopted", now, "differ in what cannot be changed in place", old)
	p.wantText(atA, "id", now)
	c.apply(p).wantNone(t)
	c.wantOwn(atA, "widget", now)

	// The old state comes back: the left-over is deleted, the re-bound successor is left alone.
	c.restore(before)
	w.forget()
	r := c.apply(c.plan())
	r.wantNone(t)
	if !w.called("widget.Delete", old) || w.called("widget.Delete", now) {
		t.Errorf("calls: %v", w.writes())
	}
	w.wantIDs("widget", now)
}

// The configuration goes back to what a left-over is: taking it over again is no change of hands.
func TestGoingBackToALeftOver(t *testing.T) {
	t.Parallel()
	w, c, old := appliedWidget(t)
	c.cbd[atA] = true
	c.config[atA]["size"] = 2
	w.deny("widget.Delete")
	c.apply(c.plan())
	w.calm()
	c.config[atA]["size"] = 1
	p := c.plan()
	p.wantNone(t)
	c.apply(p).wantNone(t)
	now := w.ids("widget")
	if len(now) != 1 || c.id(atA) != now[0] {
		t.Fatalf("living: %v (the left-over was %s), in the state: %s", now, old, c.id(atA))
	}
	c.wantOwn(atA, "widget", now[0])
}

// One address on two instances is an error at plan; x[2] and x["2"] share one tag value.
func TestDuplicateAddresses(t *testing.T) {
	t.Parallel()
	for name, two := range map[string][2]conf{
		"the same text":  {{"size": 1, "tofu_address": atA}, {"size": 1, "tofu_address": atA}},
		"key and index":  {{"size": 1, "tofu_address": atA, "tofu_key": "2"}, {"size": 1, "tofu_address": `estate_widget.a["2"]`}},
		"index and key":  {{"size": 1, "tofu_address": `estate_widget.a["2"]`}, {"size": 1, "tofu_address": "estate_widget.a[2]"}},
		"index and text": {{"size": 1, "tofu_address": atA, "tofu_key": "2"}, {"size": 1, "tofu_address": "estate_widget.a[2]"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(widgetType(w)))
			c.set("estate_widget.p", two[0])
			c.set("estate_widget.q", two[1])
			c.plan().wantError(t, "Duplicate address", "estate_widget.a", "tofu_key")
			w.wantNoWrites()
		})
	}
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	for _, a := range []string{"estate_widget.a[2]", `estate_widget.a["x"]`, `module.m["k"].estate_widget.a[2]`, "estate_widget.a2"} {
		c.set(a, conf{"size": 1})
	}
	c.mustApply()
	c.mustBeClean()
}

// What neither validation nor plan saw, the claim of Create stops: one address makes one object in a run.
func TestClaimsInCreate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	s := c.start(true)
	c.provider.OnExisting = Beside
	create := func(address string) *messages {
		t.Helper()
		m := &messages{}
		c.set(address, conf{"size": 1, "tofu_address": atA})
		p, failed := s.planCall(m, address, s.null("estate_widget"), nil, nil)
		if failed {
			return m
		}
		resp, err := s.server.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{
			TypeName: "estate_widget", PriorState: c.dynamic(s.null("estate_widget")), PlannedState: c.dynamic(p.value),
			Config: c.dynamic(s.configOf(address)), PlannedPrivate: p.private, PlannedIdentity: p.identity,
		})
		if err != nil {
			t.Fatal(err)
		}
		m.take(address, resp.Diagnostics)
		return m
	}
	create(atA).wantNone(t)
	create(atB).wantError(t, "Duplicate address", "another instance of this run", atA, "Nothing was created")
	if len(w.ids("widget")) != 1 || w.count("tags.Write") > 0 {
		t.Errorf("calls: %v", w.writes())
	}
}

// -target hides the entry whose address another block says: the object is adopted, and the fence tells the hidden one.
func TestTargetHidesTheOtherEntry(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	hidden := c.snapshot()
	c.lose(atA)
	c.remove(atA)
	c.set(atB, conf{"size": 1, "tofu_address": atA})
	c.mustApply()
	c.wantOwn(atB, "widget", id)
	c.entries[atA] = hidden[atA]
	w.forget()
	c.remove(atB)
	c.set(atA, conf{"size": 1, "label": "x"})
	c.plan().wantError(t, "Object held by another state", id, "tofu state rm '"+atA+"'")
	c.remove(atA)
	c.set(atB, conf{"size": 1, "tofu_address": atA})
	c.apply(c.plan()).wantWarningOnly(t, "NOT destroyed", id)
	w.wantNever("widget.Delete")
	c.wantOwn(atB, "widget", id)
}

// Another live object with our address that does not come first: every plan says so.
func TestSecondHolderIsNamed(t *testing.T) {
	t.Parallel()
	w, c, id := appliedWidget(t)
	other := w.addWidget(1, marked(atA, youngerBinding))
	for range 2 {
		p := c.plan()
		p.want(atA, noop)
		p.wantWarningOnly(t, "Second object with the address", id, other)
		c.apply(p).wantNone(t)
	}
	c.config[atA]["label"] = "x"
	c.plan().wantWarningOnly(t, "Second object with the address", id, other)
	w.edit("widget", other, func(th *thing) { th.owner = foreignAccountID })
	c.plan().wantQuiet(t)
	w.edit("widget", other, func(th *thing) { th.owner, th.state = testAccount, Gone })
	c.plan().wantQuiet(t)
}
