package s3

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/smithy-go"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
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
			name: "us-east-1, another account's", region: "us-east-1", plan: named("b"), answers: canned.Answers{"HeadBucket": {"!403 -"}},
			calls: []string{head}, says: "exists already", exists: true,
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

func TestBusy(t *testing.T) {
	code := func(c string) error { return fmt.Errorf("x: %w", &smithy.GenericAPIError{Code: c}) }
	for _, err := range []error{code("OperationAborted"), fmt.Errorf("%w: x", errRefilled)} {
		if !busy(err) {
			t.Errorf("%v passes", err)
		}
	}
	for _, err := range []error{code("BucketNotEmpty"), code("AccessDenied"), errors.New("x")} {
		if busy(err) {
			t.Errorf("%v does not pass", err)
		}
	}
}

// Calls and answers of a destroy with force_destroy.
const (
	listVersions = "ListObjectVersions GET /b?encoding-type=url&versions=" + owner
	nextVersions = "ListObjectVersions GET /b?encoding-type=url&key-marker=k&version-id-marker=v&versions=" + owner
	forced       = "x-amz-bypass-governance-retention: true"
)

func versions(entries ...string) string {
	return "<ListVersionsResult><EncodingType>url</EncodingType>" + strings.Join(entries, "") + "</ListVersionsResult>"
}

func version(key, id string) string {
	return "<Version><Key>" + key + "</Key><VersionId>" + id + "</VersionId></Version>"
}

func deleteObjects(headers string, objects ...string) string {
	return "DeleteObjects POST /b?delete=" + headers + " <Delete" + xmlns + ">" + strings.Join(objects, "") + "<Quiet>true</Quiet></Delete>"
}

func object(key, id string) string {
	return "<Object><Key>" + key + "</Key><VersionId>" + id + "</VersionId></Object>"
}

func TestDeleteBucket(t *testing.T) {
	const marker = "<DeleteMarker><Key>a</Key><VersionId>3</VersionId></DeleteMarker>"
	const more = "<IsTruncated>true</IsTruncated><NextKeyMarker>k</NextKeyMarker><NextVersionIdMarker>v</NextVersionIdMarker>"
	failed := func(code string) string {
		return "<DeleteResult><Error><Key>a</Key><VersionId>1</VersionId><Code>" + code + "</Code><Message>held</Message></Error></DeleteResult>"
	}
	tests := []struct {
		name        string
		force, lock bool
		answers     canned.Answers
		calls       []string
		says        string
		gone, again bool
	}{
		{name: "empty", answers: canned.Answers{"DeleteBucket": {""}}, calls: []string{delBucket}},
		{
			name: "gone", answers: canned.Answers{"DeleteBucket": {"!404 NoSuchBucket gone"}}, calls: []string{delBucket},
			says: "NoSuchBucket", gone: true,
		},
		{
			name: "not empty", answers: canned.Answers{"DeleteBucket": {"!409 BucketNotEmpty it is not empty"}}, calls: []string{delBucket},
			says: "the bucket holds objects, or old versions of them, and force_destroy is off",
		},
		{
			name: "forced", force: true,
			answers: canned.Answers{
				"ListObjectVersions": {versions(version("a", "1"), version("b%20c", "null"), marker, more), versions(version("z", "9"))},
				"DeleteObjects":      {"<DeleteResult/>", "<DeleteResult/>"}, "DeleteBucket": {""},
			},
			calls: []string{
				listVersions, deleteObjects(owner, object("a", "1"), object("b c", "null"), object("a", "3")),
				nextVersions, deleteObjects(owner, object("z", "9")), delBucket,
			},
		},
		{
			name: "forced, with keys that are not encoded", force: true,
			answers: canned.Answers{
				"ListObjectVersions": {strings.Replace(versions(version("a+b%20c", "1")), "<EncodingType>url</EncodingType>", "", 1)},
				"DeleteObjects":      {"<DeleteResult/>"}, "DeleteBucket": {""},
			},
			calls: []string{listVersions, deleteObjects(owner, object("a+b%20c", "1")), delBucket},
		},
		{
			name: "forced, with a key that XML cannot hold", force: true,
			answers: canned.Answers{"ListObjectVersions": {versions(version("a%01", "1"))}, "DeleteObject": {""}, "DeleteBucket": {""}},
			calls:   []string{listVersions, "DeleteObject DELETE /b/a%01?versionId=1" + owner, delBucket},
		},
		{
			name: "forced and locked", force: true, lock: true,
			answers: canned.Answers{
				"ListObjectVersions": {versions(version("a", "1"))}, "DeleteObjects": {failed("AccessDenied")},
				"PutObjectLegalHold": {""}, "DeleteObject": {""}, "DeleteBucket": {""},
			},
			calls: []string{
				listVersions, deleteObjects(" "+forced+owner, object("a", "1")),
				"PutObjectLegalHold PUT /b/a?legal-hold=&versionId=1" + owner + " <LegalHold" + xmlns + "><Status>OFF</Status></LegalHold>",
				"DeleteObject DELETE /b/a?versionId=1 " + forced + owner, delBucket,
			},
		},
		{
			name: "forced, and an object stays", force: true,
			answers: canned.Answers{"ListObjectVersions": {versions(version("a", "1"))}, "DeleteObjects": {failed("AccessDenied")}},
			calls:   []string{listVersions, deleteObjects(owner, object("a", "1"))},
			says:    `S3 did not delete the object "a" (version 1): AccessDenied: held`,
		},
		{
			name: "forced, and filled meanwhile", force: true,
			answers: canned.Answers{"ListObjectVersions": {versions()}, "DeleteBucket": {"!409 BucketNotEmpty it is not empty"}},
			calls:   []string{listVersions, delBucket}, says: "BucketNotEmpty", again: true,
		},
		{
			name: "forced and gone", force: true, answers: canned.Answers{"ListObjectVersions": {"!404 NoSuchBucket gone"}},
			calls: []string{listVersions}, says: "NoSuchBucket", gone: true,
		},
		{
			name: "forced, and a page is missing", force: true,
			answers: canned.Answers{
				"ListObjectVersions": {versions(version("a", "1"), more), "!503 SlowDown slowly"}, "DeleteObjects": {"<DeleteResult/>"},
			},
			calls: []string{listVersions, deleteObjects(owner, object("a", "1")), nextVersions}, says: "SlowDown",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, tt.answers)
			prior := bucket{ForceDestroy: types.BoolValue(tt.force), ObjectLock: types.BoolValue(tt.lock)}
			err := deleteBucket(t.Context(), s, engine.Key{"b"}, &prior)
			wantCalls(t, server, tt.calls...)
			switch {
			case (err != nil) != (tt.says != "") || isGone(err) != tt.gone || err != nil && busy(err) != tt.again:
				t.Errorf("got %v", err)
			case err != nil && !strings.Contains(err.Error(), tt.says):
				t.Errorf("%q is not in %v", tt.says, err)
			}
		})
	}
}
