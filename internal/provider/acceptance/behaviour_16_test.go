package acceptance

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// TestBehaviour16CoexistsWithOtherTaggers: several hands may tag one object, and each keeps its own.
//
// Given objects of each type with tags, default_tags and ignore_tags, and objects that another provider marks with the same
// estate by its default_tags and with addresses of its own, when something tags every object between plan and apply, then the
// apply changes the keys of the configuration alone, and two further plans are empty. So it is for an adoption, for an import,
// where S3 takes nothing but the whole set of a bucket's tags, and where the other hand has changed a tag of ours.
//
// An estate without an address on a Marked type's object stops creates of that type: it may be the wanted one. And a tag that
// somebody writes between reading a bucket's whole set and putting it back is lost; S3 has no condition that could prevent it.
func TestBehaviour16CoexistsWithOtherTaggers(t *testing.T) {
	eachCLI(t, coexist)
}

// taggedConfig is the configuration with these tags of each object.
func taggedConfig(t *testing.T, w *Workspace, vpc, tags string) {
	t.Helper()
	must(t, w.Write("main.tf", taggedEstate(w, vpc, `["x"]`, "tags = "+tags)))
}

func coexist(t *testing.T, w *Workspace) {
	t.Helper()
	ctx := t.Context()
	vpc := startTagged(t, w, "shared", `["x"]`, `tags = { Name = "a", Stage = "test" }`)
	theirs := makeOthers(t, w)
	before := tagsOfObjects(t, w, theirs)
	must(t, w.Write("provider.tf", ProviderBlock("shared",
		`default_tags { tags = { Owner = "platform" } }`, `ignore_tags { key_prefixes = ["auto-"] }`)))

	// A change: one tag of ours differs, one goes, one comes by default.
	taggedConfig(t, w, vpc, `{ Name = "b" }`)
	all := slices.Sorted(maps.Keys(ids(t, w)))
	w.Plan(ctx).MustOnly(t, Update, all...)
	tagAll(t, w, map[string]string{"auto-created-by": "somebody", "Cost": "42", "Name": "theirs"})
	w.ApplyPlan(ctx).Must(t)
	want := map[string]string{"Name": "b", "Owner": "platform", "Cost": "42", "auto-created-by": "somebody"}
	settled(t, w, want)

	// An adoption, from here on where S3 takes whole sets alone.
	w.Proxy.On(faultproxy.Action("s3:TagResource", "s3:UntagResource"), faultproxy.Answer(http.StatusMethodNotAllowed,
		"MethodNotAllowed", "The specified method is not allowed against this resource."))
	must(t, w.ForgetState())
	w.Plan(ctx).MustOnly(t, Create, all...)
	tagAll(t, w, map[string]string{"Backup": "daily"})
	w.ApplyPlan(ctx).Must(t)
	want["Backup"] = "daily"
	settled(t, w, want)

	// An import takes the tags that it finds, but for those to be ignored. What the configuration then does not say goes.
	imported := []string{`estate_iam_role.a["x"]`, `estate_s3_bucket.a["x"]`, `estate_vpc.a["x"]`}
	for _, address := range imported {
		i := w.MustState(t)[address]
		w.StateRm(ctx, address).Must(t)
		w.Import(ctx, address, i.ID()).Must(t)
	}
	taggedConfig(t, w, vpc, `{ Name = "b", Cost = "42" }`)
	w.Plan(ctx).MustOnly(t, Update, all...)
	tagAll(t, w, map[string]string{"auto-scanned": "yes"})
	w.ApplyPlan(ctx).Must(t)
	want["auto-scanned"] = "yes"
	for address, tags := range tagsOf(t, w) {
		kept := maps.Clone(want)
		if slices.Contains(imported, address) {
			delete(kept, "Backup")
		}
		mustCarry(t, address, tags, kept)
	}
	w.Plan(ctx).MustBeEmpty(t)

	if now := tagsOfObjects(t, w, theirs); !maps.EqualFunc(now, before, maps.Equal[map[string]string, map[string]string]) {
		t.Errorf("the other provider's objects had the tags %v and have %v", before, now)
	}
}

// makeOthers makes one object of each type with tags, as another provider does whose default_tags name the estate.
func makeOthers(t *testing.T, w *Workspace) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, kind := range Kinds {
		if kind.Make == nil {
			continue
		}
		address := strings.Replace(kind.Type, "estate_", "aws_", 1) + ".theirs"
		id, err := kind.Make(t.Context(), w.AWS, "theirs-"+w.Account, map[string]string{TagEstate: "shared", TagAddress: address})
		must(t, err)
		out[id] = kind.Type
	}
	return out
}

// tagsOfObjects returns the tags of these objects.
func tagsOfObjects(t *testing.T, w *Workspace, which map[string]string) map[string]map[string]string {
	t.Helper()
	all, err := w.AWS.Objects(t.Context())
	must(t, err)
	out := map[string]map[string]string{}
	for _, o := range all {
		if which[o.ID] == o.Type {
			out[o.ID] = o.Tags
		}
	}
	if len(out) != len(which) {
		t.Errorf("of %v there are %v", which, out)
	}
	return out
}

// tagAll sets tags of every object in the state past the provider.
func tagAll(t *testing.T, w *Workspace, tags map[string]string) {
	t.Helper()
	for _, i := range w.MustState(t) {
		retag(t, w, i, nil, tags)
	}
	if len(w.MustState(t)) > 0 {
		return
	}
	for _, o := range w.AWS.MustEstate(t.Context(), t, "shared") { // the state is lost
		if strings.HasPrefix(o.Tags[TagAddress], "estate_") {
			retag(t, w, Instance{Type: o.Type, Attributes: map[string]any{"id": o.ID}}, nil, tags)
		}
	}
}

// settled fails the test unless two plans are empty and each object has its marker and exactly these tags.
func settled(t *testing.T, w *Workspace, want map[string]string) {
	t.Helper()
	w.Plan(t.Context()).MustBeEmpty(t)
	w.Plan(t.Context(), "-refresh-only").MustBeEmpty(t)
	for address, tags := range tagsOf(t, w) {
		mustCarry(t, address, tags, want)
	}
}

// mustCarry fails the test unless the tags are a marker and exactly these.
func mustCarry(t *testing.T, address string, tags, want map[string]string) {
	t.Helper()
	user := maps.Clone(tags)
	for _, key := range []string{TagEstate, TagAddress, TagBinding} {
		if user[key] == "" {
			t.Errorf("%s lacks %s: %v", address, key, tags)
		}
		delete(user, key)
	}
	if !maps.Equal(user, want) {
		t.Errorf("%s has the tags %v, want %v", address, user, want)
	}
}
