package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// folding is a joint whose name may be written in any case, and whose service lists the joints of one gadget at a time.
func folding(w *world) ResourceType[joint] {
	d := jointType(w)
	get, create, del := d.Get, d.Create, d.Delete
	fold := func(k Key) Key { return Key{k[0], strings.ToLower(k[1])} }
	d.Canonical = func(_ *cloud.Session, k Key) Key { return fold(k) }
	d.Get = func(ctx context.Context, s *cloud.Session, k Key) (Live[joint], error) {
		l, err := get(ctx, s, fold(k))
		l.Key, l.Model.Name = k, types.StringValue(k[1])
		return l, err
	}
	d.Create = func(ctx context.Context, s *cloud.Session, plan *joint, _ markers.Tags, t Token) (Key, error) {
		is := *plan
		is.Name = types.StringValue(strings.ToLower(plan.Name.ValueString()))
		_, err := create(ctx, s, &is, nil, t)
		return Key{plan.Gadget.ValueString(), plan.Name.ValueString()}, err
	}
	d.Delete = func(ctx context.Context, s *cloud.Session, k Key, prior *joint) error {
		return del(ctx, s, fold(k), prior)
	}
	d.ListUnder = func(_ context.Context, _ *cloud.Session, k Key) iter.Seq2[Live[joint], error] {
		return func(yield func(Live[joint], error) bool) {
			var found []Live[joint]
			err := w.call("joint.ListUnder", "", k[0], func() error {
				for _, th := range w.listLocked("joint", "") {
					if l := liveOf[joint](th); l.Model.Gadget.ValueString() == k[0] {
						l.Key, l.Tags = Key{k[0], l.Model.Name.ValueString()}, nil
						found = append(found, l)
					}
				}
				return nil
			})
			if err != nil {
				yield(Live[joint]{}, err)
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

// One object under two spellings is one object to the run: the delete of the old spelling must not take what the create of
// the new one has adopted.
func TestRespelledKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(gadgetType(w)), Of(folding(w)))
	c.set(atJ, conf{"gadget": "g", "name": "Jay", "policy": "p"})
	c.mustApply()
	if id := c.id(atJ); id != "g:Jay" {
		t.Errorf("the id is %s: not as the configuration spells it", id)
	}
	w.wantIDs("joint", "g:jay")
	c.mustBeClean()

	c.set(atJ, conf{"gadget": "g", "name": "JAY", "policy": "p"})
	c.cbd[atJ] = true
	w.forget()
	c.apply(c.plan()).wantWarning(t, "NOT destroyed", "same key")
	w.wantNever("joint.Delete")
	w.wantIDs("joint", "g:jay")
	if id := c.id(atJ); id != "g:JAY" {
		t.Errorf("the id is %s", id)
	}
	c.mustBeClean()
}

// Two instances that spell one key in two ways are refused like two that spell it in one.
func TestRespelledKeyIsClaimed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(gadgetType(w)), Of(folding(w)))
	c.set(atJ, conf{"gadget": "g", "name": "j", "policy": "p"})
	c.set("estate_joint.other", conf{"gadget": "g", "name": "J", "policy": "p"})
	c.apply(c.plan()).wantError(t, "another instance of this run", "g:j")
	if n := w.count("joint.Create"); n != 1 {
		t.Errorf("%d creates of one object", n)
	}
}

// The objects of a parent are read one by one at first, and then listed once; each keeps its own spelling.
func TestListsUnderAParent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const n = readsBeforeListing + 4
	for i := range n {
		w.addJoint("g", fmt.Sprint("j", i), "p")
	}
	w.addJoint("h", "j0", "p")
	walk := bareWalk()
	ix := walk.index(kindOf(t, Of(folding(w))), walk.Session)
	for i := range n {
		l, err := ix.read(context.Background(), Key{"g", fmt.Sprint("J", i)})
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprint("J", i); l.key[1] != want || text(objectOf(l.own)["name"]) != want {
			t.Errorf("asked for %s, and got %s, named %s", want, l.key, objectOf(l.own)["name"])
		}
		if listed := w.count("joint.ListUnder") > 0; listed != (i >= readsBeforeListing) {
			t.Fatalf("listed %t at read %d", listed, i)
		}
	}
	if _, err := ix.read(context.Background(), Key{"h", "j0"}); err != nil {
		t.Error(err)
	}
	if lists, gets := w.count("joint.ListUnder"), w.count("joint.Get"); lists != 1 || gets != readsBeforeListing+1 {
		t.Errorf("%d listings and %d reads", lists, gets)
	}
	// What the listing does not show is settled by a read.
	w.forget()
	if _, err := ix.read(context.Background(), Key{"g", "none"}); !isGone(err) || w.count("joint.Get") != 1 || w.count("joint.ListUnder") > 0 {
		t.Errorf("%v after %d reads and %d listings", err, w.count("joint.Get"), w.count("joint.ListUnder"))
	}
}

// A listing that fails stops the read and is not kept; a denied one is made up for by single reads.
func TestFailedListingUnderAParent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.addJoint("g", "j", "p")
	walk := bareWalk()
	ix := walk.index(kindOf(t, Of(folding(w))), walk.Session)
	ix.under = map[string]*parentReads{"g": {reads: readsBeforeListing}}
	w.fail("joint.ListUnder", 1, errBroken)
	if _, err := ix.read(context.Background(), Key{"g", "j"}); !errors.Is(err, errBroken) {
		t.Errorf("got %v, want the listing's error", err)
	}
	w.fail("joint.ListUnder", 1, denied("joint:List"))
	if _, err := ix.read(context.Background(), Key{"g", "j"}); err != nil || w.count("joint.Get") != 1 {
		t.Errorf("%v after %d reads", err, w.count("joint.Get"))
	}
}

func TestCut(t *testing.T) {
	k := &kind{separator: "_", identity: []Part{
		{Attr: "zone"}, {Attr: "name"}, {Attr: "type", Values: []string{"A", "TXT"}}, {Attr: "set", Optional: true},
	}}
	for id, want := range map[string][]string{
		"Z_www_A":               {"Z", "www", "A"},
		"Z__dmarc.www_TXT":      {"Z", "_dmarc.www", "TXT"},
		"Z_a_b_A_set_one_A":     {"Z", "a_b", "A", "set_one_A"},
		"Z_www_MX":              nil,
		"Z_A":                   nil,
		"Z":                     nil,
		"Z_A_A":                 {"Z", "A", "A"},
		"Z_*.example.com._TXT_": {"Z", "*.example.com.", "TXT", ""},
	} {
		if got := k.cut(id); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", id, got, want)
		}
	}
	plain := &kind{separator: ":", identity: []Part{{Attr: "a"}, {Attr: "b"}}}
	if got := plain.cut("x:y:z"); !slices.Equal(got, []string{"x", "y:z"}) {
		t.Errorf("got %q without known values", got)
	}
}

func TestListUnderIsChecked(t *testing.T) {
	w := newWorld(t)
	d := folding(w)
	if err := Of(d).Check(); err != nil {
		t.Errorf("a whole type: %v", err)
	}
	d.List = func(context.Context, *cloud.Session, markers.Filter) iter.Seq2[Live[joint], error] { return nil }
	if err := Of(d).Check(); err == nil || !strings.Contains(err.Error(), "ListUnder is for") {
		t.Errorf("got %v for a type that lists twice", err)
	}
}
