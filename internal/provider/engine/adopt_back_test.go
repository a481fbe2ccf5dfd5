package engine

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Under create_before_destroy the old entry stays in the state where the adoption of its own object fails: it gets its
// binding back, and goes on.
func TestFailedAdoptionGivesTheBindingBack(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(w *world){
		"an update is denied":                 func(w *world) { w.on("widget.Label", times(-1, denied("Label"))) },
		"the answer of the tag write is lost": func(w *world) { w.drop("tags.Write", 1, errLost) },
	} {
		for how, ask := range map[string]func(*core){"-replace": func(c *core) { c.force[atA] = true }, "taint": func(c *core) { c.taint(atA) }} {
			t.Run(name+", "+how, func(t *testing.T) {
				w, c, id := appliedWidget(t)
				was := w.tag("widget", id, "tofu-binding")
				c.cbd[atA] = true
				ask(c)
				p := c.plan()
				w.edit("widget", id, func(th *thing) {
					is := *modelOf[widget](th)
					is.Label = types.StringValue("drift")
					th.model = &is
				})
				fail(w)
				c.apply(p).wantError(t, "Adoption not finished", atA, id)
				w.calm()
				if w.count("tags.Write") != 2 {
					t.Errorf("calls: %v", w.writes())
				}
				if got := w.tag("widget", id, "tofu-binding"); got != was || c.text(atA, attrBinding) != was {
					t.Fatalf("the binding was %s, is %s on the object and %s in the state", was, got, c.text(atA, attrBinding))
				}
				c.force, c.cbd = map[string]bool{}, map[string]bool{}
				c.untaint(atA)
				c.config[atA]["color"] = "red"
				c.mustApply()
				c.wantOwn(atA, "widget", id)
				w.wantIDs("widget", id)
				w.wantNever("widget.Delete")
				c.mustBeClean()
			})
		}
	}
	t.Run("in vain", func(t *testing.T) {
		w, c, id := appliedWidget(t)
		c.cbd[atA], c.force[atA] = true, true
		c.config[atA]["color"] = "red"
		p := c.plan()
		writes := 0
		w.on("tags.Write", func(call) error {
			if writes++; writes == 2 {
				return denied("CreateTags")
			}
			return nil
		})
		w.fail("widget.Color", 1, errBroken)
		r := c.apply(p)
		r.wantError(t, "Adoption not finished", id, errBroken.Error())
		r.wantWarning(t, "Binding not given back", id, "test:CreateTags", "tofu state rm '"+atA+"'")
	})
}

// What AWS never shows, and the configuration gives, may differ: an adoption says it, as an import's first apply does.
func TestAdoptionSaysWhatAWSNeverShows(t *testing.T) {
	t.Parallel()
	for name, bring := range map[string]func(c *core, id string){
		"adopted":  func(*core, string) {},
		"imported": func(c *core, id string) { c.importID(atA, id, nil).wantNone(c.t) },
	} {
		for _, version := range []int{1, 2} {
			t.Run(name, func(t *testing.T) {
				w, c, id := appliedWidget(t)
				c.set(atA, conf{"size": 1, "secret": "one", "secret_version": 1})
				c.mustApply()
				if w.thing("widget", id).secret != "one" {
					t.Fatal("the secret was not written")
				}
				c.lose(atA)
				bring(c, id)
				c.set(atA, conf{"size": 1, "secret": "two", "secret_version": version})
				c.mustApply()
				if got := w.thing("widget", id).secret; got != "two" {
					t.Errorf("the secret is %q", got)
				}
				c.wantOwn(atA, "widget", id)
				w.wantIDs("widget", id)
				c.mustBeClean()
			})
		}
	}
	w, c, _ := appliedWidget(t)
	c.lose(atA)
	w.forget()
	c.mustApply()
	w.wantNever("widget.Secret") // the configuration gives none
}
