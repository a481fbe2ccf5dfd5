package s3

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/smithy-go"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

func TestBusy(t *testing.T) {
	code := func(c string) error { return fmt.Errorf("x: %w", &smithy.GenericAPIError{Code: c}) }
	for _, err := range []error{code("OperationAborted"), fmt.Errorf("%w: x", errRefilled), fmt.Errorf("%w: x", errStrained)} {
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
	nextVersions = "ListObjectVersions GET /b?encoding-type=url&key-marker=k+1%2B2&version-id-marker=v&versions=" + owner
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
	const more = "<IsTruncated>true</IsTruncated><NextKeyMarker>k+1%2B2</NextKeyMarker><NextVersionIdMarker>v</NextVersionIdMarker>"
	failed := func(codes ...string) string {
		var b strings.Builder
		for _, code := range codes {
			b.WriteString("<Error><Key>a</Key><VersionId>1</VersionId><Code>" + code + "</Code><Message>held</Message></Error>")
		}
		return "<DeleteResult>" + b.String() + "</DeleteResult>"
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
			name: "forced, and S3 cannot keep up", force: true,
			answers: canned.Answers{"ListObjectVersions": {versions(version("a", "1"))}, "DeleteObjects": {failed("SlowDown", "InternalError")}},
			calls:   []string{listVersions, deleteObjects(owner, object("a", "1"))},
			says:    `S3 cannot delete some of the objects for the moment: S3 did not delete the object "a" (version 1): InternalError`, again: true,
		},
		{
			name: "forced, and S3 is not there", force: true,
			answers: canned.Answers{"ListObjectVersions": {versions(version("a", "1"))}, "DeleteObjects": {failed("ServiceUnavailable")}},
			calls:   []string{listVersions, deleteObjects(owner, object("a", "1"))}, says: "ServiceUnavailable", again: true,
		},
		{
			name: "forced, and an object stays while S3 cannot keep up", force: true,
			answers: canned.Answers{"ListObjectVersions": {versions(version("a", "1"))}, "DeleteObjects": {failed("SlowDown", "AccessDenied")}},
			calls:   []string{listVersions, deleteObjects(owner, object("a", "1"))}, says: "AccessDenied",
		},
		{
			name: "forced, and pages lead nowhere", force: true,
			answers: canned.Answers{
				"ListObjectVersions": {versions(version("a", "1"), more), versions(version("b", "1"), more)},
				"DeleteObjects":      {"<DeleteResult/>", "<DeleteResult/>"},
			},
			calls: []string{listVersions, deleteObjects(owner, object("a", "1")), nextVersions, deleteObjects(owner, object("b", "1"))},
			says:  `begins the next page where this one began, at "k 1+2"`,
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

// TestDeniedObject: S3 answers 200 where it may not delete an object, and the error names the action that it takes all the same.
func TestDeniedObject(t *testing.T) {
	const refused = "<DeleteResult><Error><Key>a</Key><VersionId>1</VersionId><Code>AccessDenied</Code><Message>no</Message></Error></DeleteResult>"
	s, _ := canned.New(t, canned.Answers{"ListObjectVersions": {versions(version("a", "1"))}, "DeleteObjects": {refused}})
	err := deleteBucket(t.Context(), s, engine.Key{"b"}, &bucket{ForceDestroy: types.BoolValue(true)})
	if cloud.DeniedAction(err) != "s3:DeleteObject" || !strings.Contains(cloud.Message(err), `the object "a" (version 1)`) {
		t.Errorf("missing is %q: %v", cloud.DeniedAction(err), err)
	}
}
