package engine

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// What hashicorp/aws writes for what nobody configured must not show as a change: "" and 0, an attribute that the version
// did not have, timeouts without a value. What was configured must come along.
func TestMoveInOtherWords(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		state map[string]any
		says  conf
	}{
		"nothing said":         {map[string]any{"force": nil, "label": "", "rule": "", "secret_version": 0, "timeouts": map[string]any{"create": nil, "delete": nil}}, conf{}},
		"the version has less": {map[string]any{}, conf{}},
		"everything said": {
			map[string]any{"force": true, "label": "x", "rule": "A b", "secret_version": 3, "timeouts": map[string]any{"create": "5m", "update": nil, "read": "9m"}},
			conf{"force": true, "label": "x", "rule": "A b", "secret_version": 3, "timeouts": conf{"create": "5m"}},
		},
		"other shapes": {map[string]any{"label": []any{"x"}, "late": "maybe", "timeouts": []any{}, "ingress": []any{map[string]any{}}}, conf{}},
	} {
		for _, refresh := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				w := newWorld(t)
				c := newCore(t, w, Of(widgetType(w)))
				tags := tagsWith(marked("aws_widget.a", ""), "Name", "a")
				id := w.addWidget(1, tags)
				if label, ok := test.says["label"].(string); ok {
					w.edit("widget", id, func(th *thing) {
						m := *modelOf[widget](th)
						m.Label, m.Fingerprint, m.Rule = types.StringValue(label), types.StringValue("fp-"+label), folded{types.StringValue("ab")}
						th.model = &m
					})
				}
				state := map[string]any{"id": id, "size": 1, "color": "grey", "arn": "arn:widget/found", "late": false, "tags": tags, "tags_all": tags}
				maps.Copy(state, test.state)
				c.moveIn(atA, awsProvider, "aws_widget", state).wantNone(t)
				says := maps.Clone(test.says)
				says["size"], says["tags"] = 1, conf{"Name": "a"}
				c.set(atA, says)
				c.refresh = refresh
				p := c.plan()
				p.wantNone(t)
				p.want(atA, updates)
				for name, v := range objectOf(p.changes[atA].value) {
					was := objectOf(p.entries[atA].current.value)[name]
					if engine := engineAttribute(name) && name != attrTimeouts && name != attrRegion; !engine && v.IsKnown() && !was.IsNull() && !v.Equal(was) {
						t.Errorf("refresh %t: %s changes from %s to %s", refresh, name, was, v)
					}
				}
				c.apply(p).wantNone(t)
				if got := w.writes(); len(got) != 1 || got[0] != "tags.Write" {
					t.Errorf("refresh %t: calls %v", refresh, got)
				}
				if got := c.text(atA, attrRegion); got != testRegion {
					t.Errorf("refresh %t: the region is %q", refresh, got)
				}
				c.refresh = true
				c.plan().want(atA, noop)
				c.wantOwn(atA, "widget", id)
			})
		}
	}
}

// IAM folds the case of tag keys, and so does what a move takes for markers; a name serves where there is no id; a state of
// before tags_all is no import, whose settings would be forgotten.
func TestMoveOfANamedType(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(gadgetType(w)))
	tags := map[string]string{"Tofu-Estate": testEstate, "TOFU-ADDRESS": "aws_gadget.g", "tofu-Binding": aBinding, "Tofu-Pending": "create", "team": "x"}
	w.addGadget("g", tags)
	c.moveIn(atG, awsProvider, "aws_gadget", map[string]any{"name": "g", "name_prefix": "", "path": "/", "tags": tags}).wantNone(t)
	if c.id(atG) != "g" {
		t.Errorf("the id is %q", c.id(atG))
	}
	for _, attr := range []string{attrTags, attrTagsAll} {
		if got := knownTags(c.attr(atG, attr)); !maps.Equal(got, map[string]string{"team": "x"}) {
			t.Errorf("%s: %v", attr, got)
		}
	}
	if e := c.expectation(atG); e == nil || e.Estate != testEstate || e.Address != "aws_gadget.g" || e.Binding != "" {
		t.Errorf("expected is %+v", e)
	}
	c.set(atG, conf{"name": "g", "tags": conf{"team": "x"}})
	p := c.plan()
	p.wantNone(t)
	p.want(atG, updates)
	c.apply(p).wantNone(t)
	if got := w.writes(); len(got) != 1 {
		t.Errorf("calls: %v", got)
	}
	c.mustBeClean()
}

// Objects without tags have nothing to take over: the move alone is the whole of it, whatever their id was called.
func TestMoveOfAComposedType(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(jointType(w)))
	w.addGadget("g", marked(atG, aBinding))
	w.addJoint("g", "j", "allow")
	c.moveIn(atJ, awsProvider, "aws_joint", map[string]any{"id": "joint-20260102", "gadget": "g", "name": "j", "policy": "Allow", "weight": 0}).wantNone(t)
	if c.id(atJ) != "g:j" {
		t.Errorf("the id is %q", c.id(atJ))
	}
	c.set(atJ, conf{"gadget": "g", "name": "j", "policy": "Allow"})
	c.plan().want(atJ, noop)
	c.mustApply()
	w.wantNoWrites()
	c.moveIn(atJ, awsProvider, "aws_joint", map[string]any{"id": "joint-20260102", "gadget": "g", "name": nil}).wantError(t, "it has no name")
}

// An empty text where the schema wants one of a grammar, or a default, at any depth.
func TestMoveSettlesEmptyTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := nestType(w)
	d.Attrs["rank"] = schema.Int64Attribute{Optional: true, Computed: true, Default: int64default.StaticInt64(5), MarkdownDescription: doc("Rank")}
	k := kindOf(t, Of(d))
	target, problems := k.decodeAttributes(rawJSON(t, `{"id": "n", "title": "", "rules": [{"name": "", "text": "", "ports": []}], "members": [{"name": "m", "text": ""}]}`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	(&managed{kind: k}).settleMoved(t.Context(), target)
	rule := objectOf(elements(target["rules"])[0])
	member := objectOf(elements(target["members"])[0])
	for what, v := range map[string]tftypes.Value{"the title": target["title"], "a rule's text": rule["text"], "a member's text": member["text"]} {
		if !v.IsNull() {
			t.Errorf("%s is %s", what, v)
		}
	}
	if rule["name"].IsNull() || text(member["name"]) != "m" {
		t.Errorf("plain texts inside of blocks are the refresh's: %s, %s", rule["name"], member["name"])
	}
	if got := numberText(target["rank"]); got != "5" {
		t.Errorf("the rank is %s, and its default 5", got)
	}
}

// The ARN says the account and the region of a state that has neither. An entry of another account is refused, one of
// another region is read there.
func TestMoveByARN(t *testing.T) {
	t.Parallel()
	arn := func(region, account string) string { return "arn:aws:test:" + region + ":" + account + ":widget/w" }
	for name, test := range map[string]struct {
		arn, region string
		words       []string
	}{
		"here":            {arn(testRegion, testAccount), testRegion, nil},
		"another region":  {arn(otherPlace, testAccount), otherPlace, []string{"Changed provider region", otherPlace, testRegion}},
		"another account": {arn(testRegion, "999999999999"), testRegion, []string{"Wrong AWS account", "999999999999"}},
		"AWS's own":       {arn(testRegion, "aws"), testRegion, nil},
		"no region":       {arn("", testAccount), testRegion, nil},
		"no ARN":          {"widget/w", testRegion, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := newCore(t, w, Of(widgetType(w)))
			id := w.add(thing{kind: "widget", region: test.region, model: &widget{
				Size: types.Int64Value(1), Color: types.StringValue("grey"), Late: types.BoolValue(false), ARN: types.StringValue(test.arn),
			}})
			c.moveIn(atA, awsProvider, "aws_widget", map[string]any{"id": id, "size": 1, "arn": test.arn, "tags_all": map[string]string{}}).wantNone(t)
			c.set(atA, conf{"size": 1})
			p := c.plan()
			if test.words != nil {
				p.wantError(t, test.words...)
				return
			}
			p.wantNone(t)
			p.want(atA, updates)
			c.apply(p).wantNone(t)
			c.wantOwn(atA, "widget", id)
		})
	}
}

// An object that is not where the provider works is no deleted one while its state does not say where it is: the next
// apply would make a second.
func TestMoveToTheWrongRegion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	id := w.add(thing{kind: "widget", region: otherPlace, model: &widget{Size: types.Int64Value(1)}})
	state := map[string]any{"id": id, "size": 1, "tags_all": map[string]string{}}
	c.moveIn(atA, awsProvider, "aws_widget", state).wantNone(t)
	c.set(atA, conf{"size": 1})
	c.plan().wantError(t, "Object not found after a move", id, testRegion, "a provider of that region")

	// Without a refresh, the region that the block gives is the object's.
	c.set(atA, conf{"size": 1, "region": otherPlace})
	c.refresh = false
	p := c.plan()
	p.wantNone(t)
	p.want(atA, updates)
	c.apply(p).wantNone(t)
	c.wantOwn(atA, "widget", id)

	// A state that says the region says that the object was deleted.
	state["region"] = testRegion
	c.refresh = true
	c.moveIn(atA, awsProvider, "aws_widget", state).wantNone(t)
	c.set(atA, conf{"size": 1})
	c.plan().want(atA, creates)
}

// Private state of SDKv2 is none of ours, and no obstacle.
func TestMoveWithPrivateStateOfOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCore(t, w, Of(widgetType(w)))
	id := w.addWidget(1, nil)
	raw, err := json.Marshal(map[string]any{"id": id, "size": 1, "region": testRegion, "tags_all": map[string]string{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, private := range []string{`{"schema_version":"1"}`, `{"e2bfb730-ecaa-11e6-8f88-34363bc7c4c0":{"create":600000000000},"schema_version":"2"}`} {
		resp, err := c.start(false).server.MoveResourceState(t.Context(), &tfprotov6.MoveResourceStateRequest{
			SourceProviderAddress: awsProvider, SourceTypeName: "aws_widget", SourceState: &tfprotov6.RawState{JSON: raw},
			SourcePrivate: []byte(private), SourceSchemaVersion: 7, TargetTypeName: "estate_widget",
		})
		if err != nil || len(resp.Diagnostics) > 0 {
			t.Fatalf("%v %v", err, resp.Diagnostics)
		}
	}
}

// An entry that was moved in without its region holds an object where the provider works; one of a global type has none.
func TestMovedEntriesAreSeen(t *testing.T) {
	t.Parallel()
	walk := NewWalk(newCore(t, newWorld(t)).provider)
	walk.SeenInState("estate_widget", "w", "")
	walk.SeenInState("estate_widget", "far", otherPlace)
	for id, want := range map[objectID]bool{
		{"estate_widget", testRegion, "w"}: true, {"estate_widget", "", "w"}: true, {"estate_widget", otherPlace, "w"}: false,
		{"estate_widget", otherPlace, "far"}: true, {"estate_widget", testRegion, "far"}: false,
	} {
		if got := walk.holds(id); got != want {
			t.Errorf("%v: %t", id, got)
		}
	}
}
