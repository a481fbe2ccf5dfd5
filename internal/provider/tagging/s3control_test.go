package tagging_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

// S3 Control changes single tags, and nothing is read or put back.
func TestChangeBucketTags(t *testing.T) {
	tests := []struct {
		name   string
		set    markers.Tags
		remove []string
		want   []string
	}{
		{"sets in order", markers.Tags{"b": "2", "a": ""}, nil, []string{tag("a=", "b=2")}},
		{"removes, then sets", markers.Tags{"a": "1"}, []string{"old", "older"}, []string{untag("old", "older"), tag("a=1")}},
		{"only removes", nil, []string{"old"}, []string{untag("old")}},
		{"has nothing to do", nil, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{"TagResource": {""}, "UntagResource": {""}})
			if err := tagging.S3Bucket.Write(t.Context(), s, engine.Key{"b"}, tt.set, tt.remove); err != nil {
				t.Fatal(err)
			}
			if got := server.Calls(); !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
	s, server := canned.New(t, canned.Answers{"TagResource": {""}})
	china := s.In("cn-north-1")
	china.Partition = "aws-cn"
	err := tagging.S3Bucket.Write(t.Context(), china, engine.Key{"b"}, markers.Tags{"a": "1"}, nil)
	if got := server.Calls(); err != nil || len(got) != 1 || !strings.Contains(got[0], "/arn:aws-cn:s3:::b ") {
		t.Errorf("got %v after %q", err, got)
	}
}

// Where S3 Control cannot or may not, S3 writes the whole set; for no other reason.
func TestBucketTagsFallBack(t *testing.T) {
	const denied = "!403 AccessDenied User: u is not authorized to perform: s3:TagResource on resource: b"
	whole := []string{tag("a=1"), getTags, putTags("Team=x", "a=1")}
	tests := []struct {
		name    string
		control string
		put     string
		want    []string
		says    []string
	}{
		{name: "a region without the calls", control: noFeature, want: whole},
		{name: "an emulator without them", control: "!501 InternalFailure no route", want: whole},
		{name: "what takes the path for that of an object", control: "!404 NoSuchBucket v20180820", want: whole},
		{name: "not yet known there", control: "!404 NoSuchResource no", want: whole},
		{name: "denied", control: denied, want: whole},
		{name: "denied without a word", control: "!403 AccessDenied Access Denied", want: whole},
		{
			name: "denied both", control: denied, put: "!403 AccessDenied no", want: whole,
			says: []string{"s3:TagResource", "writing the whole set failed too", "PutBucketTagging"},
		},
		{name: "a region without the calls, and denied", control: noFeature, put: "!403 AccessDenied no", want: whole, says: []string{"PutBucketTagging"}},
		{name: "too many tags", control: "!400 TooManyTags no", want: whole[:1], says: []string{"setting tags", "TooManyTags"}},
		{name: "throttled", control: "!503 SlowDown slowly", want: whole[:1], says: []string{"SlowDown"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{
				"TagResource": {tt.control}, "GetBucketTagging": {has("Team=x")}, "PutBucketTagging": {tt.put},
			})
			err := tagging.S3Bucket.Write(t.Context(), s, engine.Key{"b"}, markers.Tags{"a": "1"}, nil)
			if got := server.Calls(); !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if (err != nil) != (len(tt.says) > 0) {
				t.Fatalf("got %v", err)
			}
			for _, word := range tt.says {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%q is not in %v", word, err)
				}
			}
			if err != nil && tt.control == noFeature && cloud.DeniedAction(err) != "s3:PutBucketTagging" {
				t.Errorf("the action to allow is %q", cloud.DeniedAction(err))
			}
		})
	}
	// What was removed before the refusal stays removed.
	s, server := canned.New(t, canned.Answers{
		"UntagResource": {""}, "TagResource": {denied}, "GetBucketTagging": {has("Team=x")}, "PutBucketTagging": {""},
	})
	err := tagging.S3Bucket.Write(t.Context(), s, engine.Key{"b"}, markers.Tags{"a": "1"}, []string{"old"})
	if got, want := server.Calls(), slices.Insert(whole, 0, untag("old")); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v after %q\nwant %q", err, got, want)
	}
}

// S3 Control is not asked in the name of no account, nor where S3 alone has an endpoint of its own.
func TestWhoWritesBucketTags(t *testing.T) {
	const single, whole = "POST " + onControl, "GET /b,PUT /b"
	tests := []struct {
		name, account string
		endpoints     []string
		want          string
	}{
		{"both", canned.Account, []string{"s3", "s3control"}, single},
		{"S3 alone", canned.Account, []string{"s3"}, whole},
		{"no account", "", []string{"s3", "s3control"}, whole},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var calls []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				calls = append(calls, r.Method+" "+r.URL.Path)
				_, _ = io.WriteString(w, has()) // a lost client reports itself
			}))
			defer server.Close()
			c := cloud.Config{
				Region: canned.Region, AccessKey: "a", SecretKey: "b", S3UsePathStyle: true, MaxRetries: 1,
				SkipCredentialsValidation: true, SkipRequestingAccountID: true, Endpoints: map[string]string{},
			}
			for _, name := range tt.endpoints {
				c.Endpoints[name] = server.URL
			}
			s, err := cloud.Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			s.Account = tt.account
			if err := tagging.S3Bucket.Write(t.Context(), s, engine.Key{"b"}, markers.Tags{"a": "1"}, nil); err != nil {
				t.Error(err)
			}
			if got := strings.Join(calls, ","); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// hosts keeps the hosts that are called.
type hosts []string

func (h *hosts) Do(r *http.Request) (*http.Response, error) {
	*h = append(*h, r.URL.Host)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}

// AWS answers under a name for each account, which no other endpoint has.
func TestHostsOfS3Control(t *testing.T) {
	for endpoint, want := range map[string]string{
		"":                                 canned.Account + ".s3-control.eu-west-1.amazonaws.com",
		"http://127.0.0.1:5000":            "127.0.0.1:5000",
		"https://s3.internal.example.com/": "s3.internal.example.com",
		"https://control.vpce-1a2b.s3.eu-west-1.vpce.amazonaws.com":     canned.Account + ".control.vpce-1a2b.s3.eu-west-1.vpce.amazonaws.com",
		"https://control.vpce-1a2b.s3.cn-north-1.vpce.amazonaws.com.cn": canned.Account + ".control.vpce-1a2b.s3.cn-north-1.vpce.amazonaws.com.cn",
		"https://s3-control.dualstack.eu-west-1.api.aws":                canned.Account + ".s3-control.dualstack.eu-west-1.api.aws",
	} {
		called := &hosts{}
		c := aws.Config{Region: canned.Region, HTTPClient: called, Credentials: credentials.NewStaticCredentialsProvider("a", "b", "")}
		if endpoint != "" {
			c.BaseEndpoint = &endpoint
		}
		s := cloud.New(c, canned.Account, canned.Region)
		err := tagging.S3Bucket.Write(t.Context(), s, engine.Key{"b"}, markers.Tags{"a": "1"}, nil)
		if err != nil || !slices.Equal(*called, hosts{want}) {
			t.Errorf("%s: called %q, want %s: %v", endpoint, *called, want, err)
		}
	}
	called := &hosts{} // of a partition whose hosts have another domain
	isolated := aws.Config{HTTPClient: called, Credentials: credentials.NewStaticCredentialsProvider("a", "b", "")}
	err := tagging.S3Bucket.Write(t.Context(), cloud.New(isolated, canned.Account, "us-iso-east-1"), engine.Key{"b"}, markers.Tags{"a": "1"}, nil)
	if want := canned.Account + ".s3-control.us-iso-east-1.c2s.ic.gov"; err != nil || !slices.Equal(*called, hosts{want}) {
		t.Errorf("called %q, want %s: %v", *called, want, err)
	}
}
