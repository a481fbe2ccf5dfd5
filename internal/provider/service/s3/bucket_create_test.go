package s3

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
)

const xmlns = ` xmlns="http://s3.amazonaws.com/doc/2006-03-01/"`

// Parts of the body of a create.
const (
	begin    = "<CreateBucketConfiguration" + xmlns + ">"
	west1    = "<LocationConstraint>eu-west-1</LocationConstraint>"
	tagsIn   = "<Tags><Tag><Key>a</Key><Value>1</Value></Tag><Tag><Key>tofu-estate</Key><Value>prod</Value></Tag></Tags>"
	end      = "</CreateBucketConfiguration>"
	regional = "b-" + canned.Account + "-eu-west-1-an"
)

func TestCreateBucket(t *testing.T) {
	named := func(name string) bucket { return bucket{Name: types.StringValue(name)} }
	with := func(m bucket, change func(*bucket)) bucket { change(&m); return m }
	tests := []struct {
		name, region string
		plan         bucket
		answers      canned.Answers
		calls        []string
		says         string
		exists       bool
		untagged     bool
	}{
		{
			name: "plain", plan: named("b"), answers: canned.Answers{"CreateBucket": {""}},
			calls: []string{"CreateBucket PUT /b " + begin + west1 + tagsIn + end},
		},
		{
			name: "with object lock", plan: with(named("b"), func(m *bucket) { m.ObjectLock = types.BoolValue(true) }),
			answers: canned.Answers{"CreateBucket": {""}},
			calls:   []string{"CreateBucket PUT /b x-amz-bucket-object-lock-enabled: true " + begin + west1 + tagsIn + end},
		},
		{
			name: "in the account's own namespace", plan: named(regional), answers: canned.Answers{"CreateBucket": {""}},
			calls: []string{"CreateBucket PUT /" + regional + " x-amz-bucket-namespace: account-regional " + begin + west1 + tagsIn + end},
		},
		{
			name: "with a name of another namespace",
			plan: with(named("b"), func(m *bucket) { m.Namespace = types.StringValue("account-regional") }),
			says: "end in -" + canned.Account + "-eu-west-1-an",
		},
		{
			name: "owned already", plan: named("b"), answers: canned.Answers{"CreateBucket": {"!409 BucketAlreadyOwnedByYou yours"}},
			calls: []string{"CreateBucket PUT /b " + begin + west1 + tagsIn + end}, says: "BucketAlreadyOwnedByYou", exists: true,
		},
		{
			name: "another account's", plan: named("b"), answers: canned.Answers{"CreateBucket": {"!409 BucketAlreadyExists theirs"}},
			calls: []string{"CreateBucket PUT /b " + begin + west1 + tagsIn + end}, says: "BucketAlreadyExists", exists: true,
		},
		{
			name: "us-east-1", region: "us-east-1", plan: named("b"),
			answers: canned.Answers{"HeadBucket": {"!404 -"}, "CreateBucket": {""}},
			calls:   []string{head, "CreateBucket PUT /b " + begin + tagsIn + end},
		},
		{
			name: "us-east-1, owned already", region: "us-east-1", plan: named("b"), answers: canned.Answers{"HeadBucket": {""}},
			calls: []string{head}, says: "exists already", exists: true,
		},
		{
			name: "us-east-1, another account's", region: "us-east-1", plan: named("b"),
			answers: canned.Answers{"HeadBucket": {"@X-Amz-Bucket-Region: us-east-1\n!403 -"}},
			calls:   []string{head}, says: "exists already", exists: true,
		},
		{
			name: "us-east-1, of which a denial tells nothing", region: "us-east-1", plan: named("b"),
			answers: canned.Answers{"HeadBucket": {"!403 -"}, "CreateBucket": {"!409 BucketAlreadyOwnedByYou yours"}},
			calls:   []string{head, "CreateBucket PUT /b " + begin + tagsIn + end}, says: "BucketAlreadyOwnedByYou", exists: true,
		},
		{
			name: "us-east-1, of which a denial tells nothing, without tags", region: "us-east-1", plan: named("b"), untagged: true,
			answers: canned.Answers{"HeadBucket": {"!403 -"}}, calls: []string{head}, says: "exists already", exists: true,
		},
		{
			name: "us-east-1, free, though the answer tells the region", region: "us-east-1", plan: named("b"),
			answers: canned.Answers{"HeadBucket": {"@X-Amz-Bucket-Region: us-east-1\n!404 -"}, "CreateBucket": {""}},
			calls:   []string{head, "CreateBucket PUT /b " + begin + tagsIn + end},
		},
		{
			name: "us-east-1, without tags", region: "us-east-1", plan: named("b"), untagged: true,
			answers: canned.Answers{"HeadBucket": {"!404 -"}, "CreateBucket": {""}}, calls: []string{head, "CreateBucket PUT /b"},
		},
		{
			name: "us-east-1, in another region", region: "us-east-1", plan: named("b"),
			answers: canned.Answers{"HeadBucket": {"@X-Amz-Bucket-Region: eu-west-1\n!301 -"}},
			calls:   []string{head}, says: "exists already", exists: true,
		},
		{
			name: "us-east-1, no answer", region: "us-east-1", plan: named("b"), answers: canned.Answers{"HeadBucket": {"!503 -"}},
			calls: []string{head}, says: "503",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, tt.answers)
			tags := markers.Tags{"tofu-estate": "prod", "a": "1"}
			if tt.untagged {
				tags = nil
			}
			key, err := createBucket(t.Context(), s.In(tt.region), &tt.plan, tags, "")
			wantCalls(t, server, tt.calls...)
			switch {
			case tt.says == "" && (err != nil || key.String() != tt.plan.Name.ValueString()):
				t.Errorf("got %v, %v", key, err)
			case tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)):
				t.Errorf("%q is not in %v", tt.says, err)
			case err != nil && exists(err) != tt.exists:
				t.Errorf("%v means that it exists: %v", err, !tt.exists)
			}
		})
	}
}

// Where S3 takes no tags with the bucket, or the caller may not send them, it is made without; for no other reason.
func TestCreateWithoutTags(t *testing.T) {
	const (
		denied  = "!403 AccessDenied User: u is not authorized to perform: s3:TagResource on resource: b"
		tagged  = "CreateBucket PUT /b " + begin + west1 + tagsIn + end
		bare    = "CreateBucket PUT /b " + begin + west1 + end
		eastern = "CreateBucket PUT /b " + begin + tagsIn + end
	)
	tests := []struct {
		name, region string
		answers      []string
		head         string
		calls        []string
		says         []string
		exists       bool
	}{
		{name: "unsupported", answers: []string{"!400 UnsupportedArgument no", ""}, calls: []string{tagged, bare}},
		{name: "malformed", answers: []string{"!400 MalformedXML no", ""}, calls: []string{tagged, bare}},
		{name: "denied", answers: []string{denied, ""}, calls: []string{tagged, bare}},
		{
			name: "us-east-1", region: "us-east-1", head: "!404 -", answers: []string{denied, ""},
			calls: []string{head, eastern, "CreateBucket PUT /b"},
		},
		{
			name: "us-east-1, of which nothing is known", region: "us-east-1", head: "!403 -", answers: []string{denied},
			calls: []string{head, eastern}, says: []string{"allow s3:TagResource, or s3:ListBucket", "not authorized"},
		},
		{
			name: "the create itself is denied", calls: []string{tagged}, says: []string{"s3:CreateBucket"},
			answers: []string{"!403 AccessDenied User: u is not authorized to perform: s3:CreateBucket on resource: b"},
		},
		{name: "denied without a word", answers: []string{"!403 AccessDenied Access Denied"}, calls: []string{tagged}, says: []string{"Access Denied"}},
		{name: "another argument", answers: []string{"!400 InvalidArgument no"}, calls: []string{tagged}, says: []string{"InvalidArgument"}},
		{
			name: "made by somebody else in between", answers: []string{denied, "!409 BucketAlreadyOwnedByYou yours"},
			calls: []string{tagged, bare}, says: []string{"BucketAlreadyOwnedByYou", "without tags", "s3:TagResource"}, exists: true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{"HeadBucket": {tt.head}, "CreateBucket": tt.answers})
			tags := markers.Tags{"tofu-estate": "prod", "a": "1"}
			_, err := createBucket(t.Context(), s.In(tt.region), &bucket{Name: types.StringValue("b")}, tags, "")
			wantCalls(t, server, tt.calls...)
			if (err != nil) != (len(tt.says) > 0) || exists(err) != tt.exists {
				t.Errorf("got %v", err)
			}
			for _, word := range tt.says {
				if err != nil && !strings.Contains(err.Error(), word) {
					t.Errorf("%q is not in %v", word, err)
				}
			}
		})
	}
}

// Buckets of before 2018 have names that no new bucket gets: the schema takes them, and a create does not ask S3.
func TestOldNames(t *testing.T) {
	for _, name := range []string{"Logs", "a_b", "a..b", ".a", "a.", "-a"} {
		s, server := canned.New(t, nil)
		_, err := createBucket(t.Context(), s, &bucket{Name: types.StringValue(name)}, nil, "")
		if err == nil || !strings.Contains(err.Error(), nameRule) || len(server.Calls()) > 0 {
			t.Errorf("%s: got %v after %q", name, err, server.Calls())
		}
		if !oldPattern.MatchString(name) {
			t.Errorf("the schema does not take %s", name)
		}
	}
	if oldPattern.MatchString("a/b") || oldPattern.MatchString("a b") || oldPattern.MatchString("é") {
		t.Error("the schema takes characters that no name ever had")
	}
}
