package acceptance

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// damage is what happens to the marker of an object that the state holds, after the plan.
type damage struct {
	// tags are written, and untagged keys taken off.
	tags  map[string]string
	untag []string
	// destroyed and updated are what the message of the operation then says; "" where the operation goes on.
	destroyed, updated string
}

// anotherBinding is a binding that no entry of a test has.
const anotherBinding = "01jd00000000000000000000aa"

// damages has an entry for each key of the configuration.
var damages = []damage{
	{
		tags:      map[string]string{TagEstate: "somebody-elses"},
		destroyed: `Object of another estate.*was not deleted.*"somebody-elses".*tofu state rm.*removed \{.*previous_estates`,
		updated:   `Object of another estate.*was not changed.*"somebody-elses".*tofu state rm.*removed \{.*previous_estates`,
	},
	{
		tags:      map[string]string{TagAddress: "estate_vpc.other", TagBinding: anotherBinding},
		destroyed: `(Object of another address|Malformed marker).*was not deleted.*tofu state rm`,
		updated:   `(Object of another address|Malformed marker).*was not changed.*tofu state rm`,
	},
	{
		untag:     []string{TagEstate, TagAddress, TagSlot, TagBinding},
		destroyed: `Marker missing.*was not deleted.*tofu apply.*tofu_on_destroy = "keep"`,
	},
	{tags: map[string]string{TagBinding: anotherBinding}},
}

// stripped is the key whose marker is taken off.
const stripped = 2

// TestBehaviour04GuardedDeleteAndUpdate shows that what stands on an object at the moment of the call decides whether it is
// changed or destroyed, and not what a refresh has seen.
//
// Given objects of each type with tags in the state, and a saved plan that destroys them. When their markers are changed to those
// of another estate or another instance, or are taken off, before the plan is applied. Then nothing is written: each destroy is
// refused with its reason and the ways out. An object that another state has taken over since is not destroyed, and the entry is
// dropped, with a warning. When an apply that does not refresh is to change the objects. Then those of others are refused and
// left as they are; one whose marker was only lost is provably the entry's own, and gets it back with the change.
func TestBehaviour04GuardedDeleteAndUpdate(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		start(t, w, "guard", tagged(t, w, len(damages), adoptions))
		w.Apply(ctx, "-parallelism=20").Must(t)
		held := ids(t, w)
		w.Plan(ctx, "-destroy").Must(t)
		damageAll(t, w, held)
		before := w.AWS.MustObjects(ctx, t)
		mark := w.Proxy.Mark()
		r := w.ApplyPlan(ctx).MustFail(t)
		w.MustNotWrite(t, mark)
		if after := w.AWS.MustObjects(ctx, t); after != before {
			t.Fatalf("the objects were\n%s\nand are\n%s", before, after)
		}
		now := ids(t, w)
		for i, d := range damages {
			for _, a := range adoptions {
				address := a.address(i)
				if d.destroyed != "" {
					mustBlame(t, r, []string{address}, regexp.MustCompile("(?s)"+d.destroyed))
				} else if !saysWarning(r, "NOT destroyed", held[address]) {
					t.Errorf("no warning says that %s (%s) was not destroyed", address, held[address])
				}
				if _, keeps := now[address]; keeps != (d.destroyed != "") {
					t.Errorf("the state holds %s: %t", address, keeps)
				}
			}
		}

		must(t, w.Write("provider.tf", ProviderBlock("guard", "default_tags {\n    tags = { Changed = \"yes\" }\n  }")))
		r = w.Apply(ctx, "-refresh=false", "-parallelism=20").MustFail(t)
		changed := objectsByID(t, w)
		for i, d := range damages {
			for _, a := range adoptions {
				tags := changed[a.resourceType+" "+held[a.address(i)]].Tags
				if d.updated != "" {
					mustBlame(t, r, []string{a.address(i)}, regexp.MustCompile("(?s)"+d.updated))
				}
				if (tags["Changed"] == "yes") != (d.updated == "") {
					t.Errorf("%s carries %v after the change", a.address(i), tags)
				}
				for key, v := range d.tags {
					if d.updated != "" && tags[key] != v {
						t.Errorf("%s carries %s = %q, and had %q", a.address(i), key, tags[key], v)
					}
				}
			}
		}
		for _, a := range adoptions {
			tags := changed[a.resourceType+" "+held[a.address(stripped)]].Tags
			if tags[TagEstate] != "guard" || tags[TagBinding] == "" || tags[TagBinding] != w.MustState(t)[a.address(stripped)].Text("tofu_binding") {
				t.Errorf("%s carries %v, which is not its marker", a.address(stripped), tags)
			}
		}
	})
}

// damageAll does to each object what its key says.
func damageAll(t *testing.T, w *Workspace, held map[string]string) {
	t.Helper()
	for i, d := range damages {
		for _, a := range adoptions {
			kind, err := KindOf(a.resourceType)
			must(t, err)
			id := held[a.address(i)]
			if len(d.tags) > 0 {
				must(t, kind.Tag(t.Context(), w.AWS, id, d.tags))
			}
			if len(d.untag) > 0 {
				must(t, kind.Untag(t.Context(), w.AWS, id, d.untag...))
			}
		}
	}
}

// objectsByID are all objects of the account by type and id.
func objectsByID(t *testing.T, w *Workspace) map[string]Object {
	t.Helper()
	objects, err := w.AWS.Objects(t.Context())
	must(t, err)
	out := map[string]Object{}
	for _, o := range objects {
		out[fmt.Sprintf("%s %s", o.Type, o.ID)] = o
	}
	return out
}

// saysWarning tells whether one warning has the summary and names the object.
func saysWarning(r Result, summary, id string) bool {
	for _, d := range r.Warnings() {
		if strings.Contains(d.Summary, summary) && strings.Contains(d.Summary+d.Detail, id) {
			return true
		}
	}
	return false
}
