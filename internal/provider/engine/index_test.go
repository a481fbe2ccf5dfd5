package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// bareWalk is a walk without a core.
func bareWalk() *Walk {
	w := NewWalk(Configuration{
		Session: cloud.New(aws.Config{}, testAccount, testRegion), Estate: types.StringValue(testEstate), DefaultTags: types.MapNull(types.StringType),
	})
	w.pace = 1e-6
	return w
}

// All reads and look-ups of a walk share one listing, also when they come at once.
func TestOneListingForAWalk(t *testing.T) {
	t.Parallel()
	for _, parallel := range []bool{false, true} {
		w := newWorld(t)
		c := newCore(t, w, Of(widgetType(w)))
		c.parallel = parallel
		for i := range 20 {
			c.set(fmt.Sprintf("estate_widget.w[%d]", i), conf{"size": 1})
		}
		p := c.plan()
		w.forget()
		c.apply(p).wantNone(t)
		if n := w.count("widget.List"); n != 1 {
			t.Errorf("parallel %t: %d listings for 20 creates", parallel, n)
		}
		w.forget()
		c.mustBeClean()
		if lists, gets := w.count("widget.List"), w.count("widget.Get"); lists != 1 || gets != 0 {
			t.Errorf("parallel %t: %d listings and %d reads for 20 refreshes", parallel, lists, gets)
		}
		// A new walk trusts nothing of an older one.
		w.retag("widget", c.id("estate_widget.w[7]"), nil)
		c.plan().want("estate_widget.w[7]", updates)
	}
}

// A listing that serves several instances and is denied: each names itself and what is missing.
func TestDeniedListingNamesEachInstance(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	c.parallel = true
	var addresses []string
	for i := range 4 {
		addresses = append(addresses, fmt.Sprintf("estate_widget.w[%d]", i))
		c.set(addresses[i], conf{"size": 1})
	}
	w.fail("widget.List", -1, denied("ListWidgets"))
	p := c.plan()
	for _, address := range addresses {
		p.wantError(t, "AWS call failed", address, "Missing permission: test:ListWidgets")
	}
}

// A listing that fails is asked for again.
func TestFailedListingIsNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.addWidget(1, marked(atA, aBinding))
	walk := bareWalk()
	ix := walk.index(kindOf(t, Of(widgetType(w))), walk.Session)
	w.fail("widget.List", 1, errBroken)
	if _, err := ix.all(context.Background()); !errors.Is(err, errBroken) {
		t.Fatalf("the error is %v", err)
	}
	if len(ix.known()) > 0 {
		t.Error("something is known")
	}
	lives, err := ix.all(context.Background())
	if err != nil || len(lives) != 1 || lives[0].key[0] != id {
		t.Errorf("%v, %v", lives, err)
	}
}

// What the walk itself wrote is newer than a listing that was under way, and what it deleted does not come back.
func TestIndexPrefersTheWalksOwnWrites(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	changed, deleted := w.addWidget(1, marked(atA, aBinding)), w.addWidget(1, marked(atB, aBinding))
	k, walk := kindOf(t, Of(widgetType(w))), bareWalk()
	ix := walk.index(k, walk.Session)
	w.then("widget.List", func(call) error {
		l, err := k.fresh(context.Background(), walk.Session, Key{changed})
		if err != nil {
			return err
		}
		ix.put(l.withTags(marked(atA, otherBinding)))
		walk.removed(k.objectID(walk.Session, Key{deleted}))
		ix.drop(Key{deleted})
		return nil
	})
	lives, err := ix.all(context.Background())
	if err != nil || len(lives) != 1 || lives[0].tags["tofu-binding"] != otherBinding {
		t.Errorf("%v, %v", lives, err)
	}
}

// The objects of an index are filled by one call, and then kept.
func TestListedObjectsAreFilledTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 5 {
		w.addGadget(fmt.Sprint("g", i), marked(fmt.Sprintf("estate_gadget.g[%d]", i), aBinding))
	}
	walk := bareWalk()
	ix := walk.index(kindOf(t, Of(gadgetType(w))), walk.Session)
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() {
			l, err := ix.read(context.Background(), Key{fmt.Sprint("g", i)})
			if err != nil || l.partial || text(objectOf(l.own)["uid"]) == "" {
				t.Errorf("%v, %v", l, err)
			}
		})
	}
	wg.Wait()
	if lists, fills, gets := w.count("gadget.List"), w.count("gadget.Fill"), w.count("gadget.Get"); lists != 1 || fills != 1 || gets != 0 {
		t.Errorf("%d listings, %d fills, %d reads", lists, fills, gets)
	}
	w.fail("gadget.Fill", 1, throttled())
	other := bareWalk().index(kindOf(t, Of(gadgetType(w))), walk.Session)
	if _, err := other.read(context.Background(), Key{"g1"}); err == nil {
		t.Error("a failed fill is no error")
	}
}

// A type that can only list the whole account is read one by one at first.
func TestListsAllReadsTheFirstFewOneByOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := widgetType(w)
	d.ListsAll = true
	var ids []string
	for range readsBeforeListing + 4 {
		ids = append(ids, w.addWidget(1, marked(atA, aBinding)))
	}
	walk := bareWalk()
	ix := walk.index(kindOf(t, Of(d)), walk.Session)
	for i, id := range ids {
		if _, err := ix.read(context.Background(), Key{id}); err != nil {
			t.Fatal(err)
		}
		if listed := w.count("widget.List") > 0; listed != (i >= readsBeforeListing) {
			t.Fatalf("listed %t at read %d", listed, i)
		}
	}
	if n := w.count("widget.Get"); n != readsBeforeListing {
		t.Errorf("%d reads", n)
	}
}

// A deletion in default order, behind which the listing still shows the object: the create does not adopt the dead.
func TestListingStillShowsWhatWasDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := widgetType(w)
	del := d.Delete
	d.Delete = func(ctx context.Context, s *cloud.Session, k Key, prior *widget) error {
		th := w.thing("widget", k[0])
		if err := del(ctx, s, k, prior); err != nil {
			return err
		}
		w.on("widget.List", func(call) error { // gone for Get, and back for the listing
			w.mu.Lock()
			defer w.mu.Unlock()
			w.things[thingKey("widget", testRegion, k[0])] = th
			return nil
		})
		return nil
	}
	c := newCore(t, w, Of(d))
	c.set(atA, conf{"size": 1})
	c.mustApply()
	old := c.id(atA)
	c.force[atA] = true
	c.mustApply()
	if c.id(atA) == old {
		t.Error("the deleted object was adopted")
	}
}

// An owner that is known to be another one is foreign even to a provider that does not know its own account.
func TestForeign(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		owner, account string
		want           bool
	}{
		{"", testAccount, false}, {testAccount, testAccount, false}, {testAccount, "", false},
		{foreignAccountID, testAccount, true}, {OtherAccount, testAccount, true}, {OtherAccount, "", true},
	} {
		s := cloud.New(aws.Config{}, c.account, testRegion)
		if got := foreign(&live{owner: c.owner}, s); got != c.want {
			t.Errorf("owner %q, account %q: foreign %v", c.owner, c.account, got)
		}
	}
}
