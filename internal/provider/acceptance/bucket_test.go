package acceptance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// Headers that name the account that a bucket must belong to: those of S3 and of S3 Control.
const (
	ownerHeader   = "X-Amz-Expected-Bucket-Owner"
	controlHeader = "X-Amz-Account-Id"
)

// expectedOwner is the account that a call says its bucket must belong to; empty where it does not say.
func expectedOwner(c faultproxy.Call) string {
	if strings.HasPrefix(c.Path, "/v20180820/") {
		return c.Header.Get(controlHeader)
	}
	return c.Header.Get(ownerHeader)
}

// aBucket is a minimal bucket.
func aBucket(name, bucket string, lines ...string) string {
	return block("estate_s3_bucket", name, map[string]string{
		"tofu_address": `"estate_s3_bucket.` + name + `"`, "bucket": fmt.Sprintf("%q", bucket),
	}, lines...)
}

// bucketName is a name that no other test uses: the accounts of the emulator share their names, as those of AWS do.
func bucketName(what string) string { return fmt.Sprintf("%s-n%d", what, bucketsOfTests.Add(1)) }

// guardOwner makes S3 answer as AWS does, where the emulator shows everybody's buckets to everybody: whoever expects another
// owner than the bucket has is refused. Who expects none is let in, as by a policy of the bucket's owner. The answer to HEAD
// tells the bucket's region all the same.
func guardOwner(p *faultproxy.Proxy, bucket, region, owner string) {
	foreign := func(c faultproxy.Call) bool {
		expected := expectedOwner(c)
		return Mentioning(bucket)(c) && expected != "" && expected != owner
	}
	denial := faultproxy.Answer(403, "AccessDenied", "Access Denied")
	p.On(faultproxy.And(foreign, faultproxy.Action("s3:HeadBucket")), denial.WithHeader("X-Amz-Bucket-Region", region))
	p.On(foreign, denial)
}

// anotherAccount opens a second account of the emulator.
func anotherAccount(t *testing.T, w *Workspace) *Sandbox {
	t.Helper()
	other, err := w.NewSandbox()
	must(t, err)
	t.Cleanup(other.Close)
	return other
}

// TestBucketOfAnotherAccount puts a bucket with our very marker into another account, which lets us read it. It is not
// ours, and is ours once the provider assumes a role of that account.
func TestBucketOfAnotherAccount(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		other, name := anotherAccount(t, w), bucketName("theirs")
		tags := marked("estate_s3_bucket.a")("ours")
		must(t, makeBucketIn(ctx, other.AWS, name, Region, tags))
		guardOwner(w.Proxy, name, Region, other.Account)
		start(t, w, "ours", aBucket("a", name, "adopt_unmarked = true"))
		untouched := func(mark int) {
			t.Helper()
			w.MustCall(t, mark, "write", 0, faultproxy.Writes())
			now, err := bucketTags(ctx, other.AWS, name)
			must(t, err)
			if !maps.Equal(now, tags) || len(w.MustState(t)) > 0 {
				t.Errorf("the bucket's tags are %v, and the state holds %v", now, w.MustState(t))
			}
		}

		mark := w.Proxy.Mark()
		w.Plan(ctx).MustFail(t, "Object of another owner", name, "it belongs to another account")
		w.Apply(ctx).MustFail(t, "Object of another owner", name, "it belongs to another account")
		w.Run(ctx, "import", "estate_s3_bucket.a", name).MustFail(t, "Object of another account", name)
		untouched(mark)

		// Without the list of our own buckets nothing tells whose it is, and both are said.
		denied := w.Proxy.On(faultproxy.Action("s3:ListBuckets"), faultproxy.Deny())
		mark = w.Proxy.Mark()
		w.Apply(ctx).MustFail(t, `the name "`+name+`" belongs to a bucket of another account, or s3:GetBucketTagging is not allowed`)
		untouched(mark)
		denied.Remove()

		role := fmt.Sprintf("assume_role {\n    role_arn = \"arn:aws:iam::%s:role/deploy\"\n  }", other.Account)
		must(t, w.Write("provider.tf", ProviderBlock("ours", role)))
		mark = w.Proxy.Mark()
		w.Apply(ctx).Must(t).MustSay(t, "Existing estate_s3_bucket will be adopted")
		w.MustNotCreate(t, mark)
		other.AWS.MustHold(ctx, t, "ours", "estate_s3_bucket", 1)
		w.Destroy(ctx).Must(t)
		other.AWS.MustHold(ctx, t, "ours", "estate_s3_bucket", 0)
	})
}

// TestEveryS3CallNamesTheOwner goes through the life of two buckets, one of them full of versions, and looks at the header
// of each call. S3 Control, which changes the tags, has another one than S3.
func TestEveryS3CallNamesTheOwner(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		name := bucketName("owned")
		generated := "\n" + strings.Replace(aBucket("b", "", `bucket_prefix = "owned-"`), "  bucket = \"\"\n", "", 1)
		start(t, w, "owned", aBucket("a", name, "force_destroy = true")+generated)
		w.Apply(ctx).Must(t)
		for _, tags := range []string{`tags = { Name = "a" }`, ""} {
			must(t, w.Write("main.tf", aBucket("a", name, "force_destroy = true", tags)+generated))
			w.Apply(ctx).Must(t)
		}
		w.StateRm(ctx, "estate_s3_bucket.a").Must(t)
		w.Import(ctx, "estate_s3_bucket.a", name).Must(t)
		w.Apply(ctx).Must(t)
		w.Plan(ctx).MustBeEmpty(t)
		fillWithVersions(t, w, name)
		w.Destroy(ctx).Must(t)
		w.AWS.MustHold(ctx, t, "owned", "estate_s3_bucket", 0)

		seen := map[string]int{}
		for _, c := range w.Proxy.Journal() {
			if c.Service != "s3" {
				continue
			}
			seen[c.Action]++
			want := w.Account
			if c.Action == "CreateBucket" || c.Action == "ListBuckets" {
				want = ""
			}
			if got := expectedOwner(c); got != want {
				t.Errorf("%s expects the owner %q, want %q", c, got, want)
			}
		}
		want := []string{
			"CreateBucket", "DeleteBucket", "DeleteObjects", "GetBucketTagging", "GetObjectLockConfiguration", "HeadBucket",
			"ListBuckets", "ListObjectVersions", "TagResource", "UntagResource",
		}
		if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, want) {
			t.Errorf("the life of a bucket made the calls %q, want %q", got, want)
		}
	})
}

// fillWithVersions puts objects with several versions and a delete marker into a bucket.
func fillWithVersions(t *testing.T, w *Workspace, name string) {
	t.Helper()
	ctx, bucket := t.Context(), aws.String(name)
	_, err := w.AWS.S3.PutBucketVersioning(ctx, &s3.PutBucketVersioningInput{
		Bucket: bucket, VersioningConfiguration: &s3types.VersioningConfiguration{Status: s3types.BucketVersioningStatusEnabled},
	})
	must(t, err)
	for i := range 4 {
		key := aws.String(fmt.Sprintf("folder/a b+%d&é", i/2))
		_, err := w.AWS.S3.PutObject(ctx, &s3.PutObjectInput{Bucket: bucket, Key: key, Body: strings.NewReader("x")})
		must(t, err)
		if i == 1 {
			_, err := w.AWS.S3.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: bucket, Key: key})
			must(t, err)
		}
	}
}

// TestFullBucket refuses to destroy a bucket that holds anything, unless force_destroy was applied before.
func TestFullBucket(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		name := bucketName("full")
		start(t, w, "full", aBucket("a", name))
		w.Apply(ctx).Must(t)
		fillWithVersions(t, w, name)
		mark := w.Proxy.Mark()
		w.Destroy(ctx).MustFail(t, name, "the bucket holds objects", "force_destroy = true and apply before the destroy")
		w.MustCall(t, mark, "delete objects", 0, faultproxy.Action("s3:DeleteObject*"))
		w.AWS.MustHold(ctx, t, "full", "estate_s3_bucket", 1)

		must(t, w.Write("main.tf", aBucket("a", name, "force_destroy = true")))
		mark = w.Proxy.Mark()
		w.Apply(ctx).Must(t)
		w.MustNotWrite(t, mark)
		w.Destroy(ctx).Must(t)
		w.AWS.MustHold(ctx, t, "full", "estate_s3_bucket", 0)
	})
}
