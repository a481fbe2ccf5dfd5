package acceptance

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// tagsInCreate matches creates that carry tags.
func tagsInCreate(c faultproxy.Call) bool {
	return c.Action == "CreateBucket" && strings.Contains(string(c.RequestBody), "<Tags>")
}

// TestBucketWithoutTagCalls lives a bucket's life where AWS takes no tags with a create and knows no single tags, and where
// the caller may use neither: all is as ever, and the whole set is written with the tags of others in it.
func TestBucketWithoutTagCalls(t *testing.T) {
	const denial = "User: u is not authorized to perform: s3:TagResource on resource: b because no identity-based policy allows it"
	single := faultproxy.Action("s3:TagResource", "s3:UntagResource")
	for _, place := range []struct {
		name, region   string
		create, single faultproxy.Fault
	}{
		{
			"unsupported", "eu-west-1", faultproxy.Answer(http.StatusBadRequest, "UnsupportedArgument", "The request contained an unsupported argument."),
			faultproxy.Answer(http.StatusMethodNotAllowed, "MethodNotAllowed", "The specified method is not allowed against this resource."),
		},
		{"denied", "us-east-1", faultproxy.Answer(http.StatusForbidden, "AccessDenied", denial), faultproxy.Deny()},
	} {
		t.Run(place.name, func(t *testing.T) {
			eachCLI(t, func(t *testing.T, w *Workspace) {
				ctx := t.Context()
				w.Env = append(w.Env, "AWS_REGION="+place.region)
				w.Proxy.On(tagsInCreate, place.create)
				w.Proxy.On(single, place.single)
				name := bucketName("plain")
				start(t, w, "plain", aBucket("a", name, `tags = { Name = "a", Stage = "test" }`))
				w.Apply(ctx).Must(t)
				w.MustCall(t, 0, "create buckets", 2, faultproxy.Action("s3:CreateBucket"))
				mustAgree(t, w, "plain")
				w.Plan(ctx).MustBeEmpty(t)

				must(t, tagBucket(ctx, w.AWS, name, map[string]string{"Team": "theirs"}))
				must(t, w.Write("provider.tf", ProviderBlock("plain", `ignore_tags { keys = ["Team"] }`)))
				must(t, w.Write("main.tf", aBucket("a", name, `tags = { Name = "b" }`)))
				mark := w.Proxy.Mark()
				w.Apply(ctx).Must(t)
				w.MustCall(t, mark, "write the whole set", 1, faultproxy.Action("s3:PutBucketTagging"))
				now, err := bucketTags(ctx, w.AWS, name)
				must(t, err)
				if _, kept := now["Stage"]; kept || now["Name"] != "b" || now["Team"] != "theirs" {
					t.Errorf("the bucket's tags are %v", now)
				}
				w.Destroy(ctx).Must(t)
				w.AWS.MustHold(ctx, t, "plain", "estate_s3_bucket", 0)
			})
		})
	}
}
