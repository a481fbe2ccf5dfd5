package acceptance

import (
	"bytes"
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

// TestBehaviour18DeadObjectsAreIgnored: what is dead and still tagged is nobody's.
//
// Given objects that were deleted and that AWS still lists, when the same configuration is applied, then none of them ends in
// the state, and none is written to: those that turn out to be gone while the plan looks are passed over, and the others stop
// their own instance with the word to plan again. Once the listing has caught up there is one living object for each. Given a
// subnet of ours that AWS calls failed, then it is not taken for the wanted one either: the plan says why and what to do.
//
// Of the types here none waits for its deletion or stays visible in a dead state for longer; the engine's tests show those.
func TestBehaviour18DeadObjectsAreIgnored(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		startTagged(t, w, "ghosts", `["x"]`)
		must(t, w.ForgetState())
		mark := w.Proxy.Mark()
		w.Apply(ctx).Must(t)
		dead := ids(t, w)
		w.Destroy(ctx).Must(t)

		listingIsRight := ghosts(w, mark)
		mark = w.Proxy.Mark()
		r := w.Apply(ctx).MustFail(t, "Planned object gone", "Plan again")
		for _, d := range r.Errors() {
			if d.Summary != "Planned object gone" {
				t.Errorf("there is another error: %s", d)
			}
		}
		living := ids(t, w)
		for address, id := range dead {
			named := strings.HasPrefix(address, "estate_iam_role.") || strings.HasPrefix(address, "estate_s3_bucket.") ||
				strings.HasPrefix(address, "estate_cloudwatch_log_group.")
			if living[address] == id && !named { // the id of a named object is its name
				t.Errorf("the state holds %s as %s, which is dead", address, id)
			}
			if !named {
				w.MustCall(t, mark, "write to the dead "+address, 0, faultproxy.And(faultproxy.Writes(), Mentioning(id)))
			}
		}
		for _, address := range []string{`estate_vpc.a["x"]`, `estate_eip.a["x"]`} { // which further calls complete
			if living[address] == "" {
				t.Errorf("nothing was made for %s\n%s", address, r.explain())
			}
		}
		listingIsRight()
		w.Apply(ctx).Must(t)
		mustAgree(t, w, "ghosts")
		w.Plan(ctx).MustBeEmpty(t)

		subnet := ids(t, w)[`estate_subnet.a["x"]`]
		w.StateRm(ctx, `estate_subnet.a["x"]`).Must(t)
		w.Proxy.On(faultproxy.Action("ec2:DescribeSubnets"), faultproxy.Edit(func(body []byte) []byte {
			return bytes.ReplaceAll(body, []byte("<state>available</state>"), []byte("<state>failed</state>"))
		}))
		mark = w.Proxy.Mark()
		w.Apply(ctx).MustFail(t, "Failed object", subnet, "the subnet is failed", `on_existing = "create"`)
		w.MustNotWrite(t, mark)
	})
}
