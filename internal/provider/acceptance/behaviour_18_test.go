package acceptance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// ghosts answers the listings by marker of EC2 as they were answered since the mark, as a service does that shows for a while
// what is gone.
func ghosts(w *Workspace, mark int) (remove func()) {
	var rules []*faultproxy.Rule
	seen := map[string]bool{}
	for _, c := range w.Proxy.Since(mark) {
		if c.Service != "ec2" || !faultproxy.Contains("tag:"+TagEstate)(c) || seen[c.Name()] {
			continue
		}
		seen[c.Name()] = true
		old := c.ResponseBody
		rules = append(rules, w.Proxy.On(
			faultproxy.And(faultproxy.Action(c.Name()), faultproxy.Contains("tag:"+TagEstate)),
			faultproxy.Edit(func([]byte) []byte { return old }),
		))
	}
	return func() {
		for _, r := range rules {
			r.Remove()
		}
	}
}

// TestX explores.
func TestBehaviour18DeadObjectsAreIgnored(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		startTagged(t, w, "ghosts", `["x"]`)
		must(t, w.ForgetState())
		mark := w.Proxy.Mark()
		w.Apply(ctx).Must(t)
		held := ids(t, w)
		w.Destroy(ctx).Must(t)
		remove := ghosts(w, mark)
		p := w.Plan(ctx)
		fmt.Println(p.Err, p.Summary(), p.explain())
		r := w.ApplyPlan(ctx)
		fmt.Println(r.Err, r.explain(), ids(t, w), held)
		remove()
		r = w.Apply(ctx)
		fmt.Println(r.Err, r.explain(), ids(t, w))
		_ = slices.Contains([]string{}, "")
		_ = strings.Contains("", "")
	})
}
