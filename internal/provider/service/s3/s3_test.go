package s3

import (
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// owner is the header that names the account that a bucket must belong to.
const owner = " x-amz-expected-bucket-owner: " + canned.Account

// Calls about the bucket "b".
const (
	getTags   = "GetBucketTagging GET /b?tagging=" + owner
	head      = "HeadBucket HEAD /b" + owner
	getLock   = "GetObjectLockConfiguration GET /b?object-lock=" + owner
	listOwn   = "ListBuckets GET /?prefix=b"
	delBucket = "DeleteBucket DELETE /b" + owner
)

func wantCalls(t *testing.T, server *canned.AWS, want ...string) {
	t.Helper()
	if got := server.Calls(); !slices.Equal(got, want) {
		t.Errorf("calls\ngot  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// buckets is an answer to ListBuckets.
func buckets(names ...string) string {
	var b strings.Builder
	b.WriteString("<ListAllMyBucketsResult><Buckets>")
	for _, name := range names {
		b.WriteString("<Bucket><Name>" + name + "</Name></Bucket>")
	}
	b.WriteString("</Buckets></ListAllMyBucketsResult>")
	return b.String()
}

// What a refusal means is found out by the list of one's own buckets, and never by another call about the bucket.
func TestRefusals(t *testing.T) {
	const denied = "!403 AccessDenied Access Denied"
	tests := []struct {
		name    string
		answers canned.Answers
		calls   []string
		owner   string
		says    []string
		gone    bool
	}{
		{
			name: "no such bucket", answers: canned.Answers{"GetBucketTagging": {"!404 NoSuchBucket gone"}},
			calls: []string{getTags}, gone: true,
		},
		{
			name:    "another account's",
			answers: canned.Answers{"GetBucketTagging": {denied}, "ListBuckets": {buckets("b-2", "b2")}},
			calls:   []string{getTags, listOwn}, owner: engine.OtherAccount,
		},
		{
			name:    "another account's, behind a page",
			answers: canned.Answers{"GetBucketTagging": {denied}, "ListBuckets": {page("n", "b-1"), buckets("b-2")}},
			calls:   []string{getTags, listOwn, "ListBuckets GET /?continuation-token=n&prefix=b"}, owner: engine.OtherAccount,
		},
		{
			name:    "ours, and denied",
			answers: canned.Answers{"GetBucketTagging": {denied}, "ListBuckets": {buckets("b-2", "b")}},
			calls:   []string{getTags, listOwn}, says: []string{"AccessDenied", "Access Denied"},
		},
		{
			name: "denied by our own policies, as S3 says",
			answers: canned.Answers{"GetBucketTagging": {"!403 AccessDenied User: u is not authorized to perform: s3:GetBucketTagging " +
				"because no identity-based policy allows the s3:GetBucketTagging action"}},
			calls: []string{getTags}, says: []string{"AccessDenied", "s3:GetBucketTagging"},
		},
		{
			name:    "nobody tells",
			answers: canned.Answers{"GetBucketTagging": {denied}, "ListBuckets": {"!403 AccessDenied no listing"}},
			calls:   []string{getTags, listOwn},
			says: []string{
				`the name "b" belongs to a bucket of another account, or s3:GetBucketTagging is not allowed`,
				"s3:ListAllMyBuckets", "no listing", "Access Denied",
			},
		},
		{
			name:    "in another region",
			answers: canned.Answers{"GetBucketTagging": {"@X-Amz-Bucket-Region: us-west-2\n!301 PermanentRedirect elsewhere"}},
			calls:   []string{getTags}, says: []string{`exists in us-west-2, and was looked for in eu-west-1`, `region = "us-west-2"`},
		},
		{
			name: "throttled", answers: canned.Answers{"GetBucketTagging": {"!503 SlowDown slowly"}},
			calls: []string{getTags}, says: []string{"SlowDown"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, tt.answers)
			l, err := getBucket(t.Context(), s, engine.Key{"b"})
			wantCalls(t, server, tt.calls...)
			if isGone(err) != tt.gone || (err == nil) != (tt.owner != "") || l.Owner != tt.owner {
				t.Fatalf("got %+v, %v", l, err)
			}
			for _, word := range tt.says {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%q is not in %v", word, err)
				}
			}
			if tt.owner != "" && (l.Partial || len(l.Tags) > 0 || !l.Model.Name.Equal(types.StringValue("b"))) {
				t.Errorf("more is said of the bucket than is known: %+v", l)
			}
		})
	}
}

// A provider that was told not to ask for its account names none.
func TestUnknownAccount(t *testing.T) {
	s, server := canned.New(t, canned.Answers{"GetBucketTagging": {"!404 NoSuchTagSet none"}})
	s.Account = ""
	if _, err := getBucket(t.Context(), s, engine.Key{"b"}); err != nil {
		t.Fatal(err)
	}
	wantCalls(t, server, "GetBucketTagging GET /b?tagging=")
}

// The tags and the rest of a bucket are read by one client.
func TestClientIsShared(t *testing.T) {
	s := cloud.New(aws.Config{Region: "eu-west-1"}, canned.Account, "eu-west-1")
	first, second := api(s), api(s)
	if first != second || first == api(s.In("us-east-1")) {
		t.Error("a session has one client for each region")
	}
}

// With s3_use_path_style the bucket's name stands in the path.
func TestPathStyle(t *testing.T) {
	for _, want := range []bool{true, false} {
		s, err := cloud.Open(t.Context(), cloud.Config{
			Region: "eu-west-1", AccessKey: "a", SecretKey: "b", S3UsePathStyle: want,
			SkipCredentialsValidation: true, SkipRequestingAccountID: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := api(s).Options().UsePathStyle; got != want {
			t.Errorf("s3_use_path_style is %v, and the client's %v", want, got)
		}
	}
}
