package acceptance

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// rival is a bucket that is there before a create, or appears while it runs.
type rival struct {
	// resource is the block's name.
	resource string
	// tags are those of the bucket; nil where there is none.
	tags func(estate string) map[string]string
	// elsewhere says that another account has it.
	elsewhere bool
	// says is what the refusal says; empty where the create succeeds.
	says []string
}

// rivals are the cases of bucketRegionsAlike. Their outcome is the same in every region.
var rivals = []rival{
	{resource: "free"},
	{resource: "ours", tags: marked("estate_s3_bucket.ours")},
	{resource: "unmarked", tags: unmarked, says: []string{"Unmarked object in the way", "adopt_unmarked = true"}},
	{resource: "foreign", tags: foreignMarked, says: []string{"Object of another owner", `"somebody-elses"`}},
	{resource: "neighbour", tags: marked("estate_s3_bucket.other"), says: []string{"Object of another owner", "estate_s3_bucket.other"}},
	{resource: "malformed", tags: marked("estate_vpc.a"), says: []string{"Malformed marker in the way", "estate_vpc"}},
	{
		resource: "theirs", tags: marked("estate_s3_bucket.theirs"), elsewhere: true,
		says: []string{"Object of another owner", "it belongs to another account"},
	},
}

// bucketRegionsAlike holds the one region in which a create of an existing bucket succeeds to the others: the same
// outcome and the same words for each bucket that may be there, at plan and when it appears between look and create. What
// is not ours is never written to.
func bucketRegionsAlike(t *testing.T) {
	for _, region := range []string{"us-east-1", "eu-west-1"} {
		t.Run("bucket in "+region, func(t *testing.T) {
			eachCLI(t, func(t *testing.T, w *Workspace) {
				w.Env = append(w.Env, "AWS_REGION="+region)
				other := anotherAccount(t, w)
				names := map[string]string{}
				for _, f := range rivals {
					names[f.resource] = bucketName(f.resource)
					f.make(t, w, other, names[f.resource], region)
				}
				meetAtPlan(t, w, other, names)
			})
		})
		t.Run("bucket in "+region+", late", func(t *testing.T) {
			eachCLI(t, func(t *testing.T, w *Workspace) {
				w.Env = append(w.Env, "AWS_REGION="+region)
				meetLate(t, w, anotherAccount(t, w), region)
			})
		})
	}
}

// make makes the bucket.
func (f rival) make(t *testing.T, w *Workspace, other *Sandbox, name, region string) {
	if f.tags == nil {
		return
	}
	if f.elsewhere {
		guardOwner(w.Proxy, name, region, other.Account)
	}
	if err := makeBucketIn(t.Context(), f.holder(w, other), name, region, f.tags("alike")); err != nil {
		t.Error(err)
	}
}

// holder is the account that has the bucket.
func (f rival) holder(w *Workspace, other *Sandbox) *AWS {
	if f.elsewhere {
		return other.AWS
	}
	return w.AWS
}

// meetAtPlan plans and applies over buckets that are there.
func meetAtPlan(t *testing.T, w *Workspace, other *Sandbox, names map[string]string) {
	t.Helper()
	var good, bad strings.Builder
	for _, f := range rivals {
		if config := aBucket(f.resource, names[f.resource]); len(f.says) == 0 {
			good.WriteString(config)
		} else {
			bad.WriteString(config)
		}
	}
	start(t, w, "alike", good.String())
	mark := w.Proxy.Mark()
	w.Apply(t.Context()).Must(t)
	w.MustCall(t, mark, "create buckets", 1, faultproxy.Action("s3:CreateBucket"))
	mustAgree(t, w, "alike", strangersIn(names)...)
	w.Plan(t.Context()).MustBeEmpty(t)

	must(t, w.Write("main.tf", good.String()+bad.String()))
	mark = w.Proxy.Mark()
	refusal := w.Plan(t.Context()).MustFail(t)
	w.MustNotWrite(t, mark)
	mustRefuse(t, w, other, refusal, names, mark)
}

// meetLate applies a plan that saw nothing; the buckets appear right after the apply has looked for them.
func meetLate(t *testing.T, w *Workspace, other *Sandbox, region string) {
	t.Helper()
	ctx := t.Context()
	names := map[string]string{}
	var config strings.Builder
	for _, f := range rivals {
		names[f.resource] = bucketName(f.resource)
		config.WriteString(aBucket(f.resource, names[f.resource]))
	}
	start(t, w, "alike", config.String())
	var all []string
	for _, f := range rivals {
		all = append(all, "estate_s3_bucket."+f.resource)
	}
	slices.Sort(all)
	w.Plan(ctx).Must(t).MustOnly(t, Create, all...)
	for _, f := range rivals {
		name := names[f.resource]
		looks := faultproxy.And(faultproxy.Action("s3:GetBucketTagging"), Mentioning(name))
		// The CLI plans again when it applies, and the create looks next.
		w.Proxy.On(looks, faultproxy.Edit(func(body []byte) []byte {
			f.make(t, w, other, name, region)
			return body
		})).After(1).Times(1)
	}
	mark := w.Proxy.Mark()
	refusal := w.ApplyPlan(ctx).MustFail(t)
	// Where S3 refuses by itself, every create call was made: the look had seen nothing. Else none but the free one was.
	creates := map[string]int{"us-east-1": 1, "eu-west-1": len(rivals)}
	w.MustCall(t, mark, "create buckets", creates[region], faultproxy.Action("s3:CreateBucket"))
	mustRefuse(t, w, other, refusal, names, mark)
	var held []string
	for address := range ids(t, w) {
		held = append(held, strings.TrimPrefix(address, "estate_s3_bucket."))
	}
	slices.Sort(held)
	if !slices.Equal(held, []string{"free", "ours"}) {
		t.Errorf("the state holds %q, want free and ours\n%s", held, refusal.explain())
	}
	mustAgree(t, w, "alike", strangersIn(names)...)
}

// strangersIn are the names of the buckets that are not ours.
func strangersIn(names map[string]string) []string {
	var out []string
	for _, f := range rivals {
		if len(f.says) > 0 {
			out = append(out, names[f.resource])
		}
	}
	return out
}

// mustRefuse fails the test unless every bucket that is not ours was refused in its words, and is as it was.
func mustRefuse(t *testing.T, w *Workspace, other *Sandbox, r Result, names map[string]string, mark int) {
	t.Helper()
	for _, f := range rivals {
		name := names[f.resource]
		said := slices.ContainsFunc(r.Errors(), func(d Diagnostic) bool {
			text := d.Summary + " " + d.Detail
			return strings.Contains(text, name) && !slices.ContainsFunc(f.says, func(phrase string) bool { return !strings.Contains(text, phrase) })
		})
		if len(f.says) == 0 {
			if said {
				t.Errorf("%s is refused\n%s", f.resource, r.explain())
			}
			continue
		}
		if !said {
			t.Errorf("no error about %s says %q\n%s", f.resource, f.says, r.explain())
		}
		touched := faultproxy.And(faultproxy.Writes(), Mentioning(name), faultproxy.Not(faultproxy.Action("s3:CreateBucket")))
		w.MustCall(t, mark, "change the bucket of "+f.resource, 0, touched)
		now, err := bucketTags(t.Context(), f.holder(w, other), name)
		must(t, err)
		if want := f.tags("alike"); !maps.Equal(now, want) {
			t.Errorf("%s has the tags %v, want %v", f.resource, now, want)
		}
	}
}
