package acceptance

import (
	"regexp"
	"slices"
	"testing"
)

// twinEstate is one object of each type of which AWS can have two with the same arguments: no name and no range tells them apart.
func twinEstate() string {
	return aVpc("a") + block("estate_eip", "a", map[string]string{"tofu_address": `"estate_eip.a"`}) +
		block("estate_internet_gateway", "a", map[string]string{"tofu_address": `"estate_internet_gateway.a"`}) +
		block("estate_route53_zone", "a", map[string]string{"tofu_address": `"estate_route53_zone.a"`, "name": `"twins.example.com"`})
}

// TestBehaviour10MoreThanOneMatch shows that of two objects with one marker neither is chosen, and that one tag decides.
//
// Given two live objects with the same estate and address, whose state is lost. When the user plans, applies, or imports by the
// address. Then each is an error that names both ids, the region and the time at which each was bound, and says how to decide;
// nothing is changed. When the estate's tag is taken off one of them. Then an apply takes the other over and makes nothing.
func TestBehaviour10MoreThanOneMatch(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		start(t, w, "twins", twinEstate())
		w.Apply(ctx).Must(t)
		first := ids(t, w)
		must(t, w.ForgetState())
		w.Env = []string{"TOFU_ON_EXISTING=create"}
		w.Apply(ctx).Must(t)
		w.Env = nil
		second := ids(t, w)
		must(t, w.ForgetState())

		before := w.AWS.MustObjects(ctx, t)
		mark := w.Proxy.Mark()
		for _, r := range []Result{w.Plan(ctx).Result, w.Apply(ctx)} {
			for address, id := range first {
				both := []string{id, second[address]}
				slices.Sort(both)
				says := `(?s)Two objects with one address.*take the tofu-estate tag off`
				for _, one := range both { // a zone is in no region
					mustBlame(t, r.MustFail(t), []string{address}, regexp.MustCompile(regexp.QuoteMeta(one)+`( in eu-west-1)?(, created [^\n]*)?, bound 2\d\d\d-`))
				}
				mustBlame(t, r, []string{address}, regexp.MustCompile(says))
			}
		}
		for address := range first {
			w.Import(ctx, address, address).MustFail(t, "Two objects with one address", first[address], second[address])
		}
		w.MustNotWrite(t, mark)
		if now := w.AWS.MustObjects(ctx, t); now != before {
			t.Errorf("the objects were\n%s\nand are\n%s", before, now)
		}

		for address, id := range second {
			kind, err := KindOf(address[:len(address)-len(".a")])
			must(t, err)
			must(t, kind.Untag(ctx, w.AWS, id, TagEstate))
		}
		w.Apply(ctx).Must(t)
		w.MustNotCreate(t, mark)
		if now := ids(t, w); len(now) != len(first) || now["estate_vpc.a"] != first["estate_vpc.a"] {
			t.Errorf("the state holds %v, want %v", now, first)
		}
		mustAgree(t, w, "twins")
		w.Plan(ctx).MustBeEmpty(t)
	})
}
