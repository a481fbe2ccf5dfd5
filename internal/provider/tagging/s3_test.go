package tagging_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

// tagSet is a set of tags in XML, of "key=value" words.
func tagSet(words ...string) string {
	var b strings.Builder
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		b.WriteString("<Tag><Key>" + key + "</Key><Value>" + value + "</Value></Tag>")
	}
	return "<TagSet>" + b.String() + "</TagSet>"
}

// Calls about the bucket "b".
const (
	owner     = " x-amz-expected-bucket-owner: " + canned.Account
	getTags   = "GetBucketTagging GET /b?tagging=" + owner
	untagAll  = "DeleteBucketTagging DELETE /b?tagging=" + owner
	onControl = "/v20180820/tags/arn:aws:s3:::b"
	byAccount = " x-amz-account-id: " + canned.Account
	noFeature = "!405 MethodNotAllowed The specified method is not allowed against this resource."
)

func putTags(words ...string) string {
	return "PutBucketTagging PUT /b?tagging=" + owner + ` <Tagging xmlns="http://s3.amazonaws.com/doc/2006-03-01/">` + tagSet(words...) + "</Tagging>"
}

// tag and untag are calls of S3 Control.
func tag(words ...string) string {
	inner := strings.NewReplacer("<TagSet>", "<Tags>", "</TagSet>", "</Tags>").Replace(tagSet(words...))
	return "TagResource POST " + onControl + byAccount +
		` <TagResourceRequest xmlns="http://awss3control.amazonaws.com/doc/2018-08-20/">` + inner + "</TagResourceRequest>"
}

func untag(keys ...string) string {
	return "UntagResource DELETE " + onControl + "?tagKeys=" + strings.Join(keys, "&tagKeys=") + byAccount
}

func has(words ...string) string { return "<Tagging>" + tagSet(words...) + "</Tagging>" }

// In the whole set every write puts back what it was not asked to change: the tags of others, and AWS's own.
func TestWriteBucketTags(t *testing.T) {
	none := "!404 NoSuchTagSet The TagSet does not exist"
	tests := []struct {
		name   string
		now    string
		set    markers.Tags
		remove []string
		want   []string
	}{
		{"the first tags", none, markers.Tags{"b": "2", "a": ""}, nil, []string{getTags, putTags("a=", "b=2")}},
		{
			"among others", has("aws:cloudformation:stack-id=s", "Team=x", "old=1", "a=0"), markers.Tags{"a": "1"}, []string{"old"},
			[]string{getTags, putTags("Team=x", "a=1", "aws:cloudformation:stack-id=s")},
		},
		{"a key that differs in case", has("Name=theirs"), markers.Tags{"name": "ours"}, nil, []string{getTags, putTags("Name=theirs", "name=ours")}},
		{"nothing to change", has("a=1"), markers.Tags{"a": "1"}, []string{"b"}, []string{getTags}},
		{"the last of them", has("a=1"), nil, []string{"a"}, []string{getTags, untagAll}},
		{"the last but for AWS's", has("a=1", "aws:x=1"), nil, []string{"a"}, []string{getTags, putTags("aws:x=1")}},
		{"a key that is removed and set", has("a=1"), markers.Tags{"a": "2"}, []string{"a"}, []string{getTags, putTags("a=2")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{"GetBucketTagging": {tt.now}, "PutBucketTagging": {""}, "DeleteBucketTagging": {""}})
			s.Account = ""
			if err := tagging.S3Bucket.Write(t.Context(), s, engine.Key{"b"}, tt.set, tt.remove); err != nil {
				t.Fatal(err)
			}
			got := server.Calls()
			for i := range tt.want {
				tt.want[i] = strings.Replace(tt.want[i], owner, "", 1)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
	if tagging.S3Bucket.FoldsCase() || tagging.S3Bucket.Limit() != 50 {
		t.Error("S3 takes 50 tags, and tells their case apart")
	}
}

// A set that cannot be read must not be written: what it held would be lost.
func TestBucketTagsAreReadFirst(t *testing.T) {
	for _, answer := range []string{"!403 AccessDenied no", "!503 SlowDown slowly", "!404 NoSuchBucket gone"} {
		s, server := canned.New(t, canned.Answers{"TagResource": {noFeature}, "GetBucketTagging": {answer}})
		err := tagging.S3Bucket.Write(t.Context(), s, engine.Key{"b"}, markers.Tags{"a": "1"}, nil)
		if cloud.Code(err) == "" || len(server.Calls()) != 2 {
			t.Errorf("%s: got %v after %q", answer, err, server.Calls())
		}
	}
}

// That the bucket is gone, and that a write is denied, is told by each of the calls.
func TestBucketTagsErrors(t *testing.T) {
	for action, answers := range map[string]canned.Answers{
		"read":   {"GetBucketTagging": {""}},
		"set":    {"GetBucketTagging": {has("old=1", "b=1")}, "PutBucketTagging": {""}},
		"remove": {"GetBucketTagging": {has("old=1")}, "DeleteBucketTagging": {""}},
	} {
		last := map[string]string{"read": "GetBucketTagging", "set": "PutBucketTagging", "remove": "DeleteBucketTagging"}[action]
		for answer, right := range map[string]func(error) bool{
			"!404 NoSuchBucket gone": func(err error) bool { return errors.Is(err, engine.ErrNotFound) },
			"!403 AccessDenied no":   func(err error) bool { return cloud.IsDenied(err) && !errors.Is(err, engine.ErrNotFound) },
		} {
			all := maps.Clone(answers)
			all["UntagResource"], all[last] = []string{noFeature}, []string{answer}
			s, _ := canned.New(t, all)
			if err := tagging.S3Bucket.Write(t.Context(), s, engine.Key{"b"}, nil, []string{"old"}); !right(err) {
				t.Errorf("%s: %s became %v", action, answer, err)
			}
		}
	}
}

// The client names the owner on every call but the two that take none.
func TestCallsNameTheOwner(t *testing.T) {
	s, server := canned.New(t, canned.Answers{"CreateBucket": {""}, "ListBuckets": {"<L/>"}, "HeadBucket": {""}, "ListObjectVersions": {"<L/>"}, "GetObject": {""}})
	client, name := tagging.S3Client(s), aws.String("b")
	_, created := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: name})
	_, listed := client.ListBuckets(t.Context(), &s3.ListBucketsInput{})
	_, headed := client.HeadBucket(t.Context(), &s3.HeadBucketInput{Bucket: name})
	_, versions := client.ListObjectVersions(t.Context(), &s3.ListObjectVersionsInput{Bucket: name})
	_, got := client.GetObject(t.Context(), &s3.GetObjectInput{Bucket: name, Key: aws.String("k")})
	for _, err := range []error{created, listed, headed, versions, got} {
		if err != nil {
			t.Error(err)
		}
	}
	named := map[string]bool{}
	for _, line := range server.Calls() {
		action, _, _ := strings.Cut(line, " ")
		named[action] = strings.Contains(line, "x-amz-expected-bucket-owner: "+canned.Account)
	}
	want := map[string]bool{"CreateBucket": false, "ListBuckets": false, "HeadBucket": true, "ListObjectVersions": true, "GetObject": true}
	if !maps.Equal(named, want) {
		t.Errorf("got %v, want %v", named, want)
	}
}
