package engine

import (
	"maps"
	"testing"
)

const awsProvider = "registry.terraform.io/hashicorp/aws"

// A resource of hashicorp/aws moves in with the markers that its tags carry, without a configured provider.
func TestMoveFromAWS(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		tags map[string]string
		want expectation
		// binding is the one on the object, which somebody else gave it.
		refused bool
	}{
		"marked by hashicorp/aws": {tags: marked("aws_widget.a", ""), want: expectation{Version: 1, Estate: testEstate, Address: "aws_widget.a", Region: testRegion}},
		"marked, and bound": {
			tags: marked("aws_widget.a", aBinding),
			want: expectation{Version: 1, Estate: testEstate, Address: "aws_widget.a", Region: testRegion, Seen: aBinding},
		},
		"unmarked":           {tags: map[string]string{}, want: expectation{Version: 1, Region: testRegion}},
		"another instance's": {tags: marked("aws_widget.other", ""), want: expectation{Version: 1, Estate: testEstate, Address: "aws_widget.other", Region: testRegion}},
		"another estate's": {
			tags: map[string]string{"tofu-estate": "dev", "tofu-address": "aws_widget.a"}, want: expectation{Version: 1, Estate: "dev", Address: "aws_widget.a", Region: testRegion}, refused: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(widgetType(w)))
			tags := maps.Clone(tt.tags)
			tags["Name"] = "a"
			id := w.addWidget(1, tags)
			c.moveIn(atA, awsProvider, "aws_widget", map[string]any{
				"id": id, "size": 1, "color": "grey", "region": testRegion, "tags": tags, "tags_all": tags, "timeouts": nil, "unheard_of": []string{"x"},
			}).wantNone(t)
			if e := c.expectation(atA); e == nil || *e != tt.want {
				t.Fatalf("expected is %+v, wanted %+v", e, tt.want)
			}
			for _, attr := range []string{attrTags, attrTagsAll} {
				if got := knownTags(c.attr(atA, attr)); len(got) != 1 || got["Name"] != "a" {
					t.Errorf("%s: %v", attr, got)
				}
			}
			if !c.attr(atA, attrBinding).IsNull() {
				t.Error("a move brings a binding")
			}
			c.set(atA, conf{"size": 1, "tags": conf{"Name": "a"}})
			p := c.plan()
			if tt.refused {
				p.wantError(t, "Object of another estate", id, `"dev"`)
				w.wantNoWrites()
				return
			}
			p.wantNone(t)
			p.want(atA, updates)
			c.apply(p).wantNone(t)
			if got := w.writes(); len(got) != 1 || got[0] != "tags.Write" {
				t.Fatalf("calls: %v", got)
			}
			if w.tag("widget", id, "tofu-address") != atA {
				t.Error("the address was not rewritten")
			}
			c.wantOwn(atA, "widget", id)
			c.mustBeClean()
		})
	}
}

// What is no resource of hashicorp/aws of this name is left to others.
func TestMoveFromElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	state := map[string]any{"id": "widget-1", "size": 1}
	for _, source := range [][2]string{
		{"registry.terraform.io/acme/aws", "aws_widget"}, {awsProvider, "aws_gadget"}, {awsProvider, "estate_widget"},
		{"registry.terraform.io/hashicorp/awscc", "aws_widget"}, {"registry.terraform.io/hashicorp/google", "aws_widget"},
	} {
		c.moveIn(atA, source[0], source[1], state).wantError(t, "Unable to Move Resource State")
		c.wantGone(atA)
	}
	for _, source := range []string{awsProvider, "registry.opentofu.org/hashicorp/aws", "mirror.example/hashicorp/aws"} {
		c.moveIn(atA, source, "aws_widget", state).wantNone(t)
	}
	c.moveIn(atA, awsProvider, "aws_widget", map[string]any{"size": 1}).wantError(t, "Unreadable state", "aws_widget", "it has no id", "tofu import")
	c.moveIn(atA, awsProvider, "aws_widget", map[string]any{"id": ""}).wantError(t, "Unreadable state", "it has no id")
}

// The object was re-marked between the last apply of hashicorp/aws and the move: its state's word is not enough.
func TestMoveOfATakenObject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	id := w.addWidget(1, marked("estate_widget.owner", aBinding))
	tags := marked("aws_widget.a", "")
	c.moveIn(atA, awsProvider, "aws_widget", map[string]any{"id": id, "size": 1, "region": testRegion, "tags_all": tags}).wantNone(t)
	c.set(atA, conf{"size": 1})
	c.plan().wantError(t, "Object of another address", id, "estate_widget.owner")
	c.remove(atA)
	c.apply(c.plan()).wantError(t, "Object of another address", id)
	w.wantNoWrites()
}

// States of hashicorp/aws before its version 6 say no region: the object is where the provider works, and the configuration
// may say so.
func TestMoveWithoutARegion(t *testing.T) {
	t.Parallel()
	for _, refresh := range []bool{true, false} {
		w := newWorld(t)
		c := newCore(t, w, Of(widgetType(w)))
		tags := marked("aws_widget.a", "")
		id := w.addWidget(1, tags)
		c.moveIn(atA, awsProvider, "aws_widget", map[string]any{
			"id": id, "size": 1, "color": "grey", "arn": "arn:widget/found", "late": false, "fingerprint": "fp-", "tags": tags, "tags_all": tags,
		}).wantNone(t)
		if !c.attr(atA, attrRegion).IsNull() {
			t.Fatal("the move brings a region")
		}
		c.set(atA, conf{"size": 1, "region": testRegion})
		c.refresh = refresh
		p := c.plan()
		p.wantNone(t)
		p.want(atA, updates)
		c.apply(p).wantNone(t)
		w.wantNever("widget.Delete")
		c.wantOwn(atA, "widget", id)
		if got := c.text(atA, attrRegion); got != testRegion {
			t.Errorf("the region is %q", got)
		}
		c.refresh = true
		c.mustBeClean()

		// A region that the state says is another object's place.
		c.config[atA]["region"] = otherPlace
		c.plan().want(atA, replaces)
	}
}

// Moved in, and replaced under create_before_destroy in the first apply: the create adopts the very object, and the old entry,
// which has no binding, must let go of it. So must one whose object another state has bound since.
func TestMovedInIsFenced(t *testing.T) {
	t.Parallel()
	for _, binding := range []string{"", aBinding} {
		w := newWorld(t)
		c := newCore(t, w, Of(widgetType(w)))
		c.set(atA, conf{"size": 1})
		id := w.addWidget(1, marked(atA, binding))
		all := map[string]any{}
		for k, v := range w.thing("widget", id).tags {
			all[k] = v
		}
		state := map[string]any{"id": id, "region": testRegion, "size": 1, "tags": all, "tags_all": all}
		c.moveIn(atA, awsProvider, "aws_widget", state).wantNone(t)
		moved := c.snapshot()

		c.cbd[atA], c.force[atA] = true, true
		c.apply(c.plan())
		w.wantIDs("widget", id)
		c.force = map[string]bool{}
		c.mustBeClean()

		c.restore(moved)
		c.remove(atA)
		c.apply(c.plan()).wantWarningOnly(t, "NOT destroyed")
		w.wantIDs("widget", id)
	}
}
