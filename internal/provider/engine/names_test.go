package engine

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

func gadgetName(prefix, address string, n int) string {
	return generatedName(prefix, testAccount, "", testEstate, address, n)
}

func TestGeneratedNameIsAFunction(t *testing.T) {
	t.Parallel()
	base := generatedName("p-", "1", "r", "e", "a", 0)
	if len(base) != len("p-")+generatedLength || base != strings.ToLower(base) || base != generatedName("p-", "1", "r", "e", "a", 0) {
		t.Errorf("the name is %q", base)
	}
	for name, differs := range map[string]string{
		"account": generatedName("p-", "2", "r", "e", "a", 0), "region": generatedName("p-", "1", "s", "e", "a", 0),
		"estate": generatedName("p-", "1", "r", "f", "a", 0), "address": generatedName("p-", "1", "r", "e", "b", 0),
		"number": generatedName("p-", "1", "r", "e", "a", 1),
	} {
		if differs == base {
			t.Errorf("the %s does not matter", name)
		}
	}
}

func prefixed(t *testing.T, says conf) (*world, *core) {
	w := newWorld(t)
	c := newCore(t, w, Of(gadgetType(w)))
	c.set(atG, says)
	return w, c
}

// Names that are not given are derived, the same in every process.
func TestGeneratedNames(t *testing.T) {
	t.Parallel()
	first, second := gadgetName("g-", atG, 0), gadgetName("g-", atG, 1)
	for name, tt := range map[string]struct {
		says  conf
		found func(w *world)
		want  string
		fails []string
		// made tells whether it is created.
		made bool
	}{
		"free":              {found: func(*world) {}, want: first, made: true},
		"no prefix":         {says: conf{}, found: func(*world) {}, want: gadgetName("terraform-", atG, 0), made: true},
		"unmarked":          {found: func(w *world) { w.addGadget(first, nil) }, want: second, made: true},
		"another estate's":  {found: func(w *world) { w.addGadget(first, map[string]string{"tofu-estate": "dev", "tofu-address": atG}) }, want: second, made: true},
		"another address's": {found: func(w *world) { w.addGadget(first, marked("estate_gadget.h", aBinding)) }, want: second, made: true},
		"another account's": {
			found: func(w *world) {
				w.addGadget(first, marked(atG, aBinding))
				w.edit("gadget", first, func(th *thing) { th.owner = foreignAccountID })
			},
			want: second, made: true,
		},
		"candidate": {found: func(w *world) { w.addGadget(first, marked(atG, aBinding)) }, want: first},
		"candidate behind a foreign one": {
			found: func(w *world) { w.addGadget(first, nil); w.addGadget(second, marked(atG, aBinding)) }, want: second,
		},
		"of another hash, as after a rename": {found: func(w *world) { w.addGadget(gadgetName("g-", "estate_gadget.old", 0), marked(atG, aBinding)) }, want: gadgetName("g-", "estate_gadget.old", 0)},
		"two of another hash": {
			found: func(w *world) {
				w.addGadget(gadgetName("g-", "estate_gadget.old", 0), marked(atG, aBinding))
				w.addGadget(gadgetName("g-", "estate_gadget.older", 0), marked(atG, aBinding))
			},
			fails: []string{"Two objects with one address"},
		},
		"under another prefix": {found: func(w *world) { w.addGadget(gadgetName("x-", atG, 0), marked(atG, aBinding)) }, want: first, made: true},
		"of another hash, on its way out": {
			found: func(w *world) {
				w.addGadget(gadgetName("g-", "estate_gadget.old", 0), marked(atG, aBinding))
				w.setState("gadget", gadgetName("g-", "estate_gadget.old", 0), Gone, "")
			},
			want: first, made: true,
		},
		"predecessor": {
			found: func(w *world) {
				w.addGadget(first, marked(atG, aBinding))
				w.edit("gadget", first, func(th *thing) {
					is := *modelOf[gadget](th)
					is.Path = types.StringValue("/old/")
					th.model = &is
				})
			},
			want: second, made: true,
		},
		"failed": {
			found: func(w *world) {
				w.addGadget(first, marked(atG, aBinding))
				w.setState("gadget", first, Failed, "no room")
			},
			fails: []string{"Failed object", "no room"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.says == nil {
				tt.says = conf{"name_prefix": "g-"}
			}
			w, c := prefixed(t, tt.says)
			tt.found(w)
			before := w.ids("gadget")
			p := c.plan()
			if tt.fails != nil {
				p.wantError(t, tt.fails...)
				w.wantNoWrites()
				return
			}
			p.wantNone(t)
			c.apply(p).wantNone(t)
			c.wantOwn(atG, "gadget", tt.want)
			if (w.count("gadget.Create") == 1) != tt.made {
				t.Fatalf("calls: %v", w.writes())
			}
			if tt.made {
				before = append(before, tt.want)
			}
			w.wantIDs("gadget", before...)
			c.mustBeClean()
			// The state is lost: the same object is found.
			c.lose(atG)
			w.forget()
			c.mustApply()
			w.wantNever("gadget.Create")
			c.wantOwn(atG, "gadget", tt.want)
		})
	}
}

// A crash between the call and the state loses no name, also after the block was renamed.
func TestCrashLosesNoName(t *testing.T) {
	t.Parallel()
	w, c := prefixed(t, conf{"name_prefix": "g-"})
	c.killed[atG] = true
	c.apply(c.plan())
	c.killed = map[string]bool{}
	c.mustApply()
	name := gadgetName("g-", atG, 0)
	w.wantIDs("gadget", name)
	c.rename(atG, "estate_gadget.h")
	c.mustApply()
	c.lose("estate_gadget.h")
	c.mustApply()
	w.wantIDs("gadget", name)
	c.wantOwn("estate_gadget.h", "gadget", name)
	c.mustBeClean()
}

// Under create_before_destroy the successor takes the next name, and the predecessor goes.
func TestSuccessorTakesTheNextName(t *testing.T) {
	t.Parallel()
	w, c := prefixed(t, conf{"name_prefix": "g-"})
	c.mustApply()
	c.cbd[atG] = true
	c.config[atG]["path"] = "/new/"
	c.mustApply()
	w.wantIDs("gadget", gadgetName("g-", atG, 1))
	c.config[atG]["path"] = "/newer/"
	c.mustApply()
	w.wantIDs("gadget", gadgetName("g-", atG, 0))
	c.mustBeClean()
}
